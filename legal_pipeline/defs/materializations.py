"""How a run tells Dagster what it made: an event per asset and document; those of a document's strategies are written together.

A write costs 3 ms, and a document's strategies are finished all at one moment. Not here: what an event says (`defs.assets`).
"""

from __future__ import annotations

from types import TracebackType

from dagster import AssetExecutionContext, AssetMaterialization
from dagster._core.events import DagsterEvent, DagsterEventBatchMetadata, generate_event_batch_id

#: An asset of this kind is never the last that is made of a document, and the next one is there at once.
_STRATEGY = "chunks"


class Materializations:
    """The materializations of a run. As a context manager it writes at its end whatever was still held."""

    def __init__(self, context: AssetExecutionContext) -> None:
        self._context = context.op_execution_context
        self._held: list[AssetMaterialization] = []

    def log(self, event: AssetMaterialization) -> None:
        if self._held and self._held[-1].partition != event.partition:
            self.flush()
        self._held.append(event)
        if not (len(event.asset_key.path) > 1 and event.asset_key.path[0] == _STRATEGY):
            self.flush()

    def flush(self) -> None:
        """Write what is held, in one statement where Dagster batches at all (`storage.EVENT_BATCH`)."""
        held, self._held = self._held, []
        batch = generate_event_batch_id()  # type: ignore[no-untyped-call]
        for number, event in enumerate(held, 1):
            metadata = DagsterEventBatchMetadata(batch, is_end=number == len(held)) if len(held) > 1 else None
            step = self._context.get_step_execution_context()
            # as `log_event` does it, which writes one by one
            self._context._events.append(DagsterEvent.asset_materialization(step, event, metadata))

    def __enter__(self) -> Materializations:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()
