"""What a run over unchanged documents opens and makes, and when the points of a document are made again all the same."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from legal_pipeline.pipeline import ASSETS, Materialized, Pipeline
from legal_pipeline.processing import publication, vectors
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import Batch, RunOptions
from legal_pipeline.registry.bundles import Bundle
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.stages import chunk_embeddings, pgvector_chunks, qdrant_chunks, qdrant_questions
from legal_pipeline.stores.store import Point
from legal_pipeline_tests.pipeline.conftest import Bench, Law

ID = "se-sfs-2099-10"
TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
STORES = (qdrant_chunks.STAGE, pgvector_chunks.STAGE)


class CountingWarehouse(Warehouse):
    """The warehouse; counts the files that are opened."""

    opened = 0

    def _bundle(self, stack: contextlib.ExitStack, path: str, whole: bool) -> Bundle:
        self.opened += 1
        return super()._bundle(stack, path, whole)


@pytest.fixture
def indexed(bench: Bench, law: Law) -> Bench:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    assert bench.failures == {}
    return bench


def written(bench: Bench, stage: Publication) -> int:
    return int(bench.done(*stage.key)[ID].metadata["points_written"])


def test_a_run_over_an_unchanged_document_opens_each_of_its_files_for_stamps_once(indexed: Bench) -> None:
    resources = indexed.pipeline.resources
    warehouse = CountingWarehouse(resources.warehouse.root)
    with Database.open(resources.settings) as database:
        events = list(Pipeline(replace(resources, warehouse=warehouse), database).run([ID]))
    assert {event.asset_key for event in events} >= set(ASSETS)
    assert warehouse.opened <= 6  # four files, of which one also has the history and the index of expressions


def test_an_unchanged_document_has_the_same_events_as_if_its_points_were_made(indexed: Bench) -> None:
    indexed.ingest()
    compared = {stage.key: indexed.done(*stage.key)[ID] for stage in (*STORES, qdrant_questions.STAGE)}
    assert [event.reused for event in compared.values()] == [True] * 3
    indexed.ingest(RunOptions(force=True))
    assert {key: indexed.done(*key)[ID] for key in compared} == compared


@pytest.mark.parametrize("stage", STORES, ids=lambda stage: stage.store_name)
def test_points_that_the_store_lost_are_written_again(indexed: Bench, stage: Publication) -> None:
    resources = indexed.pipeline.resources
    store = stage.store(resources)
    live = store.live(stage.collection)
    assert live is not None
    assert store.delete_document(live.name, ID) == 3
    indexed.ingest()
    assert written(indexed, stage) == 3
    assert store.count(live.name, ID) == 3
    indexed.ingest()
    assert written(indexed, stage) == 0


def test_a_manifest_that_was_lost_is_published_again(indexed: Bench) -> None:
    manifests = indexed.pipeline.registry.manifests
    published = manifests.published(ID, qdrant_chunks.COLLECTION)
    manifests.unpublish([ID], qdrant_chunks.COLLECTION)
    indexed.ingest()
    assert manifests.published(ID, qdrant_chunks.COLLECTION) == published
    assert len(published) == 3


def test_tables_that_another_run_made_are_published_by_the_next(indexed: Bench, law: Law) -> None:
    indexed.write("fyr.txt", law("2099:10", *TEXTS[:2], "Vid dimma ska mistluren ljuda tre gånger."))
    indexed.register()
    publications = {stage.key for stage in (*STORES, qdrant_questions.STAGE)}
    tables = [key for key in ASSETS if key not in publications]
    assert all(isinstance(event, Materialized) for event in indexed.pipeline.run([ID], tables))
    indexed.events = list(indexed.pipeline.run([ID]))
    assert [written(indexed, stage) for stage in STORES] == [2, 2]  # the new wording, and the old one as superseded
    (hit,) = indexed.pipeline.search("3 § lag 2099:10", limit=1)
    assert hit.payload["chunk_text"].endswith("gånger.")


def test_a_forced_run_makes_the_points_of_an_unchanged_document_anew(indexed: Bench) -> None:
    made: list[str] = []

    def points(batch: Batch, document_id: str) -> list[Point]:
        made.append(document_id)
        return qdrant_chunks.STAGE.points(batch, document_id)

    stage = replace(qdrant_chunks.STAGE, points=points)
    for force, expected in ((False, []), (True, [ID])):
        list(stage.run(Batch([ID], indexed.pipeline.resources, RunOptions(force=force))))
        assert made == expected


def test_a_raised_version_of_its_points_makes_those_of_an_unchanged_document_anew(indexed: Bench) -> None:
    def points(batch: Batch, document_id: str) -> list[Point]:
        """The points with another payload, as a later release makes them."""
        return [
            replace(point, payload={**point.payload, "row_hash": f"{point.row_hash}-later"})
            for point in qdrant_chunks.STAGE.points(batch, document_id)
        ]

    stage = replace(qdrant_chunks.STAGE, points=points)
    for version, expected in ((stage.version, 0), ("later", 3), ("later", 0)):
        indexed.events = list(replace(stage, version=version).run(Batch([ID], indexed.pipeline.resources)))
        assert written(indexed, stage) == expected


def test_documents_that_are_embedded_and_written_in_several_groups_are_reported_once(
    bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publication, "GROUP_POINTS", 4)
    monkeypatch.setattr(vectors, "GROUP_TEXTS", 4)
    for number in range(10, 15):
        bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS, title=f"om fyr {number}"))
    bench.ingest()
    assert bench.failures == {}
    for key in (chunk_embeddings.KEY, *(stage.key for stage in STORES)):
        reported = [event.document_id for event in bench.events if event.asset_key == key]
        assert sorted(reported) == [f"se-sfs-2099-{number}" for number in range(10, 15)]
    assert bench.points_written == 15
