"""The checks over the corpus: green on what the pipeline made, red on what it never would."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from dagster import DagsterInstance

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_bad, write_law


@pytest.fixture
def chunked(make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path):
    """Two laws, cut."""
    write_law(folder, 1)
    write_law(folder, 2)
    with Pipeline.open(make_settings()) as pipeline:
        run_documents(instance, pipeline, register_all(pipeline, folder), report=Log(), job_name="parse_and_chunk")
        yield pipeline


def evaluate(pipeline: Pipeline, instance: DagsterInstance, tags: dict[str, str] | None = None) -> dict[str, bool]:
    """Check -> whether it passed."""
    job = build_definitions(settings=pipeline.resources.settings).resolve_job_def("check_corpus")
    result = job.execute_in_process(instance=instance, tags=tags)
    return {evaluation.check_name: evaluation.passed for evaluation in result.get_asset_check_evaluations()}


def test_what_the_pipeline_made_passes_every_check(chunked: Pipeline, instance: DagsterInstance) -> None:
    assert evaluate(chunked, instance) == {
        "coverage": True, "token_limit": True, "unique_ids_and_paths": True, "store_count": True, "failed_documents": True,
        "prefix_length": True, "language_model_cost": True, "pgvector_rows": True, "denial_arguments": True,
        "silence": True, "staleness": True,
    }  # fmt: skip


def test_a_run_of_a_backfill_does_not_look_at_the_whole_corpus(chunked: Pipeline, instance: DagsterInstance) -> None:
    assert evaluate(chunked, instance, {"dagster/backfill": "abc"}) == {}


def test_a_chunk_id_that_stands_in_two_documents_is_found(chunked: Pipeline, instance: DagsterInstance) -> None:
    warehouse = chunked.warehouse
    rows = warehouse.read_table(("chunks",), "se-sfs-2024-1")
    other = warehouse.read_table(("chunks",), "se-sfs-2024-2")
    stamp = warehouse.read_stamp(("chunks",), "se-sfs-2024-2")
    warehouse.write_table(("chunks",), "se-sfs-2024-2", pa.concat_tables([other, rows.slice(0, 1)]), stamp)
    assert evaluate(chunked, instance)["unique_ids_and_paths"] is False


def test_a_chunk_over_the_limit_is_found_unless_it_is_marked(chunked: Pipeline, instance: DagsterInstance) -> None:
    warehouse = chunked.warehouse
    table = warehouse.read_table(("chunks",), "se-sfs-2024-1")
    index = table.column_names.index("num_tokens")
    table = table.set_column(index, table.schema.field(index), pa.array([9000] * len(table), pa.int64()))
    stamp = json.loads(warehouse.read_stamp(("chunks",), "se-sfs-2024-1") or "")
    stamp[2]["tokens"]["maximum"] = 9000
    warehouse.write_table(("chunks",), "se-sfs-2024-1", table, json.dumps(stamp))
    assert evaluate(chunked, instance)["token_limit"] is False


def test_a_document_whose_chunks_leave_text_out_is_found(chunked: Pipeline, instance: DagsterInstance) -> None:
    warehouse = chunked.warehouse
    table = warehouse.read_table(("chunks",), "se-sfs-2024-1")
    stamp = json.loads(warehouse.read_stamp(("chunks",), "se-sfs-2024-1") or "")
    stamp[2]["coverage"] = 0.99
    warehouse.write_table(("chunks",), "se-sfs-2024-1", table, json.dumps(stamp))
    assert evaluate(chunked, instance)["coverage"] is False


def test_a_failed_document_and_one_whose_points_are_not_published_are_found(
    chunked: Pipeline, instance: DagsterInstance, folder: Path
) -> None:
    write_bad(folder)
    run_documents(instance, chunked, register_all(chunked, folder), report=Log(), job_name="parse_and_chunk")
    chunked.registry.set_status("se-sfs-2024-1", "completed")  # it never reached the store
    results = evaluate(chunked, instance)
    assert results["failed_documents"] is False
    assert results["store_count"] is False
