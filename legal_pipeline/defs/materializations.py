"""How a run reports its results to Dagster: an event for each asset and document, with the versions that show whether it is up to date.

A result that is unchanged and known to Dagster is not written again. A backfill must still count it: for each asset, a run writes one
observation that lists all such partitions. Events are written up to 500 at a time: one by one, they took more processor time than the work
that they report. Not here: the displayed metadata (`defs.event_metadata`).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dagster import AssetExecutionContext, AssetMaterialization, AssetObservation, DagsterInstance, MetadataValue
from dagster._core.events import DagsterEvent, DagsterEventBatchMetadata, DagsterEventType, StepMaterializationData
from dagster._core.instance.utils import RUNLESS_JOB_NAME, RUNLESS_RUN_ID

from legal_pipeline.defs import tags as names
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.code_versions import FIRST, code_versions
from legal_pipeline.defs.latest_events import LatestEvents
from legal_pipeline.defs.storage import UP_TO_DATE
from legal_pipeline.pipeline import DEPENDENCIES, Materialized
from legal_pipeline.processing.stage import AssetKey as Key

#: Events are written when so many wait, or the first of them has waited so long: the UI shows progress within seconds.
_MOST_WAITING = 500
_LONGEST_WAIT_SECONDS = 2.0


def write_batch(context: AssetExecutionContext, events: Sequence[AssetMaterialization]) -> None:
    """Log the events of a run in one batch, if the environment allows batches (`storage.EVENT_BATCH`)."""
    step = context.get_step_execution_context()
    for event, batch in _batched(events):
        DagsterEvent.asset_materialization(step, event, batch)


def write_runless(instance: DagsterInstance, events: Sequence[AssetMaterialization]) -> None:
    """Report events that belong to no run, as `write_batch` does; Dagster's own method writes them one by one."""
    for event, batch in _batched(events):
        made = DagsterEvent(
            DagsterEventType.ASSET_MATERIALIZATION.value,
            job_name=RUNLESS_JOB_NAME,
            event_specific_data=StepMaterializationData(event),
        )
        instance.report_dagster_event(made, run_id=RUNLESS_RUN_ID, batch_metadata=batch)


def _batched(
    events: Sequence[AssetMaterialization],
) -> Iterator[tuple[AssetMaterialization, DagsterEventBatchMetadata]]:
    batch = uuid.uuid4().hex
    for number, event in enumerate(events, start=1):
        yield event, DagsterEventBatchMetadata(batch, is_end=number == len(events))


class Materializations:
    """Writes the materializations of partitions, several at a time; `flush` at the end of a run.

    Events that a killed run had not written are written by the next run of their documents, which finds everything made.
    """

    def __init__(
        self,
        instance: DagsterInstance,
        partitions: Sequence[str],
        write: Callable[[Sequence[AssetMaterialization]], None],
        keys: AssetKeys = PLAIN,
        *,
        complete: bool = False,
        observe: Callable[[AssetObservation], None] | None = None,
    ) -> None:
        """`write` logs events; `complete`: also events that Dagster knows, because someone counts them.

        `observe` logs which partitions have no new event because they are up to date (`storage.UP_TO_DATE`); None: nobody asks.
        """
        self._write = write
        self._observe = observe
        self._keys = keys
        self._latest = LatestEvents(instance, partitions, keys, before_reading=self.flush)
        self._code_versions = code_versions()
        self._complete = complete
        self._waiting: list[AssetMaterialization] = []
        self._waiting_since = 0.0
        self._up_to_date: dict[Key, list[str]] = {}

    def data_version(self, asset: Key, partition: str) -> str | None:
        """Return the data version that Dagster knew of the asset before the run; None if it was never made."""
        return self._latest.tag(asset, partition, names.DATA_VERSION)

    def log(self, event: Materialized, metadata: Mapping[str, Any], *, partial: bool = False) -> None:
        """Log an event, whose `document_id` is the key of its partition.

        `partial`: only some documents of the partition were processed, so the version of the code is the earlier one, if there is one.
        """
        tags = self._tags(event)
        known = self._latest.materialization(event.asset_key, event.document_id) if event.reused else None
        if partial and (version := self._latest.tag(event.asset_key, event.document_id, names.CODE_VERSION)):
            tags[names.CODE_VERSION] = version
        if known is not None and _versions(known.tags or {}) == _versions(tags):
            if not self._complete:
                self._up_to_date.setdefault(event.asset_key, []).append(event.document_id)
                return
            # the event of the earlier run has more facts, such as the changes in the law, and they are still true
            metadata = {**known.metadata, "reused": True}
        if not self._waiting:
            self._waiting_since = time.monotonic()
        made = AssetMaterialization(
            self._keys.of(event.asset_key),
            # the text that logs show for the event; Dagster's own does not name the partition
            description=f"{event.document_id}: {'/'.join(event.asset_key)}",
            partition=event.document_id,
            tags=tags,
            metadata=metadata,
        )
        self._waiting.append(made)
        self._latest.written(event.asset_key)
        if len(self._waiting) >= _MOST_WAITING or time.monotonic() - self._waiting_since >= _LONGEST_WAIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the events that wait."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._write(waiting)

    def close(self) -> None:
        """Write what waits, and which partitions are up to date."""
        self.flush()
        up_to_date, self._up_to_date = self._up_to_date, {}
        if self._observe is None:
            return
        for asset, partitions in up_to_date.items():
            self._observe(
                AssetObservation(
                    self._keys.of(asset),
                    description=f"{len(partitions)} partitions of {'/'.join(asset)} are up to date",
                    metadata={UP_TO_DATE: MetadataValue.json(partitions)},
                )
            )

    def _tags(self, event: Materialized) -> dict[str, str]:
        """Return the versions of the document, of the code, and of every input that the asset declares.

        Dagster reports an asset as out of sync if an input's version is missing, and compares the input's events before and after the event
        in the tag.
        """
        key = event.asset_key
        tags = {names.DATA_VERSION: event.data_version, names.CODE_VERSION: self._code_versions.get(key, FIRST)}
        for above in DEPENDENCIES.get(key, ()):
            asset = self._keys.of(above)
            version = event.input_versions.get("/".join(above), names.NO_DATA_VERSION)
            tags[names.input_version(asset)] = version
            tags[names.input_event(asset)] = str(self._latest.of_input(above, event.document_id))
        return tags


def _versions(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in tags.items() if not names.is_input_event(name)}
