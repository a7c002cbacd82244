"""A whole run with the warehouse in an S3 store: what it writes, and that the next run finds it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Materialized, Pipeline
from legal_pipeline.reconcile import reconcile
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.s3_server import S3Server, s3_server


@pytest.fixture
def store(tmp_path: Path) -> Iterator[S3Server]:
    with s3_server(tmp_path) as server:
        yield server


def test_a_run_puts_a_document_once_for_each_stage(bench: Bench, store: S3Server, law: Law) -> None:
    bench.write("10.txt", law("2099:10", "En fyrvakt ska vara vaken."))
    resources = dataclasses.replace(bench.pipeline.resources, warehouse=Warehouse("s3://laws/home"))
    with Pipeline(resources, Database.open(resources.settings)) as pipeline:
        remote = dataclasses.replace(bench, pipeline=pipeline)
        store.requests()
        remote.ingest()
        assert not remote.failures
        requests = store.requests()
        puts = Counter(path.split("/")[1] for method, path in requests if method == "PUT")
        # text, versions and citations; chunks, prefixes, summaries, questions and superseded chunks; vectors of chunks and of questions
        assert puts == {"raw_documents": 1, "canonical_documents": 3, "chunks": 5, "chunk_embeddings": 2}
        assert len(requests) < 50
        assert len(resources.warehouse.files()) == 4

        bench.write("10.txt", law("2099:10", "En fyrvakt får sova."))
        remote.ingest()
        assert not remote.failures
        assert len(resources.warehouse.files()) == 5
        assert reconcile(pipeline).is_clean
        store.requests()
        remote.ingest()
        assert all(event.reused for event in remote.events if isinstance(event, Materialized))
        assert "PUT" not in store.methods()
