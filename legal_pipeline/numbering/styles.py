"""Drafting styles: the series that they use and the cost of each reading of a marker.

Styles shared by many countries are in `styles.toml`, the style of one country in its `jurisdiction.toml`. Not here: the search that adds
up the costs (`numbering.search`).
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.numbering.numerals import LATIN
from legal_pipeline.numbering.readings import Reading, readings
from legal_pipeline.system.data_files import data_file

NEVER = math.inf

#: What stands behind the provision's own number: "(1)" in "45.2(1)".
OWN = "own"
#: The sign of a section, or of a paragraph of an article.
SIGN = "§"
#: The series of digits in these brackets, in styles that distinguish it.
_DIGITS = {".": "dot", SIGN: "sign", OWN: "own"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A drafting style. Costs are added up over a sequence; `NEVER` forbids a reading.

    A series is a kind of `Reading`, or `dot` or `sign`: numbers with a full stop, or behind "§". Levels are counted from the outermost, 0.
    """

    #: Series that markers may belong to, in any order of nesting. `dot`: digits with a stop; `sign`: digits behind "§"; `own`:
    #: digits behind the number of the provision, "45.2(1)".
    series: tuple[str, ...] = ()
    #: Instead of `series`: the series of each level. A level may be skipped, and contains one list at a time.
    ladder: tuple[str, ...] = ()
    alphabet: str = LATIN
    #: Whether `(a)` and `a)` belong to different lists.
    brackets_tell: bool = False
    #: Series in their usual order, outermost first; empty: any order.
    ranks: tuple[str, ...] = ()
    #: Series that may restart outside all open lists.
    outermost: tuple[str, ...] = ()
    #: Series and contexts that text without a number never closes; contexts in which it does not close any list.
    holds_text: tuple[str, ...] = ()
    holds_lists: tuple[str, ...] = ()
    #: Series that may contain a definition.
    definition_under: tuple[str, ...] = ()
    #: Series whose outermost lists are subsections; those of other series are paragraphs of the provision.
    subsections: tuple[str, ...] = ("digit",)
    #: Whether a proviso or explanation is on the level of the one before it, never inside it or its lists.
    contexts_apart: bool = False
    #: Number of readings that are kept at each marker; with 1, each marker is decided immediately.
    beam: int
    #: Whether, of two readings of equal cost, that with more open levels is preferred; else that with fewer.
    deeper_wins: bool = False
    depth: int = 10

    #: The marker is not a number but part of the text before, which ends as a sentence, inside a sentence, or as a reference begins.
    refuse_finished: float = NEVER
    refuse_unfinished: float = NEVER
    refuse_reference: float = NEVER
    #: The marker is a number although the text before ends as a reference begins, or inside a sentence.
    reference: float = 0.0
    unfinished: float = 0.0

    #: The number follows in an open list: `3a` after 2, `2a` after 2, 2 after 2, 1 after 2, or after missing numbers
    #: (`gap + gap_each * difference`, at most `gap_most`; never if the difference is more than `gap_longest`).
    next_lettered: float = 0.0
    inserted: float = 0.0
    repeated: float = NEVER
    earlier: float = NEVER
    gap: float = NEVER
    gap_each: float = 0.0
    gap_most: float = NEVER
    gap_longest: float = NEVER
    #: Additional cost of this for each level that it closes, and if a colon or dash had announced a new list.
    close_each: float = 0.0
    announced: float = 0.0

    #: The number opens a list: announced (or the first of all), first in a definition or proviso, or not announced.
    open_announced: float = 0.0
    open_context: float = 0.0
    open_unannounced: float = 0.0
    #: The list begins with a later number than the first; the same for the first marker of a ladder, as in an excerpt; the list begins
    #: with an inserted number (`1a`).
    later: float = NEVER
    later_top: float = NEVER
    later_lettered: float = 0.0
    #: Its series is open further out; is that of the innermost list; or is open with a definition or proviso between.
    inside: float = 0.0
    directly_inside: float = 0.0
    inside_context: float = 0.0
    #: Its list is inside a series of a lower rank; a numeral is not inside a list of letters; `aa` is not inside a list of numerals.
    rank_reversed: float = 0.0
    unlettered_numeral: float = 0.0
    double_letter: float = 0.0
    #: In a ladder: for each level that the first marker is below the outermost; for each level that a new list skips.
    lower_top: float = 0.0
    skipped_level: float = NEVER
    #: The list restarts on its level, or outside all open lists (with its first number, with a later number).
    restart: float = NEVER
    restart_top: float = NEVER
    restart_top_later: float = NEVER

    #: Level of a ladder from which on markers are in italics; cost if a source that marks italics contradicts this.
    italic_from: int | None = None
    italic: float = 0.0

    def without(self, name: str) -> Style:
        """Return the style without a series."""
        return dataclasses.replace(self, series=tuple(other for other in self.series if other != name))

    def readings(self, num: str, bracket: str = "()") -> list[Reading]:
        """Return the readings of `num` in the series of this style; their kind is the name of the series."""
        known = self.ladder or self.series
        found = []
        for reading in readings(num, self.alphabet):
            by_bracket = _DIGITS.get(bracket) if reading.kind == "digit" else None
            name = by_bracket if by_bracket in known or bracket == SIGN else reading.kind
            if name in known:
                is_bracketed = self.brackets_tell and name not in ("own", "dot", "dash", "sign")
                found.append(reading._replace(kind=f"{name}{bracket}" if is_bracketed else name))
        return found


def read_style(tables: Mapping[str, Any], name: str, place: str) -> Style:
    """Return the style `name` from the tables of a data file; its key `like` names another style whose values it inherits.

    `place` is the location of the tables, for errors. Raises `ConfigurationError` for an unknown style or cost, or without a beam.
    """
    place = f"{place}{name}"
    if name not in tables:
        present = f"present are: {', '.join(tables)}" if tables else "it has none"
        raise ConfigurationError(f"{place} is missing (expected: a table that says how lists are numbered; {present})")
    own = {key: value for key, value in tables[name].items() if key != "like"}
    table = {**tables.get(tables[name].get("like"), {}), **own}
    known = {field.name for field in dataclasses.fields(Style)}
    if unknown := sorted(table.keys() - known):
        raise ConfigurationError(f"{place}: unknown {', '.join(unknown)} (expected: {', '.join(sorted(known))})")
    if "beam" not in table:
        raise ConfigurationError(f"{place}: no beam (expected: how many readings are kept, such as 12)")
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Style(**fields)


@functools.cache
def style(name: str) -> Style:
    """Return a style shared by many countries (`styles.toml`). Raises `ConfigurationError` for an unknown style."""
    return read_style(data_file(__package__, "styles.toml"), name, "styles.toml: ")
