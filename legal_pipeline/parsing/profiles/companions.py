"""Companion files: metadata files of publishers that identify the work of a text. Found by their names, read as hints.

Not here: metadata files written by users (`sources.sidecar`), and precedence where text and companion differ (each parser decides).
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.parsing.profiles.documents import placeholders, tree_of
from legal_pipeline.parsing.profiles.profile import Profile, profiles
from legal_pipeline.parsing.profiles.values import values_of


def companion_names(text: str) -> list[str]:
    """Return the possible names of a companion of the file named `text`, in the same folder."""
    return [f"{text[: -len(ending)]}{own}" for ending, own, _ in _endings() if text.endswith(ending)]


def companions_among(names: Collection[str]) -> dict[str, set[str]]:
    """Return text -> its companions, of the texts among `names` that have any among them."""
    own = tuple({own for _, own, _ in _endings()})
    present = {name for name in names if name.endswith(own)}  # few or none, so most folders cost one look at each name
    found = {text: present.intersection(companion_names(text)) for text in names} if present else {}
    return {text: companions for text, companions in found.items() if companions}


def companion_hints(companion: str, data: bytes) -> dict[str, Any]:
    """Return the hints that the file `companion` with the bytes `data` gives for its text.

    Raises `ParseError` if it does not have the format of its name.
    """
    profile = next(profile for _, own, profile in _endings() if companion.endswith(own))
    tree = tree_of(SourceFile(companion, data), profile)
    values = values_of(tree, profile.values, profile.language)
    hints: dict[str, Any] = {
        name: values[name] for name in ("title", "number", "as_of_date", "doc_type") if name in values
    }
    has_all = placeholders(profile.work_uri) <= set(values)
    work = read_work_uri(profile.work_uri.format_map(values)) if has_all else None
    if work is not None:
        hints |= {"work_uri": work.work_uri, "jurisdiction": work.country}
    metadata = values_of(tree, profile.metadata, profile.language)
    return {**hints, **({"metadata": metadata} if metadata else {})}


@functools.cache
def _endings() -> Sequence[tuple[str, str, Profile]]:
    """Return rows (ending of the text's name, ending of the companion's name, its profile), the longest ending of a text first."""
    rows = [
        (text, profile.beside["file"], profile)
        for profile in profiles()
        if profile.beside
        for text in profile.beside["texts"]
    ]
    return sorted(rows, key=lambda row: -len(row[0]))
