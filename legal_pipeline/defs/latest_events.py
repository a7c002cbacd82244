"""The latest events in Dagster's log for a run's documents, read once for each asset and not for each event.

Not here: writing events (`defs.materializations`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dagster import AssetMaterialization, AssetRecordsFilter, DagsterEventType, DagsterInstance

from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.pipeline import SOURCE, STRATEGIES
from legal_pipeline.processing.stage import AssetKey as Key


class LatestEvents:
    """The latest events of the given documents. Events have numbers that rise through the whole log."""

    def __init__(
        self,
        instance: DagsterInstance,
        document_ids: Sequence[str],
        keys: AssetKeys = PLAIN,
        *,
        before_reading: Callable[[], None],
    ) -> None:
        """`before_reading` writes the events of the run that are not written yet."""
        self._instance = instance
        self._before_reading = before_reading
        self._keys = keys
        self._documents = list(document_ids)
        self._start = instance.event_log_storage.get_maximum_record_id() or 0
        self._inputs: dict[Key, Mapping[str, int]] = {}
        self._made: dict[Key, tuple[Mapping[str, AssetMaterialization], frozenset[str]]] = {}

    def of_input(self, asset: Key, document_id: str) -> int:
        """Return the number of the latest event of an input.

        Without one it is the number of the last event before the run: any later event of the input then counts as new.
        """
        if asset in STRATEGIES:
            # they are made together with the asset that uses them; Dagster always reports them as fresh
            return self._start
        if asset not in self._inputs:
            self._before_reading()
            observed = DagsterEventType.ASSET_OBSERVATION
            self._inputs[asset] = self._numbers(
                asset, observed if asset == SOURCE else DagsterEventType.ASSET_MATERIALIZATION
            )
        return self._inputs[asset].get(document_id, self._start)

    def written(self, asset: Key) -> None:
        """Discard the cached events of this asset: the run has a new event."""
        self._inputs.pop(asset, None)

    def materialization(self, asset: Key, document_id: str) -> AssetMaterialization | None:
        """Return the materialization that the run found; None if there is none, or if a later run failed at the asset."""
        events, superseded = self._materializations(asset)
        return None if document_id in superseded else events.get(document_id)

    def tag(self, asset: Key, document_id: str, name: str) -> str | None:
        """Return a tag of the materialization that the run found, whether or not a later run failed at the asset."""
        event = self._materializations(asset)[0].get(document_id)
        return None if event is None else (event.tags or {}).get(name)

    def _materializations(self, asset: Key) -> tuple[Mapping[str, AssetMaterialization], frozenset[str]]:
        """Return the materializations, and the documents of which a later run planned the asset."""
        if asset not in self._made:
            made = self._numbers(asset, DagsterEventType.ASSET_MATERIALIZATION)
            planned = self._numbers(asset, DagsterEventType.ASSET_MATERIALIZATION_PLANNED)
            superseded = frozenset(name for name, number in made.items() if planned.get(name, 0) >= number)
            self._made[asset] = (self._events(asset, list(made.values())), superseded)
        return self._made[asset]

    def _events(self, asset: Key, numbers: Sequence[int]) -> Mapping[str, AssetMaterialization]:
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
