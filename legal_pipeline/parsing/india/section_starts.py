"""Find the lines of a printed Act at which its sections begin.

Not here: everything between them (`act_lines`).
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.text_lines import TextLine
from legal_pipeline.text.markup import RAISED
from legal_pipeline.text.normalise import one_line

#: Lines that begin a section or a part of a section, as India Code prints them.
SECTION = re.compile(
    r"^(?:Section|Sec\.|S\.)\s*(?P<num>\d+[A-Z]{0,2}(?:\.\d+)?)(?![\w(])\s*(?:[.:]|[—–-])?\s*(?P<rest>.*)$"
)
SUBSECTION = re.compile(r"^\(\s?\d+[A-Z]?\s?\)")
CLAUSE = re.compile(r"^\(\s?[a-z]{1,4}\s?\)")
PROVISO = re.compile(r"^\(?Provided\b")
EXPLANATION = re.compile(r"^(?:Explanation|Exception|Illustration)s?\b\s*\w{0,3}\s*[.:—–-]*")
#: The style of the Gazette: `3. Amendment of certain enactments. —The enactments …`; the heading ends with a full stop and a dash.
#: The mark of a footnote and a bracket may stand before the number of an inserted section: `3[4A. The Board`, and the space after the
#: number may be missing: `3.Communication of proposals.—`.
NUMBERED = re.compile(
    rf"^(?:[\d{RAISED}'‘’]{{0,3}}\[)?(?P<num>\d{{1,3}}[A-Z]{{0,2}})\.(?:\s+|[—–]\s*|(?=[^\W\d]|[“\"‘]))(?P<rest>\S.*)$"
)
RUN_IN = re.compile(r"(?P<heading>[^—–]{2,200}?)[.:]?\s*(?:[—–]|--+|\.\s?-)\s*")
STARTS_BLOCK = (SUBSECTION, CLAUSE, PROVISO, EXPLANATION)
#: After one of these words, a number at the start of a line is a wrapped reference, not the start of a section.
OPEN_END = re.compile(
    r"(?:\b(?:sections?|sub-?\s?sections?|clauses?|sub-?clauses?|articles?|ss?\.|rules?|orders?|schedules?|paragraphs?|and|or|to|of|in|by|under|the|with)|,|\()\s*$",
    re.I,
)
#: Maximum number of lines of a heading.
_HEADING_LINES = 3


@dataclass(frozen=True)
class Start:
    """A section that begins at index `line`; `style` is the style of its number: "word" (`Section 3.`) or "number" (`3.`).

    `has_heading`: a heading and a dash follow the number, which the items of a list do not have.
    """

    line: int
    num: str
    style: str
    rest: str
    has_heading: bool = False


def section_starts(lines: Sequence[TextLine]) -> list[Start]:
    """Return the lines at which a section begins: the numbers rise (without a word and a heading, one by one), and the line before is
    complete.

    Of the two styles the style with more starts is used. But numbers without a word may be those of notes, so the style with a
    word needs only half as many starts.
    """
    worded, numbered = _ascending(lines, SECTION, "word"), _ascending(lines, NUMBERED, "number")
    return worded if 2 * len(worded) >= len(numbered) else numbered


def repeated_numbers(lines: Sequence[TextLine], starts: Sequence[Start]) -> list[str]:
    """Return the numbers of those `starts` with a word ("Section 3.") that a line behind the start before has too: the print numbers two
    sections alike, and the first of them is not a start."""
    return [
        after.num
        for before, after in itertools.pairwise(starts)
        if after.style == "word"
        and any(
            (match := SECTION.match(line.stripped)) and match["num"] == after.num and not match["rest"][:1].islower()
            for line in lines[before.line + 1 : after.line]
        )
    ]


def _ascending(lines: Sequence[TextLine], pattern: re.Pattern[str], style: str) -> list[Start]:
    found: list[Start] = []
    before = ""
    for index, line in enumerate(lines):
        text = line.stripped
        match = pattern.match(text)
        if match and not (before and OPEN_END.search(before)):
            has_heading = style == "number" and _has_run_in_heading(lines, index, match["rest"])
            found.append(Start(index, match["num"], style, match["rest"], has_heading))
        if text or not line.page:
            before = text
    if style == "number":
        return max(_one_by_one(found), _with_headings(found), key=len)
    return _longest([start for start in found if not start.rest[:1].islower()])


def _one_by_one(found: Sequence[Start]) -> list[Start]:
    """Return the starts whose number directly follows the number before: numbers without a word are also those of lists."""
    out: list[Start] = []
    for start in found:
        if _follows(out[-1].num if out else None, start.num):
            out.append(start)
    return out


def _with_headings(found: Sequence[Start]) -> list[Start]:
    """Return the longest series of starts with headings, and between two of them those that directly follow the number before.

    A number that a print hides (a missing space, a misread mark) then hides no section after it.
    """
    series = _longest([start for start in found if start.has_heading])
    out: list[Start] = []
    passed = 0
    for start in found:
        after = series[passed] if passed < len(series) else None
        if start is after:
            passed += 1
        elif (after is not None and _split_number(start.num) >= _split_number(after.num)) or not _follows(
            out[-1].num if out else None, start.num
        ):
            continue
        out.append(start)
    return out


def _has_run_in_heading(lines: Sequence[TextLine], index: int, rest: str) -> bool:
    """Return whether a heading with a dash begins `rest`, which the next two lines may continue."""
    parts = [rest]
    for line in lines[index + 1 : index + _HEADING_LINES]:
        text = line.stripped
        if not text or NUMBERED.match(text) or any(pattern.match(text) for pattern in STARTS_BLOCK):
            break
        parts.append(text)
    return RUN_IN.match(one_line(" ".join(parts))) is not None


def _longest(found: Sequence[Start]) -> list[Start]:
    """Return the longest series of starts with rising numbers, so that one misread number does not hide all sections after it."""
    tails: list[tuple[int, str]] = []
    places: list[int] = []
    for start in found:
        key = _split_number(start.num)
        place = bisect.bisect_left(tails, key)
        tails[place : place + 1] = [key]
        places.append(place)
    out: list[Start] = []
    for start, place in zip(reversed(found), reversed(places), strict=True):
        if place == len(tails) - 1 - len(out):
            out.append(start)
    return out[::-1]


def _follows(last: str | None, num: str) -> bool:
    number, suffix = _split_number(num)
    if last is None:
        return number == 1 or bool(suffix)
    last_number, last_suffix = _split_number(last)
    return (number == last_number + 1) or (number == last_number and suffix > last_suffix)


def _split_number(num: str) -> tuple[int, str]:
    match = re.match(r"(\d+)(.*)", num)
    assert match is not None
    return int(match[1]), match[2]
