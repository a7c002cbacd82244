"""The definitions as Dagster loads them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dagster import AssetKey

from legal_pipeline.definitions import build_definitions
from legal_pipeline.defs.assets import DocumentsConfig
from legal_pipeline.pipeline import ASSETS, DEPENDENCIES, SOURCE, STRATEGIES
from legal_pipeline.settings import load_settings


def test_importing_the_definitions_leaves_the_heavy_libraries_alone(tmp_path: Path) -> None:
    code = (
        "import sys, legal_pipeline.definitions;"
        "print(sorted({'torch', 'spacy', 'sentence_transformers', 'transformers', 'pandas', 'anthropic'} & sys.modules.keys()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert result.stdout.strip() == "[]"


def test_every_asset_of_the_pipeline_is_in_the_graph_with_its_inputs() -> None:
    graph = build_definitions().resolve_asset_graph()
    assert {tuple(key.path) for key in graph.get_all_asset_keys()} == {
        *ASSETS,
        *STRATEGIES,
        SOURCE,
        ("chunks_jsonl",),
        ("chunk_report",),
        ("retrieval_evaluation",),
        ("practice_areas",),
        ("practice_area_trees",),
        ("reconciliation",),
    }
    for key, above in DEPENDENCIES.items():
        assert {tuple(parent.path) for parent in graph.get(AssetKey(key)).parent_keys} == set(above)
    assert graph.get(AssetKey("chunks")).backfill_policy.max_partitions_per_run == load_settings().partitions_per_run


def test_an_asset_that_is_a_table_lists_its_columns() -> None:
    graph = build_definitions().resolve_asset_graph()
    schema = graph.get(AssetKey("chunks")).metadata["dagster/column_schema"]
    described = {column.name: (column.type, column.constraints.nullable) for column in schema.columns}
    assert described["chunk_id"] == ("string", False)
    nodes = [graph.get(key) for key in graph.get_all_asset_keys()]
    without = {
        node.key.path[0] for node in nodes if "arrow" in node.kinds and "dagster/column_schema" not in node.metadata
    }
    assert without == {"chunk_embeddings", "question_embeddings"}, "vectors are as wide as the model makes them"


def test_a_strategy_is_an_asset_that_no_run_is_asked_for() -> None:
    graph = build_definitions().resolve_asset_graph()
    for key in STRATEGIES:
        node = graph.get(AssetKey(key))
        assert node.is_external
        assert node.is_partitioned
        assert node.group_name == "strategies"
        assert [parent.path for parent in node.parent_keys] == [["canonical_documents"]]


def test_every_asset_says_what_kind_it_is_and_who_answers_for_it() -> None:
    graph = build_definitions(settings=load_settings(asset_owner="team:law")).resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert node.kinds, key
        assert node.owners == ["team:law"], key
        assert node.description, key
    for path in (*ASSETS, *STRATEGIES, SOURCE):
        assert graph.get(AssetKey(path)).tags["legal_pipeline/unit"] == "document", path


def test_a_code_server_can_load_all_of_it_at_once() -> None:
    # two things of one name are only seen when all jobs are asked for, as the code server does
    jobs = {job.name for job in build_definitions().get_repository_def().get_all_jobs()}
    assert {"process_document", "practice_area_trees"} < jobs


def test_the_jobs_are_selections_and_run_no_check_of_the_whole_corpus() -> None:
    definitions = build_definitions()
    selected = {
        name: {tuple(key.path) for key in definitions.resolve_job_def(name).asset_layer.selected_asset_keys}
        for name in ("process_document", "parse_and_chunk", "enrich", "index", "embed", "publish")
    }
    assert selected["process_document"] == set(ASSETS)
    assert selected["parse_and_chunk"] | selected["enrich"] | selected["index"] == set(ASSETS)
    assert sum(len(selected[name]) for name in ("parse_and_chunk", "enrich", "index")) == len(ASSETS)
    assert selected["embed"] == selected["index"] - selected["publish"]
    assert selected["publish"] == {("qdrant_chunks",), ("qdrant_questions",), ("pgvector_chunks",)}
    assert [node.name for node in definitions.resolve_job_def("process_document").nodes] == ["documents"]


def test_run_options_are_described() -> None:
    assert all(field.description for field in DocumentsConfig.model_fields.values())


@pytest.mark.parametrize(
    "command", [("dg", "check", "defs"), ("dg", "list", "defs"), ("dagster", "definitions", "validate")], ids=" ".join
)
def test_a_checkout_validates_and_lists_its_definitions_without_a_variable_set(
    repository: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    configured = ("LEGAL_PIPELINE_", "DAGSTER_", "QDRANT_", "ANTHROPIC_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(configured)}
    result = subprocess.run(
        [Path(sys.executable).with_name(command[0]), *command[1:]],
        cwd=repository,
        # the user's own settings of `dg` and what it writes of itself
        env=environment | {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert not list(tmp_path.glob("legal-pipeline-*")), "the temporary storage goes with the process"


@pytest.mark.slow
def test_a_plain_dagster_command_without_a_database_says_what_to_do(repository: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("LEGAL_PIPELINE_DATABASE_URL", "DAGSTER_HOME")
    }
    result = subprocess.run(
        [sys.executable, "-m", "dagster", "dev", "-p", "1"],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode != 0
    said = result.stdout + result.stderr
    assert "LEGAL_PIPELINE_DATABASE_URL is not set" in said
    assert "legal-pipeline dev" in said
    assert "Traceback" not in said
