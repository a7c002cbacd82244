"""What the UI calls out of sync, asked through its own GraphQL: what the law or the code changed, and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import AssetKey, DagsterInstance, SensorResult

from legal_pipeline.defs.launch import run_documents
from legal_pipeline.parsing import registry as parsing
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.graphql import Sync, graph
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.defs.watch import Watch
from legal_pipeline_tests.small_laws import write_law

LAW = "se-sfs-2024-1"
MORE = "\n2 a § Vägföreningen ska föra bok över sina kostnader för skötseln.\n"


@pytest.fixture
def opened(make_settings: Callable[..., Settings], folder: Path):
    with Pipeline.open(make_settings()) as pipeline:
        yield pipeline


def run(instance: DagsterInstance, pipeline: Pipeline, folder: Path, *keys: str) -> None:
    assets = [(key,) for key in keys] or None
    run_documents(instance, pipeline, register_all(pipeline, folder), report=Log(), assets=assets)


def out_of_sync(instance: DagsterInstance) -> dict[str, frozenset[tuple[str, str]]]:
    with graph(instance) as opened:
        return {asset: sync.causes for asset, sync in opened.sync(LAW).items() if sync.status == "STALE"}


def test_after_a_run_every_asset_of_a_document_is_in_sync_or_was_never_made(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run(instance, opened, folder)
    with graph(instance) as shown:
        found = shown.sync(LAW)
    missing = {asset for asset, sync in found.items() if sync.status == "MISSING"}
    assert {asset: sync for asset, sync in found.items() if sync != Sync("FRESH", frozenset())} == {}, missing
    # what has no event, and so no green partition
    assert len([asset for asset in found if asset.startswith("chunks/")]) == 11
    made = {asset for asset in found if instance.get_materialized_partitions(AssetKey(asset.split("/")))}
    assert {asset for asset in made if asset.startswith("chunks/")} == {"chunks/paragraf"}
    # a run of a part of the way leaves what is above it in sync too
    run(instance, opened, folder, "chunk_embeddings", "qdrant_chunks")
    assert out_of_sync(instance) == {}


def test_a_source_item_that_is_newer_than_its_raw_document_makes_that_partition_due(
    make_settings: Callable[..., Settings], instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run(instance, opened, folder)
    write_law(folder, 1, MORE)
    look = Watch(instance, make_settings()).poll()
    assert isinstance(look, SensorResult)
    for event in look.asset_events or ():
        instance.report_runless_asset_event(event)  # as the daemon does it
    assert out_of_sync(instance) == {"raw_documents": frozenset({("DATA", "source_items")})}
    run(instance, opened, folder)
    assert out_of_sync(instance) == {}


def test_new_data_makes_the_direct_children_due_and_a_text_that_came_back_does_not(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run(instance, opened, folder)
    write_law(folder, 1, MORE)
    run(instance, opened, folder, "raw_documents", "canonical_documents")
    children = {"chunks", "cross_references", "amendments", "provision_versions"}
    assert out_of_sync(instance) == dict.fromkeys(children, frozenset({("DATA", "canonical_documents")}))
    write_law(folder, 1)
    run(instance, opened, folder, "raw_documents", "canonical_documents")
    assert out_of_sync(instance) == {}


def test_a_raised_parser_version_makes_that_asset_due(
    instance: DagsterInstance, opened: Pipeline, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_law(folder, 1)
    run(instance, opened, folder)
    raised = tuple(dataclasses.replace(one, version=f"{one.version}.1") for one in parsing.FORMATS)
    monkeypatch.setattr(parsing, "FORMATS", raised)
    assert out_of_sync(instance) == {"canonical_documents": frozenset({("CODE", "canonical_documents")})}
    run(instance, opened, folder)
    assert out_of_sync(instance) == {}, "a document that reads the same under the new version is in sync too"
