"""What Dagster's log held last of a run's documents, asset by asset, when the run looked: asked once for each asset, not for each event.

Not here: what is written (`defs.materializations`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dagster import AssetMaterialization, AssetRecordsFilter, DagsterEventType, DagsterInstance

from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.pipeline import SOURCE, STRATEGIES
from legal_pipeline.processing.stage import AssetKey as Key


class LatestEvents:
    """Of these documents. Events are known by their numbers, which rise through the whole log."""

    def __init__(self, instance: DagsterInstance, document_ids: Sequence[str], keys: AssetKeys = PLAIN) -> None:
        self._instance = instance
        self._keys = keys
        self._documents = list(document_ids)
        self._start = instance.event_log_storage.get_maximum_record_id() or 0
        self._inputs: dict[Key, Mapping[str, int]] = {}
        self._made: dict[Key, Mapping[str, AssetMaterialization]] = {}

    def of_input(self, asset: Key, document_id: str) -> int:
        """The event that says what an input is now. Where there is none yet, the last one before the run: any later one is news."""
        if asset in STRATEGIES:
            return (
                self._start
            )  # they are made with the asset that has them as inputs, and Dagster calls them fresh always
        if asset not in self._inputs:
            observed = DagsterEventType.ASSET_OBSERVATION
            self._inputs[asset] = self._numbers(
                asset, observed if asset == SOURCE else DagsterEventType.ASSET_MATERIALIZATION
            )
        return self._inputs[asset].get(document_id, self._start)

    def written(self, asset: Key) -> None:
        """The run has written an event of this asset: what is known of it is old."""
        self._inputs.pop(asset, None)

    def materialization(self, asset: Key, document_id: str) -> AssetMaterialization | None:
        """The one that the run found; None where there is none, or where a run failed at it since."""
        if asset not in self._made:
            self._made[asset] = self._materializations(asset)
        return self._made[asset].get(document_id)

    def _materializations(self, asset: Key) -> dict[str, AssetMaterialization]:
        made = self._numbers(asset, DagsterEventType.ASSET_MATERIALIZATION)
        planned = self._numbers(asset, DagsterEventType.ASSET_MATERIALIZATION_PLANNED)
        numbers = [number for document_id, number in made.items() if planned.get(document_id, 0) < number]
        if not numbers:
            return {}
        wanted = AssetRecordsFilter(self._keys.of(asset), storage_ids=numbers)
        records = self._instance.fetch_materializations(wanted, limit=len(numbers)).records
        return {
            str(record.partition_key): event
            for record in records
            if (event := record.asset_materialization) is not None
        }

    def _numbers(self, asset: Key, kind: DagsterEventType) -> Mapping[str, int]:
        storage = self._instance.event_log_storage
        return storage.get_latest_storage_id_by_partition(self._keys.of(asset), kind, set(self._documents))
