"""Find the designators at the beginning of paragraphs: (a)(1)(i)(A) in a regulation, (a)(1)(A)(i)(I) in a statute.

Not here: nodes and text (`building.designated_paragraphs`), the level of a designator (`numbering.search`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.numbering.styles import Style

_DESIGNATOR = re.compile(r"\(([a-zA-Z]{1,7}|\d{1,3}(?:-\d+|[A-Z])?)\)[ \u2002]*")
#: Text allowed between two designators of one paragraph: a heading that ends in a full stop, a colon or a dash.
_HEADING = re.compile(r"[A-Z\u201c\"'][^()]{1,120}?(?:\.?[\u2014\u2013]|--|\.|:)\s*")


@dataclass(frozen=True, slots=True)
class Designator:
    """`(num)` at `start` of its paragraph's text; `italic` if the source has italics (None: the source does not mark them)."""

    num: str
    start: int
    end: int
    italic: bool | None = None


def designators_of(text: str, numbering: Style, italics: Sequence[tuple[int, int]] | None = None) -> list[Designator]:
    """Return the designators at the beginning of a paragraph: `(h) Title.—(1) General. (i) Text` has three.

    After a heading, a further designator counts only if it can be the first of a series that the style knows ((a), (1), (i), (A)).
    """
    found: list[Designator] = []
    position = 0
    while (match := _DESIGNATOR.match(text, position)) is not None:
        italic = None if italics is None else any(a <= match.start(1) < b for a, b in italics)
        known = numbering.readings(match.group(1))
        first = any(reading.value == 1 for reading in known)
        if not known or (found and not first and match.start() != found[-1].end):
            break
        found.append(Designator(match.group(1), match.start(), match.end(), italic))
        position = match.end()
        if _DESIGNATOR.match(text, position) is None:
            heading = _HEADING.match(text, position)
            if heading is None or _DESIGNATOR.match(text, heading.end()) is None:
                break
            position = heading.end()
    return found
