"""Message Batches that documents wait for: which are open, which have ended, and which documents can continue.

Not here: fetching their answers (`enrichment.batches`, in the run that continues), and requesting that run (`defs.message_batches`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from legal_pipeline.enrichment.service import Service, ServiceError
from legal_pipeline.registry.database import Database


@dataclass(frozen=True)
class OpenBatch:
    """A batch with unanswered requests, and the tasks and documents of these requests. `id` is None if its creation was not confirmed:
    the next run searches for it."""

    id: str | None
    documents: frozenset[str]
    tasks: frozenset[str] = frozenset()


def open_batches(database: Database) -> list[OpenBatch]:
    """Return the open batches, in the order of their ids."""
    rows = database.rows(
        """select batch_id, array_agg(distinct document_id) as documents, array_agg(distinct task) as tasks from llm_requests
           where state in ('submitting', 'submitted') group by batch_id order by batch_id nulls last"""
    )
    return [OpenBatch(row["batch_id"], frozenset(row["documents"]), frozenset(row["tasks"])) for row in rows]


def at_work(service: Service, batches: Sequence[OpenBatch], *, limit: timedelta) -> frozenset[str]:
    """Return the ids of the `batches` that the service still processes. A batch older than `limit` is cancelled.

    Raises `ServiceError` when the service cannot be asked.
    """
    found = set()
    for batch in batches:
        if batch.id is None:
            continue
        try:
            state = service.batch(batch.id)
        except ServiceError as error:
            if error.missing:  # the next run finds that too, and submits its requests again
                continue
            raise
        if state.ended or state.gone:
            continue
        found.add(batch.id)
        if datetime.now(UTC) - state.created_at > limit:
            service.cancel_batch(batch.id)
    return frozenset(found)


def ready(
    waiting: Collection[str], batches: Sequence[OpenBatch], working: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the `waiting` documents that are in no batch of `working`, each with its open batches ("" for a batch without id).

    A document in no open batch is returned too: another run has fetched its answers.
    """
    of: dict[str, list[OpenBatch]] = {document_id: [] for document_id in waiting}
    for batch in batches:
        for document_id in batch.documents & of.keys():
            of[document_id].append(batch)
    return {
        document_id: tuple(sorted(batch.id or "" for batch in found))
        for document_id, found in of.items()
        if not any(batch.id in working for batch in found)
    }
