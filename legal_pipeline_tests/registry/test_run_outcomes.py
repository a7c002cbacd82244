"""What the registry holds of the documents of a run at its beginning and at its end."""

from __future__ import annotations

from legal_pipeline.registry.claims import Claims
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.run_outcomes import Outcome, finish_run

FIRST, SECOND, CHANGED, ERASED = "se-sfs-2024-1", "se-sfs-2024-2", "se-sfs-2024-3", "se-sfs-2024-4"
MADE = frozenset({"raw_documents", "chunks/paragraf"})


def test_a_run_ends_for_each_document_as_its_revision_allows(database: Database) -> None:
    registry = Registry(database)

    def register(document_id: str, sha256: str) -> None:
        registry.register(RegisteredItem("files", f"/in/{document_id}.txt", document_id, sha256=sha256))

    for document_id in (FIRST, SECOND, CHANGED):
        register(document_id, "aa")
    registry.set_status(FIRST, "failed", error="no")
    with Claims(database) as claims:
        former, waiting = claims.take([CHANGED, FIRST, SECOND, ERASED], due=False)
    assert (former, waiting) == ({CHANGED: "pending", FIRST: "failed", SECOND: "pending"}, [])
    begun = {document.document_id: document for document in registry.documents()}
    assert {document.status for document in begun.values()} == {"processing"}
    assert begun[FIRST].last_error is None
    register(CHANGED, "bb")  # its source changes while the run goes on
    missing = finish_run(
        database,
        [
            Outcome(FIRST, 1, MADE, completed=True),
            Outcome(SECOND, 1, frozenset(), completed=False),
            Outcome(CHANGED, 1, MADE, completed=True),
            Outcome(ERASED, 1, MADE, completed=True),
        ],
    )
    assert missing == [ERASED]
    ended = {document.document_id: (document.status, document.made) for document in registry.documents()}
    assert ended == {
        FIRST: ("completed", sorted(MADE)),
        SECOND: ("pending", []),
        CHANGED: ("pending", []),
    }
    assert [document.processed_at is not None for document in registry.documents()] == [True, False, False]
    due = DueDocuments(database, "files").take(confirmed=0)
    assert [document.document_id for document in due] == [SECOND, CHANGED]
