"""`pgvector_chunks`: PostgreSQL holds what Qdrant publishes, and a store that is off is left alone."""

from __future__ import annotations

import dataclasses

import pytest

from legal_pipeline.pipeline import ASSETS, Pipeline
from legal_pipeline.processing.publication import OFF
from legal_pipeline.retrieval import sql_patterns
from legal_pipeline.settings import Settings
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
ID = "se-sfs-2099-10"


def published(bench: Bench) -> dict[str, str]:
    return bench.pipeline.registry.manifests.published(ID, "legal_chunks")


def rows(bench: Bench) -> dict[str, str]:
    with bench.pipeline.registry.database.connection() as connection:
        found = connection.execute("select chunk_id, row_hash from legal_chunks where document_id = %s", (ID,))
        return {row["chunk_id"]: row["row_hash"] for row in found.fetchall()}


def switched(bench: Bench, stores: str) -> Bench:
    """The same pipeline with other stores on."""
    old = bench.pipeline.resources
    settings: Settings = old.settings.model_copy(update={"stores": stores})
    pipeline = Pipeline(dataclasses.replace(old, settings=settings), old.registry.database)
    return dataclasses.replace(bench, pipeline=pipeline, events=[])


def test_the_rows_are_the_published_chunks(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    assert bench.failures == {}
    assert rows(bench) == published(bench) != {}
    (first,) = bench.done("pgvector_chunks").values()
    assert (first.metadata["points_written"], first.reused) == (len(rows(bench)), False)
    bench.ingest()
    (again,) = bench.done("pgvector_chunks").values()
    assert (again.metadata["points_unchanged"], again.reused) == (len(rows(bench)), True)
    bench.write("fyr.txt", law("2099:10", TEXTS[0], TEXTS[1], "Vid dimma ska mistluren ljuda tre gånger."))
    before = rows(bench)
    bench.ingest()
    assert rows(bench) == published(bench) != before
    (changed,) = bench.done("pgvector_chunks").values()
    assert changed.data_version == bench.done("qdrant_chunks")[ID].data_version


def test_the_patterns_find_a_published_chunk(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    vector = bench.embedder.embed_passages(["Fyren ska tändas i skymningen."]).vectors[0]
    found = sql_patterns.semantic(bench.pipeline.registry.database, vector, source_type="act")
    assert "Fyren ska tändas i skymningen." in found[0]["chunk_text"]
    assert found[0]["source_document"] == "fyr.txt"
    assert sql_patterns.missing_embeddings(bench.pipeline.registry.database) == 0


@pytest.mark.parametrize(("on", "off"), [("qdrant", "pgvector"), ("pgvector", "qdrant")])
def test_a_store_that_is_off_is_reported_empty_and_the_document_is_complete(
    bench: Bench, law: Law, on: str, off: str
) -> None:
    bench = switched(bench, on)
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    assert bench.failures == {}
    left = bench.done(f"{off}_chunks")[ID]
    assert (left.metadata["points"], left.metadata["store"], left.data_version) == (0, OFF, OFF)
    assert bench.done(f"{on}_chunks")[ID].metadata["points_written"] >= 3
    assert bench.pipeline.registry.counts() == {"completed": 1}
    assert (published(bench) == {}) == (off == "qdrant")
    (hit, *_) = bench.pipeline.search("mistluren i dimma")
    assert "mistluren" in hit.snippet


def test_only_the_way_to_every_store_that_is_on_completes_a_document(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.register()
    without = [key for key in ASSETS if key != ("pgvector_chunks",)]
    assert [event.error for event in bench.pipeline.run([ID], without) if hasattr(event, "error")] == []
    assert bench.pipeline.registry.counts() == {"pending": 1}
    list(switched(bench, "qdrant").pipeline.run([ID], without))
    assert bench.pipeline.registry.counts() == {"completed": 1}
