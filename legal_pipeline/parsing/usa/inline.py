"""Canonical running text of XML elements, with marks over parts that have a special meaning.

Not here: blocks and nodes (the module of each format).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from legal_pipeline.building.xml import local_name
from legal_pipeline.text.normalise import one_line

#: A soft hyphen only marks where a word may be broken; the printed text does not show it.
_SOFT_HYPHEN = "\u00ad"
#: Elements that begin on a new line: a space separates them from the text before.
_OWN_LINE = frozenset(
    {"HED", "PSPACE", "P", "FP", "p", "li", "td", "th", "br", "row", "ent", "text", "num", "heading", "label"}
)
_SPACE = re.compile(r"[\s\u200b\u2060\ufeff]+")


@dataclass(slots=True)
class Mark:
    """A part `start..end` of an `InlineText` with a special meaning: an editorial note, deleted text, italics."""

    kind: str
    start: int
    end: int


@dataclass
class InlineText:
    """Text built piece by piece, in which each run of white space is one space; so the offsets of marks need no correction."""

    text: str = ""
    marks: list[Mark] = field(default_factory=list)

    def add(self, piece: str | None) -> None:
        if not piece:
            return
        piece = _SPACE.sub(" ", piece.replace(_SOFT_HYPHEN, ""))
        if not self.text or self.text.endswith(" "):
            piece = piece.lstrip(" ")
        self.text += piece

    def mark(self, kind: str, start: int) -> None:
        """Mark the text added since `start`, without spaces at its ends."""
        end = len(self.text.rstrip(" "))
        while start < end and self.text[start] == " ":
            start += 1
        if start < end:
            self.marks.append(Mark(kind, start, end))

    def finished(self) -> tuple[str, list[Mark]]:
        """Return (text without spaces at its end, marks)."""
        return self.text.rstrip(" "), self.marks


def flat_text(element: etree._Element, skip: frozenset[str] = frozenset()) -> str:
    """Return all text below `element` in one line, without the elements named in `skip`."""
    return inline(element, skip=skip)[0]


def inline(
    element: etree._Element, *, kinds: dict[str, str] | None = None, skip: frozenset[str] = frozenset()
) -> tuple[str, list[Mark]]:
    """Return the text below `element` in one line, and marks for elements in `kinds`; elements in `skip` are left out."""
    out = InlineText()

    def walk(node: etree._Element) -> None:
        out.add(node.text)
        for child in node:
            name = local_name(child)
            if name and name not in skip:
                if name in _OWN_LINE:
                    out.add(" ")
                start = len(out.text)
                walk(child)
                if kinds and name in kinds:
                    out.mark(kinds[name], start)
            out.add(child.tail)

    walk(element)
    return out.finished()


def table_rows(table: etree._Element, row_names: frozenset[str], cell_names: frozenset[str]) -> list[str]:
    """Return one line per row, cells joined by ` | `; empty rows are left out."""
    rows = []
    for row in table.iter():
        if local_name(row).lower() in row_names:
            cells = [one_line(flat_text(cell)) for cell in row if local_name(cell).lower() in cell_names]
            if any(cells):
                rows.append(" | ".join(cells))
    return rows
