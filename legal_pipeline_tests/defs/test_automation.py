"""The assets over the whole corpus are made without a click, and no oftener than the documents change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dagster import (
    AssetKey,
    AssetMaterialization,
    AutomationConditionSensorDefinition,
    DagsterInstance,
    DefaultSensorStatus,
    evaluate_automation_conditions,
)

from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.settings import load_settings

CHUNKS = AssetKey("chunks")
CORPUS = {AssetKey("chunks_jsonl"), AssetKey("chunk_report")}


class Automation:
    """The sensor's condition, evaluated on the real graph as the daemon does it."""

    def __init__(self, instance: DagsterInstance) -> None:
        self.instance = instance
        self._definitions = build_definitions()
        self._cursor = None

    def poll(self) -> set[AssetKey]:
        """What a poll asks for."""
        result = evaluate_automation_conditions(self._definitions, self.instance, cursor=self._cursor)
        self._cursor = result.cursor
        return {key for key in CORPUS if result.get_num_requested(key)}

    def report(self, key: AssetKey, partition: str | None = None) -> None:
        self.instance.report_runless_asset_event(AssetMaterialization(key, partition=partition))

    def make(self) -> None:
        """What was asked for is made."""
        for key in CORPUS:
            self.report(key)


@pytest.fixture
def automation() -> Iterator[Automation]:
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(partitions.NAME, ["a-1", "b-2"])
        yield Automation(instance)


def test_the_sensor_runs_from_the_start_and_no_second_one_beside_it() -> None:
    sensors = build_definitions().get_repository_def().sensor_defs
    (found,) = [sensor for sensor in sensors if isinstance(sensor, AutomationConditionSensorDefinition)]
    assert (found.name, found.default_status) == ("corpus_automation", DefaultSensorStatus.RUNNING)
    assert found.minimum_interval_seconds == load_settings().sensor_interval_seconds


def test_corpus_assets_are_asked_for_when_the_first_documents_have_chunks(automation: Automation) -> None:
    assert automation.poll() == set()
    automation.report(CHUNKS, "a-1")
    assert automation.poll() == CORPUS, "the document b-2 has none yet, and may never have any"
    assert automation.poll() == set()
    automation.make()
    assert automation.poll() == set()


def test_a_sensor_that_is_switched_on_late_asks_for_what_was_never_made(automation: Automation) -> None:
    automation.report(CHUNKS, "a-1")
    assert automation.poll() == CORPUS


def test_a_sensor_that_is_switched_on_late_asks_for_what_may_be_out_of_date(automation: Automation) -> None:
    automation.report(CHUNKS, "a-1")
    automation.make()
    automation.report(CHUNKS, "b-2")
    assert automation.poll() == CORPUS
    automation.make()
    assert automation.poll() == set()


def test_every_later_change_of_a_document_asks_again_and_nothing_else_does(automation: Automation) -> None:
    automation.report(CHUNKS, "a-1")
    assert automation.poll() == CORPUS
    automation.make()
    automation.report(AssetKey("qdrant_chunks"), "a-1")
    assert automation.poll() == set()
    automation.report(CHUNKS, "b-2")
    assert automation.poll() == CORPUS
    automation.make()
    assert automation.poll() == set()


def test_a_document_that_is_finished_while_the_file_is_written_is_not_forgotten(automation: Automation) -> None:
    automation.report(CHUNKS, "a-1")
    assert automation.poll() == CORPUS
    automation.report(CHUNKS, "b-2")
    automation.make()  # begun before b-2 was finished
    assert automation.poll() == CORPUS
    automation.make()
    assert automation.poll() == set()
