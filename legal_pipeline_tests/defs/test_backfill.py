"""The main job as its users see it: webserver and daemon as `legal-pipeline dev` starts them, driven through GraphQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterInstance

from legal_pipeline.defs import partitions
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.benchmarks.events import last_event
from legal_pipeline_tests.small_laws import write_bad, write_law
from legal_pipeline_tests.webserver import Dagster, runs_of_documents, serving, wait_for


@pytest.fixture
def dagster(make_settings: Callable[..., Settings], instance: DagsterInstance, tmp_path: Path) -> Iterator[Dagster]:
    # the sensor watches another folder than the test's, or it would ask for runs of its own
    with serving(make_settings(source_directory=tmp_path / "unwatched", partitions_per_run=15), tmp_path) as server:
        yield server


@pytest.mark.slow
@pytest.mark.waits
def test_a_backfill_with_one_bad_document_shows_it_failed_and_the_others_materialized(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path, dagster: Dagster
) -> None:
    for number in range(1, 30):
        write_law(folder, number)
    write_bad(folder)
    with Pipeline.open(make_settings()) as pipeline:
        documents = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new
    assert len(documents) == 30
    instance.add_dynamic_partitions(partitions.NAME, list(documents))

    assets = [
        ("raw_documents",),
        ("canonical_documents",),
        ("chunks", "paragraf"),
        ("chunks",),
        ("chunk_embeddings",),
        ("qdrant_chunks",),
    ]
    backfill = dagster.backfill(dagster.document_assets(), documents)
    assert wait_for("backfill", lambda: dagster.backfill_status(backfill), 280) == "COMPLETED_FAILED"
    stats = {path: dagster.stats(*path) for path in assets}
    found = {path: (figures["numMaterialized"], figures["numFailed"]) for path, figures in stats.items()}
    # red where it failed; below, nothing was tried
    below = dict.fromkeys(assets[2:], (29, 0))
    assert found == {("raw_documents",): (30, 0), ("canonical_documents",): (29, 1), **below}
    assert all(figures["numPartitions"] == 30 for figures in stats.values())
    with Pipeline.open(make_settings()) as pipeline:
        assert pipeline.registry.counts() == {"completed": 29, "failed": 1}
    runs = runs_of_documents(instance)
    assert len(runs) == 2, [(run.job_name, run.status, run.tags) for run in runs]  # no retry of what cannot succeed

    # nobody asked for them
    export, report = (
        wait_for(name, lambda: instance.get_latest_materialization_event(AssetKey(name)), 120)  # noqa: B023
        for name in ("chunks_jsonl", "chunk_report")
    )
    assert export.asset_materialization.metadata["documents"].value == 29
    assert report.asset_materialization.metadata["documents"].value == 29
    assert len(instance.get_runs()) == 3, "one run for both, after the runs over the documents"

    # everything is up to date: the daemon counts what the runs found, and nothing is written for each document
    before = last_event(instance)
    good = [document for document in documents if document.startswith("se-sfs-")]
    again = dagster.backfill(dagster.document_assets(), good)
    assert wait_for("backfill", lambda: dagster.backfill_status(again), 280) == "COMPLETED_SUCCESS"
    for path in assets:
        assert not instance.fetch_materializations(
            AssetRecordsFilter(AssetKey(path), after_storage_id=before), limit=1
        ).records
    assert {path: dagster.stats(*path)["numMaterialized"] for path in assets} == {
        assets[0]: 30,
        **dict.fromkeys(assets[1:], 29),
    }
