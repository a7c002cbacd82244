"""One country's knowledge, loaded from its folder: `<code>/jurisdiction.toml`, and `citations.py` where its grammar needs code.

Folders of a user's own stand beside ours: `add_folder`, and the setting LEGAL_PIPELINE_JURISDICTIONS. Not here: any country.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.citations.country import Scanner
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.grammar import COMMON_LAW, citation_form_of, scanner_of, with_other_law
from legal_pipeline.numbering.styles import Style, read_style
from legal_pipeline.settings import Settings

_FOLDERS = [Path(__file__).parent]
_FILE = "jurisdiction.toml"


@dataclass(frozen=True, eq=False)
class Jurisdiction:
    """What is known of `code` (ISO 3166 in lower case; `us-dc` for a part, which knows what its country knows).

    `data` is the data file; empty where nothing is known of the country. There is one object per code, so that what is compiled from
    the data can be cached by it.
    """

    code: str
    folder: Path | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def scanner(self) -> Scanner | None:
        """How its lawyers cite; None where that is not known. Made when first asked for: few countries need eyecite."""
        own = scanner_of(self, self.folder)
        others = [jurisdiction(code).scanner for code in self.section("citations").get("also", ())]
        if own is None or not others:
            return own
        return functools.partial(with_other_law, own, [scan for scan in others if scan is not None])

    @functools.cached_property
    def citation_form(self) -> Callable[[Mapping[str, Any]], str] | None:
        """How its lawyers cite what the fields of a point name; None where data is enough."""
        return citation_form_of(self, self.folder)

    @property
    def has_own_form(self) -> bool:
        """Whether its provisions are cited in a form that no other country has; those of the common law share theirs, and so does a
        country whose own grammar reads that form (`citations.shares_form`)."""
        data = self.section("citations")
        return data.get("family") != COMMON_LAW and not data.get("shares_form") and self.scanner is not None

    def drafting(self, name: str) -> Style:
        """How its drafters number the lists of one kind of text (`act`). Raises `ConfigurationError` where that is not known."""
        return _drafting(self, name)

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of the data file; empty where the country has none."""
        found: Mapping[str, Any] = self.data.get(name, {})
        return found


@functools.cache
def jurisdiction(code: str) -> Jurisdiction:
    """Read once. A code without a folder of its own, nor its country, is known by nothing but its code."""
    for folder in reversed(_FOLDERS):
        for name in (code, code.partition("-")[0]):
            path = folder / name / _FILE
            if name.isalnum() and path.is_file():  # a document can state any code: no path but a name
                return Jurisdiction(code, path.parent, _with_family(_read(path)))
    return Jurisdiction(code)


@functools.cache
def countries() -> tuple[Jurisdiction, ...]:
    """Those that have a folder, by code; other objects once a folder is added, so that what is made from them can be cached by them."""
    return tuple(map(jurisdiction, known()))


def known() -> tuple[str, ...]:
    """The codes that have a folder, sorted."""
    return tuple(sorted({path.parent.name for folder in _FOLDERS for path in folder.glob(f"*/{_FILE}")}))


def for_others() -> Jurisdiction:
    """The country of the common law that stands for those of which no names of Acts, or no forms, are known."""
    standing = (country for country in countries() if country.section("citations").get("reads_for_others"))
    return next(standing, Jurisdiction("und"))


def add_folder(folder: Path) -> None:
    """Countries that stand in `folder`, one folder each; they hide ours of the same code. Raises `ConfigurationError` where it is none."""
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: no folder (expected: one with a folder per country, such as se/{_FILE})")
    if folder not in _FOLDERS:
        _FOLDERS.append(folder)
        forget()


def forget() -> None:
    """Read the files anew when a country is next asked for."""
    jurisdiction.cache_clear()
    countries.cache_clear()
    _drafting.cache_clear()


def add_configured(settings: Settings) -> None:
    """The folder of the setting LEGAL_PIPELINE_JURISDICTIONS, where there is one. Raises as `add_folder` does."""
    if settings.jurisdictions is not None:
        add_folder(settings.jurisdictions)


@functools.cache
def _drafting(country: Jurisdiction, name: str) -> Style:
    return read_style(country.section("drafting"), name, f"{country.code}: drafting.")


def _with_family(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """`data` with what its family of law has in common, where the country says nothing else: `common_law.toml`."""
    family = data.get("citations", {}).get("family", "")
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
