"""Lines of a plain text with their offsets and pages, for readers of wrapped text.

Not here: grouping lines to blocks (`readers.plain_text`, `judgment.text_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from legal_pipeline.text.normalise import unwrap

#: Lines without a blank line between them.
PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")


@dataclass(frozen=True, slots=True)
class TextLine:
    """`text` is the line without its line end; `offset` is that of its first character; `page` counts from 1; 0 without pages."""

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


def joined(lines: Sequence[TextLine]) -> tuple[str, list[tuple[int, int]]]:
    """Return wrapped lines as one line of canonical text, and pairs (offset in it, offset in the raw text)."""
    return unwrap([line.text for line in lines], [line.offset for line in lines])


def unwrap_at(offset: int, raw: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the wrapped lines of `raw`, which begins at `offset`, as one line of canonical text, and its offset map."""
    lines = raw.split("\n")
    return unwrap(lines, list(accumulate((len(line) + 1 for line in lines[:-1]), initial=offset)))
