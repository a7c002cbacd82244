"""Message Batches in Dagster: a run that leaves them succeeds, `status` and the UI say what waits, and the sensor has it go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dagster import AssetKey, AssetRecordsFilter, DagsterInstance, DagsterRunStatus, SkipReason
from pydantic import SecretStr

from legal_pipeline.defs.launch import run_documents
from legal_pipeline.defs.message_batches import poll, run_requests
from legal_pipeline.defs.partitioning import Buckets, Partitioning
from legal_pipeline.pipeline import Deferred, Failed, Pipeline
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.settings import Settings
from legal_pipeline.stages import context_prefixes
from legal_pipeline_tests.defs.test_runs import Log, register_all
from legal_pipeline_tests.defs.watch import Watch
from legal_pipeline_tests.enrichment.anthropic_server import KEY, AnthropicServer
from legal_pipeline_tests.pipeline.lighthouse_act import act

IDS = ("se-sfs-2099-1", "se-sfs-2099-2")


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as opened:
        opened.batch_seconds = 3600.0  # no run may sleep for it
        yield opened


@pytest.fixture
def claude_settings(make_settings: Callable[..., Settings], server: AnthropicServer, folder: Path) -> Settings:
    for number in (1, 2):
        (folder / f"{number}.txt").write_text(act(number=f"2099:{number}", chapters=2), "utf-8")
    return make_settings(
        anthropic_api_key=SecretStr(KEY), anthropic_base_url=server.url, enrich="prefixes,questions", llm_mode="batch",
        stores="pgvector",
    )  # fmt: skip


def run(instance: DagsterInstance, settings: Settings, documents: list[str]) -> Log:
    log = Log()
    with Pipeline.open(settings) as pipeline:
        run_documents(instance, pipeline, documents, report=log)
    return log


def statuses(settings: Settings) -> dict[str, int]:
    with Database.open(settings) as database:
        return Registry(database).counts()


@pytest.mark.slow
def test_a_sensor_has_documents_go_on_when_their_batches_have_ended(
    instance: DagsterInstance, claude_settings: Settings, server: AnthropicServer
) -> None:
    with Pipeline.open(claude_settings) as pipeline:
        documents = register_all(pipeline, claude_settings.watched_directory)
    watch = Watch(instance, claude_settings, poll)
    assert str(watch.poll()).count("no document waits") == 1

    log = run(instance, claude_settings, documents)
    assert all(isinstance(event, Deferred) for event in log.events if isinstance(event, Failed))
    assert {record.status for record in instance.get_runs()} == {DagsterRunStatus.SUCCESS}
    assert statuses(claude_settings) == {"waiting": 2}
    records = instance.fetch_observations(AssetRecordsFilter(AssetKey(context_prefixes.KEY)), limit=10).records
    told = {
        str(record.partition_key): record.asset_observation.metadata["waiting_for"].value
        for record in records
        if record.asset_observation is not None
    }
    assert told == dict.fromkeys(IDS, "waiting for Message Batch msgbatch_0000")

    waiting = watch.poll()
    assert isinstance(waiting, SkipReason)
    assert "2 documents wait for 2 Message Batches" in str(waiting)
    for batch in server.batches.values():
        batch.ends_at = 0.0
    assert watch.asked() == [IDS]

    assert run(instance, claude_settings, documents).failed == set()
    assert statuses(claude_settings) == {"completed": 2}
    assert len(server.batches) == 2
    assert not [body for body, times in server.billed.items() if times > 1]
    assert isinstance(watch.poll(), SkipReason)


def test_one_state_of_things_is_asked_for_once_in_an_hour(claude_settings: Settings) -> None:
    with Pipeline.open(claude_settings) as pipeline:
        register_all(pipeline, claude_settings.watched_directory)
        for document_id in IDS:
            pipeline.registry.set_status(document_id, "waiting", error="waiting for Message Batch a")
        waiting = {document.document_id: document for document in pipeline.registry.documents(status="waiting")}
    now = datetime.now(UTC)

    def keys(batch: str, at: datetime) -> list[str | None]:
        going_on = dict.fromkeys(IDS, (batch,))
        asked = run_requests(going_on, waiting, IDS, limit=1, now=at, partitioning=Partitioning())
        return [request.run_key for request in asked]

    assert keys("a", now) == keys("a", now + timedelta(minutes=5))
    both = dict.fromkeys(IDS, ("a",))
    (request,) = run_requests(both, waiting, ["files/0"], limit=1, now=now, partitioning=Buckets(1))
    assert (request.partition_key, request.run_config) == ("files/0", Buckets(1).run_config())
    assert len(set(keys("a", now)) | set(keys("b", now)) | set(keys("a", now + timedelta(hours=2)))) == 6
