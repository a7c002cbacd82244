"""Registration: the items of a source become documents in the registry, ready to be run.

A thin loop over the pure decision (`sources.plan`): poll, fetch new and changed items, let the parser identify the work, record it.
Not here: running the documents (`pipeline`), and when a source is polled (`defs.sensors`, the command line).
"""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, TypeAlias

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError, LegalPipelineError, typed
from legal_pipeline.model import identity
from legal_pipeline.model.document import Document
from legal_pipeline.model.expression_identity import ExpressionIdentity
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.split import split
from legal_pipeline.registry.coming_expressions import record_coming, today
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.registry.freshness import record_poll
from legal_pipeline.registry.registry import RegisteredItem, Registry, SourceDocument
from legal_pipeline.registry.source_hashes import correct_hashes
from legal_pipeline.registry.source_pages import SourcePages
from legal_pipeline.sources.plan import Plan, plan
from legal_pipeline.sources.source import DoubtfulListingError, Listing, ListingError, Source, SourceItem

#: What an item holds: each document with its location, or with the error that it cannot be read for.
Identified: TypeAlias = list[tuple[RegisteredItem, LegalPipelineError | None]]


@dataclass(frozen=True)
class Registration:
    """The result of a poll: document ids, sorted.

    `listed` are documents whose items were found again without a change. `unreadable` maps ids to errors: such a document is registered,
    and its run fails with that error, so that every view of documents shows it. `complete`: the poll reached its end. `settled`: nothing is
    left to do while the source does not change. `unanswered` maps keys of items that the source did not deliver to the errors; these items
    stay unchanged. `left`: number of items that are still to be registered, unanswered items included. `erased`: keys of items that were
    not taken, because what they hold was erased. `left_out`: keys of items that the user's patterns leave out.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    tombstoned: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True
    settled: bool = True
    unanswered: Mapping[str, str] = field(default_factory=dict)
    left: int = 0
    erased: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def found_nothing(self) -> bool:
        """Whether the source has no items and had none."""
        return not (self.new or self.changed or self.listed or self.tombstoned or self.unanswered or self.erased)

    @property
    def to_run(self) -> tuple[str, ...]:
        return tuple(sorted({*self.new, *self.changed}))

    def and_then(self, later: Registration) -> Registration:
        """Return both polls as one result."""
        tombstoned = {*self.tombstoned, *later.tombstoned}
        new = {*self.new, *later.new} - tombstoned
        changed = {*self.changed, *later.changed} - tombstoned - new
        listed = {*self.listed, *later.listed} - tombstoned - new - changed
        return Registration(
            new=tuple(sorted(new)),
            changed=tuple(sorted(changed)),
            listed=tuple(sorted(listed)),
            tombstoned=tuple(sorted(tombstoned)),
            unreadable={**self.unreadable, **later.unreadable},
            complete=self.complete and later.complete,
            settled=self.settled and later.settled,
            unanswered={**self.unanswered, **later.unanswered},
            left=self.left + later.left,
            erased=tuple(sorted({*self.erased, *later.erased})),
            left_out=(*self.left_out, *later.left_out),
        )


def register(
    source: Source,
    registry: Registry,
    *,
    grace: timedelta,
    in_flight: Container[str] = (),
    hints: Mapping[str, Any] | None = None,
    deadline: float | None = None,
    allow_empty_listing: bool = True,
    accept: bool = False,
    in_vain: int = 0,
) -> Registration:
    """Poll `source` once.

    Raises `ListingError` if it cannot be listed; then nothing is changed, except that a doubtful listing resets the record of which items
    earlier polls missed.

    `hints` are the user's facts about all items; they hold for later polls too, until others are given. `deadline` (`time.monotonic()`
    seconds) ends the poll early, but not before its first item: `complete` is then False, and the next poll continues, because registered
    items are no longer new.
    `accept`: the user confirms that the items belong to their documents, even if the texts name other works.
    Without `allow_empty_listing` an empty listing of a source that had items is also a `ListingError`.
    `in_vain`: number of items of this listing that earlier polls requested without an answer. They come last now, so that items that fail
    slowly do not keep the others waiting.
    """
    listing = source.list()
    erasures = Erasures(registry.database)
    any_erased = erasures.exist()
    erased = erasures.items(source.name, [item.key for item in listing.items]) if any_erased else frozenset()
    known = _known(registry, source.name, listing, allow_empty_listing=allow_empty_listing)
    listing = replace(listing, items=tuple(item for item in listing.items if item.key not in erased))
    if listing.between is None:
        record_poll(registry.database, source.name, listing.scope, listing.left_out_by_scope)
    decision = plan(listing, known, now=registry.now(), grace=grace, in_flight=in_flight)
    held: dict[str, list[RegisteredItem]] = {}
    for record in known:
        held.setdefault(record.item_key, []).append(record)
    given = dict(hints or {})
    redescribed = _redescribed_items(listing, held, given, decision, in_flight)
    to_do = (*decision.add, *decision.rebuild, *redescribed)
    first = in_vain % len(to_do) if to_do else 0
    # documents that an item no longer holds: another item may still hold them, and their content differs then
    poll = _Poll(source, registry, left=len(to_do), lost={*decision.tombstone, *decision.shrunk}, any_erased=any_erased)
    for done, item in enumerate((*to_do[first:], *to_do[:first])):
        if deadline is not None and done and time.monotonic() > deadline:
            break
        poll.read(item, held.get(item.key, []), given)
    if accept:
        registry.accept(source.name, [item.key for item in listing.items])
    _record_presence(registry, source.name, listing, decision)
    # documents that no item holds, read after all writes: the document of a moved file is now held under another item
    orphans = registry.orphans(among=poll.lost if listing.is_part else None)
    tombstoned = [document_id for document_id in orphans if not poll.renamings.begin(registry, document_id)]
    for document_id in tombstoned:
        registry.tombstone(document_id)
    shrunk = poll.lost - set(orphans)
    for document_id in shrunk:
        correct_hashes(registry.database, document_id)
    changed = (poll.changed | shrunk) - poll.new
    listed_keys = {item.key for item in listing.items}
    held_before = {item.document_id for item in known if item.item_key in listed_keys and item.document_id is not None}
    return Registration(
        new=tuple(sorted(poll.new)),
        changed=tuple(sorted(changed)),
        listed=tuple(sorted((poll.listed | held_before) - poll.new - changed - set(orphans))),
        tombstoned=tuple(sorted(tombstoned)),
        unreadable=poll.unreadable,
        complete=not poll.left,
        settled=not poll.left and not decision.leaves_work,
        unanswered=poll.unanswered,
        left=poll.left,
        erased=tuple(sorted({*erased, *poll.erased})),
        left_out=listing.left_out,
    )


def _known(registry: Registry, source: str, listing: Listing, *, allow_empty_listing: bool) -> list[RegisteredItem]:
    """Return the registered items of the part of the source that `listing` covers. Raises `ListingError` for a doubtful listing."""
    if listing.doubt:
        registry.forget_missing(source, listing.scope)
        raise DoubtfulListingError(listing.doubt)
    elsewhere = [item.key for item in listing.items if not listing.covers(item.key)]
    known = registry.items(source, between=listing.ranges, keys=elsewhere)
    if (
        listing.is_empty
        and not allow_empty_listing
        and (lost := sum(listing.covers(record.item_key) for record in known))
    ):
        # the folder of a disk that is not mounted is empty
        items = f"{lost} item{'' if lost == 1 else 's'}"
        state = "has only files that are left out" if listing.left_out else "is empty"
        raise ListingError(f"{', '.join(listing.scope)} {state}, and held {items} at the last poll: nothing is removed")
    return known


def _record_presence(registry: Registry, source: str, listing: Listing, decision: Plan) -> None:
    registry.mark_present(source, decision.returned)
    registry.mark_missing(source, decision.missing)
    registry.forget_items(source, decision.removed)
    if listing.between is None and (decision.missing or decision.returned or decision.removed):
        SourcePages(registry.database, source).forget()


@dataclass
class _Poll:
    """Results of the poll so far: document ids by outcome; the other fields as in `Registration`."""

    source: Source
    registry: Registry
    left: int
    lost: set[str]
    any_erased: bool
    new: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    unreadable: dict[str, str] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    renamings: Renamings = field(default_factory=lambda: Renamings())

    def read(self, item: SourceItem, held: Sequence[RegisteredItem], given: Mapping[str, Any]) -> None:
        """Fetch `item`, which held `held` at the last poll, and record its present content."""
        found = self._without_erased(item, identify(self.source, item, held, given))
        if silent := [error for _, error in found if error is not None and error.transient]:
            # the source did not answer: if recorded with its new stamp, the item would count as known
            self.unanswered[item.key] = str(silent[0])
            return
        self.left -= 1
        recorded = [_record(self.registry, item, record, error) for record, error in found]
        for before, after, error in recorded:
            if error is not None:
                self.unreadable[after.document_id] = str(error)
            _note_coming(self.registry, after.document_id, [record for record, _ in found])
            if before is None:
                self.new.add(after.document_id)
            elif before.revision != after.revision:
                self.changed.add(after.document_id)
            else:
                self.listed.add(after.document_id)
        self.renamings.note(held, [record for record, error in found if error is None])
        self.registry.forget_locations(self.source.name, item.key, keep=[record.location for record, _ in found])
        now_held = {after.document_id for _, after, _ in recorded}
        self.lost |= {record.document_id for record in held if record.document_id is not None} - now_held

    def _without_erased(self, item: SourceItem, found: Identified) -> Identified:
        """Leave out erased documents, which are not recorded; an item with only an erased document is not fetched again."""
        if not self.any_erased:
            return found
        erasures = Erasures(self.registry.database)
        by = [erasures.erased_by(record.document_id or "", record.sha256) for record, _ in found]
        if found and all(by):
            erasures.note_item(self.source.name, item.key, str(by[0]))
            self.erased.add(item.key)
        return [pair for pair, erased in zip(found, by, strict=True) if erased is None]


@dataclass
class Renamings:
    """Documents whose bytes a poll now reads as another document: the user gave other hints, or their parser gives another id now."""

    _successors: dict[str, set[str | None]] = field(default_factory=dict)

    def note(self, before: Sequence[RegisteredItem], after: Sequence[RegisteredItem]) -> None:
        """Compare the records of one item at the last poll (`before`) and now (`after`)."""
        by_location = {record.location: record for record in after}
        for record in before:
            now = by_location.get(record.location)
            if record.document_id is not None and (now is None or now.document_id != record.document_id):
                is_same = now is not None and now.sha256 == record.sha256 and record.error is None
                successor = now.document_id if now is not None and is_same else None
                self._successors.setdefault(record.document_id, set()).add(successor)

    def begin(self, registry: Registry, document_id: str) -> bool:
        """Rename a document without items, if all its former items now belong to one other document; return whether it was renamed."""
        successors = self._successors.get(document_id, set())
        document = registry.document(document_id)
        if len(successors) != 1 or document is None or document.text_hash is None:
            return False
        (successor,) = successors
        if successor is not None:
            registry.aliases.begin(document_id, successor)
        return successor is not None


def _record(
    registry: Registry, item: SourceItem, record: RegisteredItem, error: LegalPipelineError | None
) -> tuple[SourceDocument | None, SourceDocument, LegalPipelineError | None]:
    """Record the content of one location of `item`. Returns the document before (None: new) and after, and the error if it cannot be read.

    Content that the registry cannot store (half a character in an address) is recorded as unreadable, with the reason.
    """
    import psycopg

    assert record.document_id is not None
    try:
        return registry.document(record.document_id), registry.register(record), error
    except psycopg.OperationalError:
        raise  # the database is unavailable: the item is not at fault
    except (psycopg.Error, ValueError, DocumentError) as refused:
        error = typed(refused, document=item.name)
        bare = replace(record, document_id=None, url=None, hints={}, given={})
        record = _unreadable(item, bare, bare, record.sha256, error)
        assert record.document_id is not None
        return registry.document(record.document_id), registry.register(record), error


def _note_coming(registry: Registry, document_id: str, records: Sequence[RegisteredItem]) -> None:
    """Make documents with texts of a future day due on that day."""
    for record in records:
        if record.document_id == document_id and record.as_of_date is not None and record.as_of_date > today():
            record_coming(registry.database, document_id, record.as_of_date)


def _redescribed_items(
    listing: Listing,
    held: Mapping[str, list[RegisteredItem]],
    given: Mapping[str, Any],
    decision: Plan,
    in_flight: Container[str],
) -> list[SourceItem]:
    """Return unchanged items that the user now describes differently."""
    if not given:
        return []
    seen = {item.key for item in (*decision.add, *decision.rebuild)}
    return [
        item
        for item in listing.items
        if item.key not in seen
        and any({**record.given, **given} != record.given for record in held.get(item.key, ()))
        and not any(record.document_id in in_flight for record in held[item.key])
    ]


def identify(source: Source, item: SourceItem, held: Sequence[RegisteredItem], given: Mapping[str, Any]) -> Identified:
    """Return the documents in the item, each with its location, or with the error of the document that cannot be read.

    `held`: its records at the last poll; `given`: the user's hints for it. Writes nothing.
    """
    words = {**(held[0].given if held else {}), **given}
    path = _path_at_first(item, held)
    blank = RegisteredItem(source.name, item.key, None, stamp=item.stamp, url=item.url, given=words)
    sha256 = ""
    try:
        file = source.fetch(item)
        sha256 = file.sha256
        parts = split(file.with_hints(**words, **path))
    except Exception as defect:
        # any error: an unreadable item fails alone, and the other items continue
        error = typed(defect, document=item.name)
        return [(_unreadable(item, record, blank, sha256, error), error) for record in held or [blank]]
    by_location = {record.location: record for record in held}
    found: Identified = []
    for location, part in parts.items():
        here = replace(blank, location=location, url=part.url or item.url, sha256=part.sha256)
        try:
            found.append((_read(part, here), None))
        except Exception as defect:
            error = typed(defect, document=part.name)
            found.append((_unreadable(item, by_location.get(location, here), here, part.sha256, error), error))
    return found


def _path_at_first(item: SourceItem, held: Sequence[RegisteredItem]) -> dict[str, str]:
    """Return the hint `path` of a known item as it was at the first poll.

    So a document keeps its id when a folder above or below is polled, and when it was registered before this hint existed.
    """
    if not held or held[0].error is not None:
        return {}
    return {"path": str(held[0].hints.get("path") or item.name.rpartition("/")[2])}


def _read(part: SourceFile, here: RegisteredItem) -> RegisteredItem:
    document = parse(part, part.hints.get("format"))
    # facts that later steps need without the text: how far the consolidation extends, and which law an amending act amends
    stated = {name: document.metadata.get(name) for name in ("consolidated_through", "base_law")}
    return replace(
        here,
        document_id=document.document_id,
        part=document.metadata.get("part"),
        parts=document.metadata.get("parts"),
        as_of_date=_date(document),
        said=ExpressionIdentity.of(document).dump(),
        hints={**_beside_name(part), **{name: value for name, value in stated.items() if value}},
    )


def _beside_name(part: SourceFile) -> dict[str, Any]:
    """Return the hints, without a path that only repeats the name."""
    return {name: value for name, value in part.hints.items() if name != "path" or "/" in str(value)}


def _unreadable(
    item: SourceItem, record: RegisteredItem, here: RegisteredItem, sha256: str, error: LegalPipelineError
) -> RegisteredItem:
    """Return the record of an item that cannot be read; it keeps the document, the part and the date that the item held.

    So the last good version stays, no older version replaces it, and the failure is shown at that document; a new item gets its own id.
    """
    own = identity.document_id(
        "unreadable",
        item.name[-80:],
        identity.sha256_hex(f"{item.key}#{record.location}" if record.location else item.key)[:8],
    )
    return replace(
        record,
        document_id=record.document_id or own,
        stamp=here.stamp,
        sha256=sha256,
        url=here.url,
        given=here.given,
        error=str(error),
    )


def _date(document: Document) -> date | None:
    try:
        return date.fromisoformat(document.as_of_date) if document.as_of_date else None
    except ValueError:
        return None  # a year or a condition does not give an order
