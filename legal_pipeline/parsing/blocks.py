"""The input of the recogniser, the same for all formats: one block per paragraph, heading, list item or table, with its styling.

Not here: reading a format (`parsing.readers`), the meaning of a block (`parsing.recogniser`), blocks of a judgment
(`parsing.judgment.blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from legal_pipeline.text.normalise import one_line

#: Kinds of blocks outside the running text, and the node type of each.
ASIDE_TYPES = {"table": "table", "footnote": "footnote", "running": "running_header", "quotation": "quotation"}

#: What numbers a paragraph in a cell of its own.
_MARKER = re.compile(r"\(\w{1,4}\)|\w{1,3}[.)]|[—–•-]")


@dataclass(frozen=True, slots=True)
class Block:
    """One block; its `text` is already canonical: one line, for a table one line per row.

    `kind` is `text` or a key of `ASIDE_TYPES`. `level` is the level of a heading that the format marks, 1 to 6, and 0 for other
    blocks. `depth` counts from 1 in a list and is 0 outside; the mark of an item is in `text`. `lines` are the lines of the
    source with their raw offsets, if a line break may separate blocks (plain text); `offsets` are pairs (offset in `text`, raw
    offset). `is_link`: the whole text is a link into the same document. `lead`: its first words in bold, if others are not.
    """

    text: str
    kind: str = "text"
    level: int = 0
    depth: int = 0
    bold: bool = False
    italic: bool = False
    centred: bool = False
    page: int | None = None
    is_link: bool = False
    lead: str = ""
    lines: tuple[tuple[str, int], ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()

    @property
    def is_styled(self) -> bool:
        """Whether the format distinguishes the whole block: as a heading, in bold, in italics or centred."""
        return self.level > 0 or self.bold or self.italic or self.centred


def numbered_rows(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the paragraphs of a table that only puts numbers beside their text ("(1)" | "Whereas …"); None for any other table."""
    if all(len(row) == 2 and _MARKER.fullmatch(row[0]) and row[1] for row in rows):
        return [" ".join(row) for row in rows]
    return None


def bold_lead(parts: Iterable[tuple[str, bool]]) -> str:
    """Return the first words in bold of a block with these parts (text, whether it is in bold); "" if all or none are in bold."""
    lead: list[str] = []
    has_others = False
    for text, is_bold in parts:
        is_sign = not any(map(str.isalnum, text))
        if is_bold or (lead and is_sign):
            lead.append(text)
        elif not is_sign:
            has_others = True
            if lead:
                break
    return one_line("".join(lead)) if has_others else ""
