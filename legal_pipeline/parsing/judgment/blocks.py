"""The input of the structure: blocks of text in reading order, with the facts that their format knows about each.

Not here: the role of the blocks in the judgment (`structure`).
"""

from __future__ import annotations

from dataclasses import dataclass

#: Styles whose text is not part of the running text of the judgment; their names are also the types of their nodes.
OUT_OF_FLOW = frozenset({"footnote", "page_number", "running_header", "running_footer"})


@dataclass(frozen=True)
class Block:
    """One paragraph, heading or line; its text is already canonical (`text.normalise`).

    `style` is set only if the format is certain: `heading`, `quotation`, `table`, `header`, `headnote`, `signature`, or one of
    `OUT_OF_FLOW`. `number` is a paragraph number that is not in the text (Word's automatic numbers); a number in the text is found
    here. `joined`: a line break, not a blank line, separates the block from the block before it (sentences of one paragraph).
    `offsets` are pairs (offset in `text`, offset in the raw text), empty if they are unknown.
    """

    text: str
    style: str | None = None
    number: str | None = None
    joined: bool = False
    page: int | None = None
    offsets: tuple[tuple[int, int], ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the block is a line or paragraph of its own whose style is not known."""
        return self.style is None and not self.joined

    @property
    def in_flow(self) -> bool:
        return self.style not in OUT_OF_FLOW
