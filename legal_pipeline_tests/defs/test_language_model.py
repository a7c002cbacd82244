"""Claude in Dagster runs: what they say of its cost, the budget of a run, the checks, and the key that is nobody's business."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterInstance
from pydantic import SecretStr

from legal_pipeline.defs.launch import run_documents
from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.errors import BudgetExceededError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.stage import Failed
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline.stages import context_prefixes
from legal_pipeline_tests.defs.test_checks import evaluate
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.enrichment.anthropic_server import KEY, AnthropicServer, Fault
from legal_pipeline_tests.enrichment.run_total import run_total
from legal_pipeline_tests.pipeline.lighthouse_act import act

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as opened:
        yield opened


@pytest.fixture
def claude_settings(
    make_settings: Callable[..., Settings], server: AnthropicServer, folder: Path
) -> Callable[..., Settings]:
    for number in (1, 2, 3):
        (folder / f"{number}.txt").write_text(act(number=f"2099:{number}", chapters=2), "utf-8")

    def make(**changes: object) -> Settings:
        claude = {"anthropic_api_key": SecretStr(KEY), "anthropic_base_url": server.url, "enrich": None}
        return make_settings(**claude, **changes)

    return make


def enrich(instance: DagsterInstance, settings: Settings, *, again: bool = False) -> Log:
    """Run what the folder holds as far as its enrichment; `again`: its enrichment alone."""
    log = Log()
    with Pipeline.open(settings) as pipeline:
        documents = register_all(pipeline, settings.watched_directory)
        for job in ("enrich",) if again else ("parse_and_chunk", "enrich"):
            run_documents(instance, pipeline, documents, report=log, job_name=job)
    return log


def run_ids(instance: DagsterInstance, job: str) -> list[str]:
    """The latest first."""
    return [run.run_id for run in instance.get_runs() if run.job_name == job]


def test_a_materialization_shows_what_its_document_cost_and_the_journal_counts_by_the_run_of_dagster(
    instance: DagsterInstance, claude_settings: Callable[..., Settings], server: AnthropicServer
) -> None:
    settings = claude_settings(partitions_per_run=2)
    assert not enrich(instance, settings).failed
    found: dict[str, dict[str, Any]] = {}
    for record in instance.fetch_materializations(AssetRecordsFilter(AssetKey(context_prefixes.KEY)), limit=10).records:
        assert record.asset_materialization is not None
        found[str(record.partition_key)] = {
            name: value.value for name, value in record.asset_materialization.metadata.items()
        }
    assert found.keys() == {f"se-sfs-2099-{number}" for number in (1, 2, 3)}
    assert {one["requests"] for one in found.values()} == {1}
    assert all(one["input_tokens"] > 100 and one["cost_usd"] > 0 for one in found.values())
    runs = run_ids(instance, "enrich")
    assert len(runs) == 2, "two documents in one run, one in the other"
    with Database.open(settings) as database:
        totals = [run_total(Journal(database, run_id=run_id, budget=Budget())) for run_id in runs]
    assert sorted(total.requests for total in totals) == [5, 10]
    assert sum(total.input_tokens for total in totals) == server.totals["input_tokens"]


def test_the_budget_is_one_runs_and_the_next_run_goes_on(
    instance: DagsterInstance, claude_settings: Callable[..., Settings], server: AnthropicServer
) -> None:
    settings = claude_settings(llm_budget_usd=0.008, llm_concurrency=1)
    tried = 0
    log = enrich(instance, settings)
    assert log.failed
    assert {type(event.error) for event in log.events if isinstance(event, Failed)} == {BudgetExceededError}
    failure = instance.get_run_by_id(run_ids(instance, "enrich")[0])
    assert failure is not None
    assert failure.is_failure
    while log.failed:
        tried += 1
        assert tried < 6, "every run goes further than the one before it"
        paid = server.totals["requests"]
        log = enrich(instance, settings, again=True)
        assert server.totals["requests"] > paid
    assert not [body for body, times in server.billed.items() if times > 1]
    with Database.open(settings) as database:
        for run_id in run_ids(instance, "enrich"):
            assert run_total(Journal(database, run_id=run_id, budget=Budget())).cost_usd <= 0.008


def test_the_checks_show_what_was_spent_and_find_prefixes_of_the_wrong_length(
    instance: DagsterInstance, claude_settings: Callable[..., Settings]
) -> None:
    settings = claude_settings()
    assert not enrich(instance, settings).failed
    with Pipeline.open(settings) as pipeline:
        results = evaluate(pipeline, instance)
        assert (results["prefix_length"], results["language_model_cost"]) == (True, True)
        table = pipeline.warehouse.read_table(context_prefixes.KEY, "se-sfs-2099-1")
        index = table.column_names.index("prefix")
        short = pa.array(["Kort."] * len(table), pa.string())
        pipeline.warehouse.write_table(
            context_prefixes.KEY, "se-sfs-2099-1", table.set_column(index, table.schema.field(index), short)
        )
        assert evaluate(pipeline, instance)["prefix_length"] is False
    with Pipeline.open(settings.model_copy(update={"llm_budget_usd_per_day": 0.0001})) as pipeline:
        assert evaluate(pipeline, instance)["language_model_cost"] is False


def everything_in(database: Database) -> str:
    """Every row of every table, Dagster's among them, as text."""
    with database.connection() as connection:
        names = connection.execute(
            """select format('%I.%I', schemaname, tablename) as name from pg_tables
               where schemaname not in ('pg_catalog', 'information_schema')"""
        ).fetchall()
        assert len(names) > 15
        rows = [
            row["line"]
            for name in names
            for row in connection.execute(f"select t::text as line from {name['name']} t").fetchall()
        ]
    assert len(rows) > 50
    return "\n".join(rows)


@pytest.mark.parametrize(
    "fault",
    [Fault("status", 401), Fault("truncated_json"), None],
    ids=lambda f: f.kind if f else "wrong key",
)
def test_the_key_is_in_nothing_that_a_failing_run_leaves_behind(
    instance: DagsterInstance,
    claude_settings: Callable[..., Settings],
    server: AnthropicServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    fault: Fault | None,
) -> None:
    key = KEY
    if fault is None:
        key = "sk-ant-wrong-77aa3c"  # the server's answer repeats it
    server.fault = lambda body: fault
    caplog.set_level(logging.DEBUG)
    settings = claude_settings(llm_mode="interactive").model_copy(update={"anthropic_api_key": SecretStr(key)})
    log = enrich(instance, settings)
    seen = [repr(settings), caplog.text, str([record.args for record in caplog.records]), *capfd.readouterr()]
    failures = [event for event in log.events if isinstance(event, Failed)]
    if fault is None or fault.kind == "status":
        assert failures
    for failure in failures:
        error: BaseException | None = failure.error
        while error is not None:
            seen += [repr(error), str(vars(error)), "".join(traceback.format_exception(error))]
            error = error.__cause__ or error.__context__
    with Database.open(settings) as database:
        tables = everything_in(database)
    assert "sk-ant" not in tables
    files = [path for path in settings.home.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert not [path for path in files if key.encode() in path.read_bytes()]
    assert not [text for text in seen if key in text]
