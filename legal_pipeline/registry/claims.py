"""Claims: the documents that a run processes, so that no other run processes them at the same time. A column of `due_documents`.

A claim ends with its run, and at once if the process of the run is killed or its machine vanishes (`registry.workers`). Not here: which
documents are due (`registry.due_documents`), and the outcome of a run (`registry.run_outcomes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from legal_pipeline.registry.registry import Status
from legal_pipeline.registry.workers import LIVE, LOCK, Worker

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

#: Rows for documents that a user asked for and that nothing made due. In the order of ids, as `registry.run_outcomes` locks documents.
_MAKE_DUE = """insert into due_documents (document_id, asked_at)
    select document_id, now() from source_documents where document_id = any(%(ids)s) order by document_id on conflict do nothing"""

#: Both rows are locked without waiting: a transaction that holds one of them may wait for the other. What it holds is claimed next time.
_CLAIM = f"""with free as (
        select d.document_id, d.processing_status as status from source_documents d join due_documents w using (document_id)
        where d.document_id = any(%(ids)s) and (w.claimed_by is null or w.claimed_by not in {LIVE})
        order by d.document_id for update of d, w skip locked),
    claimed as (
        update due_documents w set claimed_by = %(worker)s from free where w.document_id = free.document_id)
    update source_documents d set processing_status = 'processing', last_error = null, updated_at = now()
        from free where d.document_id = free.document_id returning d.document_id, free.status"""  # noqa: S608


#: The name of a worker's connection has its process and machine.
_HOLDERS = f"""select d.document_id, coalesce(split_part(s.application_name, 'worker ', 2), '') as process, s.backend_start as since
    from due_documents d join pg_locks l on l.locktype = 'advisory' and l.classid = {LOCK} and l.objid = d.claimed_by and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
    join pg_stat_activity s using (pid) where d.document_id = any(%s)"""  # noqa: S608


class Claims:
    """The claims of one run. Use it as a context manager: all claims end with the block."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._worker = Worker(database)

    def take(self, document_ids: Sequence[str], *, due: bool) -> tuple[dict[str, Status], list[str]]:
        """Claim documents and set their status to `processing`.

        Return claimed document -> its former status, and the documents that must wait because another live run processes them, both in the
        given order. With `due`, documents that are not due are in neither; without it, only those that are not in the registry.
        """
        values = {"ids": list(document_ids), "worker": self._worker.present()}
        held = "due_documents" if due else "source_documents"
        with self._database.connection() as connection:
            if not due:
                connection.execute(_MAKE_DUE, values)
            claimed = {row["document_id"]: row["status"] for row in connection.execute(_CLAIM, values).fetchall()}
            rest = [document_id for document_id in document_ids if document_id not in claimed]
            rows = connection.execute(
                f"select document_id from {held} where document_id = any(%s)",  # noqa: S608
                (rest,),
            ).fetchall()
        waiting = {row["document_id"] for row in rows}
        return {name: claimed[name] for name in document_ids if name in claimed}, [
            name for name in rest if name in waiting
        ]

    def holders(self, document_ids: Sequence[str]) -> dict[str, str]:
        """Return document -> process, machine and start of the live run that has claimed it; free documents are left out."""
        rows = self._database.rows(_HOLDERS, (list(document_ids),))
        return {row["document_id"]: f"process {row['process']} since {row['since']:%Y-%m-%d %H:%M} UTC" for row in rows}

    def release(self) -> None:
        """End the claims; documents that stay due may be claimed by any run."""
        self._database.execute(
            "update due_documents set claimed_by = null where claimed_by = %s", (self._worker.number,)
        )

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()
