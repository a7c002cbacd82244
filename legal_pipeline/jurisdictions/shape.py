"""Checks the data of a country against `shapes.toml`: the kind of value at each place, and the keys that a table must have.

Not here: reading the files, and what the values mean.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.data_files import data_file

_EXPECTED = {
    "text": "a text",
    "texts": 'a list of texts, such as ["…", "…"]',
    "flag": "true or false",
    "table": "a table of keys",
    "rows": "a list of tables ([[…]])",
    "pattern": "a regular expression",
    "patterns": "a list of regular expressions",
}
_PLAIN_KEY = re.compile(r"[\w-]+")
#: Faults in one message.
_MOST_SHOWN = 5


def verify_shape(path: Path, data: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` with the file, the keys and what is expected there, if `data` of `path` has another shape."""
    faults = list(_faults(data, "", ""))
    if faults:
        more = f"; and {len(faults) - _MOST_SHOWN} more" if len(faults) > _MOST_SHOWN else ""
        raise ConfigurationError(f"{path}: {'; '.join(faults[:_MOST_SHOWN])}{more}")


def _faults(table: Mapping[str, Any], place: str, written: str) -> Iterator[str]:
    """Yield the faults below a table; `place` is its key in `shapes.toml`, `written` as its file has it."""
    shapes = data_file(__package__, "shapes.toml")
    for key in shapes["required"].get(place, ()):
        if key not in table:
            yield f"{written} has no `{key}` (expected: {_EXPECTED[shapes['shapes'][_below(place, key)]]})"
    for key, value in table.items():
        at = _below(place, key)
        if at not in shapes["shapes"]:
            at = _below(place, "*")
        shape = shapes["shapes"].get(at)
        if shape is None:
            continue
        name = _below(written, key if _PLAIN_KEY.fullmatch(key) else f'"{key}"')
        if fault := _fault(value, shape):
            keys = ", ".join(_last(each) for each in shapes["shapes"] if each.rpartition(".")[0] == at)
            with_keys = f" with {keys}" if shape == "table" and keys and not keys.startswith("*") else ""
            yield f"{name} is {fault} (expected: {_EXPECTED[shape]}{with_keys})"
        elif unknown := _unfilled(value, shapes["filled"].get(at, ()), table):
            yield f"{name} is {value!r}: {unknown}"
        elif shape == "table":
            yield from _faults(value, at, name)
        elif shape == "rows":
            for number, row in enumerate(value, 1):
                yield from _faults(row, f"{at}[]", f"{name}, row {number}:")


def _fault(value: Any, shape: str) -> str | None:
    """Return what `value` is where it is not of this shape; None where it is."""
    if shape == "table":
        return None if isinstance(value, Mapping) else _described(value)
    if shape == "flag":
        return None if isinstance(value, bool) else _described(value)
    if shape in ("text", "pattern"):
        items = [value]
    elif isinstance(value, list):
        items = value
    else:
        return _described(value)
    wanted = Mapping if shape == "rows" else str
    for number, item in enumerate(items, 1):
        where = "" if item is value else f"a list whose item {number} is "
        if not isinstance(item, wanted):
            return f"{where}{_described(item)}"
        if shape.startswith("pattern") and (error := _error_of(str(item))):
            return f"{where}{_described(item)}: {error}"
    return None


def _unfilled(text: Any, filled: Sequence[str] | str, table: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the `{…}` of a text that may contain those of `filled`, or the groups of the pattern of that key."""
    if not filled:
        return None
    pattern = str(table.get(filled, "")) if isinstance(filled, str) else None
    if pattern is not None and _error_of(pattern):
        return None  # a fault of its own
    known = re.compile(pattern).groupindex if pattern is not None else filled
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        return str(error)
    expected = ", ".join(f"{{{name}}}" for name in known) or "no {…}"
    expected += ": the groups of its pattern" if pattern is not None else ""
    return next((f"{{{name}}} is not known (expected: {expected})" for name in names if name not in known), None)


def _error_of(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except re.error as error:
        return str(error)
    return None


def _described(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, list) else repr(value)


def _below(place: str, key: str) -> str:
    return f"{place}{'' if place.endswith(':') else '.'}{' ' if place.endswith(':') else ''}{key}" if place else key


def _last(place: str) -> str:
    return place.rpartition(".")[2]
