"""Where the blocks of a tagged note begin and end: `■` bullets that open sections, and `[Para 26]` tags that close them.

Not here: nodes (`tagged.notes`) and cutting blocks to size (the chunker).
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

BULLET = "■"
#: `[Para 26]`, `[Paras 133 to 135]`, `[para  2 ]`, `[Paras 27, 31, 32, 34]`, and the page pins of the Supreme Court Reports behind it.
TAG = re.compile(
    r"\[\s*Paras?\.?\s*[-:]?\s*(?P<numbers>\d+[A-Za-z]?(?:\.\d+)*(?:\s*(?:,|and|&|to|[-–])\s*\d+[A-Za-z]?(?:\.\d+)*)*)\s*\]"
    r"(?P<pins>(?:\s?\[\s*\d+\s*-\s*[A-H](?:\s*(?:-|to|,)\s*(?:\d+\s*-\s*)?[A-H])*\s*\])*)",
    re.IGNORECASE,
)
_PIN = re.compile(r"\[\s*([^\]]+?)\s*\]")
_BULLET_LINE = re.compile(rf"^[ \t]*{BULLET}[ \t]*", re.MULTILINE)
_RANGE = re.compile(r"(\d+)\s*(?:to|[-–])\s*(\d+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+[A-Za-z]?(?:\.\d+)*")
#: A bullet of a list has a line, a bullet of a section has sentences. The items of real lists are 20 to 120 characters long.
_SECTION_CHARS = 150
_LONGEST_RANGE = 500


@dataclass(frozen=True)
class Block:
    """`start..end` of the raw text is the block without bullet and tag; `tag` is as it stands, `paras` the numbers it names."""

    start: int
    end: int
    tag: str | None = None
    paras: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    bullet: bool = False


@dataclass(frozen=True)
class Signs:
    """What speaks for a tagged note. Shares are of the length of the text."""

    tags: int
    closing_tags: int
    tagged_share: float
    bullets: int
    bulleted_share: float
    median_bullet_chars: float

    @property
    def bullets_open_sections(self) -> bool:
        """Bullets are section starts when they hold most of the text in more than list items."""
        if self.bullets == 0:
            return False
        if self.closing_tags >= 2 and self.bullets >= 2 and self.median_bullet_chars >= _SECTION_CHARS / 3:
            return True
        return self.bullets >= 2 and self.bulleted_share >= 0.5 and self.median_bullet_chars >= _SECTION_CHARS

    @property
    def tags_close_blocks(self) -> bool:
        """Tags that stand at the end of lines, not references within a sentence."""
        return self.closing_tags >= 1 and self.closing_tags >= 0.6 * self.tags and self.tagged_share >= 0.5


def read_signs(text: str) -> Signs:
    length = max(len(text.strip()), 1)
    tags = list(TAG.finditer(text))
    closing = [tag for tag in tags if _closes(text, tag.end())]
    starts = [match.start() for match in _BULLET_LINE.finditer(text)]
    pieces = [_until_blank(text, start, end) for start, end in itertools.pairwise([*starts, len(text)])]
    return Signs(
        tags=len(tags),
        closing_tags=len(closing),
        tagged_share=closing[-1].end() / length if closing else 0.0,
        bullets=len(starts),
        bulleted_share=sum(pieces) / length,
        median_bullet_chars=statistics.median(pieces) if pieces else 0.0,
    )


def _closes(text: str, position: int) -> bool:
    rest = text[position : position + 40].lstrip(" \t.;")
    return not rest or rest[0] in "\n" + BULLET


def _until_blank(text: str, start: int, end: int) -> int:
    """Characters of a bulleted piece; the text after a blank line belongs to it only when the bullets are its paragraphs."""
    piece = text[start:end].strip()
    return len(piece.split("\n\n", 1)[0])


def blocks(text: str, start: int = 0, *, use_bullets: bool) -> Iterator[Block]:
    """The blocks of `text[start:]` in order. A block ends at its closing tag or where the next bullet opens a line.

    A missing bullet, a missing tag, and a tag on a line of its own are all read (the "noisy" mode).
    """
    bullets = [match.start() for match in _BULLET_LINE.finditer(text, start)] if use_bullets else []
    tags = [tag for tag in TAG.finditer(text, start) if _closes(text, tag.end())]
    cuts = sorted(
        [(position, None) for position in bullets] + [(tag.start(), tag) for tag in tags], key=lambda cut: cut[0]
    )
    position = start
    for cut, tag in cuts:
        if tag is None:
            yield from _block(text, position, cut, None)
            position = cut
        else:
            yield from _block(text, position, cut, tag)
            position = tag.end()
    yield from _block(text, position, len(text), None)


def _block(text: str, start: int, end: int, tag: re.Match[str] | None) -> Iterator[Block]:
    while start < end and (text[start].isspace() or (tag is None and text[start] == ".")):
        start += 1
    bullet = text.startswith(BULLET, start) and start < end
    if bullet:
        start += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return
    if tag is None:
        yield Block(start, end, bullet=bullet)
        return
    pins = tuple(_PIN.findall(tag.group("pins")))
    yield Block(start, end, tag.group(), paragraph_numbers(tag.group("numbers")), pins, bullet)


def paragraph_numbers(numbers: str) -> tuple[str, ...]:
    """The numbers that a tag names, ranges written out.

    >>> paragraph_numbers("3, 12 to 14")
    ('3', '12', '13', '14')
    """
    found: list[str] = []
    for part in re.split(r",|&|\band\b", numbers):
        span = _RANGE.search(part)
        if span and 0 <= int(span[2]) - int(span[1]) < _LONGEST_RANGE:
            found.extend(str(number) for number in range(int(span[1]), int(span[2]) + 1))
        else:
            found.extend(_NUMBER.findall(part))
    return tuple(dict.fromkeys(found))
