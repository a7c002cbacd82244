"""Reads Bluebell markup, the reference that the importer fixtures come with, as a flat list of marked units.

Not here: rendering; only numbers, headings, first words and who stands in whom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TYPES = {
    "PART": "part",
    "CHAPTER": "chapter",
    "SUBPART": "subpart",
    "SECTION": "section",
    "SUBSECTION": "subsection",
    "PARAGRAPH": "paragraph",
    "SUBPARAGRAPH": "item",
    "ITEM": "item",
    "SCHEDULE": "schedule",
}
_UNIT = re.compile(r"(?P<word>[A-Z]+)\b(?P<rest>.*)")


@dataclass(frozen=True)
class Unit:
    """`within`: (type, num) of the units around it, from the outermost in."""

    type: str
    num: str
    heading: str
    within: tuple[tuple[str, str], ...]
    text: str
    line: int


def bare(num: str) -> str:
    """`(a)` and `1.` as they are cited."""
    return num.strip().strip("().").strip()


def read(path: Path) -> list[Unit]:
    lines = path.read_text("utf-8").split("\n")
    stack: list[tuple[int, str, str]] = []
    units: list[Unit] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        indent = len(line) - len(line.lstrip(" "))
        while stack and stack[-1][0] >= indent:
            stack.pop()
        match = _UNIT.match(text)
        if match is None or match["word"] not in TYPES or text.startswith("\\"):
            continue
        head, _, heading = match["rest"].partition(" - ")
        kind = TYPES[match["word"]]
        first = next((other.strip() for other in lines[number:] if other.strip()), "")
        within = tuple((level[1], level[2]) for level in stack)
        units.append(Unit(kind, bare(head), heading.strip(), within, first, number))
        stack.append((indent, kind, bare(head)))
    return units
