"""One country's knowledge, loaded from its folder: `<code>/jurisdiction.toml`, and `citations.py` where its grammar needs code.

Folders of a user's own stand beside ours: `add_folder`, and the setting LEGAL_PIPELINE_JURISDICTIONS. Not here: any country.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError

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
            if name and path.is_file():
                return Jurisdiction(code, path.parent, _read(path))
    return Jurisdiction(code)


def known() -> tuple[str, ...]:
    """The codes that have a folder, sorted."""
    return tuple(sorted({path.parent.name for folder in _FOLDERS for path in folder.glob(f"*/{_FILE}")}))


def add_folder(folder: Path) -> None:
    """Countries that stand in `folder`, one folder each; they hide ours of the same code. Raises `ConfigurationError` where it is none."""
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: no folder (expected: one with a folder per country, such as se/{_FILE})")
    if folder not in _FOLDERS:
        _FOLDERS.append(folder)
        jurisdiction.cache_clear()


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error} (expected: TOML)") from error
