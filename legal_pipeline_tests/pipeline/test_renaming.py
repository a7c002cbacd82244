"""A document that gets another id: nothing is embedded again, nothing is lost on the way, and the old id still answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from legal_pipeline.erasure import erase
from legal_pipeline.pipeline import ASSETS
from legal_pipeline.processing import expressions
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import Batch
from legal_pipeline.reconcile import reconcile
from legal_pipeline.registry.aliases import Aliases
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.renaming import begin_renamings
from legal_pipeline.stages import canonical_documents, raw_documents
from legal_pipeline.stages.qdrant_chunks import COLLECTION
from legal_pipeline.views.akn_files import write_akn_files
from legal_pipeline.views.explanation import explain
from legal_pipeline_tests.pipeline.conftest import Bench

OLD, NEW = "xx-fyrlag", "ch-fyrlag"
TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")


def act(*texts: str) -> str:
    return "# Fyrlag\n\n" + "\n\n".join(
        f"## {number} § Om vakt {number}\n\n{text}" for number, text in enumerate(texts, 1)
    )


@pytest.fixture
def indexed(bench: Bench) -> Bench:
    """An Act that was amended once, under its old id."""
    bench.write("fyr.md", act("En fyrvakt får sova.", *TEXTS[1:]))
    bench.ingest(document_id=OLD)
    bench.write("fyr.md", act(*TEXTS))
    bench.ingest()
    assert bench.failures == {}
    return bench


def ids_of(bench: Bench, document_id: str) -> list[str]:
    return [row["chunk_id"] for row in bench.pipeline.warehouse.read_table(("chunks",), document_id).to_pylist()]


def superseded(bench: Bench, document_id: str) -> list[str]:
    rows = bench.pipeline.warehouse.read_table(("superseded_chunks",), document_id).to_pylist()
    return [row["chunk_text"] for row in rows]


def assert_moved(bench: Bench, chunk_ids: Sequence[str]) -> None:
    """The document stands under its present id alone, with its history, and answers by the old one."""
    pipeline = bench.pipeline
    assert [row.document_id for row in pipeline.registry.documents(tombstoned=None)] == [NEW]
    assert pipeline.registry.counts() == {"completed": 1}
    files = [name for key in (*ASSETS, expressions.KEY) for name in pipeline.warehouse.documents(key)]
    assert set(files) == {NEW}
    assert set(pipeline.registry.manifests.published_counts(COLLECTION)) == {NEW}
    assert pipeline.resources.store.count(COLLECTION, OLD) == 0
    # its chunks, its summary and the wording that holds no more
    assert (
        pipeline.resources.store.count(COLLECTION, NEW)
        == len(pipeline.registry.manifests.published(NEW, COLLECTION))
        > len(TEXTS)
    )
    assert [text.split("\n")[-1] for text in superseded(bench, NEW)] == ["En fyrvakt får sova."]
    found = pipeline.search("vaken fyrvakt", filters={"document_id": OLD})
    assert {hit.document_id for hit in found} == {NEW}
    explained = [explain(pipeline.resources, chunk_id) for chunk_id in chunk_ids]
    assert [one.chunk_id for one in explained] == ids_of(bench, NEW)
    assert all(one.source_text_matches for one in explained)


def test_a_document_that_is_told_another_id_moves_and_embeds_nothing(indexed: Bench) -> None:
    chunk_ids, before = ids_of(indexed, OLD), indexed.pipeline.registry.document(OLD)
    found = indexed.ingest(document_id=NEW)
    assert (found.new, found.tombstoned) == ((NEW,), ())
    assert indexed.failures == {}
    assert indexed.embedder.texts == []
    assert indexed.enricher.prefix_requests == []
    assert indexed.enricher.question_requests == []
    assert_moved(indexed, chunk_ids)
    after = indexed.pipeline.registry.document(NEW)
    assert before is not None
    assert after is not None
    assert after.created_at == before.created_at
    assert indexed.ingest().to_run == ()
    assert indexed.points_written == 0


def as_an_earlier_release_left_it(bench: Bench) -> None:
    """That release read the old id in the bytes; the present one reads the new id in them."""
    given = json.dumps({"document_id": NEW})
    with bench.pipeline.registry.database.connection() as connection:
        connection.execute(
            "update source_items set given = %(given)s, hints = hints || %(given)s::jsonb", {"given": given}
        )
    warehouse, batch = bench.pipeline.warehouse, Batch([], bench.pipeline.resources)
    (row,) = warehouse.read_table(raw_documents.KEY, OLD).to_pylist()
    row["hints"] = json.dumps({**json.loads(row["hints"]), "document_id": NEW})
    stamp = batch.input_stamp(raw_documents.KEY, OLD)
    batch.write_table(raw_documents.KEY, OLD, pa.Table.from_pylist([row], schema=raw_documents.SCHEMA), stamp)
    text = warehouse.read_json(canonical_documents.KEY, OLD)
    stamp = replace(batch.input_stamp(canonical_documents.KEY, OLD), input_hash="an earlier parser")
    warehouse.write_json(canonical_documents.KEY, OLD, text, stamp.dumps())


def run_due(bench: Bench) -> None:
    bench.embedder.texts.clear()
    bench.events = list(bench.pipeline.run(list(bench.pipeline.registry.aliases.unfinished())))


def test_a_parser_that_gives_another_id_renames_the_document(indexed: Bench) -> None:
    chunk_ids = ids_of(indexed, OLD)
    as_an_earlier_release_left_it(indexed)
    resources = indexed.pipeline.resources
    assert begin_renamings(resources) == {OLD: NEW}
    assert begin_renamings(resources) == {}
    assert indexed.pipeline.purge() == {}
    # until it is made under the present id, its text is found under the old one
    for asked in (OLD, NEW):
        hits = indexed.pipeline.search("vaken fyrvakt", filters={"document_id": asked})
        assert {(hit.document_id, hit.removed_on) for hit in hits} == {(OLD, None)}
    run_due(indexed)
    assert indexed.failures == {}
    assert indexed.embedder.texts == []
    assert_moved(indexed, chunk_ids)
    assert reconcile(indexed.pipeline).is_clean


def test_a_renaming_that_was_stopped_is_finished_by_the_next_run(
    indexed: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunk_ids = ids_of(indexed, OLD)
    as_an_earlier_release_left_it(indexed)
    begin_renamings(indexed.pipeline.resources)
    verbs = ((Aliases, "record_chunks"), (Publication, "withdraw"), (Warehouse, "delete_files"), (Aliases, "finish"))
    for owner, verb in verbs:
        with monkeypatch.context() as stopped:
            stopped.setattr(owner, verb, interrupt)
            with pytest.raises(KeyboardInterrupt):
                run_due(indexed)
        assert indexed.pipeline.search("vaken fyrvakt", filters={"document_id": OLD})
    run_due(indexed)
    assert indexed.embedder.texts == []
    assert_moved(indexed, chunk_ids)


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_document_that_gets_its_old_id_back_has_no_alias_for_it(indexed: Bench) -> None:
    chunk_ids = ids_of(indexed, OLD)
    indexed.ingest(document_id=NEW)
    indexed.ingest(document_id=OLD)
    assert indexed.failures == {}
    assert indexed.embedder.texts == []
    assert ids_of(indexed, OLD) == chunk_ids
    assert indexed.pipeline.registry.aliases.present_ids([OLD, NEW]) == {NEW: OLD}
    assert explain(indexed.pipeline.resources, chunk_ids[0]).document_id == OLD


@pytest.mark.parametrize("asked", [OLD, NEW])
@pytest.mark.parametrize("is_made", [True, False], ids=["made under its present id", "not made yet"])
def test_a_renamed_document_is_erased_under_all_of_its_ids_whichever_is_named(
    indexed: Bench, asked: str, is_made: bool
) -> None:
    as_an_earlier_release_left_it(indexed)
    begin_renamings(indexed.pipeline.resources)
    if is_made:
        run_due(indexed)
    assert erase(indexed.pipeline, asked, "a request").names == (NEW, OLD)
    pipeline = indexed.pipeline
    assert pipeline.registry.documents(tombstoned=None) == []
    assert not [name for key in (*ASSETS, expressions.KEY) for name in pipeline.warehouse.documents(key)]
    assert [pipeline.resources.store.count(COLLECTION, name) for name in (OLD, NEW)] == [0, 0]
    assert indexed.register().new == ()


def test_an_akn_file_is_written_for_an_old_id(bench: Bench, tmp_path: Path) -> None:
    bench.write("fyr.md", act(*TEXTS))
    bench.ingest(document_id=OLD)
    bench.ingest(document_id=NEW)
    pipeline = bench.pipeline
    written = write_akn_files(pipeline.registry, pipeline.warehouse, tmp_path, [OLD])
    assert [file.name for file in written.files] == [f"{NEW}.xml"]


def test_a_file_that_holds_another_law_now_makes_no_alias_of_the_old_one(indexed: Bench) -> None:
    indexed.write("fyr.md", act("Hamnkaptenen för liggare.", "Bryggan hålls ren."))
    indexed.ingest(document_id=NEW)
    assert indexed.failures == {}
    assert indexed.pipeline.registry.aliases.present_ids([OLD, NEW]) == {}
    assert begin_renamings(indexed.pipeline.resources) == {}


def test_an_erasure_names_the_former_ids_to_every_other_place(indexed: Bench) -> None:
    indexed.ingest(document_id=NEW)
    named: list[str] = []
    done = erase(indexed.pipeline, OLD, "a request", elsewhere=named.extend)
    assert set(named) == set(done.names) == {OLD, NEW}
