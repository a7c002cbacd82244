"""What the UI shows of a materialization without a click."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dagster import (
    AssetKey,
    AssetMaterialization,
    AssetRecordsFilter,
    DagsterInstance,
    MarkdownMetadataValue,
    PathMetadataValue,
    TableMetadataValue,
    UrlMetadataValue,
)
from dagster._serdes import deserialize_value, serialize_value

from legal_pipeline.defs.assets import changes_tag
from legal_pipeline.defs.event_metadata import event_metadata, shown
from legal_pipeline.defs.failures import reason, run_failure
from legal_pipeline.defs.launch import run_documents
from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.errors import DocumentError, ParseError
from legal_pipeline.pipeline import ASSETS, STRATEGIES, Failed, Materialized, Pipeline
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.small_laws import write_law

LAW = "se-sfs-2024-1"
MORE = "\n2 a § Vägföreningen ska föra bok över sina kostnader för skötseln.\n"


@pytest.fixture
def opened(make_settings: Callable[..., Settings], folder: Path):
    with Pipeline.open(make_settings()) as pipeline:
        yield pipeline


def latest(instance: DagsterInstance, key: tuple[str, ...]) -> AssetMaterialization:
    wanted = AssetRecordsFilter(AssetKey(key), asset_partitions=[LAW])
    event = instance.fetch_materializations(wanted, limit=1).records[0].asset_materialization
    assert event is not None
    return event


def test_counts_are_tables_sizes_are_numbers_and_a_line_and_files_are_links(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run_documents(instance, opened, register_all(opened, folder), report=Log(), job_name="parse_and_chunk")
    told = latest(instance, ("chunks",)).metadata
    by_strategy = told["by_strategy"]
    assert isinstance(by_strategy, TableMetadataValue)
    assert by_strategy.records[0].data == {"of": "paragraf", "count": told["chunks"].value}
    assert told["dagster/row_count"].value == told["chunks"].value
    assert told["tokens_median"].value <= told["tokens_p95"].value <= told["tokens_maximum"].value
    assert told["tokens_per_chunk"].value.endswith(f"to {told['tokens_maximum'].value}")
    files = latest(instance, ("raw_documents",)).metadata["files"]
    assert isinstance(files, TableMetadataValue)
    assert files.records[0].data["name"] == "lag-001.txt"
    for key in (("raw_documents",), ("canonical_documents",), ("chunks",), ("chunks", "paragraf")):
        link = latest(instance, key).metadata["warehouse_file"]
        assert isinstance(link, PathMetadataValue)
        assert Path(str(link.value)).is_file(), key
    for key in (*ASSETS, *STRATEGIES):
        for record in instance.fetch_materializations(AssetRecordsFilter(AssetKey(key)), limit=9).records:
            values = record.asset_materialization.metadata.values()
            assert not any(isinstance(value, MarkdownMetadataValue) for value in values), key


def test_a_source_with_an_address_is_a_link(opened: Pipeline) -> None:
    facts = {
        "source": "https://data.riksdagen.se/dokument/sfs-2024-1",
        "title": "Lag",
        "warnings": 0,
        "first_warnings": [],
    }
    shown = event_metadata(Materialized(("raw_documents",), LAW, "1", {}, facts, False), opened.warehouse)
    assert isinstance(shown["source"], UrlMetadataValue)
    assert shown["title"] == "Lag"
    assert "first_warnings" not in shown, "nothing is shown as nothing"


def test_a_fact_that_is_a_member_of_an_enumeration_can_be_written(opened: Pipeline) -> None:
    facts = {"model_tasks": [Task.PROPOSITIONS], "first": [{"task": Task.PROPOSITIONS}]}
    shown = event_metadata(Materialized(("chunks",), LAW, "1", {}, facts, False), opened.warehouse)
    written = serialize_value(AssetMaterialization("chunks", metadata=shown))
    assert deserialize_value(written, AssetMaterialization).metadata["model_tasks"] == shown["model_tasks"]


def test_a_long_table_shows_its_first_rows_and_how_many_there_are(opened: Pipeline) -> None:
    facts = {"anomalies": [{"kind": "oversized", "where": f"§{number}"} for number in range(120)]}
    shown = event_metadata(Materialized(("chunks",), LAW, "1", {}, facts, False), opened.warehouse)
    assert len(shown["anomalies"].records) == 50
    assert shown["anomalies_in_all"] == 120


def test_a_table_that_fits_is_shown_whole_and_its_columns_have_the_type_of_their_cells() -> None:
    rows = [{"where": f"§{number}", "tokens": number, "share": 0.5, "mixed": number or "none"} for number in range(50)]
    facts = shown({"anomalies": rows})
    assert list(facts) == ["anomalies"]
    assert len(facts["anomalies"].records) == 50
    types = {column.name: column.type for column in facts["anomalies"].schema.columns}
    assert types == {"where": "string", "tokens": "int", "share": "float", "mixed": "string"}


def test_sizes_of_nothing_are_not_shown_and_counts_and_nested_facts_are() -> None:
    nothing = dict.fromkeys(("median", "p95", "maximum", "minimum", "mean"), 0)
    assert shown({"tokens": nothing}) == {}
    assert shown({"tokens": {**nothing, "p95": 7}}) == {"tokens_median": 0, "tokens_p95": 7, "tokens_maximum": 0}
    counts = shown({"by_type": {"section": 0, "list": 2}})["by_type"]
    assert isinstance(counts, TableMetadataValue)
    assert [record.data for record in counts.records] == [{"of": "section", "count": 0}, {"of": "list", "count": 2}]
    assert shown({"made_by": {"plans": ["a"]}})["made_by"].value == {"plans": ["a"]}
    assert shown({"warnings": 0, "is_new": False, "note": "", "none": None}) == {"warnings": 0, "is_new": False}


def test_a_failed_run_names_five_documents_and_counts_the_others() -> None:
    def told(number: int) -> str:
        names = [f"xx-act-{name}" for name in range(number)]
        return str(
            run_failure({name: Failed(("chunks",), name, DocumentError("bad")) for name in names}, 9).description
        )

    assert told(5).startswith("5 of 9 documents failed: xx-act-0 in chunks: DocumentError: ")
    assert "xx-act-4" in told(5)
    assert "more" not in told(5)
    assert told(6).endswith("; and 1 more")
    assert "xx-act-5" not in told(6)


@pytest.mark.slow
def test_what_changed_in_the_law_stands_on_materializations_and_stays_there(
    instance: DagsterInstance, opened: Pipeline, folder: Path
) -> None:
    write_law(folder, 1)
    run_documents(instance, opened, register_all(opened, folder), report=Log())
    write_law(folder, 1, MORE)
    documents = register_all(opened, folder)
    for _ in range(2):
        run_documents(instance, opened, documents, report=Log())
        assert latest(instance, ("canonical_documents",)).metadata["changes"].value == "2 a § ny"
        told = str(latest(instance, ("qdrant_chunks",)).metadata["changed_law"].value)
        assert told.startswith("2 a § ny; ")
        assert "re-embedded" in told


def test_the_tag_of_a_run_names_documents_whole_and_counts_the_others() -> None:
    lines = [f"se-sfs-2024-{number}: {'57 a § upphävd, ' * 3}4 chunks re-embedded" for number in range(1, 6)]
    tag = changes_tag(lines)
    assert len(tag) <= 250
    assert tag == f"{lines[0]}; {lines[1]}; and 3 more documents"
    assert changes_tag(["se-sfs-2024-1: " + "57 a § upphävd, " * 50]) == (
        "se-sfs-2024-1: in words on the materializations of canonical_documents"
    )


@pytest.mark.parametrize("number", [0, 2])
def test_a_strategy_that_has_lost_its_chunks_has_no_file(tmp_path: Path, number: int) -> None:
    event = Materialized(("chunks", "paragraf"), LAW, "v", {}, {"chunks": number}, reused=False)
    assert ("warehouse_file" in event_metadata(event, Warehouse(tmp_path.as_uri()))) is (number > 0)


@pytest.mark.parametrize("fact", ["rows", "chunks", "citations", "vectors", "points"])
def test_the_rows_of_every_kind_of_table_are_counted(tmp_path: Path, fact: str) -> None:
    event = Materialized(("cross_references",), LAW, "v", {}, {fact: 3}, reused=False)
    assert event_metadata(event, Warehouse(tmp_path.as_uri()))["dagster/row_count"] == 3


def test_a_failure_says_all_that_its_error_knows() -> None:
    error = ParseError("cut off", document=LAW, format="plain_text", position="line 3", expected="a section")
    assert reason(Failed(("canonical_documents",), LAW, error)) == {
        "error": "ParseError",
        "reason": "[plain_text] cut off (expected: a section)",
        "position": "line 3",
        "expected": "a section",
        "format": "plain_text",
    }
    assert reason(Failed(("chunks",), LAW, KeyError())).keys() == {"error", "reason", "defect"}
