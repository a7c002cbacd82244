"""Buckets on a real PostgreSQL: which documents they hold, and when their versions change."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.registry.buckets import (
    Bucket,
    Content,
    contents,
    documents_of,
    items_version,
    number_of,
    record,
    recorded,
    unfinished,
)
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.document_versions import read_versions, record_versions
from legal_pipeline.registry.registry import RegisteredItem, Registry

ALL = [Bucket("files", number, 3) for number in range(3)]


@pytest.fixture
def registry(database: Database) -> Registry:
    registry = Registry(database)
    for number in range(30):
        registry.register(RegisteredItem("files", f"/in/{number}", f"se-sfs-2024-{number}", sha256="aa"))
    return registry


def test_each_document_is_in_the_bucket_of_its_number_and_of_the_source_that_brought_it_first(
    registry: Registry, database: Database
) -> None:
    registry.register(RegisteredItem("archive", "7", "se-sfs-2024-7", sha256="bb"))
    held = {bucket.number: documents_of(database, bucket) for bucket in ALL}
    documents = registry.documents()
    assert {document.source for document in documents} == {"files"}
    assert sorted(key for keys in held.values() for key in keys) == sorted(
        document.document_id for document in documents
    )
    for document in documents:
        assert document.id_hash == hashlib.sha256(document.document_id.encode()).hexdigest()[:8]
        assert document.document_id in held[number_of(document.id_hash, 3)]
    assert documents_of(database, Bucket("archive", 0, 1)) == []


@given(st.integers(0, 2**32 - 1), st.integers(1, 5000))
def test_every_hash_is_in_exactly_the_range_of_its_bucket(hash: int, buckets: int) -> None:
    text = f"{hash:08x}"
    number = number_of(text, buckets)
    assert 0 <= number < buckets
    values = Bucket("files", number, buckets).values
    assert values["low"] <= text <= values["high"]


def test_a_bucket_names_what_is_due_in_it(registry: Registry, database: Database) -> None:
    for document in registry.documents():
        registry.set_status(document.document_id, "completed")
    registry.retry("se-sfs-2024-7")
    registry.tombstone("se-sfs-2024-8")
    assert [key for bucket in ALL for key in documents_of(database, bucket, due=True)] == ["se-sfs-2024-7"]
    assert len([key for bucket in ALL for key in documents_of(database, bucket)]) == 29


def test_the_version_of_an_asset_follows_each_of_its_documents(registry: Registry, database: Database) -> None:
    (bucket,) = [Bucket("files", 0, 1)]
    assert contents(database, bucket) == {}
    record_versions(database, {"se-sfs-2024-1": {"chunks": "x", "chunks/paragraf": "p"}, "gone": {"chunks": "y"}})
    first = contents(database, bucket)
    assert first["chunks"] == Content(1, first["chunks"].version)
    record_versions(database, {"se-sfs-2024-2": {"chunks": "x"}})
    second = contents(database, bucket)
    assert second["chunks"].documents == 2
    assert second["chunks/paragraf"] == first["chunks/paragraf"]
    record_versions(database, {"se-sfs-2024-1": {"chunks": "z", "chunks/paragraf": None}})
    third = contents(database, bucket)
    assert set(third) == {"chunks"}
    assert len({first["chunks"].version, second["chunks"].version, third["chunks"].version}) == 3
    assert read_versions(database, ["se-sfs-2024-1"]) == {"se-sfs-2024-1": {"chunks": "z"}}
    registry.tombstone("se-sfs-2024-2")
    assert contents(database, bucket)["chunks"].documents == 1


def test_the_version_of_the_items_follows_new_changed_and_removed_documents(
    registry: Registry, database: Database
) -> None:
    bucket = Bucket("files", 0, 1)
    found = [items_version(database, bucket)]
    registry.retry("se-sfs-2024-1")
    assert items_version(database, bucket) == found[0]
    registry.register(RegisteredItem("files", "/in/1", "se-sfs-2024-1", sha256="bb"))
    found.append(items_version(database, bucket))
    registry.register(RegisteredItem("files", "/in/99", "se-sfs-2024-99", sha256="aa"))
    found.append(items_version(database, bucket))
    registry.tombstone("se-sfs-2024-2")
    found.append(items_version(database, bucket))
    assert len(set(found)) == 4


def test_documents_that_failed_are_named_with_the_reason(registry: Registry, database: Database) -> None:
    registry.set_status("se-sfs-2024-1", "failed", error="canonical_documents: broken")
    ((row,),) = [unfinished(database, Bucket("files", 0, 1))]
    assert (row.document_id, row.status, row.reason) == ("se-sfs-2024-1", "failed", "canonical_documents: broken")


def test_a_home_has_no_partitioning_before_its_first_document(database: Database) -> None:
    assert recorded(database) is None
    Registry(database).register(RegisteredItem("files", "/in/1", "se-sfs-2024-1"))
    assert recorded(database) == (None,)
    record(database, 64)
    record(database, 32)
    assert recorded(database) == (32,)
