"""What is computed again when something changes, and what is not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import pytest

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.parsing import registry as parsing
from legal_pipeline.pipeline import ASSETS, Failed, Pipeline
from legal_pipeline.processing.stage import AssetKey, RunOptions
from legal_pipeline.registry.claims import Claims
from legal_pipeline_tests.counting import CountingEmbedder
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")


def test_a_law_goes_from_its_file_to_points(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    found = bench.ingest()
    assert found.new == ("se-sfs-2099-10",)
    assert bench.failures == {}
    assert bench.points_written == 3
    assert len(bench.chunk_texts) == 3
    assert bench.pipeline.registry.counts() == {"completed": 1}


def test_the_second_run_computes_nothing(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    found = bench.ingest()
    assert (found.to_run, found.listed) == ((), ("se-sfs-2099-10",))
    assert bench.embedder.texts == []
    assert bench.points_written == 0
    assert all(event.reused for event in bench.events)  # type: ignore[union-attr]


def test_a_changed_section_is_embedded_and_written_alone(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt", law("2099:10", TEXTS[0], TEXTS[1], "Vid dimma ska mistluren ljuda tre gånger."))
    found = bench.ingest()
    assert found.changed == ("se-sfs-2099-10",)
    assert [text.split("\n")[-1] for text in bench.chunk_texts] == ["3 § Vid dimma ska mistluren ljuda tre gånger."]
    (event,) = bench.done("qdrant_chunks").values()
    # the new wording, and the old one again as superseded
    assert (event.metadata["points_written"], event.metadata["points_deleted"]) == (2, 1)


def test_white_space_in_the_source_stops_at_the_canonical_document(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt", law("2099:10", *TEXTS).replace(" ska ", "\nska "))
    assert bench.ingest().changed == ("se-sfs-2099-10",)
    assert not bench.done("canonical_documents")["se-sfs-2099-10"].reused
    assert bench.done("chunks")["se-sfs-2099-10"].reused
    assert bench.points_written == 0


def test_a_raised_version_of_the_parser_reads_the_same_bytes_again(
    bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    raised = tuple(replace(format, version=f"{format.version}.1") for format in parsing.FORMATS)
    monkeypatch.setattr(parsing, "FORMATS", raised)
    bench.ingest()
    reused = {
        name: bench.done(name)["se-sfs-2099-10"].reused for name in ("raw_documents", "canonical_documents", "chunks")
    }
    assert reused == {"raw_documents": True, "canonical_documents": False, "chunks": True}


def test_force_recomputes_and_ends_in_the_same_state(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    versions = {event.asset_key: event.data_version for event in bench.events}  # type: ignore[union-attr]
    bench.ingest(RunOptions(force=True))
    assert len(bench.chunk_texts) == 3
    assert {event.asset_key: event.data_version for event in bench.events} == versions  # type: ignore[union-attr]
    assert bench.pipeline.resources.store.count("legal_chunks", "se-sfs-2099-10") == 3


def test_points_lost_by_the_store_are_written_again(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.pipeline.resources.store.delete_document("legal_chunks", "se-sfs-2099-10")
    bench.ingest()
    assert bench.points_written == 3
    assert bench.embedder.texts == []


def test_a_truncated_update_keeps_the_last_good_version_in_the_store(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt", "")
    bench.ingest()
    assert "empty" in str(bench.failures["se-sfs-2099-10"])
    assert bench.pipeline.resources.store.count("legal_chunks", "se-sfs-2099-10") == 3
    assert bench.pipeline.registry.counts() == {"failed": 1}


def test_a_file_that_now_holds_another_law_does_not_overwrite_the_first(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    bench.write("fyr.txt", law("2099:11", *TEXTS))
    found = bench.ingest()
    assert found.new == ("se-sfs-2099-11",)
    assert found.tombstoned == ("se-sfs-2099-10",)


def test_two_texts_of_one_law_without_an_order_are_a_reported_conflict(bench: Bench, law: Law) -> None:
    bench.write("a.txt", law("2099:10", *TEXTS))
    bench.write("b.txt", law("2099:10", *TEXTS[:2]))
    bench.ingest()
    assert "conflict" in str(bench.failures["se-sfs-2099-10"])


def test_a_removed_file_is_tombstoned_at_the_second_look(bench: Bench, law: Law) -> None:
    path = bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("sjö.txt", law("2099:12", *TEXTS))
    bench.ingest()
    path.unlink()
    assert bench.register().tombstoned == ()
    assert bench.register().tombstoned == ("se-sfs-2099-10",)


def test_vectors_of_other_headings_are_not_published(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    before = bench.pipeline.registry.manifests.published("se-sfs-2099-10", "legal_chunks")
    bench.write("fyr.txt", law("2099:10", *TEXTS, title="om fyrvaktare"))
    bench.register()
    index = [("qdrant_chunks",)]
    list(
        bench.pipeline.run(["se-sfs-2099-10"], [key for key in ASSETS if key[0] not in ("chunk_embeddings", *index[0])])
    )
    bench.events = list(bench.pipeline.run(["se-sfs-2099-10"], index))
    assert "chunk_embeddings" in str(bench.failures["se-sfs-2099-10"])
    assert bench.pipeline.registry.manifests.published("se-sfs-2099-10", "legal_chunks") == before
    bench.ingest()
    after = bench.pipeline.registry.manifests.published("se-sfs-2099-10", "legal_chunks")
    assert after.keys() == before.keys()
    assert not set(after.values()) & set(before.values())


def test_a_changed_column_is_a_new_version_of_the_chunks(bench: Bench) -> None:
    bench.write("minne.md", "# Om fyrar\n\nEn anteckning om fyrarna vid kusten och deras vakter.\n")
    (document_id,) = bench.ingest().new
    before = bench.done("chunks")[document_id].data_version
    bench.ingest(doc_type="guidance")
    assert bench.done("chunks")[document_id].data_version != before
    assert bench.embedder.texts == []


def test_runs_of_a_part_of_the_way_add_up_to_a_completed_document(bench: Bench, law: Law) -> None:
    path = bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.register()
    cut = ASSETS.index(("chunks",)) + 1
    first, second = ASSETS[:cut], ASSETS[cut:]

    def status_after(assets: Sequence[AssetKey]) -> str:
        assert not any(isinstance(event, Failed) for event in bench.pipeline.run(["se-sfs-2099-10"], assets))
        return bench.pipeline.registry.documents()[0].status

    assert [status_after(first), status_after(second)] == ["pending", "completed"]
    # a new revision starts anew, and what stands below what was made again has to be made again
    path.write_text(law("2099:10", *TEXTS, "Fyren ska målas vart femte år."), "utf-8")
    bench.register()
    assert bench.pipeline.registry.documents()[0].status == "pending"
    assert [status_after(part) for part in (first, second[:2], first, second[2:])] == ["pending"] * 4
    assert status_after(second[:2]) == "pending"
    assert status_after(second[2:]) == "completed"


def test_an_interrupted_run_leaves_its_documents_to_the_next(bench: Bench, law: Law) -> None:
    class Interrupted(CountingEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Embeddings:
            raise KeyboardInterrupt

    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.register()
    resources = replace(bench.pipeline.resources, make_embedder=lambda _: Interrupted(bench.embedder.inner))
    with pytest.raises(KeyboardInterrupt):
        list(Pipeline(resources, bench.pipeline._database).run(["se-sfs-2099-10"]))
    (document,) = bench.pipeline.registry.documents()
    assert (document.status, document.attempt) == ("pending", 1)
    bench.ingest()
    assert (bench.failures, bench.points_written) == ({}, 3)


def test_a_search_finds_the_same_after_the_indexes_were_built(bench: Bench, law: Law) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    before = [hit.chunk_id for hit in bench.pipeline.search("mistluren i dimma")]
    assert {name.partition(":")[0] for name in bench.pipeline.optimise()} == {"qdrant", "pgvector"}
    assert [hit.chunk_id for hit in bench.pipeline.search("mistluren i dimma")] == before


def test_a_tombstoned_document_leaves_the_stores_when_it_is_purged(bench: Bench, law: Law) -> None:
    path = bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("sjö.txt", law("2099:12", *TEXTS))
    bench.ingest()
    path.unlink()
    bench.register()
    bench.register()
    store = bench.pipeline.resources.store
    assert store.count("legal_chunks", "se-sfs-2099-10") >= 3
    deleted = bench.pipeline.purge()
    assert deleted.keys() == {"se-sfs-2099-10"}
    assert deleted["se-sfs-2099-10"] >= 3
    assert store.count("legal_chunks", "se-sfs-2099-10") == 0
    assert store.count("legal_chunks", "se-sfs-2099-12") >= 3
    assert bench.pipeline.registry.manifests.published("se-sfs-2099-10", "legal_chunks") == {}
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    assert bench.ingest().to_run == ("se-sfs-2099-10",)
    assert store.count("legal_chunks", "se-sfs-2099-10") >= 3


def test_documents_that_another_run_keeps_are_reported_with_its_process(bench: Bench, law: Law) -> None:
    """The other run lives and does not go on: a run behind it must not wait for ever."""
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("boj.txt", law("2099:11", *TEXTS))
    bench.register()
    settings = bench.pipeline.resources.settings.model_copy(update={"run_wait_minutes": 0.001})
    pipeline = Pipeline(replace(bench.pipeline.resources, settings=settings), bench.pipeline.registry.database)
    with Claims(bench.pipeline.registry.database) as other:
        other.take(["se-sfs-2099-10"], due=False)
        bench.events = list(pipeline.run(["se-sfs-2099-10", "se-sfs-2099-11"]))
    assert set(bench.done("qdrant_chunks")) == {"se-sfs-2099-11"}
    assert list(bench.failures) == ["se-sfs-2099-10"]
    assert f"another run has it, process {os.getpid()} on " in str(bench.failures["se-sfs-2099-10"])
    assert bench.pipeline.registry.counts() == {"completed": 1, "processing": 1}, "its state is left to the other run"
