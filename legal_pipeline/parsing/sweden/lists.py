"""List markers of Swedish statutes and the nesting that their order implies.

Not here: where items go in the tree (`parsing.sweden.writer`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.numbering.search import NUMBER, TEXT, Event, Level, Search

#: The marker at the beginning of a block: a number with a full stop, a letter or number with a bracket, or a dash.
MARKER = re.compile(
    r"(?P<marker>(?P<num>\d{1,3})(?P<suffix>[ \xa0]?[a-zåäö])?\.(?=[\s\xa0])"
    r"|(?P<open>\(?)(?P<in>\d{1,3}(?:[ \xa0]?[a-z])?|[a-zåäö]{1,2}|[ivx]{1,5})\)(?=[\s\xa0])"
    r"|(?P<dot>[a-zåäö])\.(?=[\s\xa0])"
    r"|(?P<dash>[-–—•·*])(?=[\s\xa0]))[\s\xa0]*"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as printed, and whether it is the first marker of its list (always true for a dash)."""

    text: str
    is_first: bool


class Lists:
    """Find the level of each item from the items before it; call `end` at the end of the stycke."""

    def __init__(self) -> None:
        self._style = jurisdiction("se").drafting("act")
        self._search = Search(self._style)

    def end(self) -> None:
        self._search = Search(self._style)

    @property
    def point(self) -> int:
        """The number of the open item where the outermost list is numbered ("3." in an article of a treaty), else 0."""
        levels = self._search.levels
        return levels[0].value if levels and levels[0].kind == "dot" else 0

    def end_inner(self) -> None:
        """End the lists nested in the outermost item; the item itself stays open."""
        self._search.close_to(1)

    def level(self, marker: re.Match[str]) -> tuple[Marker, int]:
        """Return the marker and its level (0 outermost)."""
        if marker["in"]:
            event = Event(NUMBER, marker["in"], f"{marker['open']})")
        elif marker["dash"]:
            event = Event(NUMBER, marker["dash"])
        else:
            event = Event(NUMBER, marker["dot"] or marker["num"] + (marker["suffix"] or ""), ".")
        self._search.add(event)
        innermost = self._search.levels[-1] if self._search.levels else Level(TEXT)
        return Marker(marker["marker"], innermost.value <= 1 and not innermost.suffix), max(self._search.last.level, 0)
