"""Queries on the registry for readers of the index: documents in pages, documents of a work, recent changes, counts by country.

A document is indexed from its first parsing until it is removed and purged. Not here: the operations that change the registry
(`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from legal_pipeline.model.identity import DOCUMENT_URI, JUDGMENTS, UNKNOWN_COUNTRY
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import NOT_RENAMED, Status

#: The columns of a `Listed`.
LISTED_COLUMNS = """document_id, title, work_uri, jurisdiction, doc_type, processed_at, tombstoned_at,
    coalesce(tombstoned_at, text_changed_at, created_at) as changed_at"""

#: A document that is being renamed is listed only under its present id.
_INDEXED = f"text_hash is not null and purged_at is null and {NOT_RENAMED}"

#: A country, with all of its parts, or a part of one (`us-dc`), as in the URIs of its works.
IN_JURISDICTIONS = "(jurisdiction = any(%(jurisdictions)s) or split_part(work_uri, '/', 3) = any(%(jurisdictions)s))"

_CHOSEN = f"""(%(jurisdictions)s::text[] is null or {IN_JURISDICTIONS})
    and (%(doc_types)s::text[] is null or doc_type = any(%(doc_types)s))
    and (%(ids)s::text[] is null or document_id = any(%(ids)s))
    and not document_id = any(%(hidden)s)"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list. `changed_at`: when its text last changed, or its removal was detected."""

    document_id: str
    title: str | None
    work_uri: str | None
    jurisdiction: str | None
    doc_type: str
    processed_at: datetime | None
    tombstoned_at: datetime | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection of documents; an empty field means all. `hidden` are left out."""

    jurisdictions: Sequence[str] = ()
    doc_types: Sequence[str] = ()
    ids: Sequence[str] = ()
    hidden: Collection[str] = ()

    def values(self) -> dict[str, Any]:
        chosen = {name: list(getattr(self, name)) or None for name in ("jurisdictions", "doc_types", "ids")}
        return {**chosen, "hidden": list(self.hidden)}


def indexed(database: Database, choice: Choice, *, after: str = "", limit: int | None = None) -> list[Listed]:
    """Return documents in the order of their ids, starting after `after`."""
    return _listed(
        database,
        f"""select {LISTED_COLUMNS} from source_documents where {_INDEXED} and {_CHOSEN} and document_id collate "C" > %(after)s
            order by document_id collate "C" limit %(limit)s""",  # noqa: S608
        {**choice.values(), "after": after, "limit": limit},
    )


def look_up(database: Database, document_id: str) -> Listed | None:
    """Return the document of this id in any state; None if there is none."""
    values = {"id": document_id}
    found = _listed(database, f"select {LISTED_COLUMNS} from source_documents where document_id = %(id)s", values)  # noqa: S608
    return found[0] if found else None


def of_works(database: Database, work_uris: Sequence[str], hidden: Collection[str] = ()) -> list[Listed]:
    """Return the documents of these works, in the order of the works: by their present URI, a former URI, or that of the
    document where the work has none (`identity.citable_uri`). Of one work, documents that their source has removed come last."""
    found = _listed(
        database,
        f"""select {LISTED_COLUMNS} from source_documents where {_INDEXED} and {_CHOSEN} and (work_uri = any(%(works)s) or document_id in (
                select document_id from document_aliases where work_uri = any(%(works)s))
                or (work_uri is null and document_id = any(%(documents)s))) order by document_id collate "C" """,  # noqa: S608
        {
            **Choice(hidden=hidden).values(),
            "works": list(work_uris),
            "documents": [uri.removeprefix(DOCUMENT_URI) for uri in work_uris if uri.startswith(DOCUMENT_URI)],
        },
    )
    places = {work: place for place, work in enumerate(work_uris)}

    def order(document: Listed) -> tuple[int, bool, int]:
        place = places.get(document.work_uri or "", len(places))
        return place, document.tombstoned_at is not None, len(document.document_id)

    return sorted(found, key=order)


def removed_among(database: Database, document_ids: Collection[str]) -> set[str]:
    """Return those of the documents that their source has removed. A document that is being renamed was removed by no source."""
    rows = database.rows(
        f"select document_id from source_documents where document_id = any(%s) and tombstoned_at is not null and {NOT_RENAMED}",  # noqa: S608
        (list(document_ids),),
    )
    return {row["document_id"] for row in rows}


def changed(
    database: Database,
    choice: Choice,
    *,
    since: datetime,
    before: tuple[datetime, str] | None = None,
    limit: int | None = None,
) -> list[Listed]:
    """Return documents that were added, changed or removed since `since`, the latest first.

    `before`: (changed_at, id) of the last document that the caller already has.
    """
    return _listed(
        database,
        f"""select * from (select {LISTED_COLUMNS} from source_documents where {_INDEXED} and {_CHOSEN}) as found
            where changed_at >= %(since)s and (%(moment)s::timestamptz is null or (changed_at, document_id) < (%(moment)s, %(id)s))
            order by changed_at desc, document_id desc limit %(limit)s""",  # noqa: S608
        {**choice.values(), "since": since, "moment": before[0] if before else None, "id": before[1] if before else "", "limit": limit},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Titled:
    """An indexed document by the names that it has of itself; an empty string where it has none, and for the language of a document that
    an earlier release made."""

    document_id: str
    title: str
    number: str
    jurisdiction: str
    language: str = ""


def titles(database: Database) -> list[Titled]:
    """Return the titles of all documents that have one, in the order of their ids."""
    rows = database.rows(
        f"""select document_id, title, coalesce(holds->>'number', '') as number, coalesce(jurisdiction, '') as jurisdiction,
               coalesce(holds->>'language', '') as language
            from source_documents where {_INDEXED} and title <> '' order by document_id collate "C" """  # noqa: S608
    )
    return [Titled(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class Counted:
    """The documents of one type in one jurisdiction: their number, the last poll of one of them, and the last change of a text."""

    jurisdiction: str
    doc_type: str
    documents: int
    looked_at: datetime | None
    changed_at: datetime | None
    consolidated_through: Sequence[str]


def counted(database: Database, hidden: Collection[str] = ()) -> list[Counted]:
    """Return the counts by jurisdiction and type. `consolidated_through`: the acts that sources state as consolidated into their texts."""
    rows = database.rows(
        f"""select coalesce(d.jurisdiction, '') as jurisdiction, d.doc_type, count(distinct d.document_id) as documents,
               max(greatest(i.seen_at, l.looked_at)) as looked_at, max(coalesce(d.text_changed_at, d.created_at)) as changed_at,
               coalesce(array_agg(distinct i.hints->>'consolidated_through')
                   filter (where i.hints ? 'consolidated_through'), '{{}}') as consolidated_through
           from (select * from source_documents where {_INDEXED} and {_CHOSEN}) d
               left join source_items i on i.document_id = d.document_id
               left join source_looks l on l.source = i.source and starts_with(i.item_key, l.scope) and i.missing_since is null
           group by 1, 2 order by 1, 2""",  # noqa: S608
        Choice(hidden=hidden).values(),
    )
    return [Counted(**row) for row in rows]


def state_of_counts(database: Database) -> tuple[Any, ...]:
    """Return values of which one changes with every publication, poll, change of a text and removal; `counted` reads all documents."""
    row = database.row(
        """select (select max(version) from published_manifest) as published, (select max(looked_at) from source_looks) as polled,
               (select max(coalesce(tombstoned_at, text_changed_at, created_at)) from source_documents) as changed"""
    )
    return tuple(row.values())


def _listed(database: Database, statement: str, values: dict[str, Any]) -> list[Listed]:
    return [Listed(**row) for row in database.rows(statement.encode(), values)]


def document_ids(database: Database, status: Status | None = None) -> list[str]:
    """Return the ids of all documents that are not removed, or of those with this status, in order."""
    rows = database.rows(
        """select document_id from source_documents where tombstoned_at is null
           and (%(status)s::text is null or processing_status = %(status)s) order by document_id collate "C" """,
        {"status": status},
    )
    return [row["document_id"] for row in rows]


def languages(database: Database) -> dict[str, int]:
    """Return language (ISO 639-3) -> number of indexed documents, without documents of an earlier release, whose language is not known."""
    rows = database.rows(
        f"""select holds->>'language' as language, count(*) as documents from source_documents
            where {_INDEXED} and tombstoned_at is null and holds->>'language' <> '' group by 1 order by 2 desc, 1"""  # noqa: S608
    )
    return {row["language"]: row["documents"] for row in rows}


def unknown_courts(database: Database) -> dict[str, int]:
    """Return court -> number of its judgments whose country is neither stated nor known by the court. "" stands for judgments without a
    court, and for those that an earlier release made."""
    rows = database.rows(
        f"""select coalesce(holds->>'court', '') as court, count(*) as documents from source_documents
            where {_INDEXED} and tombstoned_at is null and doc_type = any(%s) and jurisdiction = %s group by 1 order by 2 desc, 1""",  # noqa: S608
        (sorted(JUDGMENTS), UNKNOWN_COUNTRY),
    )
    return {row["court"]: row["documents"] for row in rows}


def without_chunks(database: Database) -> list[Listed]:
    """Return the completed documents that have no chunk, in the order of their ids."""
    return _listed(
        database,
        f"""select {LISTED_COLUMNS} from source_documents where tombstoned_at is null and processing_status = 'completed'
            and total_chunks = 0 order by document_id collate "C" """,  # noqa: S608
        {},
    )


def missing_at_source(database: Database) -> list[Listed]:
    """Return the documents that the last poll of their source did not list and that are not removed yet, in the order of their ids."""
    return _listed(
        database,
        f"""select {LISTED_COLUMNS} from source_documents d where tombstoned_at is null
            and exists (select from source_items i where i.document_id = d.document_id)
            and not exists (select from source_items i where i.document_id = d.document_id and i.missing_since is null)
            order by document_id collate "C" """,  # noqa: S608
        {},
    )
