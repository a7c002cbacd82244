"""Schools of drafting: which series they count in and what each reading of a marker costs.

Those of many countries stand in `styles.toml`, a country's own in its `jurisdiction.toml`. Not here: the search that adds the costs up
(`numbering.search`).
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.numbering.numerals import LATIN
from legal_pipeline.numbering.readings import Reading, readings

NEVER = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One school of drafting. Costs add up over a sequence; `NEVER` forbids.

    A series is a kind of `Reading`, or `dot`: numbers with a full stop. Levels count from the outermost, 0.
    """

    #: Series that markers may belong to, in any order of nesting.
    series: tuple[str, ...] = ()
    #: Instead: the series of each level. A level may be left out and holds one list at a time.
    ladder: tuple[str, ...] = ()
    alphabet: str = LATIN
    #: Whether `(a)` and `a)` belong to different lists.
    brackets_tell: bool = False
    #: Series from the one that usually stands outermost to the one that stands innermost; empty: any order.
    ranks: tuple[str, ...] = ()
    #: Series that may begin anew outside all that is open.
    outermost: tuple[str, ...] = ()
    #: Series and contexts that text without a number never closes; contexts in which it does not close any list.
    holds_text: tuple[str, ...] = ()
    holds_lists: tuple[str, ...] = ()
    #: Series that a definition stands in.
    definition_under: tuple[str, ...] = ()
    #: Series whose outermost list are subsections; others are paragraphs of the provision.
    subsections: tuple[str, ...] = ("digit",)
    #: Whether a proviso or explanation stands beside the one before it and never inside it or its lists.
    contexts_apart: bool = False
    #: How many readings are kept at each marker; 1 decides at once.
    beam: int
    #: Of two equal readings the one with more open levels wins; else the one with fewer.
    deeper_wins: bool = False
    depth: int = 10

    #: The marker belongs to the text before, which ends as a sentence, in the middle of one, or as a reference does.
    refuse_finished: float = NEVER
    refuse_unfinished: float = NEVER
    refuse_reference: float = NEVER
    #: It is a number although the text before ends so.
    reference: float = 0.0
    unfinished: float = 0.0

    #: It follows in an open list: `3a` after 2, `2a` after 2, 2 after 2, 1 after 2, or with numbers missing between
    #: (`gap + gap_each * difference`, at most `gap_most`; never for more than `gap_longest`).
    next_lettered: float = 0.0
    inserted: float = 0.0
    repeated: float = NEVER
    earlier: float = NEVER
    gap: float = NEVER
    gap_each: float = 0.0
    gap_most: float = NEVER
    gap_longest: float = NEVER
    #: For each level that this ends; and where a colon or a dash had announced a new list.
    close_each: float = 0.0
    announced: float = 0.0

    #: It opens a list: announced (or the first of all), first in a definition or proviso, or without a sign.
    open_announced: float = 0.0
    open_context: float = 0.0
    open_unannounced: float = 0.0
    #: The list begins with a later number, at the top of an excerpt too; with an inserted one (`1a`).
    later: float = NEVER
    later_top: float = NEVER
    later_lettered: float = 0.0
    #: Its series is open further out; is that of the innermost list; is open with a definition or proviso between; or is used by
    #: the provision around.
    inside: float = 0.0
    directly_inside: float = 0.0
    inside_context: float = 0.0
    surrounding: float = 0.0
    #: It stands in a series of a higher rank; a numeral without letters around it; `aa` without numerals around it.
    rank_reversed: float = 0.0
    unlettered_numeral: float = 0.0
    double_letter: float = 0.0
    #: In a ladder: for each level that the first marker stands below the outermost, and that a new one leaves out.
    lower_top: float = 0.0
    skipped_level: float = NEVER
    #: The list begins anew where it stands, or outside all that is open (with its first number, with a later one).
    restart: float = NEVER
    restart_top: float = NEVER
    restart_top_later: float = NEVER

    #: From this level of a ladder on markers are in italics; what it costs where a source that marks italics contradicts this.
    italic_from: int | None = None
    italic: float = 0.0

    def readings(self, num: str, bracket: str = "()") -> list[Reading]:
        """The readings of `num` that this style knows; their kind is the name of the series."""
        known = self.ladder or self.series
        found = []
        for reading in readings(num, self.alphabet):
            name = "dot" if reading.kind == "digit" and bracket == "." and "dot" in known else reading.kind
            if name in known:
                is_bracketed = self.brackets_tell and name not in ("dot", "dash")
                found.append(reading._replace(kind=f"{name}{bracket}" if is_bracketed else name))
        return found


def read_style(tables: Mapping[str, Any], name: str, place: str) -> Style:
    """The style `name` of the tables of a data file; `like` names another of them that it differs from.

    `place` says where they stand. Raises `ConfigurationError` for an unknown style or cost.
    """
    place = f"{place}{name}"
    if name not in tables:
        raise ConfigurationError(
            f"no {place} (expected: how its drafters number, one of {', '.join(tables) or 'none'})"
        )
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
    """A style that many countries share (`styles.toml`). Raises `ConfigurationError` for an unknown one."""
    text = importlib.resources.files(__package__).joinpath("styles.toml").read_text("utf-8")
    return read_style(tomllib.loads(text), name, "styles.toml: ")
