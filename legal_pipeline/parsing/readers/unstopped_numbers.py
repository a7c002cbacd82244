"""Finds lines that begin a section whose number has no full stop: "2  Commencement" below the indented text of section 1.

Such a line looks like any line that begins with a figure: the numbers before and after it decide. Not here: numbers with a full stop, a
word or a sign (`readers.plain_text`), and which of them are sections (`parsing.recogniser`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legal_pipeline.parsing.recogniser.numbers import Number, read_number
from legal_pipeline.parsing.text_lines import TextLine

#: At the left edge: a number, white space, and a capital or the number of the first subsection.
_NUMBERED = re.compile(r"(?P<num>\d{1,4}[A-Z]{0,3})\s+(?P<first>[^\W\d_]|\(1\)\s)")
_ENDED = re.compile(r"[.;:!?。；：！？؛؟।॥৷۔—][”“\"’»«)\]]*\s*\Z")
#: Minimum number of lines whose numbers follow each other, and the same where indented text is below each.
_LEAST, _LEAST_ABOVE_INDENTED = 3, 2
#: Maximum number of missing numbers (repealed sections) before a line that is set apart from the line above.
_MOST_MISSING = 5
#: A longer line (characters) is not a heading above a section.
_HEADING_CHARS = 60


def numbered_lines(lines: Sequence[TextLine]) -> frozenset[int]:
    """Return the indices of the lines that begin a numbered section: some, whose numbers follow each other from 1 on, each at the
    left edge behind a blank or an indented line, behind the end of a sentence or behind a heading. Lists of sections may be inside others.
    """
    sequences: list[list[tuple[int, Number]]] = []
    for index, line in enumerate(lines):
        match = _NUMBERED.match(line.text)
        number = read_number(match["num"]) if match and not match["first"].islower() else None
        if number is None or not _may_begin(index, lines):
            continue
        most = _MOST_MISSING if _is_set_apart(index, lines) else 0
        before = _latest(sequences, number, most)
        if before is not None:
            sequences.remove(before)
            sequences.append([*before, (index, number)])
        elif number.key == ((1, ()),):
            sequences.append([(index, number)])
    found = ([index for index, _ in sequence] for sequence in sequences)
    return frozenset(index for indices in found if _are_enough(indices, lines) for index in indices)


def _are_enough(indices: Sequence[int], lines: Sequence[TextLine]) -> bool:
    if len(indices) >= _LEAST:
        return True
    return len(indices) >= _LEAST_ABOVE_INDENTED and all(
        is_indented(lines[index + 1].text) for index in indices if index + 1 < len(lines)
    )


def _latest(
    sequences: Sequence[list[tuple[int, Number]]], number: Number, most: int
) -> list[tuple[int, Number]] | None:
    """Return the sequence with the latest line that `number` continues, with at most `most` missing numbers."""
    steps = [(found, number.follows(found[-1][1])) for found in reversed(sequences)]
    direct = next((found for found, missing in steps if missing == 0), None)
    return direct or next((found for found, missing in steps if missing is not None and missing <= most), None)


def is_indented(line: str) -> bool:
    return line[:1] in (" ", "\t") and bool(line.strip())


def _is_set_apart(index: int, lines: Sequence[TextLine]) -> bool:
    """Whether a blank or an indented line, or the beginning of the text, is above the line."""
    return not index or not lines[index - 1].stripped or is_indented(lines[index - 1].text)


def _may_begin(index: int, lines: Sequence[TextLine]) -> bool:
    if _is_set_apart(index, lines):
        return True
    above = lines[index - 1].text
    if _ENDED.search(above):
        return True
    is_heading = above[:1].isupper() and len(above.rstrip()) <= _HEADING_CHARS
    return is_heading and (index < 2 or not lines[index - 2].stripped or bool(_ENDED.search(lines[index - 2].text)))
