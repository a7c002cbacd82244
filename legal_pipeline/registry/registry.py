"""The registry: documents, their source items, their processing state and published manifests.

Every method is one statement or one transaction. Not here: the tables' contents (`registry.warehouse`), the decision about changes of a
source (`sources.plan`), the history of runs (Dagster).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.registry.aliases import Aliases, reclaim_id
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.due_documents import forget_due, write_due
from legal_pipeline.registry.manifests import Manifests
from legal_pipeline.registry.source_hashes import write_source_hash

Status = Literal["pending", "processing", "waiting", "completed", "failed"]

#: PostgreSQL cannot store the zero character in text.
_ZERO = str.maketrans({"\x00": "\N{REPLACEMENT CHARACTER}"})


@dataclass(frozen=True)
class SourceDocument:
    """One row of `source_documents`; `source` brought it first, `id_hash` is the first 32 bits of the hash of its id."""

    document_id: str
    filename: str
    file_path: str | None
    work_uri: str | None
    title: str | None
    jurisdiction: str | None
    doc_type: str
    source_sha256: str
    text_hash: str | None
    revision: int
    attempt: int
    status: Status
    last_error: str | None
    total_chunks: int
    processed_at: datetime | None
    tombstoned_at: datetime | None
    created_at: datetime
    updated_at: datetime
    made: list[str] = field(default_factory=list)
    holds: dict[str, str] | None = None
    source: str = "unknown"
    id_hash: str = ""

    @property
    def run_key(self) -> str:
        """Return the key of one attempt at one state of the document; Dagster accepts each run key once, for ever."""
        return f"{self.document_id}:{self.revision}:{self.attempt}"


@dataclass(frozen=True)
class RegisteredItem:
    """One row of `source_items`: an item, or the document at one `location` of an item that holds several.

    `hints` are all facts known in addition to its bytes, `given` those of them that come from the user. `document_id` is None for an item
    that could not be read; `error` then has the reason. `said` is the identity that its text states (`model.expression_identity`),
    `accepted` the hash of the content that a user confirmed to belong to this document.
    """

    source: str
    item_key: str
    document_id: str | None
    location: str = ""
    stamp: str = ""
    sha256: str = ""
    part: int | None = None
    parts: int | None = None
    as_of_date: date | None = None
    url: str | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    missing_since: datetime | None = None
    said: dict[str, str] | None = None
    accepted: str | None = None


@dataclass(frozen=True)
class AmendingAct:
    """One row of `amendments`."""

    document_number: str
    title: str
    base_law: str
    markdown_content: str
    in_force_date: date | None = None


_DOCUMENT = """select document_id, filename, file_path, work_uri, title, jurisdiction, doc_type, source_sha256, text_hash,
    revision, attempt, processing_status as status, last_error, total_chunks, processed_at, tombstoned_at, created_at, updated_at,
    made, holds, source, id_hash from source_documents"""
_ITEM_COLUMNS = """source, item_key, document_id, location, stamp, sha256, part, parts, as_of_date, url, hints, given, error,
    missing_since, said, accepted"""
_ITEM = f"select {_ITEM_COLUMNS} from source_items"  # noqa: S608

#: Items in ranges of keys and at keys. Each range is looked up in the index: a condition on a table of a million items reads all of it.
_CHOSEN_ITEMS = f"""select {_ITEM_COLUMNS} from unnest(%(low)s::text[], %(high)s::text[]) as ranges (low, high) cross join lateral (
        {_ITEM} where source = %(source)s and item_key collate "C" between ranges.low and ranges.high) as within
    union {_ITEM} where source = %(source)s and item_key = any(%(keys)s)"""  # noqa: S608

#: A document leaves the stores under its old id only when its renaming is finished.
NOT_RENAMED = "document_id not in (select old_id from document_aliases where finished_at is null)"

#: A fetch of the same text changes nothing that a reader can see.
_TEXT_CHANGED_AT = (
    """text_changed_at = case when text_hash is distinct from %(text_hash)s then now() else text_changed_at end"""
)

#: Columns that `describe` may set.
_DESCRIPTION = frozenset(
    {"work_uri", "title", "jurisdiction", "doc_type", "filename", "file_path", "text_hash", "total_chunks"}
)


class Registry:
    """The operations on documents, items and amending acts (`manifests`, `aliases`: other tables). Safe in many threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.manifests = Manifests(database)
        self.aliases = Aliases(database)

    @property
    def database(self) -> Database:
        return self._database

    # -- documents and their items ------------------------------------------------------------------------------------

    def register(self, item: RegisteredItem) -> SourceDocument:
        """Record that `item` holds a document, and return the document's row.

        A new document starts at revision 1. Bytes that differ from the recorded ones (or the return of a tombstoned document) raise the
        revision and set the status to pending; the same bytes change only the stamp. If the item held another document before, the row of
        that document stays; `orphans` finds it. Raises `DocumentError` for an invalid document id and for an id that another document had
        before.
        """
        if item.document_id is None or not DOCUMENT_ID.fullmatch(item.document_id):
            raise DocumentError(
                f"{item.document_id!r} is not a document id (expected: lower-case letters a to z and digits, with single hyphens or full "
                "stops between them, such as xx-act-2099-101)",
                document=item.item_key,
            )
        filename = item.item_key.rsplit("/", 1)[-1].translate(_ZERO)
        with self._database.connection() as connection:
            # locks the document's row first: two processes that register parts of one Act raise its revision one after the other
            inserted: Any = connection.execute(
                """insert into source_documents (document_id, filename, file_path, source_sha256, source) values (%s, %s, %s, %s, %s)
                   on conflict (document_id) do update set updated_at = now() returning (xmax = 0) as created""",
                (item.document_id, filename, item.url, item.sha256, item.source),
            ).fetchone()
            known = connection.execute(f"{_ITEM} where source = %s and item_key = %s and location = %s", _key(item)).fetchone()  # fmt: skip
            changed = known is None or any(
                known[name] != getattr(item, name)
                for name in ("sha256", "hints", "document_id", "part", "parts", "as_of_date")
            )
            if known is None or known["document_id"] != item.document_id:
                reclaim_id(connection, item.document_id, former=known["document_id"] if known else None)
            self._write_item(connection, item)
            is_due = bool(inserted["created"])
            if not inserted["created"]:
                raised = connection.execute(
                    """update source_documents set revision = revision + 1, attempt = 0, processing_status = 'pending',
                           made = '{}', last_error = null, tombstoned_at = null, purged_at = null, updated_at = now()
                       where document_id = %s and (%s or tombstoned_at is not null)""",
                    (item.document_id, changed),
                )
                is_due = raised.rowcount == 1
                write_source_hash(connection, item.document_id)
            if is_due:
                write_due(connection, item.document_id)
            return self._document(connection, item.document_id)

    def document(self, document_id: str) -> SourceDocument | None:
        row = self._database.row(f"{_DOCUMENT} where document_id = %s", (document_id,))
        return SourceDocument(**row) if row else None

    def documents(
        self,
        *,
        status: Status | None = None,
        ids: Sequence[str] | None = None,
        tombstoned: bool | None = False,
    ) -> list[SourceDocument]:
        """Return documents in the order of their ids; `tombstoned=None` includes the removed documents."""
        rows = self._database.rows(
            f"""{_DOCUMENT} where (%(status)s::text is null or processing_status = %(status)s)
                and (%(ids)s::text[] is null or document_id = any(%(ids)s))
                and (%(tombstoned)s::boolean is null or (tombstoned_at is not null) = %(tombstoned)s)
                order by document_id collate "C" """,
            {"status": status, "ids": None if ids is None else list(ids), "tombstoned": tombstoned},
        )
        return [SourceDocument(**row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return the number of documents per status; removed documents under `tombstoned` or, once they were purged, `purged`."""
        rows = self._database.rows(
            """select case when tombstoned_at is null then processing_status when purged_at is null then 'tombstoned' else 'purged' end
                   as status, count(*) as documents from source_documents group by 1 order by 1"""
        )
        return {row["status"]: row["documents"] for row in rows}

    def items_of_documents(
        self, document_ids: Sequence[str], *, missing: bool = False
    ) -> dict[str, list[RegisteredItem]]:
        """Return the items of each of the documents in a fixed order; with `missing` also those that vanished from their source."""
        rows = self._database.rows(
            f"""{_ITEM} where document_id = any(%s) and (%s or missing_since is null)
                order by as_of_date nulls first, part nulls first, source collate "C", item_key collate "C", location collate "C" """,
            (list(document_ids), missing),
        )
        found: dict[str, list[RegisteredItem]] = {document_id: [] for document_id in document_ids}
        for row in rows:
            found[row["document_id"]].append(RegisteredItem(**row))
        return found

    def items(
        self, source: str, *, between: Sequence[tuple[str, str]] | None = None, keys: Sequence[str] = ()
    ) -> list[RegisteredItem]:
        """Return a source's registered items, also unreadable ones: all, or those in ranges of keys (ends included) and at `keys`."""
        chosen, values = f"{_ITEM} where source = %(source)s", dict[str, Any](source=source)
        if between is not None:
            low, high = [low for low, _ in between], [high for _, high in between]
            chosen, values = _CHOSEN_ITEMS, {**values, "keys": list(keys), "low": low, "high": high}
        statement = f'select * from ({chosen}) as chosen order by item_key collate "C", location collate "C"'  # noqa: S608
        rows = self._database.rows(statement, values)
        return [RegisteredItem(**row) for row in rows]

    def now(self) -> datetime:
        """Return the time of the database's clock, which sets `missing_since` and `tombstoned_at`; a worker's clock may differ."""
        moment: datetime = self._database.row("select now() as moment")["moment"]
        return moment

    def mark_missing(self, source: str, keys: Iterable[str]) -> None:
        """Mark items that are no longer listed. An item that is already marked keeps its time, unless that time is in the future."""
        self._database.execute(
            """update source_items set missing_since = now()
               where source = %s and item_key = any(%s) and (missing_since is null or missing_since > now())""",
            (source, list(keys)),
        )

    def accept(self, source: str, keys: Iterable[str]) -> list[str]:
        """Record a user's confirmation that the items belong to their documents; return the documents that were not confirmed before."""
        rows = self._database.rows(
            """update source_items set accepted = sha256 where source = %s and item_key = any(%s) and document_id is not null
                   and sha256 <> '' and accepted is distinct from sha256 returning document_id""",
            (source, list(keys)),
        )
        return sorted({row["document_id"] for row in rows})

    def mark_present(self, source: str, keys: Iterable[str]) -> None:
        """Remove the mark: the items are listed again."""
        self._database.execute(
            "update source_items set missing_since = null where source = %s and item_key = any(%s)",
            (source, list(keys)),
        )

    def forget_missing(self, source: str, scope: Sequence[str]) -> None:
        """Unmark the missing items whose keys start with one of `scope`: earlier polls were not reliable, so counting starts again."""
        self._database.execute(
            """update source_items set missing_since = null where source = %s and missing_since is not null
                   and exists (select from unnest(%s::text[]) as prefix where starts_with(item_key, prefix))""",
            (source, list(scope)),
        )

    def forget_items(self, source: str, keys: Iterable[str]) -> None:
        """Delete the items; their documents' rows stay."""
        self._database.execute(
            "delete from source_items where source = %s and item_key = any(%s)", (source, list(keys))
        )

    def forget_locations(self, source: str, key: str, *, keep: Iterable[str]) -> None:
        """Delete the item's other locations: it now holds documents only at these."""
        self._database.execute(
            "delete from source_items where source = %s and item_key = %s and location <> all(%s)",
            (source, key.translate(_ZERO), [location.translate(_ZERO) for location in keep]),
        )

    def orphans(self, among: Iterable[str] | None = None) -> list[str]:
        """Return documents (all or those of `among`) that no item holds and that are not tombstoned yet."""
        rows = self._database.rows(
            """select document_id from source_documents d where tombstoned_at is null
               and (%(among)s::text[] is null or document_id = any(%(among)s))
               and not exists (select from source_items i where i.document_id = d.document_id) order by 1""",
            {"among": None if among is None else list(among)},
        )
        return [row["document_id"] for row in rows]

    # -- state --------------------------------------------------------------------------------------------------------

    def set_status(
        self, document_id: str, status: Status, *, error: str | None = None, revision: int | None = None
    ) -> None:
        """Set the status. `completed` sets `processed_at`; `error` is stored with `failed` and `waiting` and cleared by every other status.

        With `revision`, a document that has another revision now keeps its status: its new content waits for a separate run.
        """
        with self._database.connection() as connection:
            self._update(
                connection,
                """update source_documents set updated_at = now(),
                       processing_status = case when same then %(status)s else processing_status end,
                       last_error = case when same then %(error)s else last_error end,
                       processed_at = case when same and %(status)s = 'completed' then now() else processed_at end
                   from (select document_id as id, %(revision)s::int is null or revision = %(revision)s as same
                         from source_documents where document_id = %(document_id)s for update) as present
                   where document_id = present.id""",
                {
                    "status": status,
                    "error": error.translate(_ZERO) if error and status in ("failed", "waiting") else None,
                    "revision": revision,
                    "document_id": document_id,
                },
                document_id,
            )
            if status in ("waiting", "completed", "failed"):
                forget_due(connection, document_id)

    def describe(self, document_id: str, *, holds: Mapping[str, str] | None = None, **columns: Any) -> None:
        """Set the results of parsing and chunking (title, work_uri, text_hash, total_chunks, …). `holds` replaces the old values."""
        from psycopg.types.json import Jsonb

        if unknown := columns.keys() - _DESCRIPTION:
            raise ValueError(f"not columns of source_documents that can be described: {sorted(unknown)}")
        values = dict(columns) if holds is None else {**columns, "holds": Jsonb(dict(holds))}
        assignments = ["updated_at = now()", *(f"{name} = %({name})s" for name in values)]
        if "text_hash" in columns:
            assignments.append(_TEXT_CHANGED_AT)
        statement = f"update source_documents set {', '.join(assignments)} where document_id = %(_id)s"  # noqa: S608
        with self._database.connection() as connection:
            self._update(connection, statement, {**values, "_id": document_id}, document_id)

    def retry(self, document_id: str, *, asker: str | None = None) -> SourceDocument:
        """Make the same revision due again: the attempt number rises, so the run key is new.

        `asker`: the source whose sensor must request the run, if no item of that source holds the document.
        """
        with self._database.connection() as connection:
            self._update(
                connection,
                """update source_documents set attempt = attempt + 1, processing_status = 'pending', updated_at = now()
                   where document_id = %s""",
                (document_id,),
                document_id,
            )
            write_due(connection, document_id, asker=asker)
            return self._document(connection, document_id)

    def tombstone(self, document_id: str) -> None:
        """Record that the source has removed the document. It stays in the stores until it is purged."""
        with self._database.connection() as connection:
            self._update(
                connection,
                """update source_documents set tombstoned_at = coalesce(tombstoned_at, now()), updated_at = now()
                   where document_id = %s""",
                (document_id,),
                document_id,
            )
            forget_due(connection, document_id)

    def removed(self, *, grace: timedelta | None = None) -> list[SourceDocument]:
        """Return tombstoned documents by id; with `grace`: those tombstoned at least that long ago that are still in the stores.

        A tombstone with a future time (the clock was set back) counts from now. A document that is being renamed is not included: it will
        be removed under its old id when the renaming is finished.
        """
        with self._database.connection() as connection:
            connection.execute("update source_documents set tombstoned_at = now() where tombstoned_at > now()")
            rows = connection.execute(
                f"""{_DOCUMENT} where tombstoned_at is not null and {NOT_RENAMED} and (%(grace)s::interval is null
                        or purged_at is null and tombstoned_at <= now() - %(grace)s)
                    order by document_id collate "C" """,
                {"grace": grace},
            ).fetchall()
        return [SourceDocument(**row) for row in rows]

    def set_purged(self, document_id: str) -> bool:
        """Record that the document has left the stores. Returns False if its source lists it again: then it must be made again."""
        statement = "update source_documents set purged_at = now() where document_id = %s and tombstoned_at is not null"
        return self._database.execute(statement, (document_id,)) == 1

    # -- amending acts ------------------------------------------------------------------------------------------------

    def record_amendment(self, act: AmendingAct) -> None:
        """Insert the act, or replace the act with its number."""
        self._database.execute(
            """insert into amendments (document_number, title, base_law, markdown_content, in_force_date)
               values (%s, %s, %s, %s, %s) on conflict (document_number) do update set title = excluded.title,
                   base_law = excluded.base_law, markdown_content = excluded.markdown_content,
                   in_force_date = excluded.in_force_date""",
            (
                act.document_number,
                act.title,
                act.base_law,
                act.markdown_content.translate(_ZERO),
                act.in_force_date,
            ),
        )

    def forget_amendment(self, document_number: str) -> None:
        """Delete the act; no error if it does not exist."""
        self._database.execute("delete from amendments where document_number = %s", (document_number,))

    def amendments_of(self, *base_laws: str, texts: bool = True) -> list[AmendingAct]:
        """Return the acts that amend any of `base_laws`, by their entry into force (undated last); without `texts` their text is empty."""
        rows = self._database.rows(
            """select document_number, title, base_law, in_force_date, case when %s then markdown_content else '' end markdown_content
               from amendments where base_law = any(%s) order by in_force_date nulls last, document_number collate "C" """,
            (texts, list(base_laws)),
        )
        return [AmendingAct(**row) for row in rows]

    # -- parts of the operations ----------------------------------------------------------------------------------------

    def _document(self, connection: Any, document_id: str) -> SourceDocument:
        return SourceDocument(**connection.execute(f"{_DOCUMENT} where document_id = %s", (document_id,)).fetchone())

    def _write_item(self, connection: Any, item: RegisteredItem) -> None:
        from psycopg.types.json import Jsonb

        connection.execute(
            """insert into source_items
                   (source, item_key, location, document_id, stamp, sha256, part, parts, as_of_date, url, hints, given, error, said)
               values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
               on conflict (source, item_key, location) do update set document_id = excluded.document_id, stamp = excluded.stamp,
                   sha256 = excluded.sha256, part = excluded.part, parts = excluded.parts, as_of_date = excluded.as_of_date,
                   url = excluded.url, hints = excluded.hints, given = excluded.given, error = excluded.error,
                   said = excluded.said, missing_since = null, seen_at = now()""",
            (
                *_key(item), item.document_id, item.stamp, item.sha256, item.part, item.parts, item.as_of_date, item.url,
                Jsonb(item.hints), Jsonb(item.given), item.error, None if item.said is None else Jsonb(item.said),
            ),
        )  # fmt: skip

    def _update(self, connection: Any, statement: Any, values: Any, document_id: str) -> None:
        if connection.execute(statement, values).rowcount != 1:
            raise DocumentError("not in the registry", document=document_id)


def _key(item: RegisteredItem) -> tuple[str, str, str]:
    return item.source, item.item_key.translate(_ZERO), item.location.translate(_ZERO)
