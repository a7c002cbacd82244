"""The data of one country, loaded from its folder: `<code>/jurisdiction.toml`, `works.toml` if it has many known works, and `citations.py`
if its grammar needs code.

Users can add folders: `add_folder`, and the setting LEGAL_PIPELINE_JURISDICTIONS. Not here: any country.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.citations.country import Scanner
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.grammar import COMMON_LAW, own_function, scanner_of, with_other_law
from legal_pipeline.jurisdictions.shape import verify_shape
from legal_pipeline.model.identity import UNKNOWN_COUNTRY
from legal_pipeline.numbering.styles import Style, read_style
from legal_pipeline.settings import Settings
from legal_pipeline.system.data_files import data_file

_FOLDERS = [Path(__file__).parent]
_FILE = "jurisdiction.toml"
#: Further tables of a country with many known works, such as `works`.
_WORKS_FILE = "works.toml"


@dataclass(frozen=True, eq=False)
class Jurisdiction:
    """The data of the country `code` (ISO 3166 in lower case; `us-dc` for a part, which uses the data of its country).

    `data` is the data file; empty for a country without a file. There is one object per code, so that values compiled from
    the data can be cached by it.
    """

    code: str
    folder: Path | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def scanner(self) -> Scanner | None:
        """The scanner of its citations; None for a country without a grammar. Made at first use: few countries need eyecite."""
        own = scanner_of(self, self.folder)
        others = [jurisdiction(code).scanner for code in self.section("citations").get("also", ())]
        if own is None or not others:
            return own
        return functools.partial(with_other_law, own, [scan for scan in others if scan is not None])

    @functools.cached_property
    def citation_form(self) -> Callable[[Mapping[str, Any]], str] | None:
        """The function that makes a citation from the fields of a point; None if data is enough."""
        return own_function(self, self.folder, "citation_form.py", "citation_of")

    @functools.cached_property
    def work_of_title(self) -> Callable[[str], str | None] | None:
        """The function that reads the URI or published number of an act from its own title; None for a country without one."""
        return own_function(self, self.folder, "title.py", "work_of_title")

    @property
    def has_own_form(self) -> bool:
        """Whether its provisions are cited in a form that no other country has. Common law countries share their form, and so does a
        country whose own grammar reads that form (`citations.shares_form`)."""
        data = self.section("citations")
        return data.get("family") != COMMON_LAW and not data.get("shares_form") and self.scanner is not None

    @property
    def languages(self) -> Sequence[str]:
        """The languages of its law (ISO 639-3), the language of its first official text first."""
        return tuple(self.data.get("languages", ()))

    @property
    def language(self) -> str:
        """The language (ISO 639-3) whose form of citations it reads for countries without one (`jurisdictions.by_language`); else ""."""
        return str(self.section("citations").get("language", ""))

    def drafting(self, name: str) -> Style:
        """Return the numbering style of lists in one kind of text (`act`). Raises `ConfigurationError` if it is not known."""
        return _drafting(self, name)

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a table of the data file; empty if the country has no such table."""
        found: Mapping[str, Any] = self.data.get(name, {})
        return found


@functools.cache
def jurisdiction(code: str) -> Jurisdiction:
    """Return the country of `code`, read once. A code without a folder for it or its country gives a country with what `named.toml` says of
    it, or without data."""
    for folder in reversed(_FOLDERS):
        for name in (code, code.partition("-")[0]):
            path = folder / name / _FILE
            if (
                name.isalnum() and path.is_file()
            ):  # documents can state any code: only a plain name may be part of a path
                return Jurisdiction(code, path.parent, {**_named().get(name, {}), **_data_of(path)})
    return Jurisdiction(code, data=_named().get(code.partition("-")[0], {}))


@functools.cache
def countries() -> tuple[Jurisdiction, ...]:
    """Return the countries with a folder, by code; new objects after a folder is added, so that values made from them can be cached."""
    return tuple(map(jurisdiction, known()))


def known() -> tuple[str, ...]:
    """The codes that have a folder, sorted."""
    return tuple(sorted({path.parent.name for folder in _FOLDERS for path in folder.glob(f"*/{_FILE}")}))


@functools.cache
def described() -> tuple[Jurisdiction, ...]:
    """The countries of which there is data: those with a folder, and those of `named.toml`."""
    return tuple(map(jurisdiction, sorted({*known(), *_named()})))


def for_others() -> Jurisdiction:
    """Return the common law country whose grammar reads citations for countries without names of Acts or forms."""
    standing = (country for country in countries() if country.section("citations").get("reads_for_others"))
    return next(standing, Jurisdiction(UNKNOWN_COUNTRY))


def add_folder(folder: Path) -> None:
    """Add the countries in `folder`, one folder each; they override ours. Raises `ConfigurationError` if `folder` is not a folder, or
    if a file in it has another shape than `shapes.toml` says."""
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: no folder (expected: one with a folder per country, such as se/{_FILE})")
    for path in sorted(folder.glob(f"*/{_FILE}")):
        _data_of(path)
    if folder not in _FOLDERS:
        _FOLDERS.append(folder)
        forget()


def verified_codes(folder: Path) -> list[str]:
    """Add `folder` and return the codes of its countries, with their grammars made. Raises as `add_folder`, and what a grammar raises."""
    add_folder(folder)
    codes = sorted(path.parent.name for path in folder.glob(f"*/{_FILE}"))
    for code in codes:
        _ = jurisdiction(code).scanner
    return codes


def forget() -> None:
    """Clear the caches, so that the files are read again at the next use."""
    jurisdiction.cache_clear()
    countries.cache_clear()
    described.cache_clear()
    _drafting.cache_clear()


def add_configured(settings: Settings) -> None:
    """Add the folder of the setting LEGAL_PIPELINE_JURISDICTIONS, if it is set. Raises as `add_folder` does."""
    if settings.jurisdictions is not None:
        add_folder(settings.jurisdictions)


def _named() -> Mapping[str, Any]:
    return data_file(__package__, "named.toml")


@functools.cache
def _drafting(country: Jurisdiction, name: str) -> Style:
    return read_style(country.section("drafting"), name, f"{country.code}/{_FILE}: drafting.")


def _data_of(path: Path) -> Mapping[str, Any]:
    data, works = _read(path), path.with_name(_WORKS_FILE)
    if works.is_file():
        data = _over(_read(works), data)
    if path.parent.parent != _FOLDERS[0]:  # a test checks ours
        verify_shape(path, _with_family(data))
    return _with_family(data)


def _with_family(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `data` completed with the data of its family of law (`common_law.toml`), which the country's own data override."""
    citations = data.get("citations", {})
    family = str(citations.get("family", "")) if isinstance(citations, Mapping) else ""
    path = Path(__file__).with_name(f"{family.replace(' ', '_')}.toml")
    return _over(_read(path), data) if path.is_file() else data


def _over(common: Mapping[str, Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    merged = {**common, **own}
    for name, value in common.items():
        if isinstance(value, Mapping) and isinstance(own.get(name), Mapping):
            merged[name] = _over(value, own[name])
    return merged


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error} (expected: TOML)") from error
