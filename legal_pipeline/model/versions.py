"""The history of every provision, derived from the successive expressions of a work: each wording with its validity interval.

Not here: comparing two expressions (`model.diff`), and storing the rows (`registry.warehouse`, schema in `model.tables`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from legal_pipeline.model.diff import Diff, Pair
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.model.wording import Key, Wording, wordings

_ACT_NUMBER = re.compile(r"(\d{4}):(\d+)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class ProvisionVersion:
    """One wording of one provision over one validity interval; a wording that returns has one row per interval.

    The interval is half open: `valid_to` is the first day on which the wording is no longer valid, None while it is. A `valid_from` of None
    means that no source states the beginning. Both may be a condition in the law's words. `provision_id` is the first eid of the provision
    and stays when it is renumbered; an eid that is used again gets `@` and the date. `prior_eids` are the earlier eids of the provision,
    oldest first. `introduced_by` and `superseded_by` are the amending acts, if they are named.
    """

    document_id: str
    eid: str
    provision_id: str
    prior_eids: tuple[str, ...]
    text_hash: str
    valid_from: str | None
    valid_to: str | None
    introduced_by: str | None
    superseded_by: str | None

    def to_row(self) -> dict[str, Any]:
        """Return the values for `tables.PROVISION_VERSIONS`."""
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in self.__slots__
        }


@dataclass(slots=True)
class Line:
    """An unfinished row. `first` and `last` count the expressions that contain the wording, from 0; `last` is None in the latest."""

    eid: str
    provision_id: str
    prior_eids: tuple[str, ...]
    text_hash: str
    valid_from: str | None
    introduced_by: str | None
    first: int
    valid_to: str | None = None
    superseded_by: str | None = None
    last: int | None = None


class History:
    """Follows wordings from one expression to the next, and can be stored as JSON between two of them.

    `date` is the day from which an expression is assumed to be valid; `stated` the day that its source states, if any, `through` the last
    consolidated act: an act that took effect by the stated day of the expression before, or is not later than its last consolidated act,
    changed nothing between the two. `in_force` maps acts to their dates.
    """

    def __init__(self, document_id: str) -> None:
        self._document_id = document_id
        self.lines: list[Line] = []
        #: The lines of the latest expression by eid.
        self._open: dict[str, Line] = {}
        #: The last provision at a place: a repealed number that gets a text again is the same provision.
        self._places: dict[Key, str] = {}
        self._ids: set[str] = set()
        self._position = self._before = -1
        self._stated: str | None = None
        self._through: str | None = None

    def begin(
        self,
        expression: Document,
        *,
        position: int = 0,
        stated: str | None = None,
        through: str | None = None,
        original_since: str | None = None,
        in_force: Mapping[str, str] | None = None,
    ) -> None:
        """Begin with the first known expression. `original_since`: the start of wordings without an amendment mark."""
        self._position, self._stated, self._through = position, stated, through
        acts = in_force or {}
        for wording in [found for found in wordings(expression) if found.is_live_provision]:
            act = _last(wording.amendments)
            # an earlier amendment does not date the present wording
            since = wording.valid_from or (acts.get(act) or wording.amendments[-1].date if act else original_since)
            provision_id = self._places.get(wording.key) or self._name(wording, stated)
            self._start(wording, provision_id, (), since, act, self._open)

    def follow(
        self,
        found: Diff,
        *,
        date: str | None,
        position: int | None = None,
        stated: str | None = None,
        through: str | None = None,
        in_force: Mapping[str, str] | None = None,
    ) -> None:
        """Close lines that ended and open lines that began between the latest expression and the next, according to `found`."""
        self._before = self._position
        self._position = self._before + 1 if position is None else position
        day = _Day(date, self._stated, act_number(self._through), in_force or {})
        pairs = [pair for pair in found.pairs if _is_provision(pair)]
        still: dict[str, Line] = {}
        began: list[tuple[Pair, Wording]] = []
        for pair in pairs:
            line, now = self._line(pair), _standing(pair.after)
            if now is None:
                if line is not None:
                    act = day.act(pair)
                    self._end(line, (pair.after.valid_from if pair.after else None) or day.of(act), act)
            elif line and pair.before and (line.eid, pair.before.text) == (now.eid, now.text):
                _retime(line, now, day)
                still[now.eid] = line
            else:
                began.append((pair, now))
        for pair in pairs:
            if pair.before and pair.after and pair.before.key != pair.after.key:
                self._places.pop(pair.before.key, None)
        for pair, now in began:
            self._succeed(pair, now, day, still)
        self._open = still
        self._stated = stated or self._stated
        self._through = through or self._through

    @property
    def begun(self) -> bool:
        return self._position >= 0

    def rows(self) -> list[ProvisionVersion]:
        _, *names = ProvisionVersion.__slots__
        return [ProvisionVersion(self._document_id, *(getattr(line, name) for name in names)) for line in self.lines]

    def to_json(self) -> dict[str, Any]:
        number = {id(line): index for index, line in enumerate(self.lines)}
        return {
            "position": self._position,
            "stated": self._stated,
            "through": self._through,
            "lines": [list(astuple(line)) for line in self.lines],
            "open": [number[id(line)] for line in self._open.values()],
            "places": [[[list(step) for step in key], name] for key, name in self._places.items()],
        }

    @classmethod
    def from_json(cls, document_id: str, data: Mapping[str, Any]) -> History:
        history = cls(document_id)
        history._position, history._stated, history._through = data["position"], data["stated"], data["through"]
        history.lines = [Line(eid, name, tuple(prior), *rest) for eid, name, prior, *rest in data["lines"]]
        history._open = {history.lines[index].eid: history.lines[index] for index in data["open"]}
        history._places = {tuple((type, number) for type, number in key): name for key, name in data["places"]}
        history._ids = {line.provision_id for line in history.lines}
        return history

    def _line(self, pair: Pair) -> Line | None:
        """Return the open line of the wording before, None if there was none or it was repealed."""
        before = _standing(pair.before)
        return self._open.get(before.eid) if before is not None else None

    def _succeed(self, pair: Pair, now: Wording, day: _Day, still: dict[str, Line]) -> None:
        """Add a wording that the expression before did not have, at least not under this number."""
        line, act = self._line(pair), day.act(pair)
        since = now.valid_from or day.of(act)
        prior: tuple[str, ...] = ()
        if line is not None:
            self._end(line, since, act)
            prior = line.prior_eids if line.eid == now.eid else (*line.prior_eids, line.eid)
            provision_id = line.provision_id
        else:
            provision_id = self._places.get(now.key) or self._name(now, day.date)
        self._start(now, provision_id, prior, since, act, still)

    def _start(
        self,
        wording: Wording,
        provision_id: str,
        prior: tuple[str, ...],
        since: str | None,
        act: str | None,
        into: dict[str, Line],
    ) -> None:
        line = Line(wording.eid, provision_id, prior, wording.text_hash, since, act, self._position, wording.valid_to)
        self._places[wording.key] = provision_id
        self.lines.append(line)
        into[wording.eid] = line

    def _end(self, line: Line, since: str | None, act: str | None) -> None:
        line.valid_to = line.valid_to or since
        line.superseded_by = act
        line.last = self._before

    def _name(self, wording: Wording, date: str | None) -> str:
        """Return the eid, with a suffix if an earlier provision had the same eid."""
        eid = wording.eid
        dated = [f"{eid}@{date}"] if date else []
        names = itertools.chain([eid], dated, (f"{eid}@{repeat}" for repeat in itertools.count(2)))
        name = next(name for name in names if name not in self._ids)
        self._ids.add(name)
        return name


@dataclass(frozen=True, slots=True)
class _Day:
    """The start date of changes between two expressions: `date` of the later one, unless an act that it names has another date."""

    date: str | None
    stated_before: str | None
    through_before: tuple[int, int] | None
    in_force: Mapping[str, str]

    def act(self, pair: Pair) -> str | None:
        """Return the amending act that the later wording names and the earlier wording does not."""
        known = {amendment.by for amendment in pair.before.amendments} if pair.before is not None else set()
        named = pair.after.amendments if pair.after is not None else ()
        act = _last([amendment for amendment in named if amendment.by not in known])
        date = self.in_force.get(act) if act else None
        # a publisher that prints other marks than the publisher before: the act is older than both
        older = date is not None and self.stated_before is not None and date <= self.stated_before
        number = act_number(act)
        held = number is not None and self.through_before is not None and number <= self.through_before
        return None if older or held else act

    def of(self, act: str | None) -> str | None:
        return (self.in_force.get(act) if act else None) or self.date


def act_number(act: str | None) -> tuple[int, int] | None:
    """Return (year, number) of an act that is numbered by years, `2024:796` after its series."""
    found = _ACT_NUMBER.search(act) if act else None
    return (int(found[1]), int(found[2])) if found else None


def _is_provision(pair: Pair) -> bool:
    wording = pair.after or pair.before
    return wording is not None and wording.is_provision


def _standing(wording: Wording | None) -> Wording | None:
    return wording if wording is not None and not wording.repealed else None


def _last(amendments: Sequence[Amendment]) -> str | None:
    return amendments[-1].by if amendments else None


def _retime(line: Line, wording: Wording, day: _Day) -> None:
    """Update the validity of a wording that occurs again from its present marks.

    A date that is no longer printed stays valid; a condition that is no longer printed has been fulfilled.
    """
    fulfilled = wording.valid_from is None and line.valid_from and not _ISO_DATE.fullmatch(line.valid_from)
    line.valid_from = day.date if fulfilled else wording.valid_from or line.valid_from
    line.valid_to = wording.valid_to
