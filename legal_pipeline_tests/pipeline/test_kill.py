"""SIGKILL at any stage, then run again: the end state equals an undisturbed run's, in warehouse, registry and store."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from legal_pipeline.pipeline import ASSETS, STRATEGIES
from legal_pipeline.stages import chunk_embeddings, qdrant_chunks, qdrant_questions, question_embeddings
from legal_pipeline_tests.pipeline.conftest import Bench, Law

EMBEDDINGS = (chunk_embeddings.KEY, question_embeddings.KEY)
COLLECTION = qdrant_chunks.COLLECTION
COLLECTIONS = (COLLECTION, qdrant_questions.COLLECTION)
LAWS = ("2099:10", "2099:11", "2099:12")


def write_laws(bench: Bench, law: Law, suffix: str = "") -> None:
    for number in LAWS:
        texts = [f"Fyrvakten i distrikt {number} ska vara vaken under skift {shift}.{suffix}" for shift in range(1, 6)]
        bench.write(f"{number.replace(':', '-')}.txt", law(number, *texts))


def state(bench: Bench) -> dict[str, Any]:
    """All that readers can see, without times; vectors apart."""
    pipeline = bench.pipeline
    ids = [row.document_id for row in pipeline.registry.documents(tombstoned=None)]
    tables: dict[str, Any] = {}
    vectors: dict[str, np.ndarray[Any, Any]] = {}
    for asset in (*ASSETS, *STRATEGIES):
        for document_id in pipeline.warehouse.documents(asset):
            table = pipeline.warehouse.read_table(asset, document_id)
            if asset in EMBEDDINGS:
                vectors[f"{'/'.join(asset)} {document_id}"] = np.asarray(table["vector"].to_pylist())
                table = table.drop_columns(["vector"])
            stamp = pipeline.warehouse.read_stamp(asset, document_id)
            tables[f"{'/'.join(asset)} {document_id}"] = (table.to_pylist(), table.schema.metadata, stamp)
        for document_id in pipeline.warehouse.documents(asset, "json"):
            tables[f"{'/'.join(asset)} {document_id} json"] = pipeline.warehouse.read(asset, document_id, "json")
    registry = [
        (row.document_id, row.status, row.last_error, row.text_hash, row.total_chunks, row.title, row.revision)
        for row in pipeline.registry.documents(tombstoned=None)
    ]
    store = {
        (collection, document_id): pipeline.resources.store.point_hashes(collection, document_id)
        for collection in COLLECTIONS
        for document_id in ids
    }
    manifests = {collection: pipeline.registry.manifests.published_many(ids, collection) for collection in COLLECTIONS}
    return {"tables": tables, "registry": registry, "store": store, "manifests": manifests, "vectors": vectors}


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for part in ("registry", "manifests", "store", "tables"):
        assert found[part] == expected[part], part
    assert found["vectors"].keys() == expected["vectors"].keys()
    for name, vectors in expected["vectors"].items():
        cosine = (found["vectors"][name] * vectors).sum(axis=1)
        assert (cosine >= 0.9999).all(), name


def run_killed(bench: Bench, kind: str, number: int) -> None:
    settings = bench.pipeline.resources.settings
    done = subprocess.run(
        [
            sys.executable, "-m", "legal_pipeline_tests.pipeline.killed",
            settings.database_url_text, str(settings.home), str(bench.folder), kind, str(number),
        ],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, f"was not killed at {kind} {number}: {done.stderr.decode()[-2000:]}"


@pytest.fixture
def undisturbed(bench: Bench, law: Law) -> Callable[[], dict[str, Any]]:
    """The state that the bench is to reach: made by it, then everything is taken away again."""

    def make() -> dict[str, Any]:
        write_laws(bench, law)
        bench.ingest()
        assert not bench.failures
        return state(bench)

    return make


def wipe(bench: Bench) -> None:
    for document in bench.pipeline.registry.documents(tombstoned=None):
        for asset in (*ASSETS, *STRATEGIES):
            for kind in ("table", "json"):
                bench.pipeline.warehouse.delete(asset, document.document_id, kind)
        for collection in COLLECTIONS:
            bench.pipeline.resources.store.delete_document(collection, document.document_id)
            bench.pipeline.registry.manifests.unpublish([document.document_id], collection)


def check_kill(bench: Bench, expected: dict[str, Any], kind: str, number: int) -> None:
    wipe(bench)
    run_killed(bench, kind, number)
    bench.ingest()
    assert not bench.failures
    assert_same(state(bench), expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("points", 2),
        *(pytest.param(*point, marks=pytest.mark.heavy) for point in (("event", 4), ("rename", 5), ("rename", 14))),
    ],
)
def test_a_killed_run_is_finished_by_the_next(
    bench: Bench, undisturbed: Callable[[], dict[str, Any]], kind: str, number: int
) -> None:
    check_kill(bench, undisturbed(), kind, number)


@pytest.mark.heavy
def test_a_run_killed_at_any_point_is_finished_by_the_next(
    bench: Bench, undisturbed: Callable[[], dict[str, Any]]
) -> None:
    expected = undisturbed()
    points = [("event", number) for number in range(1, 30, 3)]
    points += [("rename", number) for number in range(1, 15, 2)]
    points += [("points", number) for number in (1, 3)]
    for kind, number in points:
        check_kill(bench, expected, kind, number)


@pytest.mark.slow
def test_a_kill_during_an_update_leaves_the_old_version_or_the_new_one_published(bench: Bench, law: Law) -> None:
    write_laws(bench, law)
    bench.ingest()
    write_laws(bench, law, " Detta gäller även i dimma.")
    run_killed(bench, "points", 2)
    store, registry = bench.pipeline.resources.store, bench.pipeline.registry
    for row in registry.documents():
        there = store.point_hashes(COLLECTION, row.document_id)
        published = registry.manifests.published(row.document_id, COLLECTION)
        assert len(published) in (5, 10), "the old version, or the new one and the wordings that it superseded"
        assert set(published.values()) <= set(there.values()), "every published row is in the store"
    bench.ingest()
    assert not bench.failures
    # three documents of five rows, and the five that they superseded
    assert sum(bench.pipeline.registry.manifests.published_counts(COLLECTION).values()) == 30
