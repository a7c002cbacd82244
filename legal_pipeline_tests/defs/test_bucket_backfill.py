"""Buckets as their users see them: webserver and daemon as `legal-pipeline dev` starts them, driven through GraphQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterInstance, DagsterRun

from legal_pipeline.defs import partitions
from legal_pipeline.defs.partitioning import Buckets, Partitioning
from legal_pipeline.defs.switching import switch
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.small_laws import write_bad, write_law
from legal_pipeline_tests.webserver import runs_of_documents, serving, wait_for

BUCKETS = Buckets(8)
LAWS = 57


@pytest.mark.heavy
def test_a_backfill_of_buckets_names_the_bad_documents_and_the_sensor_runs_the_bucket_of_an_amended_one(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path, tmp_path: Path
) -> None:
    """Some 60 s: three starts of run processes."""
    for number in range(1, LAWS + 1):
        write_law(folder, number)
    for number in range(3):
        write_bad(folder, f"trasig-{number}.html")
    settings = make_settings(
        partitioning="buckets", buckets=8, buckets_per_run=4, sensor_interval_seconds=5, enrich="none"
    )
    with Pipeline.open(settings) as pipeline:
        BUCKETS.verify(pipeline.registry.database)
        new = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new
        bad = {name for name in new if name.startswith("unreadable-")}
        by_key = BUCKETS.keys_of(pipeline.registry, new)
        for name in new:  # the backfill takes them, and not the sensor
            pipeline.registry.set_status(name, "failed", error="not tried")
    assert (len(new), len(bad), len(by_key)) == (LAWS + 3, 3, 8)
    partitions.add(instance, by_key)

    with serving(settings, tmp_path) as dagster, Pipeline.open(settings) as pipeline:
        backfill = dagster.backfill(dagster.document_assets(), sorted(by_key))
        assert wait_for("backfill", lambda: dagster.backfill_status(backfill), 280) == "COMPLETED_FAILED"
        failed = {row.document_id for row in pipeline.registry.documents(status="failed")}
        assert failed == bad
        assert pipeline.registry.counts() == {"completed": LAWS, "failed": 3}
        runs = runs_of_documents(instance)
        assert len(runs) == 2, [(run.job_name, run.status, run.tags) for run in runs]
        named = {
            name
            for run in runs
            for name in bad
            for line in instance.all_logs(run.run_id)
            if name in str(line.dagster_event)
        }
        assert named == bad
        red = {key for key, names in by_key.items() if bad & set(names)}
        stats = dagster.stats("canonical_documents")
        assert (stats["numFailed"], stats["numPartitions"]) == (len(red), 8)
        stats = dagster.stats("qdrant_chunks")
        assert (stats["numMaterialized"], stats["numFailed"]) == (8, 0)
        observed = [
            record.event_log_entry.asset_observation
            for record in instance.fetch_observations(
                AssetRecordsFilter(AssetKey("canonical_documents")), limit=9
            ).records
        ]
        assert {(event.partition, event.description.partition(" ")[0]) for event in observed} == {
            (key, name) for key in red for name in bad & set(by_key[key])
        }
        assert pipeline.search("Vägföreningen ska hålla vägen framkomlig", limit=5)
        assert set(pipeline.registry.manifests.published_counts("legal_chunks")) == set(new) - bad

        before = {row.document_id: row.processed_at for row in pipeline.registry.documents()}
        write_law(folder, 17, "Föreningen får ta ut avgift.\n")

        def over() -> list[DagsterRun]:
            found = runs_of_documents(instance)
            return found if len(found) == 3 and found[0].is_finished else []

        amended = wait_for("the run of the amended document", over, 120)[0]
        (key,) = BUCKETS.keys_of(pipeline.registry, ["se-sfs-2024-17"])
        assert (amended.is_success, amended.tags["dagster/partition"]) == (True, key)
        after = {row.document_id: row.processed_at for row in pipeline.registry.documents()}
        assert {name for name in after if after[name] != before[name]} == {"se-sfs-2024-17"}
        (hit, *_) = pipeline.search("Föreningen får ta ut avgift", limit=3)
        assert hit.document_id == "se-sfs-2024-17"

    switch_to_documents(settings, instance, tmp_path, set(new), bad)


def switch_to_documents(
    settings: Settings, instance: DagsterInstance, folder: Path, documents: set[str], bad: set[str]
) -> None:
    """Switch the home while nothing runs: the daemon then shows the failures under the documents' own partitions."""
    for run in partitions.unfinished(instance):  # an export that the end of the daemon interrupted
        instance.report_run_canceled(run)
    plain = settings.model_copy(update={"partitioning": "documents"})
    with Pipeline.open(plain) as pipeline:
        done = switch(instance, pipeline, Partitioning())
        assert (done.added, done.removed, done.failed) == (LAWS + 3, 8, 3)
    with serving(plain, folder) as dagster, Pipeline.open(plain) as pipeline:

        def reported() -> bool:
            return pipeline.registry.counts() == {"completed": LAWS, "failed": 3}

        wait_for("the failures under the documents' own partitions", reported, 120)
        wait_for("the end of the runs", lambda: all(run.is_finished for run in runs_of_documents(instance)), 60)
        assert set(instance.get_dynamic_partitions(partitions.NAME)) == documents
        for asset in (("raw_documents",), ("canonical_documents",), ("chunks",), ("qdrant_chunks",)):
            stats = dagster.stats(*asset)
            expected = LAWS + 3 if asset == ("raw_documents",) else LAWS
            assert (stats["numMaterialized"], stats["numFailed"]) == (
                expected,
                3 if asset[0] == "canonical_documents" else 0,
            )
        runs = runs_of_documents(instance)
        assert len(runs) == 3 + len(bad), [(run.job_name, run.status, run.tags) for run in runs]
