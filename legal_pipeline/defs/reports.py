"""How the events of a run become events of partitions: one by one if a partition has one document, in sums if it has many.

Not here: the events themselves (`defs.materializations`, `defs.failures`).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dagster import AssetExecutionContext

from legal_pipeline.defs import failures, tags
from legal_pipeline.defs.asset_keys import AssetKeys
from legal_pipeline.defs.event_metadata import ROW_COUNTS, event_metadata, shown
from legal_pipeline.defs.materializations import Materializations, write_batch
from legal_pipeline.defs.partitioning import MAX_LISTED, Buckets, Partitioning
from legal_pipeline.defs.storage import PooledEventLogStorage
from legal_pipeline.pipeline import DEPENDENCIES, SOURCE, STRATEGIES, Deferred, Failed, Materialized, Pipeline
from legal_pipeline.processing.stage import AssetKey as Key
from legal_pipeline.processing.stage import StageEvent
from legal_pipeline.registry.buckets import (
    Bucket,
    Content,
    Unfinished,
    contents,
    count_documents,
    items_version,
    unfinished,
)
from legal_pipeline.registry.database import Database
from legal_pipeline.stages import chunks


class DocumentReports:
    """Reports each event at once, on the partition of its document."""

    def __init__(self, context: AssetExecutionContext, keys: AssetKeys, pipeline: Pipeline) -> None:
        self._context = context.op_execution_context
        self._keys = keys
        self._warehouse = pipeline.warehouse
        self._made = _materializations(context, keys)

    def add(self, event: StageEvent, change: str | None) -> None:
        """Report an event; `change` describes what it changed in the law."""
        partition = event.document_id
        if isinstance(event, Failed):
            failures.report(self._context, event, partition, self._keys)
            if not isinstance(event, Deferred):
                self._made.flush()
                failures.mark_failed(self._context, self._keys.of(event.asset_key), partition)
        else:
            metadata = event_metadata(event, self._warehouse)
            self._made.log(event, metadata if change is None else {**metadata, "changed_law": change})

    def complete(self, partitions: Collection[str]) -> None:
        """Do nothing: all events were reported."""

    def close(self) -> None:
        """Write the events that wait."""
        self._made.close()


@dataclass
class _Made:
    """What a run made of one asset in one bucket."""

    computed: list[str] = field(default_factory=list)
    reused: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    changes: dict[str, str] = field(default_factory=dict)

    def add(self, event: Materialized, change: str | None) -> None:
        if event.reused:
            self.reused += 1
        else:
            self.computed.append(event.document_id)
        self.rows.update({name: event.metadata[name] for name in ROW_COUNTS if name in event.metadata})
        if change is not None:
            self.changes[event.document_id] = change

    def facts(self) -> dict[str, Any]:
        """Return numbers and tables: what this run did, the documents that it computed, and what changed in the law."""
        found = {"computed": len(self.computed), "reused": self.reused, **self.rows}
        return {
            "this_run": {name: count for name, count in found.items() if count},
            "computed": [{"document": name} for name in sorted(self.computed)[:MAX_LISTED]],
            "changed_law": [{"document": name, "change": text} for name, text in sorted(self.changes.items())],
        }


class BucketReports:
    """Reports a bucket when all of its documents are through: one materialization per asset, over all documents of the bucket.

    Failures are reported at once, each with its document. An asset at which a document of the bucket failed in this run is shown as failed
    and has no materialization; a backfill then counts the bucket as failed. The next run over the bucket without a failure materializes it
    again, and still lists the documents that failed before.
    """

    def __init__(
        self,
        context: AssetExecutionContext,
        keys: AssetKeys,
        pipeline: Pipeline,
        partitioning: Buckets,
        taken: Mapping[str, Sequence[str]],
        wanted: Sequence[Key],
    ) -> None:
        self._context = context.op_execution_context
        self._keys = keys
        self._database = pipeline.registry.database
        self._buckets = {key: partitioning.bucket(key) for key in taken}
        self._key_of = {document_id: key for key, documents in taken.items() for document_id in documents}
        self._taken = taken
        self._assets = [*(STRATEGIES if chunks.KEY in wanted else ()), *wanted]
        self._made = _materializations(context, keys)
        self._events: dict[tuple[str, Key], _Made] = {}
        self._failed: dict[str, set[Key]] = {}
        # before the documents are read: an item that changes from now on is not in this run
        self._items = {key: items_version(self._database, bucket) for key, bucket in self._buckets.items()}

    def add(self, event: StageEvent, change: str | None) -> None:
        """Count an event, and report it at once if it is a failure."""
        partition = self._key_of[event.document_id]
        if isinstance(event, Failed):
            failures.report(self._context, event, partition, self._keys)
            if not isinstance(event, Deferred):
                self._failed.setdefault(partition, set()).add(event.asset_key)
        else:
            self._events.setdefault((partition, event.asset_key), _Made()).add(event, change)

    def complete(self, partitions: Collection[str]) -> None:
        """Report these buckets: all of their documents have been processed."""
        states = {key: BucketState.read(self._database, self._buckets[key], self._items[key]) for key in partitions}
        # what the assets below a failed one were made from, as Dagster knows it
        old = {
            key: {asset: self._made.data_version(asset, key) for asset in self._failed.get(key, ())} for key in states
        }
        # an asset of all buckets together: the events of its inputs are read once
        for asset in self._assets:
            for key, state in states.items():
                made = self._events.pop((key, asset), _Made())
                if asset not in old[key] and (event := state.materialized(asset, key, old[key])) is not None:
                    facts = shown({**event.metadata, **made.facts()})
                    self._made.log(event, facts, partial=len(self._taken[key]) < state.documents)
        self._made.flush()
        for key, failed in old.items():
            for asset in sorted(failed):
                failures.mark_failed(self._context, self._keys.of(asset), key)

    def close(self) -> None:
        """Write which buckets are up to date: `complete` has written the rest, and the next run reports an interrupted bucket."""
        self._made.close()


@dataclass(frozen=True)
class BucketState:
    """The state of a bucket in the registry, as the events of its partition show it. `items` is the version of its items."""

    documents: int
    items: str
    contents: Mapping[str, Content]
    unfinished: Sequence[Unfinished]

    @classmethod
    def read(cls, database: Database, bucket: Bucket, items: str | None = None) -> BucketState:
        return cls(
            count_documents(database, bucket),
            items_version(database, bucket) if items is None else items,
            contents(database, bucket),
            unfinished(database, bucket),
        )

    def materialized(self, asset: Key, key: str, old: Mapping[Key, str | None] = {}) -> Materialized | None:
        """Return the event of an asset of the partition `key`; None if no document of the bucket has the asset.

        `old`: inputs at which a document failed in this run, with the versions that Dagster has of them, because it gets no new ones.
        """
        content = self.contents.get("/".join(asset))
        if content is None:
            if self.documents or asset in STRATEGIES:
                return None
            content = Content(0, self.items)  # an empty bucket has nothing to make, and that is made
        above = DEPENDENCIES.get(asset, ())
        inputs = {"/".join(name): old[name] if name in old else self._input(name) for name in above}
        return Materialized(
            asset,
            key,
            content.version,
            {name: version for name, version in inputs.items() if version},
            {"documents": content.documents, **self._problems(asset)},
            reused=True,  # whether Dagster knows it is decided by the versions
        )

    def _input(self, above: Key) -> str:
        if above == SOURCE:
            return self.items
        content = self.contents.get("/".join(above))
        return content.version if content else ""

    def _problems(self, asset: Key) -> dict[str, Any]:
        """Return how many documents of the bucket failed or wait, and those that did so at this asset, with the reason."""
        counts = Counter(row.status for row in self.unfinished)
        rows = [
            {"document": row.document_id, "status": row.status, "reason": row.reason}
            for row in self.unfinished
            if _asset(row) == asset
        ]
        return {**counts, "not_made": rows}


def _asset(row: Unfinished) -> Key:
    """Return the asset at which the document failed: its reason begins with it (`pipeline`)."""
    return tuple(row.reason.partition(": ")[0].split("/"))


def reports(
    context: AssetExecutionContext,
    keys: AssetKeys,
    pipeline: Pipeline,
    partitioning: Partitioning,
    taken: Mapping[str, Sequence[str]],
    wanted: Sequence[Key],
) -> DocumentReports | BucketReports:
    """Return the reports of a run that makes the assets `wanted` of the documents in `taken` (partition -> documents)."""
    if isinstance(partitioning, Buckets):
        return BucketReports(context, keys, pipeline, partitioning, taken, wanted)
    return DocumentReports(context, keys, pipeline)


def _materializations(context: AssetExecutionContext, keys: AssetKeys) -> Materializations:
    # a backfill counts the events of its runs: a requested partition without an event has failed
    is_counted = tags.BACKFILL in context.run.tags
    is_own = isinstance(context.instance.event_log_storage, PooledEventLogStorage)
    return Materializations(
        context.instance,
        context.partition_keys,
        functools.partial(write_batch, context),
        keys,
        complete=is_counted and not is_own,
        observe=context.log_event if is_counted and is_own else None,
    )
