"""Documents that wait for a run or are in a run: the table `due_documents`.

A document becomes due when it is registered, changed or to be retried (`registry.registry` records this in the same transaction), or when a
run claims it because a user asked for it (`registry.claims`). It stays due until its run has ended. Not here: which runs are requested
(`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from legal_pipeline.registry.workers import LIVE

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

#: A requested run that is not visible after this time was lost before it began.
LOST_AFTER = timedelta(minutes=10)

#: Maximum number of due documents per poll.
MAX_TAKEN = 5_000


@dataclass(frozen=True)
class Due:
    """A due document. `asked`: a run was requested, so either it will start, or it has ended without a result."""

    document_id: str
    asked: bool


#: Documents whose sensor this is and that no live run has claimed, in the order of their ids. `offset 0` makes the server find the items
#: by their document: by their source it would read all of them, for each document.
_OF_SOURCE = f"""(claimed_by is null or claimed_by not in {LIVE}) and (asker = %(source)s or asker is null and exists (
        select from (select source, item_key from source_items where document_id = due.document_id offset 0) i
        where i.source = %(source)s and exists (select from unnest(%(scope)s::text[]) as prefix where starts_with(i.item_key, prefix))))
    order by document_id collate "C" limit %(limit)s"""  # noqa: S608

#: Requested, and claimed by a run that was killed, lost, or not certainly requested. One look into an index for each reason: all others
#: wait in Dagster.
_ASKED = f"""with wanted as (
        select document_id from due_documents where asked_by = %(source)s and asked_in > %(confirmed)s
        union select document_id from due_documents where asked_at < now() - %(lost)s or asked_at > now() + %(lost)s
        union select document_id from due_documents where claimed_by is not null)
    select document_id, claimed_by, not coalesce(asked_by = %(source)s and asked_in > %(confirmed)s, false) as asked
    from due_documents due join wanted using (document_id) where asked_at is not null and {_OF_SOURCE}"""  # noqa: S608

#: Not requested yet.
_WAITING = f"""select document_id, claimed_by, false as asked from due_documents due
    where asked_at is null and {_OF_SOURCE}"""  # noqa: S608

#: A statement sees rows as they were when it began, and locks as they are when it reads them: the document of a run that ends in between
#: has its claim, and the run has no lock. Read again, the claims of such runs are gone, and those of killed runs are there.
_STILL_CLAIMED = (
    "select document_id, claimed_by from due_documents where document_id = any(%s) and claimed_by is not null"
)


class DueDocuments:
    """The due documents of one source's sensor. Safe in any number of processes."""

    def __init__(self, database: Database, source: str, *, scope: Sequence[str] = ("",)) -> None:
        """Select the source's documents; `scope` has the prefixes of the keys of items that the sensor polls."""
        self._database = database
        self._source = source
        self._scope = list(scope)

    def take(self, *, confirmed: int, limit: int = MAX_TAKEN) -> list[Due]:
        """Return due documents by id: without a requested run, of a run that was killed, or with a run that has not been visible for long.

        A document that a live run has claimed is not returned.

        `confirmed` is the last `ask` that has certainly reached Dagster: runs requested later are requested again, under the same run keys,
        of which Dagster accepts each once.
        """
        values = {
            "source": self._source,
            "confirmed": confirmed,
            "scope": self._scope,
            "lost": LOST_AFTER,
            "limit": limit,
        }
        with self._database.reading() as connection:
            rows = connection.execute(_ASKED, values).fetchall() + connection.execute(_WAITING, values).fetchall()
            claimed = [row["document_id"] for row in rows if row["claimed_by"] is not None]
            again = connection.execute(_STILL_CLAIMED, (claimed,)).fetchall() if claimed else []
        killed = {(row["document_id"], row["claimed_by"]) for row in again}
        found = [
            Due(row["document_id"], row["asked"])
            for row in rows
            if row["claimed_by"] is None or (row["document_id"], row["claimed_by"]) in killed
        ]
        return sorted(found, key=lambda due: due.document_id)[:limit]

    def ask(self, document_ids: Iterable[str]) -> int:
        """Record that the sensor is about to request runs of these. Returns the number of this request, higher than all before."""
        with self._database.connection() as connection:
            row: Any = connection.execute("select nextval('due_asks') as number").fetchone()
            connection.execute(
                "update due_documents set asked_by = %s, asked_in = %s, asked_at = now() where document_id = any(%s)",
                (self._source, row["number"], list(document_ids)),
            )
        return int(row["number"])

    def seen(self, document_ids: Collection[str]) -> None:
        """Record that runs process these documents or will process them."""
        if document_ids:
            with self._database.connection() as connection:
                connection.execute(
                    "update due_documents set asked_at = now() where document_id = any(%s) and asked_at is not null",
                    (list(document_ids),),
                )


def write_due(connection: Any, document_id: str, *, asker: str | None = None) -> None:
    """In the caller's transaction: make the document due in its present state; earlier requests no longer count."""
    connection.execute(
        """insert into due_documents (document_id, asker) values (%s, %s) on conflict (document_id) do update set
               asker = coalesce(excluded.asker, due_documents.asker), due_at = now(), asked_by = null, asked_in = null, asked_at = null""",
        (document_id, asker),
    )


def watch_run(connection: Any, document_ids: Iterable[str], *, asked_by: str) -> None:
    """In the caller's transaction: record that `asked_by`, which is not the sensor of a source, requests a run of these, so that a lost
    run is detected."""
    connection.execute(
        """insert into due_documents (document_id, asked_by, asked_at) select unnest(%s::text[]), %s, now()
           on conflict (document_id) do update set due_at = now(), asked_by = excluded.asked_by, asked_in = null,
               asked_at = excluded.asked_at""",
        (list(document_ids), asked_by),
    )


def forget_due(connection: Any, *document_ids: str) -> None:
    """In the caller's transaction: the documents are no longer due, except those that wait for a run or are in a run."""
    connection.execute(
        """delete from due_documents where document_id = any(%s) and not exists (select from source_documents d
               where d.document_id = due_documents.document_id and d.processing_status in ('pending', 'processing')
                   and d.tombstoned_at is null)""",
        (list(document_ids),),
    )
