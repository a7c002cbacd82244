"""Paragraphs of an Indian Act from raw lines: footnote marks are cut out and recorded, wrapped lines joined, offsets kept.

Not here: the role of a paragraph in its section (`section_body`), the content of footnotes (`amendment_notes`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from legal_pipeline.parsing.text_lines import unwrap_at
from legal_pipeline.text.normalise import offsets_from

#: `^1[`, `^2***`, `^3` and `^*` of India Code; the bracket may be on the next line.
_CARET_MARK = re.compile(r"\^(?P<num>\d{1,3}|\*)(?:\s?(?P<open>\[)|(?P<stars>\s?\*{1,4}))?")
#: `1[a motor cycle`: the same marks where an export lost the caret.
_GLUED_MARK = re.compile(r"(?<![\w.,/])(?P<num>\d{1,2})(?:(?P<open>\[)(?=\D)|(?P<stars>\*{3}))")
_BRACKET = re.compile(r"[\[\]]")
_BLANK = re.compile(r"\n[ \t]*\n[\s]*")
_NO_SPACE_BEFORE = ".,;:)]"


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of canonical text; `marks` are the numbers of the footnote marks in it.

    `offsets`: pairs (offset in `text`, offset in the raw text).
    """

    text: str
    offsets: tuple[tuple[int, int], ...] = ()
    marks: tuple[str, ...] = ()

    def without(self, length: int) -> Paragraph:
        """Return the paragraph without its first `length` characters and the spaces after them."""
        cut = length + len(self.text[length:]) - len(self.text[length:].lstrip())
        return Paragraph(self.text[cut:], tuple(offsets_from(self.offsets, cut)), self.marks)


def paragraphs(raw: str, start: int = 0, *, glued_marks: bool = False) -> tuple[list[Paragraph], list[str]]:
    """Return the paragraphs of `raw`, which begins at offset `start` of the raw document and is split at blank lines, and warnings.

    Footnote marks are not law: they are cut out, together with their closing bracket, which may be in a later paragraph.
    """
    cuts, marks, warnings = _marks(raw, _GLUED_MARK if glued_marks else _CARET_MARK)
    cleaned, breaks = _cut(raw, cuts)
    raw_breaks = [raw_at for _, raw_at in breaks]
    clean_marks = [(_clean_position(breaks, raw_breaks, position), num) for position, num in marks]
    out: list[Paragraph] = []
    position = 0
    for piece in _BLANK.split(cleaned):
        at = cleaned.index(piece, position) if piece else position
        position = at + len(piece)
        text, pairs = unwrap_at(at, piece)
        if not text:
            continue
        here = tuple(dict.fromkeys(num for mark, num in clean_marks if at <= mark <= position))
        clean_marks = [(mark, num) for mark, num in clean_marks if mark > position]
        out.append(Paragraph(text, _to_raw(pairs, len(text), breaks, start), here))
    return out, warnings


def without_offsets(found: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the same paragraphs without offsets into the file, for a text that is not contiguous in it."""
    return [replace(paragraph, offsets=()) for paragraph in found]


def _marks(raw: str, pattern: re.Pattern[str]) -> tuple[list[tuple[int, int]], list[tuple[int, str]], list[str]]:
    """Return (spans to cut, marks as (position, number), warnings)."""
    cuts: list[tuple[int, int]] = []
    marks: list[tuple[int, str]] = []
    openings: dict[int, str] = {}
    for match in pattern.finditer(raw):
        if match["open"]:
            openings[match.end() - 1] = match["num"]
        cuts.append(match.span())
        marks.append((match.start(), match["num"]))
    stack: list[int] = []
    for bracket in _BRACKET.finditer(raw):
        if bracket.group() == "[":
            stack.append(bracket.start())
        elif stack and stack.pop() in openings:
            cuts.append(bracket.span())
    warnings = [f"footnote mark {openings[at]} is never closed" for at in stack if at in openings]
    return sorted(cuts), marks, warnings


def _cut(raw: str, cuts: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Return (`raw` without `cuts`, pairs (clean offset, raw offset) after each cut; the first pair is (0, 0))."""
    merged: list[list[int]] = []
    for low, high in cuts:
        if merged and low <= merged[-1][1]:
            merged[-1][1] = max(high, merged[-1][1])
        else:
            merged.append([low, high])
    parts: list[str] = []
    breaks = [(0, 0)]
    length = position = 0
    for low, high in merged:
        after = raw[high : high + 1]
        # "India ^1***." becomes "India.": the space before the mark belonged to the omitted words.
        if not after or after in _NO_SPACE_BEFORE:
            while low > position and raw[low - 1] in " \n":
                low -= 1
        parts.append(raw[position:low])
        length += low - position
        position = high
        breaks.append((length, high))
    parts.append(raw[position:])
    return "".join(parts), breaks


def _clean_position(breaks: list[tuple[int, int]], raw_breaks: list[int], raw_position: int) -> int:
    index = bisect.bisect_right(raw_breaks, raw_position) - 1
    clean, raw = breaks[index]
    limit = breaks[index + 1][0] if index + 1 < len(breaks) else clean + raw_position - raw
    return min(clean + raw_position - raw, limit)


def _to_raw(
    pairs: list[tuple[int, int]], length: int, breaks: list[tuple[int, int]], start: int
) -> tuple[tuple[int, int], ...]:
    """Convert pairs into the cleaned text to pairs into the raw document, with an additional pair at each cut."""
    out: dict[int, int] = {}
    for index, (at, clean) in enumerate(pairs):
        end = pairs[index + 1][0] if index + 1 < len(pairs) else length
        first = bisect.bisect_right(breaks, (clean, 1 << 62)) - 1
        out[at] = start + breaks[first][1] + clean - breaks[first][0]
        for position in range(first + 1, len(breaks)):
            clean_break, raw_break = breaks[position]
            if clean_break - clean + at >= end:
                break
            out[clean_break - clean + at] = start + raw_break
    return tuple(sorted(out.items()))
