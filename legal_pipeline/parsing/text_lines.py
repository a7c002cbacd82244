"""Lines of a plain text with their offsets and pages, for readers of wrapped text.

Not here: grouping lines to blocks (`readers.plain_text`, `judgment.text_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextLine:
    """`text` is the line without its line end; `offset` is that of its first character; `page` counts from 1."""

    text: str
    offset: int
    page: int

    def part(self, start: int, end: int | None = None) -> TextLine:
        """Return the characters `[start, end)` as a line."""
        return TextLine(self.text[start:end], self.offset + min(start, len(self.text)), self.page)

    @property
    def stripped(self) -> str:
        return self.text.strip()


def text_lines(text: str) -> Iterator[TextLine]:
    """Yield the lines of `text`, in order; a form feed ends a line and a page."""
    position, page = 0, 1
    for line in text.split("\n"):
        for index, piece in enumerate(line.split("\f")):
            page += index > 0
            yield TextLine(piece, position, page)
            position += len(piece) + 1
