"""The running text inside XML elements as canonical text, with marks over the parts that mean something of their own.

Not here: blocks and nodes (each format's module makes those).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from legal_pipeline.building.xml import local_name
from legal_pipeline.text.normalise import one_line

#: A soft hyphen only says where a word may be broken; the printed text has none.
_SOFT_HYPHEN = "\u00ad"
#: Elements that begin on a line of their own: a space parts them from what stands before.
_OWN_LINE = frozenset(
    {"HED", "PSPACE", "P", "FP", "p", "li", "td", "th", "br", "row", "ent", "text", "num", "heading", "label"}
)
_SPACE = re.compile(r"[\s\u200b\u2060\ufeff]+")


@dataclass(slots=True)
class Mark:
    """A part `start..end` of an `InlineText` that is more than plain words: an editorial note, deleted text, italics."""

    kind: str
    start: int
    end: int


@dataclass
class InlineText:
    """Text put together piece by piece with runs of white space as one space, so that marks are right by construction."""

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
        """Mark what was added since `start`, without the spaces at its ends."""
        end = len(self.text.rstrip(" "))
        while start < end and self.text[start] == " ":
            start += 1
        if start < end:
            self.marks.append(Mark(kind, start, end))

    def finished(self) -> tuple[str, list[Mark]]:
        """(text without spaces at its end, marks)."""
        return self.text.rstrip(" "), self.marks


def flat_text(element: etree._Element, skip: frozenset[str] = frozenset()) -> str:
    """All text below `element` in one line, without the elements named in `skip`."""
    return inline(element, skip=skip)[0]


def inline(
    element: etree._Element, *, kinds: dict[str, str] | None = None, skip: frozenset[str] = frozenset()
) -> tuple[str, list[Mark]]:
    """Text below `element` in one line; elements in `kinds` leave a mark of that kind, those in `skip` leave nothing."""
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
    """One line per row, cells joined by ` | `; empty rows are left out."""
    rows = []
    for row in table.iter():
        if local_name(row).lower() in row_names:
            cells = [one_line(flat_text(cell)) for cell in row if local_name(cell).lower() in cell_names]
            if any(cells):
                rows.append(" | ".join(cells))
    return rows
