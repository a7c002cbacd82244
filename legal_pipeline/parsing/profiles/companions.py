"""Files that publishers put beside a text and that say which work it is: found by their names, read as hints.

Not here: the metadata file that a user writes (`sources.sidecar`), and what wins where the text says otherwise (the parsers decide).
"""

from __future__ import annotations

import functools
import string
from collections.abc import Iterable, Sequence
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.parsing.profiles.documents import tree_of
from legal_pipeline.parsing.profiles.profile import Profile, profiles
from legal_pipeline.parsing.profiles.values import values_of


def companion_names(text: str) -> list[str]:
    """The names that a companion of the file named `text` may have, in the same folder."""
    return [f"{text[: -len(ending)]}{own}" for ending, own, _ in _endings() if text.endswith(ending)]


def companions_among(names: Iterable[str]) -> set[str]:
    """Those of `names` that are companions of another file in `names`."""
    present = set(names)
    return {name for text in present for name in companion_names(text) if name in present}


def companion_hints(companion: str, data: bytes) -> dict[str, Any]:
    """What the file `companion` with the bytes `data` says of its text. Raises `ParseError` where it is not what its name says."""
    profile = next(profile for _, own, profile in _endings() if companion.endswith(own))
    tree = tree_of(SourceFile(companion, data), profile)
    values = values_of(tree, profile.values, profile.language)
    hints: dict[str, Any] = {
        name: values[name] for name in ("title", "number", "as_of_date", "doc_type") if name in values
    }
    needed = {name for _, name, _, _ in string.Formatter().parse(profile.work_uri) if name}
    work = read_work_uri(profile.work_uri.format_map(values)) if needed <= set(values) else None
    if work is not None:
        hints |= {"work_uri": work.work_uri, "jurisdiction": work.country}
    metadata = values_of(tree, profile.metadata, profile.language)
    return {**hints, **({"metadata": metadata} if metadata else {})}


@functools.cache
def _endings() -> Sequence[tuple[str, str, Profile]]:
    """(ending of a text, ending of its companion, profile of the companion), the longest ending of a text first."""
    rows = [
        (text, profile.beside["file"], profile)
        for profile in profiles()
        if profile.beside
        for text in profile.beside["texts"]
    ]
    return sorted(rows, key=lambda row: -len(row[0]))
