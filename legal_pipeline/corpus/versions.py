"""The history of every provision, derived from the successive expressions of a work: which wording held from when to when.

Not here: the comparison of two expressions (`corpus.diff`), and where the rows are kept (`corpus.warehouse`, schema in `corpus.tables`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.corpus.diff import Pair, diff
from legal_pipeline.corpus.document import Amendment, Document
from legal_pipeline.corpus.wording import Key, Wording, wordings
from legal_pipeline.errors import ConfigurationError

_ACT_NUMBER = re.compile(r"(\d{4}):(\d+)")


@dataclass(frozen=True, slots=True)
class ProvisionVersion:
    """One wording of one provision over one interval; a wording that returns has a row for each time that it held.

    The interval is half open: `valid_to` is the first day on which the wording holds no more, None while it does. A `valid_from` of None
    is a beginning that no source tells. Both may be a condition in the law's words. `provision_id` is the eid under which the
    provision first stood and stays when it is renumbered; an eid that is used again gets `@` and the date. `prior_eids` are those
    that the provision had before this one, oldest first. `introduced_by` and `superseded_by` are the amending acts, where they are named.
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
        """Values for `tables.PROVISION_VERSIONS`."""
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in self.__slots__
        }


def provision_versions(
    expressions: Iterable[Document], *, in_force: Mapping[str, str] | None = None
) -> list[ProvisionVersion]:
    """Rows of all provisions that ever stood in `expressions`, in the order in which they first stood.

    Expressions are put in order by `as_of_date`, else by the act up to which they are consolidated; where neither is stated for all, the
    given order holds. `in_force` gives the date on which an amending act took effect (`SFS 2024:796` -> `2024-11-08`) and is taken before
    the date of the expression. Raises `ConfigurationError` for expressions of different works.
    """
    ordered = _in_order(list(expressions))
    if not ordered:
        return []
    history = _History(ordered[0].document_id, in_force or {})
    history.begin(ordered[0])
    for before, after in itertools.pairwise(ordered):
        history.follow(before, after)
    return history.rows()


def intervals(rows: Iterable[ProvisionVersion], provision_id: str) -> dict[str, list[tuple[str | None, str | None]]]:
    """{text hash: [(valid_from, valid_to), …]} of one provision, oldest first; what only changed its number is one interval."""
    found: dict[str, list[tuple[str | None, str | None]]] = {}
    for row in rows:
        if row.provision_id != provision_id:
            continue
        held = found.setdefault(row.text_hash, [])
        if held and held[-1][1] is not None and held[-1][1] == row.valid_from:
            held[-1] = (held[-1][0], row.valid_to)
        else:
            held.append((row.valid_from, row.valid_to))
    return found


def _in_order(expressions: list[Document]) -> list[Document]:
    works = sorted({expression.document_id for expression in expressions})
    if len(works) > 1:
        raise ConfigurationError(f"the history of one work cannot be read from expressions of {', '.join(works)}")
    if all(expression.as_of_date for expression in expressions):
        return sorted(expressions, key=lambda expression: expression.as_of_date or "")
    through = [
        _ACT_NUMBER.search(str(expression.metadata.get("consolidated_through", ""))) for expression in expressions
    ]
    if all(through):
        numbers = [(int(found[1]), int(found[2])) for found in through if found]
        return [
            expression for _, expression in sorted(zip(numbers, expressions, strict=True), key=lambda pair: pair[0])
        ]
    return expressions


@dataclass(slots=True)
class _Line:
    """A row in the making."""

    eid: str
    provision_id: str
    prior_eids: tuple[str, ...]
    text_hash: str
    valid_from: str | None
    introduced_by: str | None
    valid_to: str | None = None
    superseded_by: str | None = None


class _History:
    """Follows wordings from one expression to the next; `_open` are the lines of the last one by eid."""

    def __init__(self, document_id: str, in_force: Mapping[str, str]) -> None:
        self._document_id = document_id
        self._in_force = in_force
        self._lines: list[_Line] = []
        self._open: dict[str, _Line] = {}
        #: Which provision last stood at a place: a repealed number that is given a text again is the same provision.
        self._places: dict[Key, str] = {}
        self._ids: set[str] = set()

    def begin(self, expression: Document) -> None:
        for wording in _holding(wordings(expression)):
            provision_id = self._places.get(wording.key) or self._name(wording, expression)
            self._start(wording, provision_id, (), wording.valid_from, _last(wording.amendments), self._open)

    def follow(self, before: Document, after: Document) -> None:
        """Close what ended and open what began between two successive expressions."""
        pairs = [pair for pair in diff(before, after).pairs if _is_provision(pair)]
        still: dict[str, _Line] = {}
        began: list[Pair] = []
        for pair in pairs:
            line = self._open.get(pair.before.eid) if pair.before is not None and not pair.before.repealed else None
            now = pair.after if pair.after is not None and not pair.after.repealed else None
            same = (
                now is not None
                and pair.before is not None
                and (pair.before.eid, pair.before.text) == (now.eid, now.text)
            )
            if line is not None and now is not None and same:
                _retime(line, now)
                still[now.eid] = line
            elif now is not None:
                began.append(pair)
        went = {
            pair.before.key
            for pair in pairs
            if pair.before is not None and pair.after is not None and pair.before.key != pair.after.key
        }
        for pair in pairs:
            line = self._open.get(pair.before.eid) if pair.before is not None else None
            if line is not None and pair.after is not None and pair.after.repealed:
                self._end(line, pair.after, _new(pair), after)
            elif line is not None and pair.after is None:
                self._end(line, None, None, after)
        for key in went:
            self._places.pop(key, None)
        for pair in began:
            assert pair.after is not None
            self._succeed(pair, pair.after, after, still)
        self._open = still

    def rows(self) -> list[ProvisionVersion]:
        return [
            ProvisionVersion(
                self._document_id, line.eid, line.provision_id, line.prior_eids, line.text_hash,
                line.valid_from, line.valid_to, line.introduced_by, line.superseded_by,
            )
            for line in self._lines
        ]  # fmt: skip

    def _succeed(self, pair: Pair, now: Wording, expression: Document, still: dict[str, _Line]) -> None:
        """A wording that the expression before did not have, at least not under this number."""
        line = self._open.get(pair.before.eid) if pair.before is not None and not pair.before.repealed else None
        act = _new(pair)
        since = now.valid_from or self._date(act, expression)
        prior: tuple[str, ...] = ()
        if line is not None:
            line.valid_to = line.valid_to or since
            line.superseded_by = act
            prior = line.prior_eids if line.eid == now.eid else (*line.prior_eids, line.eid)
            provision_id = line.provision_id
        else:
            provision_id = self._places.get(now.key) or self._name(now, expression)
        self._start(now, provision_id, prior, since, act, still)

    def _start(
        self,
        wording: Wording,
        provision_id: str,
        prior: tuple[str, ...],
        since: str | None,
        act: str | None,
        into: dict[str, _Line],
    ) -> None:
        line = _Line(wording.eid, provision_id, prior, wording.text_hash, since, act, wording.valid_to)
        self._places[wording.key] = provision_id
        self._lines.append(line)
        into[wording.eid] = line

    def _end(self, line: _Line, place: Wording | None, act: str | None, expression: Document) -> None:
        line.valid_to = line.valid_to or (place.valid_from if place else None) or self._date(act, expression)
        line.superseded_by = act

    def _date(self, act: str | None, expression: Document) -> str | None:
        return (self._in_force.get(act) if act else None) or expression.as_of_date

    def _name(self, wording: Wording, expression: Document) -> str:
        """The eid, or what tells it from a provision that had the eid before."""
        name = wording.eid
        if name in self._ids and expression.as_of_date:
            name = f"{wording.eid}@{expression.as_of_date}"
        repeat = 2
        while name in self._ids:
            name = f"{wording.eid}@{repeat}"
            repeat += 1
        self._ids.add(name)
        return name


def _is_provision(pair: Pair) -> bool:
    wording = pair.after or pair.before
    return wording is not None and wording.is_provision


def _holding(found: Sequence[Wording]) -> list[Wording]:
    return [wording for wording in found if wording.is_provision and not wording.repealed]


def _last(amendments: Sequence[Amendment]) -> str | None:
    return amendments[-1].by if amendments else None


def _new(pair: Pair) -> str | None:
    """The amending act that the later wording names and the earlier one does not."""
    known = {amendment.by for amendment in pair.before.amendments} if pair.before is not None else set()
    return (
        _last([amendment for amendment in pair.after.amendments if amendment.by not in known]) if pair.after else None
    )


def _retime(line: _Line, wording: Wording) -> None:
    """The same wording seen again: what its marks say now holds, but a mark that has gone says nothing of when it began."""
    line.valid_from = wording.valid_from or line.valid_from
    line.valid_to = wording.valid_to
