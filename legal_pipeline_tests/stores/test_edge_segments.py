"""A load indexes new points before they fill the memory. Not here: what the nightly maintenance merges (`test_contract`)."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.model.identity import point_id
from legal_pipeline.stores.edge_shard import MIN_INDEXED
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Not, Point
from legal_pipeline_tests import processes
from legal_pipeline_tests.stores.points import DIMENSION, row_hashes

NAME = "legal_chunks"
PER_DOCUMENT = 100
#: Points without an index at which a load of these tests indexes.
MOST = 1000


def documents(number: int, wording: int = 0) -> Iterator[list[Point]]:
    """Yield documents of 100 provisions, one at a time."""
    vectors = np.random.default_rng(wording).normal(size=(PER_DOCUMENT, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for document in range(number):
        name = f"d{document}"
        yield [
            Point(
                point_id(f"{name}/{row}"), name, vectors[row], f"Lydelse {wording} {row}.", "swe",
                {"chunk_id": f"{name}/{row}", "jurisdiction": "se", "row_hash": f"{document} {row} {wording}"},
            )
            for row in range(PER_DOCUMENT)
        ]  # fmt: skip


def load(folder: Path, number: int, wording: int = 0) -> None:
    store = QdrantEdgeStore(folder, max_new_points=MOST)
    store.ensure_collection(NAME, DIMENSION)
    with store.session(NAME, "loading"):
        for points in documents(number, wording):
            store.replace_document(NAME, points[0].document_id, points)


def verify_stored(folder: Path, number: int, wording: int) -> None:
    """Assert that the collection holds exactly the last wording of these documents, and finds it by vector and by words."""
    store = QdrantEdgeStore(folder)
    expected = {points[0].document_id: row_hashes(points) for points in documents(number, wording)}
    held = store.point_hashes_many(NAME, list(expected))
    assert {name: sorted(hashes.values()) for name, hashes in held.items()} == expected
    assert store.count(NAME) == number * PER_DOCUMENT
    point = next(documents(1, wording))[0]
    found = store.query(NAME, dense=point.vector, text=f"{wording}", languages=["swe"], limit=number * PER_DOCUMENT)
    assert len(found.dense) == len(found.sparse) == number * PER_DOCUMENT
    assert found.dense[0].score == pytest.approx(1.0, abs=1e-5)


def new_points(folder: Path) -> int:
    """Number of points in memory: those of segments without an index have a file of versions of eight bytes each."""
    files = list(folder.rglob("mutable_id_tracker.versions"))
    assert files
    return sum(path.stat().st_size for path in files) // 8


def test_fields_have_indexes_from_a_number_of_points_on_and_filters_find_the_same(tmp_path: Path) -> None:
    few = MIN_INDEXED // PER_DOCUMENT - 1
    filters = (AnyOf(DOCUMENT_ID, ("d1", "d3")), Not(AnyOf("jurisdiction", ("no",))))

    def found() -> set[str]:
        asked = QdrantEdgeStore(tmp_path).query(NAME, filters=filters, limit=10 * PER_DOCUMENT)
        return {point.id for point in asked.unranked}

    load(tmp_path, few)
    assert not list(tmp_path.rglob("payload_index/*-map"))
    before = found()
    assert len(before) == 2 * PER_DOCUMENT
    load(tmp_path, few + 1)
    verify_stored(tmp_path, few + 1, 0)
    assert len({path.name.rpartition("-")[0] for path in tmp_path.rglob("payload_index/*-map")}) == 11
    assert found() == before


def test_a_load_indexes_new_points_and_merges_nothing(tmp_path: Path) -> None:
    number = 2 * MOST // PER_DOCUMENT + 3
    load(tmp_path, number)
    assert new_points(tmp_path) == 3 * PER_DOCUMENT
    indexed = sorted(tmp_path.rglob("vector_index-*/graph.bin"))
    assert len(indexed) == 2
    verify_stored(tmp_path, number, 0)
    load(tmp_path, 3, wording=1)  # replaces points that are indexed, and points that are not
    load(tmp_path, 3, wording=0)
    verify_stored(tmp_path, number, 0)
    assert sorted(tmp_path.rglob("vector_index-*/graph.bin")) == indexed


def test_the_nightly_maintenance_merges_the_segments_of_a_load(tmp_path: Path) -> None:
    number = 12 * MOST // PER_DOCUMENT
    load(tmp_path, number)
    segments = tmp_path / NAME / "shard" / "segments"
    assert len(list(segments.iterdir())) >= 12
    QdrantEdgeStore(tmp_path).optimise(NAME)
    assert len(list(segments.iterdir())) < 12
    verify_stored(tmp_path, number, 0)


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2])
def test_a_process_killed_while_a_load_indexes_loses_no_point(tmp_path: Path, delay: float) -> None:
    number = MOST // PER_DOCUMENT
    load(tmp_path, number - 1)
    program = f"""if True:
        from pathlib import Path
        from legal_pipeline_tests.stores.test_edge_segments import load
        load(Path({str(tmp_path)!r}), {number})
    """
    process = processes.start([sys.executable, "-c", program])
    configuration = tmp_path / NAME / "shard" / "edge_config.json"
    until = time.monotonic() + 120
    while "1000" not in configuration.read_text("utf-8"):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=60) in {-signal.SIGKILL, 0}
    verify_stored(tmp_path, number, 0)
    load(tmp_path, number, wording=1)
    verify_stored(tmp_path, number, 1)
