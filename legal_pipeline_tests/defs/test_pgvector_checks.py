"""The checks over PostgreSQL's chunks: green on what the pipeline made, red where a row or an embedding is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dagster import DagsterInstance

from legal_pipeline.corpus_assets.chunk_figures import refresh
from legal_pipeline.defs.checks import CHECKS
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.pgvector_checks import PGVECTOR_CHECKS
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_law


def look(pipeline: Pipeline) -> dict[str, tuple[bool, dict[str, Any]]]:
    refresh(pipeline.resources)
    return {name: check(pipeline) for name, (_, _, check) in PGVECTOR_CHECKS.items()}


def test_a_lost_row_a_missing_embedding_and_a_denial_are_found(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path
) -> None:
    write_law(folder, 1)
    with Pipeline.open(make_settings()) as pipeline:
        assert look(pipeline)["pgvector_rows"] == (True, {"rows": 0})
        run_documents(instance, pipeline, register_all(pipeline, folder), report=Log())
        passed, metadata = look(pipeline)["pgvector_rows"]
        assert (passed, metadata["documents"], metadata["missing_embeddings"]) == (True, 1, 0)
        assert metadata["rows"] >= 4
        with pipeline.registry.database.connection() as connection:
            connection.execute("update legal_chunks set embedding = null where chunk_index = 1")
        passed, metadata = look(pipeline)["pgvector_rows"]
        assert (passed, metadata["missing_embeddings"], metadata["wrong"]) == (False, 1, 0)
        with pipeline.registry.database.connection() as connection:
            connection.execute("delete from legal_chunks where embedding is null")
            connection.execute(
                """update legal_chunks set source_type = 'appeal_decision', is_winning_argument = true,
                   chunk_text = 'The Director denied the petition.' where chunk_index = 0"""
            )
        results = look(pipeline)
        assert (results["pgvector_rows"][0], results["pgvector_rows"][1]["wrong"]) == (False, 1)
        assert (results["denial_arguments"][0], results["denial_arguments"][1]["wrong"]) == (False, 1)


def test_a_completed_document_whose_chunks_are_lost_is_not_overlooked(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path
) -> None:
    write_law(folder, 1)
    with Pipeline.open(make_settings()) as pipeline:
        run_documents(instance, pipeline, (ids := register_all(pipeline, folder)), report=Log())
        pipeline.warehouse.delete(("chunks",), *ids)
        passed, metadata = look(pipeline)["pgvector_rows"]
        assert (passed, metadata["wrong"]) == (False, 1)
        passed, metadata = CHECKS["store_count"][2](pipeline)
        assert (passed, metadata["wrong"]) == (False, 1)
