"""The state of the documents of a run at its end, written for all of them in one transaction.

Not here: their claims, with which the run begins (`registry.claims`), and a document that fails or waits on the way, which is recorded at
once (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from legal_pipeline.registry.due_documents import forget_due

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

#: In the order of ids, so that two transactions that change many documents never wait for each other.
_LOCKED = "select document_id from source_documents where document_id = any(%s) order by document_id for update"


@dataclass(frozen=True)
class Outcome:
    """The end of a run for one document at one revision. `made`: the assets that this run and partial runs before it have made."""

    document_id: str
    revision: int
    made: frozenset[str]
    completed: bool


def finish_run(database: Database, outcomes: Iterable[Outcome]) -> list[str]:
    """Record the outcomes; return the documents that are no longer in the registry.

    A document that has another revision now keeps its state: its new content waits for a separate run.
    """
    by_id = {outcome.document_id: outcome for outcome in outcomes}
    ids = list(by_id)
    with database.connection() as connection:
        present = {row["document_id"] for row in connection.execute(_LOCKED, (ids,)).fetchall()}
        connection.execute(
            """update source_documents d set updated_at = now(), processing_status = given.status, last_error = null,
                   made = string_to_array(given.made, ' '),
                   processed_at = case when given.status = 'completed' then now() else processed_at end
               from unnest(%s::text[], %s::int[], %s::text[], %s::text[]) as given (document_id, revision, made, status)
               where d.document_id = given.document_id and d.revision = given.revision""",
            (
                ids,
                [outcome.revision for outcome in by_id.values()],
                [" ".join(sorted(outcome.made)) for outcome in by_id.values()],
                ["completed" if outcome.completed else "pending" for outcome in by_id.values()],
            ),
        )
        forget_due(connection, *(outcome.document_id for outcome in by_id.values() if outcome.completed))
    return [document_id for document_id in ids if document_id not in present]
