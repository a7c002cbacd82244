"""A provision of a document: its node, its citation, its wording on a day, all its wordings.

Not here: access rights and the other fields of an answer (`law_reader`), and deriving intervals (`stages.provision_versions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from legal_pipeline.errors import DocumentError, NotFoundError
from legal_pipeline.model.document import Node
from legal_pipeline.model.versions import Line
from legal_pipeline.reading.answers import Interval
from legal_pipeline.reading.texts import Text, Work
from legal_pipeline.retrieval.citation_form import citation_of, division_of
from legal_pipeline.stages.provision_versions import Derived
from legal_pipeline.stages.superseded_chunks import interval_of
from legal_pipeline.stores.store import Payload

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

#: Separates the id of a document from an eid; neither contains it, and it needs no escape in a URL.
ID_SEPARATOR = "~"

#: Maximum number of names listed in an error.
_MOST_NAMED = 5


def provision_id(document_id: str, eid: str) -> str:
    return f"{document_id}{ID_SEPARATOR}{eid}"


def split_id(id: str) -> tuple[str, str]:
    """Return (document id, eid). Raises `NotFoundError` for a text that is not the id of a provision."""
    document_id, separator, eid = id.partition(ID_SEPARATOR)
    if not (document_id and separator and eid):
        raise NotFoundError(
            f"{id[:200]!r} is not the id of a provision; expected a document id, `{ID_SEPARATOR}` and an eid: xx-act-2099-10~chp_2__sec_3"
        )
    return document_id, eid


@dataclass(frozen=True, slots=True)
class Wording:
    """A node in one text, and the validity interval of its wording."""

    text: Text
    node: Node
    interval: Interval

    @property
    def verbatim(self) -> str:
        return self.text.document.text_of(self.node)


def latest(work: Work, eid: str) -> Wording:
    """Return the wording in the latest text. Raises `NotFoundError` with the known wordings and similar provisions."""
    found = work.latest.nodes.get(eid)
    if found is None:
        raise NotFoundError(
            f"{work.document_id} has no provision {eid[:200]!r} now{known_wordings(work, eid)}{_near(work, eid)}"
        )
    line = next((line for line in _lines_of(work, eid) if line.last is None), None)
    return Wording(work.latest, found[0], _interval(work, found[0], line))


def on_day(work: Work, eid: str, day: str) -> Wording:
    """Return the wording in force under this eid on `day` (ISO); for a renumbered provision, under its eid on that day.

    Judgments and amending acts have no versions: their latest text is the text of every day.

    Raises `NotFoundError` if there was none, `DocumentError` if its text can no longer be read, and `StoreUnavailableError` while the
    document's history is being made.
    """
    history = work.history
    if history is None:
        return latest(work, eid)
    section = _section_of(work, eid)
    if section is None:
        # a division, or a node outside the provisions: taken from the text of that day
        text = work.text_on(day)
        if (found := text.nodes.get(eid)) is None:
            raise NotFoundError(f"{work.document_id} had no {eid[:200]!r} on {day}{_near(work, eid)}")
        return Wording(text, found[0], _interval(work, found[0], None))
    lines = _lines_of(work, section)
    holding = [line for line in lines if _holds(line, history, day)]
    same = [line for line in holding if line.eid == section]
    for line in [*same, *holding]:
        text = work.text(_expression_on(line, history, day))
        found = text.nodes.get(line.eid + eid[len(section) :])
        if found is not None:
            return Wording(text, found[0], _interval(work, found[0], line))
    if holding:
        raise NotFoundError(
            f"{work.document_id}: {holding[0].eid} was law on {day}, and had nothing under {eid[:200]!r}"
        )
    raise NotFoundError(f"{work.document_id}: {eid[:200]} was not law on {day}{known_wordings(work, section)}")


class KnownVersion(NamedTuple):
    """A wording in one interval, under the eid that it had then; `wording` is None if its text can no longer be read."""

    eid: str
    interval: Interval
    wording: Wording | None
    is_current: bool


def all_versions(work: Work, eid: str) -> Iterator[KnownVersion]:
    """Yield the wordings of the provision that is or contains `eid`, oldest first; for a document without versions that of the latest text.

    Raises `NotFoundError` if there never was a provision with this eid, and `StoreUnavailableError` while the history is being made.
    """
    history = work.history
    if history is None:
        now = latest(work, eid)
        yield KnownVersion(eid, now.interval, now, is_current=True)
        return
    section = _section_of(work, eid)
    lines = _lines_of(work, section) if section is not None else []
    if not lines:
        raise NotFoundError(f"{work.document_id} has no provision {eid[:200]!r}{_near(work, eid)}")
    for line in lines:
        interval = _interval(work, None, line)
        position = line.first if line.last is not None else len(history.expressions) - 1
        try:
            text = work.text(history.expressions[position].expression)
        except DocumentError:
            found = None
        else:
            found = text.nodes.get(line.eid)
        wording = Wording(text, found[0], interval) if found is not None else None
        yield KnownVersion(line.eid, interval, wording, line.last is None)


def citation(work: Work, text: Text, eid: str) -> str:
    """Return the citation in lawyers' form, with division and subdivisions where a chunk of the latest text names them."""
    payload = payload_of(work, text, eid)
    node = text.nodes[eid][0] if eid in text.nodes else None
    if payload.get("section") or node is None:
        return citation_of(payload)
    if node.type == "numbered_paragraph":
        return citation_of({**payload, "para_id": node.num})
    return division_of({**payload, "eid": None}, node.type, node.num)


def payload_of(work: Work, text: Text, eid: str) -> Payload:
    """Return the fields that citations and pending amendments of a provision are made from, in the form of a point's payload."""
    section = text.provision_of(eid) or eid
    known = work.payloads.get(section) or next(
        (payload for name, payload in work.payloads.items() if name.startswith(f"{section}__")), None
    )
    if known is None:
        names = ("title", "number", "work_uri", "jurisdiction", "doc_type", "language")
        return {name: getattr(text.document, name) for name in names}
    return {**known, "eid": section, "subdivisions": (eid,) if eid != section else ()}


def _section_of(work: Work, eid: str) -> str | None:
    """Return the provision that is or contains `eid`: from the latest text, else from the history."""
    if (section := work.latest.provision_of(eid)) is not None:
        return section
    history = work.known_history
    known = {line.eid for line in history.history.lines} if history is not None else set()
    name = eid
    while name:
        if name in known:
            return name
        name = name.rpartition("__")[0]
    return None


def _lines_of(work: Work, section: str) -> list[Line]:
    """Return all wordings of the provisions that ever had this eid, in the order of their start."""
    history = work.known_history
    if history is None:
        return []
    lines = history.history.lines
    names = {line.provision_id for line in lines if line.eid == section}
    found = [line for line in lines if line.provision_id in names]
    return sorted(found, key=lambda line: (line.first, line.last is None))


def _holds(line: Line, history: Derived, day: str) -> bool:
    """Return whether the wording was in force on `day`. As in `retrieval.filters.in_force`, a date in words lies in the future."""
    known = interval_of(line, history)
    since, until = known.valid_from, known.valid_to
    begun = since is None or (_ISO_DATE.fullmatch(since) is not None and since <= day)
    ended = until is not None and _ISO_DATE.fullmatch(until) is not None and until <= day
    return begun and not ended


def _expression_on(line: Line, history: Derived, day: str) -> str:
    """Return the latest expression of `day` that contains the wording, else the first."""
    last = len(history.expressions) - 1 if line.last is None else line.last
    positions = range(line.first, last + 1)
    held = [at for at in positions if (held_from := history.expressions[at].date) is None or held_from <= day]
    return history.expressions[held[-1] if held else line.first].expression


def _interval(work: Work, node: Node | None, line: Line | None) -> Interval:
    if line is None:
        return Interval(valid_from=node.valid_from, valid_to=node.valid_to) if node is not None else Interval()
    history = work.known_history
    assert history is not None
    known = interval_of(line, history)
    return Interval(
        valid_from=known.valid_from,
        valid_from_basis=known.valid_from_basis,
        valid_to=known.valid_to,
        valid_to_basis=known.valid_to_basis,
        introduced_by=line.introduced_by,
        superseded_by=line.superseded_by,
    )


def known_wordings(work: Work, section: str) -> str:
    """Return the known validity intervals of the provision, as the end of a sentence; empty if none is known."""
    known = []
    for line in _lines_of(work, section)[:_MOST_NAMED]:
        interval = _interval(work, None, line)
        known.append(f"{line.eid} from {interval.valid_from or 'an unknown day'} to {interval.valid_to or 'now'}")
    return f"; known wordings: {', '.join(known)}" if known else ""


def _near(work: Work, eid: str) -> str:
    last = eid.rpartition("__")[2]
    near = [name for name in work.latest.nodes if name.rpartition("__")[2] == last][:_MOST_NAMED]
    return f"; similar ids: {', '.join(near)}" if near else ""
