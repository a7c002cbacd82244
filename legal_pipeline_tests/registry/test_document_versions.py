"""The versions of the assets of each document, on a real PostgreSQL."""

from __future__ import annotations

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.document_versions import read_versions, record_versions
from legal_pipeline.registry.registry import RegisteredItem, Registry


def test_later_runs_add_to_the_versions_of_earlier_ones_and_a_lost_asset_has_none(database: Database) -> None:
    for name in ("act-1", "act-2"):
        Registry(database).register(RegisteredItem("files", f"/in/{name}", name, sha256=name))
    record_versions(database, {"act-1": {"chunks": "1", "chunks/paragraf": "1"}, "unknown": {"chunks": "1"}})
    record_versions(database, {"act-1": {"chunks": "2", "chunks/paragraf": None, "qdrant_chunks": "2"}})
    record_versions(database, {"act-2": {"chunks": "revision:3", "raw_documents": "3"}})
    record_versions(database, {})
    assert read_versions(database, ["act-1", "act-2", "unknown"]) == {
        "act-1": {"chunks": "2", "qdrant_chunks": "2"},
        "act-2": {"raw_documents": "3"},
    }
