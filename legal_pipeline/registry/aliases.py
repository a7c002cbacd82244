"""Former ids of documents and chunks: the tables `document_aliases` and `chunk_aliases`.

A renaming begins with one transaction (`begin`): from then on the source items have the present id, and the old id keeps its published
text until the document is made under the present id. It ends with another transaction (`finish`). Not here: which documents get another
id, and the handling of their tables and points (`renaming`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.registry.due_documents import forget_due, write_due

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

#: In this order. `said` is the identity that an earlier parser read in the items: compared with the present parser's, it would conflict.
_MOVE = (
    "update source_items set document_id = %(new)s, said = null where document_id = %(old)s",
    """insert into coming_expressions (document_id, day, is_reached)
           select %(new)s, day, is_reached from coming_expressions where document_id = %(old)s on conflict do nothing""",
    "delete from coming_expressions where document_id = %(old)s",
    """update practice_area_leaves set document_id = %(new)s where document_id = %(old)s
           and not exists (select from practice_area_leaves where document_id = %(new)s)""",
    "update document_aliases set document_id = %(new)s where document_id = %(old)s",
    # no source removed the document: it leaves the stores when the renaming is finished
    "update source_documents set tombstoned_at = now(), updated_at = now() where document_id = %(old)s",
)

_FINISH = (
    "delete from practice_area_leaves where document_id = %(old)s",
    "delete from published_manifest where document_id = %(old)s",
    "update llm_requests set document_id = %(new)s where document_id = %(old)s",
    "update document_aliases set finished_at = now() where old_id = %(old)s",
)


class Aliases:
    """The operations on the two tables. Safe in any number of threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, old_id: str, document_id: str) -> None:
        """Give the document `old_id` the id `document_id`, and make it due under this id.

        Raises `DocumentError` if `old_id` is not in the registry, if both ids are equal, and if `document_id` is an alias itself.
        """
        if old_id == document_id or not DOCUMENT_ID.fullmatch(document_id):
            raise DocumentError(f"cannot be renamed to {document_id!r}: another document id is needed", document=old_id)
        ids = {"old": old_id, "new": document_id}
        with self._database.connection() as connection:
            old = connection.execute(
                "select work_uri from source_documents where document_id = %(old)s for update", ids
            ).fetchone()
            if old is None:
                raise DocumentError("not in the registry", document=old_id)
            reclaim_id(connection, document_id, former=old_id)
            connection.execute(
                """insert into source_documents (document_id, filename, file_path, source_sha256, doc_type, title, metadata, source)
                   select %(new)s, filename, file_path, source_sha256, doc_type, title, metadata, source from source_documents
                       where document_id = %(old)s
                   on conflict (document_id) do update set revision = source_documents.revision + 1, attempt = 0, made = '{}',
                       processing_status = 'pending', last_error = null, tombstoned_at = null, purged_at = null, updated_at = now()""",
                ids,
            )
            for statement in _MOVE:
                connection.execute(statement, ids)
            connection.execute(
                """insert into document_aliases (old_id, document_id, work_uri, takes_over)
                   select %(old)s, document_id, %(work_uri)s, text_hash is null from source_documents where document_id = %(new)s
                   on conflict (old_id) do update set document_id = excluded.document_id, finished_at = null,
                       partition_removed_at = null""",
                {**ids, "work_uri": old["work_uri"]},
            )
            forget_due(connection, old_id)
            write_due(connection, document_id)

    def unfinished(self, document_ids: Sequence[str] | None = None) -> dict[str, list[str]]:
        """Return present id -> old ids that still have tables and points; for all documents, or for `document_ids`."""
        rows = self._database.rows(
            """select document_id, old_id from document_aliases where finished_at is null
                   and (%(ids)s::text[] is null or document_id = any(%(ids)s)) order by old_id collate "C" """,
            {"ids": None if document_ids is None else list(document_ids)},
        )
        found: dict[str, list[str]] = {}
        for row in rows:
            found.setdefault(row["document_id"], []).append(row["old_id"])
        return found

    def record_chunks(self, chunk_ids: Mapping[str, str]) -> None:
        """Record old chunk id -> present id; existing aliases of an old id then lead to the present id."""
        old, new = list(chunk_ids), list(chunk_ids.values())
        with self._database.connection() as connection:
            connection.execute(
                """update chunk_aliases known set chunk_id = new from unnest(%s::text[], %s::text[]) as renamed (old, new)
                   where known.chunk_id = renamed.old""",
                (old, new),
            )
            connection.execute(
                """insert into chunk_aliases (old_id, chunk_id) select * from unnest(%s::text[], %s::text[])
                   on conflict (old_id) do update set chunk_id = excluded.chunk_id""",
                (old, new),
            )
            connection.execute("delete from chunk_aliases where old_id = chunk_id")  # renamed, and renamed back

    def finish(self, old_id: str) -> None:
        """Delete the row of the old id, which has no data any more; the alias stays. No error if this was done before."""
        with self._database.connection() as connection:
            alias = connection.execute(
                "select document_id, takes_over from document_aliases where old_id = %s and finished_at is null for update",
                (old_id,),
            ).fetchone()
            if alias is None:
                return
            ids = {"old": old_id, "new": alias["document_id"]}
            for statement in _FINISH:
                connection.execute(statement, ids)
            old = connection.execute(
                "delete from source_documents where document_id = %(old)s returning id, created_at", ids
            ).fetchone()
            if old is not None and alias["takes_over"]:
                connection.execute(
                    "update source_documents set id = %(id)s, created_at = %(created_at)s where document_id = %(new)s",
                    {**ids, **old},
                )

    def names(self, document_ids: Iterable[str]) -> list[str]:
        """Return all ids under which these documents are found.

        These are the given ids, the present id of each old id, and, until the renaming is finished, the old id of each present id.
        """
        asked = list(document_ids)
        rows = self._database.rows(
            """select old_id, document_id from document_aliases
               where old_id = any(%(ids)s) or (document_id = any(%(ids)s) and finished_at is null) order by old_id collate "C" """,
            {"ids": asked},
        )
        return list(dict.fromkeys([*asked, *(row[name] for row in rows for name in ("document_id", "old_id"))]))

    def present_ids(self, document_ids: Iterable[str]) -> dict[str, str]:
        """Return old id -> present id, for those of `document_ids` that are old ids."""
        rows = self._database.rows(
            "select old_id, document_id from document_aliases where old_id = any(%s)", (list(document_ids),)
        )
        return {row["old_id"]: row["document_id"] for row in rows}

    def chunk(self, chunk_id: str) -> str | None:
        """Return the present id of the chunk that had this id; None if no chunk had it."""
        row = self._database.row("select chunk_id from chunk_aliases where old_id = %s", (chunk_id,))
        return row["chunk_id"] if row else None

    def with_partition(self) -> list[str]:
        """Return the old ids with a finished renaming of which Dagster may still have a partition."""
        rows = self._database.rows(
            """select old_id from document_aliases where partition_removed_at is null and finished_at is not null
               order by old_id collate "C" """
        )
        return [row["old_id"] for row in rows]

    def set_partition_removed(self, old_ids: Iterable[str]) -> None:
        self._database.execute(
            "update document_aliases set partition_removed_at = now() where old_id = any(%s)", (list(old_ids),)
        )


def reclaim_id(connection: Any, document_id: str, *, former: str | None) -> None:
    """In the caller's transaction: give a document that had the id `former` the id `document_id`.

    The id of a live document is never an alias: if the document itself had `document_id` before, that alias is deleted.
    Raises `DocumentError` if another document had it.
    """
    alias = connection.execute("select document_id from document_aliases where old_id = %s", (document_id,)).fetchone()
    if alias is None:
        return
    if alias["document_id"] != former:
        raise DocumentError(
            f"is an id that {alias['document_id']} had before: no other document can have it", document=document_id
        )
    connection.execute("delete from document_aliases where old_id = %s", (document_id,))
