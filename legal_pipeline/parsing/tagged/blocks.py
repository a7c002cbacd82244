"""Finds the blocks of a tagged note: `■` bullets open sections, `[Para 26]` tags close them.

Not here: nodes (`tagged.notes`) and splitting long blocks (the chunker).
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

BULLET = "■"
#: `[Para 26]`, `[Paras 133 to 135]`, `[para  2 ]`, `[Paras 27, 31, 32, 34]`, then optional page references to the Supreme Court Reports.
TAG = re.compile(
    r"\[\s*Paras?\.?\s*[-:]?\s*(?P<numbers>\d+[A-Za-z]?(?:\.\d+)*(?:\s*(?:,|and|&|to|[-–])\s*\d+[A-Za-z]?(?:\.\d+)*)*)\s*\]"
    r"(?P<pins>(?:\s?\[\s*\d+\s*-\s*[A-H](?:\s*(?:-|to|,)\s*(?:\d+\s*-\s*)?[A-H])*\s*\])*)",
    re.IGNORECASE,
)
_PIN = re.compile(r"\[\s*([^\]]+?)\s*\]")
_BULLET_LINE = re.compile(rf"^[ \t]*{BULLET}[ \t]*", re.MULTILINE)
#: A full stop before a block without a tag is that of the tag above it.
_LEAD, _LEAD_OF_TAGGED = re.compile(rf"\A[\s.]*{BULLET}?\s*"), re.compile(rf"\A\s*{BULLET}?\s*")
_RANGE = re.compile(r"(\d+)\s*(?:to|[-–])\s*(\d+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+[A-Za-z]?(?:\.\d+)*")
#: Minimum median length of bulleted sections in characters: items of real lists have 20 to 120, sections contain sentences.
_SECTION_CHARS = 150
_LONGEST_RANGE = 500


@dataclass(frozen=True)
class Block:
    """A block: `start..end` of the raw text without bullet and tag; `tag` as written, `paras` its numbers, `pins` its page references."""

    start: int
    end: int
    tag: str | None = None
    paras: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Signs:
    """Statistics by which a tagged note is recognised. Shares are relative to the length of the text, lengths in characters."""

    tags: int
    closing_tags: int
    tagged_share: float
    bullets: int
    bulleted_share: float
    median_bullet_chars: float

    @property
    def bullets_open_sections(self) -> bool:
        """Whether bullets begin sections: they contain most of the text, in pieces longer than list items."""
        if self.bullets == 0:
            return False
        if self.closing_tags >= 2 and self.bullets >= 2 and self.median_bullet_chars >= _SECTION_CHARS / 3:
            return True
        return self.bullets >= 2 and self.bulleted_share >= 0.5 and self.median_bullet_chars >= _SECTION_CHARS

    @property
    def tags_close_blocks(self) -> bool:
        """Whether most tags are at line ends, so that they are not references within sentences."""
        return self.closing_tags >= 1 and self.closing_tags >= 0.6 * self.tags and self.tagged_share >= 0.5


def read_signs(text: str) -> Signs:
    length = max(len(text.strip()), 1)
    tags = list(TAG.finditer(text))
    closing = [tag for tag in tags if _closes(text, tag.end())]
    starts = [match.start() for match in _BULLET_LINE.finditer(text)]
    bulleted = (text[start:end].strip() for start, end in itertools.pairwise([*starts, len(text)]))
    pieces = [len(piece.split("\n\n", 1)[0]) for piece in bulleted]
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


def blocks(text: str, start: int = 0, *, use_bullets: bool) -> Iterator[Block]:
    """Yield the blocks of `text[start:]` in order. A block ends at its closing tag or before the next bullet at a line start.

    Bullets and tags may be missing, and a tag may be alone on its line.
    """
    bullets = [match.start() for match in _BULLET_LINE.finditer(text, start)] if use_bullets else []
    tags = [tag for tag in TAG.finditer(text, start) if _closes(text, tag.end())]
    cuts = sorted([*((at, None) for at in bullets), *((tag.start(), tag) for tag in tags)], key=lambda cut: cut[0])
    position = start
    for cut, tag in cuts:
        yield from _block(text, position, cut, tag)
        position = tag.end() if tag else cut
    yield from _block(text, position, len(text), None)


def _block(text: str, start: int, end: int, tag: re.Match[str] | None) -> Iterator[Block]:
    piece = (_LEAD_OF_TAGGED if tag else _LEAD).sub("", text[start:end])
    start = end - len(piece)
    end = start + len(piece.rstrip())
    if start < end and tag is None:
        yield Block(start, end)
    elif start < end and tag is not None:
        pins = tuple(_PIN.findall(tag["pins"]))
        yield Block(start, end, tag.group(), paragraph_numbers(tag["numbers"]), pins)


def paragraph_numbers(numbers: str) -> tuple[str, ...]:
    """Return the numbers in a tag, with ranges expanded.

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
