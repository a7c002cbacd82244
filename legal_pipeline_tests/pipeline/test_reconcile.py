"""Registry = warehouse = stores: every way in which they part is found, named and set right, and then nothing is left.

The documents were compared before, and no sample of unchanged ones is taken: what is found here is found by the fingerprints.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from legal_pipeline import reconcile as reconcile_module
from legal_pipeline.comparison import Difference
from legal_pipeline.corpus_assets.practice_area_trees import make_trees, tree_id
from legal_pipeline.corpus_assets.practice_areas import file_judgments
from legal_pipeline.enrichment import raptor
from legal_pipeline.parsing import registry as parsing
from legal_pipeline.pipeline import ASSETS, Failed, Pipeline
from legal_pipeline.processing.stage import RunOptions
from legal_pipeline.reconcile import Reconciliation, prepare, reconcile
from legal_pipeline.registry.registry import AmendingAct, Status
from legal_pipeline.registry.warehouse import Kind
from legal_pipeline.stages import chunks, cross_references, provision_versions, superseded_chunks
from legal_pipeline_tests.damaged_bundles import damage
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.pipeline.test_practice_areas import judgment

ONE, TWO = "se-sfs-2099-10", "se-sfs-2099-11"
TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")


@pytest.fixture
def kept(bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Two laws in the stores, compared."""
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("båk.txt", law("2099:11", *TEXTS[:2], title="om båkar vid fyrvakten"))
    bench.ingest()
    assert bench.failures == {}
    monkeypatch.setattr(reconcile_module, "SAMPLED", 0)
    assert reconcile(bench.pipeline).compared == 2
    return bench


def repair(bench: Bench) -> Reconciliation:
    """What was found, after it was set right."""
    found = reconcile(bench.pipeline)
    bench.embedder.texts.clear()
    bench.enricher.clear()
    prepare(bench.pipeline, found)
    for request in found.requests():
        bench.events = list(bench.pipeline.run(request.document_ids, request.assets))
        assert [event for event in bench.events if isinstance(event, Failed)] == []
    if found.filing or found.areas:
        file_judgments(bench.pipeline.resources, everything=True)
        list(make_trees(bench.pipeline.resources, found.areas, refresh_roots=True))
    return found


def repaired(bench: Bench) -> dict[str, int]:
    """The differences that were found; none is left after the repair."""
    found = repair(bench)
    again = reconcile(bench.pipeline)
    assert (again.counts(), again.is_clean) == ({}, True)
    return found.counts()


def execute(bench: Bench, statement: str, *values: object) -> None:
    with bench.pipeline.registry.database.connection() as connection:
        assert connection.execute(statement.encode(), values).rowcount >= 1


def test_what_the_pipeline_made_is_clean_and_is_not_opened_again(kept: Bench) -> None:
    found = reconcile(kept.pipeline)
    assert found.differences == ()
    assert (found.documents, found.compared, found.is_clean, found.requests()) == (2, 0, True, [])


def test_a_document_that_was_run_is_compared(kept: Bench, law: Law) -> None:
    kept.write("fyr.txt", law("2099:10", *TEXTS, "Lampan ska putsas."))
    list(kept.pipeline.run(kept.register().to_run))
    assert (reconcile(kept.pipeline).compared, reconcile(kept.pipeline).compared) == (1, 0)


def spoil(bench: Bench, document_id: str) -> None:
    """Raw bytes that change on the disk: neither the size nor the time of the file does."""
    path = Path(bench.pipeline.warehouse.location(("raw_documents",), document_id))
    before = path.stat()
    damage(bench.pipeline.warehouse, ("raw_documents",), document_id)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_silent_damage_is_found_by_the_sample_and_then_every_document_is_compared(
    kept: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for document_id in (ONE, TWO):
        spoil(kept, document_id)
    assert reconcile(kept.pipeline).compared == 0
    monkeypatch.setattr(reconcile_module, "SAMPLED", 1 / 30)
    assert repaired(kept) == {"damaged raw_documents": 2}


def test_the_sample_comes_to_every_document(kept: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(kept, TWO)
    monkeypatch.setattr(reconcile_module, "SAMPLED", 1 / 30)
    assert [len(reconcile(kept.pipeline).differences) for _ in range(2)] == [0, 1]


def test_a_difference_is_reported_until_it_is_repaired(kept: Bench) -> None:
    kept.pipeline.warehouse.delete(("chunk_embeddings",), ONE)
    first, second = reconcile(kept.pipeline), reconcile(kept.pipeline)
    assert first.differences == second.differences != ()


def test_an_amending_act_that_the_registry_lost_or_has_otherwise_is_found(kept: Bench) -> None:
    with kept.pipeline.registry.database.connection() as connection:
        number = connection.execute("select number from verified_documents where document_id = %s", (ONE,)).fetchone()
    assert number is not None
    assert number["number"] is not None
    amending = AmendingAct("2099:99", "Lag om ändring", number["number"], "…", date(2099, 7, 1))
    kept.pipeline.registry.record_amendment(amending)
    assert reconcile(kept.pipeline).counts()["stale provision_versions"] == 1


TABLES = (
    ("raw_documents",), ("canonical_documents",), ("cross_references",), ("chunks",), ("context_prefixes",), ("raptor_summaries",),
    ("quim_questions",), ("chunk_embeddings",), ("question_embeddings",),
)  # fmt: skip


def test_a_table_that_is_gone_is_made_anew_and_so_is_one_that_was_cut_off(kept: Bench) -> None:
    warehouse = kept.pipeline.warehouse
    for asset in TABLES:
        kind: Kind = "json" if asset == ("canonical_documents",) else "table"
        whole = [warehouse.read(asset, document_id, kind) for document_id in (ONE, TWO)]
        warehouse.delete(asset, ONE, kind)
        damage(warehouse, asset, TWO, kind)
        name = "/".join(asset)
        assert repaired(kept) == {f"missing {name}": 1, f"damaged {name}": 1}
        # raw and canonical documents say when they were fetched
        assert asset in TABLES[:2] or [warehouse.read(asset, document_id, kind) for document_id in (ONE, TWO)] == whole


def test_a_file_that_is_gone_is_made_anew_and_so_is_one_that_cannot_be_read(kept: Bench) -> None:
    for asset in (("raw_documents",), ("canonical_documents",), ("chunks",), ("chunk_embeddings",)):
        gone, unreadable = (Path(kept.pipeline.warehouse.location(asset, document_id)) for document_id in (ONE, TWO))
        gone.unlink()
        unreadable.write_bytes(b"PAR1")
        found = repaired(kept)
        assert set(found.values()) == {1}
        assert {f"missing {asset[0]}", f"damaged {asset[0]}"} <= found.keys()


def test_a_table_that_lost_a_row_or_its_stamp_is_made_anew(kept: Bench, law: Law) -> None:
    kept.write("fyr.txt", law("2099:10", *TEXTS, "Bestämmelser om båkar finns i 1 § lagen (2099:11) om båkar."))
    kept.ingest()
    warehouse = kept.pipeline.warehouse
    counted = (("cross_references",), ("chunks",), ("context_prefixes",), ("chunk_embeddings",))
    for asset in counted:
        table, stamp = warehouse.read_table(asset, ONE), warehouse.read_stamp(asset, ONE)
        warehouse.write_table(asset, ONE, table.slice(1), stamp)
    raw = ("raw_documents",)
    warehouse.write_table(raw, TWO, warehouse.read_table(raw, TWO))
    found = reconcile(kept.pipeline).counts()
    assert {f"damaged {asset[0]}" for asset in counted} | {"stale raw_documents"} <= found.keys()
    repair(kept)
    assert reconcile(kept.pipeline).is_clean


def test_points_that_a_store_lost_are_written_again_without_embedding_anything(kept: Bench) -> None:
    resources = kept.pipeline.resources
    resources.store.delete_document("legal_chunks", ONE)
    assert repaired(kept) == {"differs qdrant_chunks": 1}
    assert kept.embedder.texts == []
    resources.pgvector.delete_document("legal_chunks", TWO)
    assert repaired(kept) == {"differs pgvector_chunks": 1}
    resources.store.delete_document("quim_questions", TWO)
    assert repaired(kept) == {"differs qdrant_questions": 1}


def test_another_way_of_storing_the_same_vectors_is_built_beside_and_takes_the_place(kept: Bench) -> None:
    """Of the two collections of the model only one is that of the settings."""
    old = kept.pipeline.resources
    before = {state.generation.name for state in kept.pipeline.collections()}
    settings = old.settings.model_copy(update={"qdrant_quantization": "int8", "pgvector_type": "halfvec"})
    with Pipeline(dataclasses.replace(old, settings=settings), old.registry.database) as pipeline:
        assert repaired(dataclasses.replace(kept, pipeline=pipeline)) == {
            "differs qdrant_chunks": 2,
            "differs qdrant_questions": 2,
            "differs pgvector_chunks": 2,
        }
        assert kept.embedder.texts == []
        after = pipeline.collections()
    assert all(state.generation.live for state in after)
    assert len(after) == 3
    assert not before & {state.generation.name for state in after}


def test_a_single_row_of_postgres_that_is_gone_or_of_another_hash_is_found(kept: Bench) -> None:
    execute(kept, "delete from legal_chunks where document_id = %s and path = %s", ONE, "kap0.§2")
    execute(kept, "update legal_chunks set row_hash = 'x' where document_id = %s and path = %s", ONE, "kap0.§1")
    found = reconcile(kept.pipeline)
    assert [one.detail for one in found.differences] == ["pgvector: 2 missing, 1 too many of 3 points"]
    assert repaired(kept) == {"differs pgvector_chunks": 1}


def test_a_manifest_that_names_other_rows_is_published_anew(kept: Bench) -> None:
    kept.pipeline.registry.manifests.publish(ONE, "legal_chunks", {"0123456789abcdef": "x"})
    assert repaired(kept) == {"differs qdrant_chunks": 1}
    kept.pipeline.registry.manifests.unpublish([TWO], "legal_chunks")
    assert repaired(kept) == {"differs qdrant_chunks": 1}
    assert kept.pipeline.search("mistluren ljuda")


def test_a_hash_or_count_of_the_registry_is_set_right_without_a_run(kept: Bench) -> None:
    before = kept.pipeline.registry.document(ONE)
    for change in ("text_hash = 'x'", "total_chunks = 17", "source_sha256 = 'x'"):
        execute(kept, f"update source_documents set {change} where document_id = %s", ONE)
        found = reconcile(kept.pipeline)
        assert (found.counts(), found.requests()) == ({"differs registry": 1}, [])
        repaired(kept)
        after = kept.pipeline.registry.document(ONE)
        assert before is not None
        assert after is not None
        assert (after.text_hash, after.total_chunks, after.source_sha256, after.revision) == (
            before.text_hash, before.total_chunks, before.source_sha256, before.revision,
        )  # fmt: skip


def test_a_hash_of_an_item_is_set_right_by_reading_the_item_again(kept: Bench) -> None:
    execute(kept, "update source_items set sha256 = 'x' where document_id = %s", ONE)
    assert repaired(kept) == {"differs raw_documents": 1}
    assert kept.embedder.texts == []
    assert kept.register().to_run == ()


def test_what_an_older_version_made_is_asked_for(kept: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, asset in (
        (parsing, "VERSION", "canonical_documents"),
        (cross_references, "VERSION", "cross_references"),
        (chunks, "ROUTER_VERSION", "chunks"),
        (raptor, "VERSION", "raptor_summaries"),
        (provision_versions, "VERSION", "provision_versions"),
        (superseded_chunks, "VERSION", "superseded_chunks"),
    ):
        monkeypatch.setattr(module, name, "9999")
        assert repaired(kept)[f"stale {asset}"] == 2


def test_a_document_is_asked_for_once_and_from_the_first_thing_that_is_wrong(kept: Bench) -> None:
    kept.pipeline.warehouse.delete(("chunk_embeddings",), ONE)
    kept.pipeline.resources.pgvector.delete_document("legal_chunks", ONE)
    kept.pipeline.resources.pgvector.delete_document("legal_chunks", TWO)
    first, second = reconcile(kept.pipeline).requests()
    assert (first.document_ids, second.document_ids) == ((ONE,), (TWO,))
    assert ("raw_documents",) not in first.assets  # its source need not be asked
    assert set(second.assets) == {("qdrant_chunks",), ("qdrant_questions",), ("pgvector_chunks",)}


@pytest.mark.parametrize("order", [1, -1])
def test_in_whatever_order_differences_are_found_the_first_asset_counts(order: int) -> None:
    keys = [("raw_documents",), ("chunks",), ("qdrant_chunks",)]
    found = [Difference(ONE, key, "differs", "") for key in keys]
    (request,) = Reconciliation(differences=tuple(found[::order])).requests()
    assert (request.document_ids, request.assets) == ((ONE,), ASSETS)


def test_a_stale_table_stays_until_a_run_has_made_it_anew(kept: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "ROUTER_VERSION", "9999")
    found = reconcile(kept.pipeline)
    assert found.counts() == {"stale chunks": 2}
    prepare(kept.pipeline, found)
    assert all(kept.pipeline.warehouse.exists(chunks.KEY, document_id) for document_id in (ONE, TWO))


DIFFERENCE = Difference(ONE, chunks.KEY, "stale", "")


@pytest.mark.parametrize(
    ("found", "is_clean"),
    [
        (Reconciliation(), True),
        (Reconciliation(documents=2, compared=1, failed=(ONE,), waiting=(TWO,)), True),
        (Reconciliation(differences=(DIFFERENCE,)), False),
        (Reconciliation(forgotten=(ONE,)), False),
        (Reconciliation(areas=("criminal",)), False),
        (Reconciliation(filing=True), False),
        (Reconciliation(unclaimed={"legal_chunks": 1}), False),
        (Reconciliation(damaged=("legal_chunks",)), False),
    ],
)
def test_whatever_needs_a_repair_is_not_clean(found: Reconciliation, is_clean: bool) -> None:
    assert found.is_clean is is_clean


def test_failed_and_forgotten_documents_are_run_from_the_start_and_others_from_what_is_wrong() -> None:
    wrong = [
        DIFFERENCE,
        Difference(TWO, ("registry",), "differs", ""),
        Difference("xx-3", ("pgvector_chunks",), "differs", ""),
        Difference("xx-2", ("pgvector_chunks",), "differs", ""),
        Difference(tree_id("criminal"), ("practice_area_trees",), "damaged", ""),
    ]
    found = Reconciliation(differences=tuple(wrong), failed=("xx-1", ONE), forgotten=("xx-0",), areas=("criminal",))
    assert [(request.document_ids, request.assets[0]) for request in found.requests()] == [
        ((ONE, "xx-0", "xx-1"), ("raw_documents",)),
        (("xx-2", "xx-3"), ("qdrant_chunks",)),
    ]


def test_what_a_run_was_told_to_cut_otherwise_is_not_stale(kept: Bench) -> None:
    kept.ingest(RunOptions(strategy="sliding_window"))
    assert reconcile(kept.pipeline).is_clean


def test_a_failed_document_is_asked_for_again_and_a_waiting_one_only_when_it_was_forgotten(kept: Bench) -> None:
    kept.pipeline.registry.set_status(ONE, "failed", error="no answer")
    kept.pipeline.registry.retry(TWO)
    found = reconcile(kept.pipeline)
    assert (found.failed, found.waiting, found.forgotten) == ((ONE,), (TWO,), ())
    assert [request.document_ids for request in found.requests()] == [(ONE,)]
    execute(kept, "update source_documents set updated_at = now() - interval '2 days' where document_id = %s", TWO)
    assert reconcile(kept.pipeline).forgotten == (TWO,)
    repair(kept)
    assert kept.pipeline.registry.counts() == {"completed": 2}


def test_a_document_that_waits_or_is_in_a_run_for_more_than_a_day_is_forgotten(kept: Bench) -> None:
    under_way: tuple[Status, ...] = ("pending", "processing", "waiting")
    for status in under_way:
        kept.pipeline.registry.set_status(TWO, status, error="chunks: a batch" if status == "waiting" else None)
        for hours, expected in ((23, ((), (TWO,))), (25, ((TWO,), ()))):
            execute(
                kept,
                "update source_documents set updated_at = now() - make_interval(hours => %s) where document_id = %s",
                hours, TWO,
            )  # fmt: skip
            found = reconcile(kept.pipeline)
            assert (found.forgotten, found.waiting) == expected, status


def test_what_a_run_takes_up_meanwhile_is_not_judged(kept: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    store = kept.pipeline.resources.store
    read = type(store).point_hashes_many

    def read_and_run(self: object, collection: str, document_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        if ONE in document_ids:
            kept.pipeline.registry.set_status(ONE, "processing")
        return read(self, collection, document_ids)

    kept.pipeline.warehouse.delete(("chunk_embeddings",), ONE)
    kept.pipeline.warehouse.delete(("chunk_embeddings",), TWO)
    monkeypatch.setattr(type(store), "point_hashes_many", read_and_run)
    execute(kept, "delete from legal_chunks where document_id = %s", TWO)
    kept.pipeline.registry.manifests.publish(ONE, "quim_questions", {})
    found = reconcile(kept.pipeline)
    assert found.waiting == (ONE,)
    assert {one.document_id for one in found.differences} == {TWO}
    assert found.documents == 2


def test_points_of_nobody_are_counted(kept: Bench) -> None:
    kept.pipeline.registry.manifests.unpublish([TWO], "legal_chunks")
    kept.pipeline.registry.tombstone(TWO)
    found = reconcile(kept.pipeline)
    assert found.unclaimed == {"legal_chunks": 2}
    kept.pipeline.purge()
    assert reconcile(kept.pipeline).is_clean


def test_the_trees_of_practice_areas_are_reconciled_too(bench: Bench) -> None:
    for number in (1, 2):
        bench.write(f"{number}.txt", judgment(number))
    bench.ingest()
    found = reconcile(bench.pipeline)
    assert (found.filing, found.is_clean) == (True, False)
    file_judgments(bench.pipeline.resources)
    assert reconcile(bench.pipeline).areas == ("criminal",)
    list(make_trees(bench.pipeline.resources, ["criminal"]))
    assert reconcile(bench.pipeline).is_clean
    tree = tree_id("criminal")
    bench.pipeline.resources.store.delete_document("legal_chunks", tree)
    assert repaired(bench) == {"differs practice_area_trees/qdrant": 1}
    bench.pipeline.resources.pgvector.delete_document("legal_chunks", tree)
    assert repaired(bench) == {"differs practice_area_trees/pgvector": 1}
    Path(bench.pipeline.warehouse.location(("practice_area_trees",), tree)).write_bytes(b"PAR1")
    assert repaired(bench) == {"damaged practice_area_trees": 1}


def test_a_document_whose_file_is_missing_and_not_removed_yet_does_not_differ(kept: Bench, law: Law) -> None:
    (kept.folder / "fyr.txt").unlink()
    assert kept.register(grace=3600).tombstoned == ()
    found = reconcile(kept.pipeline)
    assert (found.compared, found.differences, found.failed, found.requests()) == (1, (), (), [])

    kept.write("båk.txt", law("2099:11", *TEXTS, title="om båkar vid fyrvakten"))
    kept.register(grace=3600)
    kept.write("fyr.txt", law("2099:10", *TEXTS))
    kept.ingest()
    assert kept.failures == {}
    assert reconcile(kept.pipeline).differences == ()


def test_a_document_of_which_one_of_two_texts_is_missing_and_not_removed_yet_does_not_differ(
    kept: Bench, law: Law
) -> None:
    later = kept.write("senare.txt", law("2099:10", *TEXTS[:2], "Mistluren ljuder inte."))
    kept.write("senare.txt.meta.json", '{"as_of_date": "2001-01-01"}')
    kept.ingest()
    assert kept.failures == {}
    later.unlink()
    kept.register(grace=3600)
    assert reconcile(kept.pipeline).differences == ()
    kept.ingest()  # the second poll that misses it removes it
    assert reconcile(kept.pipeline).differences == ()
