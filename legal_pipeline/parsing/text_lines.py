"""Lines of a plain text with their offsets and pages, for readers of wrapped text.

Not here: grouping lines to blocks (`readers.plain_text`, `judgment.text_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.text.normalise import unwrap


@dataclass(frozen=True, slots=True)
class TextLine:
    """`text` is the line without its line end; `offset` is that of its first character; `page` counts from 1; 0 without pages."""

    text: str
    offset: int
    page: int

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


def joined(lines: Sequence[TextLine]) -> tuple[str, list[tuple[int, int]]]:
    """Return wrapped lines as one line of canonical text, and pairs (offset in it, offset in the raw text)."""
    return unwrap([line.text for line in lines], [line.offset for line in lines])
