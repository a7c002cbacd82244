"""Automatic runs of the corpus-wide assets, and the sensor that requests them.

Not here: the assets themselves (`defs.corpus_assets`).
"""

from __future__ import annotations

from dagster import (
    AssetSelection,
    AutomationCondition,
    AutomationConditionSensorDefinition,
    DefaultSensorStatus,
)

from legal_pipeline.corpus_assets import chunk_report, chunks_jsonl
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.jobs import KIND_TAG, QUEUE_TAG
from legal_pipeline.settings import Settings

SENSOR = "corpus_automation"

_is_input_made = AutomationCondition.any_deps_match(~AutomationCondition.missing()).with_label("any_deps_made")
_is_input_newer = AutomationCondition.any_deps_updated()

#: True for an asset that can be made for the first time, a sensor that polls for the first time (even if the asset was made long ago),
#: or documents that are newer than the last poll.
_is_due = (
    (AutomationCondition.missing() & _is_input_made).newly_true().with_label("can_be_made")
    | (AutomationCondition.initial_evaluation() & _is_input_made).with_label("first_look")
    | _is_input_newer
)

#: Requested after the runs of its documents have ended: a first load of thousands of documents makes it once. An asset that is due stays
#: due while it is being made: a document that was finished meanwhile may have been too late for that run.
#: Not `eager()` on every document's asset, which takes half a minute per tick at 11,000 partitions: only these few assets are evaluated.
WHEN_DOCUMENTS_CHANGED = (
    _is_due.since(AutomationCondition.newly_requested() & ~_is_input_newer)
    & ~AutomationCondition.any_deps_in_progress()
    & ~AutomationCondition.in_progress()
)


def automation_sensor(settings: Settings, keys: AssetKeys = PLAIN) -> AutomationConditionSensorDefinition:
    """Return the sensor that requests the corpus-wide assets. It is on from the start, unlike Dagster's own sensor."""
    return AutomationConditionSensorDefinition(
        SENSOR,
        # only assets of the pipeline: a code location that uses them may have others that it requests by itself
        target=AssetSelection.assets(keys.of(chunks_jsonl.KEY), keys.of(chunk_report.KEY)),
        run_tags={KIND_TAG: "corpus", QUEUE_TAG: "cpu"},
        minimum_interval_seconds=settings.sensor_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Requests the assets over the whole corpus when documents have changed.",
    )
