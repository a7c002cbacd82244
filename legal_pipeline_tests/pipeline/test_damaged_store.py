"""Files of the vector store that cannot be read any more: said so, with the way out, and set right from the warehouse."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from legal_pipeline.errors import DamagedCollectionError
from legal_pipeline.reconcile import prepare, reconcile
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.real_documents import existing

#: What the folder of a collection has, whatever its segments are called, and what happened to it.
DAMAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a segment cut short": ("**/segment.json", lambda path: os.truncate(path, 10)),
    "payloads overwritten": ("**/payload_storage/page_0.dat", lambda path: path.write_bytes(b"\xff" * 100_000)),
    "a payload file gone": ("**/payload_storage/page_0.dat", Path.unlink),
    "flags cut short": ("**/vector_storage-bm25/deleted/status.dat", lambda path: os.truncate(path, 8)),
    "the description gone": ("collection.json", Path.unlink),
}


@pytest.fixture
def kept(bench: Bench, law: Law) -> Bench:
    bench.write("fyr.txt", law("2099:10", "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen."))
    bench.ingest()
    assert bench.failures == {}
    return bench


def damage(bench: Bench, kind: str) -> Path:
    """What happens to the folder of the chunks."""
    bench.pipeline.searcher.close()
    (live,) = [one.generation.name for one in bench.pipeline.collections() if one.alias == "legal_chunks"][:1]
    folder = bench.pipeline.resources.settings.home / "qdrant" / live
    pattern, harm = DAMAGES[kind]
    for path in existing(folder, pattern):
        harm(path)
    return folder


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_collection_is_built_anew_from_the_warehouse(kept: Bench, kind: str) -> None:
    before = [(hit.chunk_id, hit.score) for hit in kept.pipeline.search("skymning")]
    folder = damage(kept, kind)
    with pytest.raises(DamagedCollectionError, match="legal-pipeline reconcile --repair") as caught:
        kept.pipeline.search("skymning")
    assert str(folder.name) in str(caught.value)
    found = reconcile(kept.pipeline)
    assert (found.damaged, found.differences, found.is_clean) == (("legal_chunks",), (), False)
    kept.embedder.texts.clear()
    prepare(kept.pipeline, found)
    assert kept.embedder.texts == [], "the vectors stand in the warehouse"
    assert [(hit.chunk_id, hit.score) for hit in kept.pipeline.search("skymning")] == before
    assert reconcile(kept.pipeline).is_clean
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(".")] == []


def test_the_table_of_postgres_is_compared_although_the_collection_of_the_same_name_is_damaged(kept: Bench) -> None:
    damage(kept, "the description gone")
    kept.pipeline.resources.pgvector.delete_document("legal_chunks", "se-sfs-2099-10")
    found = reconcile(kept.pipeline)
    assert (found.damaged, found.counts()) == (("legal_chunks",), {"differs pgvector_chunks": 1})


def test_a_repair_that_is_killed_leaves_the_damaged_collection_for_the_next_one(kept: Bench) -> None:
    before = [hit.chunk_id for hit in kept.pipeline.search("skymning")]
    damage(kept, "a segment cut short")
    store = kept.pipeline.resources.store
    (live,) = store.generations("legal_chunks")

    def killed() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.rebuild(live.name, live.dimension, live.model, (killed() for _ in range(1)))  # type: ignore[misc]
    with pytest.raises(DamagedCollectionError):
        kept.pipeline.search("skymning")
    prepare(kept.pipeline, reconcile(kept.pipeline))
    assert [hit.chunk_id for hit in kept.pipeline.search("skymning")] == before
