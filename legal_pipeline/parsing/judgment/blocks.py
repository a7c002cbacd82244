"""What a reader of judgments hands over: blocks of text in reading order, with what its format knows about each.

Not here: what the blocks are in the judgment (`structure`).
"""

from __future__ import annotations

from dataclasses import dataclass

#: Styles whose text is not part of the judgment's flow; the value is the node type it becomes.
OUT_OF_FLOW = {
    "footnote": "footnote",
    "page_number": "page_number",
    "running_header": "running_header",
    "running_footer": "running_footer",
}


@dataclass(frozen=True)
class Block:
    """One paragraph, heading or line, its text canonical already (`text.normalise`).

    `style` is what the format is sure of, else None: `heading`, `quotation`, `table`, `header`, `headnote`, `signature`, or one of
    `OUT_OF_FLOW`. `number` is a paragraph number that is not in the text (Word's automatic numbers); a number in the text is found
    here. `joined` says that the block stands one line break after the block before it, not a blank line (sentences of one paragraph).
    `offsets` are pairs (offset in `text`, offset in the raw text); leave them out where there are none.
    """

    text: str
    style: str | None = None
    number: str | None = None
    joined: bool = False
    page: int | None = None
    offsets: tuple[tuple[int, int], ...] = ()

    @property
    def in_flow(self) -> bool:
        return self.style not in OUT_OF_FLOW
