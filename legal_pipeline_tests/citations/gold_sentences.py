"""Reads the hand-made gold sentences in `gold/*.toml`: text with `{{span||work#eid; work#eid}}`. Not here: the tests."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.citations import CitingDocument

FOLDER = Path(__file__).parent / "gold"
_MARK = re.compile(r"\{\{(?P<span>.+?)\|\|(?P<targets>.*?)\}\}")

#: (start, end, work URI or None, eid or None)
Target = tuple[int, int, str | None, str | None]


@dataclass(frozen=True)
class GoldSentence:
    text: str
    targets: frozenset[Target]
    document: CitingDocument | None
    #: Where the sentence begins in `text`: an earlier sentence that a short form refers to may stand before it.
    start: int
    #: Kept back while the grammar was written.
    held: bool = False


def gold_sentences(jurisdiction: str) -> Iterator[GoldSentence]:
    data = tomllib.loads((FOLDER / f"{jurisdiction}.toml").read_text("utf-8"))
    for item in data["sentence"]:
        before = item.get("before", "")
        text, targets = _read(item["text"], data["works"], f"{before} " if before else "")
        yield GoldSentence(
            text, frozenset(targets), _document(item, data, len(text)), len(before), item.get("held", False)
        )


def _read(marked: str, works: dict[str, str], before: str) -> tuple[str, list[Target]]:
    text, position, targets = before, 0, []
    for mark in _MARK.finditer(marked):
        text += marked[position : mark.start()]
        start = len(text)
        text += mark["span"]
        for target in mark["targets"].split(";"):
            work, _, eid = target.strip().rpartition("#")
            targets.append((start, len(text), None if work == "-" else works.get(work, work), eid or None))
        position = mark.end()
    return text + marked[position:], targets


def _document(item: dict[str, str], data: dict[str, object], length: int) -> CitingDocument | None:
    """The citing document: the sentence is all of the provision `within`; the others stand around it, empty."""
    if "within" not in item:
        return None
    settings = data["document"]
    assert isinstance(settings, dict)
    within, provisions, reached = item["within"], [], False
    for eid in settings["eids"]:
        inside = within == eid or within.startswith(f"{eid}__")
        reached = reached or within == eid
        provisions.append((eid, 0, length) if inside else (eid, length, length) if reached else (eid, 0, 0))
    works = data["works"]
    assert isinstance(works, dict)
    return CitingDocument(works["self"], settings["doc_type"], tuple(provisions))
