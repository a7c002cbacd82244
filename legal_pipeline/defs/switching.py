"""Changes the partitioning of a home, and writes the state of partitions that no run has reported.

A switch needs no run: the events of the new partitions come from the registry. Every step can be repeated, so that the same call finishes
a switch that was killed. Not here: the partitionings (`defs.partitioning`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy
from dagster import AssetMaterialization, DagsterInstance
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus

from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.defs.materializations import Materializations, write_runless
from legal_pipeline.defs.partitioning import Buckets, Partitioning, of_buckets, version_of_items
from legal_pipeline.defs.reports import BucketState
from legal_pipeline.errors import HomeBusyError
from legal_pipeline.pipeline import ASSETS, DEPENDENCIES, SOURCE, STRATEGIES, Materialized, Pipeline
from legal_pipeline.registry.buckets import places, record, recorded
from legal_pipeline.registry.document_versions import read_versions
from legal_pipeline.registry.registry import Registry
from legal_pipeline.settings import Settings
from legal_pipeline.stores.replacement import batches

#: Partitions whose latest events are read together.
_GROUP = 500

_DELETE = "delete from dynamic_partitions where partitions_def_name = :name and partition = any(:keys)"

_UNFINISHED_BACKFILLS = [BulkActionStatus.REQUESTED, BulkActionStatus.CANCELING, BulkActionStatus.FAILING]


@dataclass(frozen=True)
class Switch:
    """The result of a switch.

    `added`, `removed`: number of partitions; `events`: number of materializations written for the new ones; `failed`: number of failed
    documents, which are due again so that the new partitions show their failure.
    """

    before: str
    after: str
    added: int
    removed: int
    events: int
    failed: int


def switch_partitioning(settings: Settings, to: Partitioning) -> Switch:
    """Run `switch` in the home of the settings."""
    with (
        embedded_services(settings) as settings,
        dagster_instance(settings) as instance,
        Pipeline.open(settings) as pipeline,
    ):
        return switch(instance, pipeline, to)


def present_partitioning(settings: Settings) -> Partitioning | None:
    """Return the partitioning of the home; None if the home is empty and has not recorded one."""
    with embedded_services(settings) as settings, Pipeline.open(settings) as pipeline:
        held = recorded(pipeline.registry.database)
    return None if held is None else of_buckets(held[0])


def switch(instance: DagsterInstance, pipeline: Pipeline, to: Partitioning) -> Switch:
    """Change the partitioning of the home: record it, add the new partitions with their state, and remove the others.

    Raises `HomeBusyError` while runs or backfills are in progress; nothing is changed then.
    """
    database = pipeline.registry.database
    _verify_idle(instance)
    held = recorded(database) or (None,)
    record(database, to.buckets)  # from now on sensors of the earlier partitioning refuse
    try:
        _verify_idle(instance)  # a sensor may have asked for a run in between
    except HomeBusyError:
        record(database, held[0])
        raise
    wanted = {to.key_of(place) for place in places(database, removed=to.buckets is None)}
    known = set(instance.get_dynamic_partitions(partitions.NAME))
    partitions.add(instance, wanted)
    events = write_state(instance, pipeline.registry, to, wanted)
    _remove(instance, known - wanted)
    failed = pipeline.registry.documents(status="failed")
    for document in failed:
        pipeline.registry.retry(document.document_id)
    return Switch(str(of_buckets(held[0])), str(to), len(wanted - known), len(known - wanted), events, len(failed))


def write_state(
    instance: DagsterInstance, registry: Registry, partitioning: Partitioning, keys: Collection[str]
) -> int:
    """Write the materializations of partitions that Dagster has not, or has with other versions; return their number."""
    written = 0

    def write(events: Sequence[AssetMaterialization]) -> None:
        nonlocal written
        written += len(events)
        write_runless(instance, events)

    for group in batches(sorted(keys), _GROUP):
        made = Materializations(instance, group, write, complete=False)
        for event in _state(registry, partitioning, group):
            # made by the code of earlier runs
            made.log(event, event.metadata, partial=True)
        made.flush()
    return written


def _state(registry: Registry, partitioning: Partitioning, keys: Sequence[str]) -> Iterator[Materialized]:
    """Yield the materializations of these partitions as the registry knows them, all of an asset after those of its inputs."""
    assets = (*STRATEGIES, *ASSETS)
    if isinstance(partitioning, Buckets):
        states = {key: BucketState.read(registry.database, partitioning.bucket(key)) for key in keys}
        yield from filter(None, (state.materialized(asset, key) for asset in assets for key, state in states.items()))
        return
    versions = read_versions(registry.database, keys)
    for document in registry.documents(ids=keys, tombstoned=None):
        if document.document_id in versions:
            versions[document.document_id]["/".join(SOURCE)] = version_of_items(document)
    for asset in assets:
        names = ["/".join(above) for above in DEPENDENCIES.get(asset, ())]
        for document_id, made in versions.items():
            if (version := made.get("/".join(asset))) is not None:
                inputs = {name: made[name] for name in names if name in made}
                yield Materialized(asset, document_id, version, inputs, {}, reused=True)


def _verify_idle(instance: DagsterInstance) -> None:
    runs = partitions.unfinished(instance)
    backfills = instance.get_backfills(filters=BulkActionsFilter(statuses=_UNFINISHED_BACKFILLS))
    if runs or backfills:
        raise HomeBusyError(
            f"{len(runs)} runs and {len(backfills)} backfills are in progress: wait until they have ended, or "
            "cancel them, and call the command again"
        )


def _remove(instance: DagsterInstance, keys: Collection[str]) -> None:
    # Dagster's own method takes a transaction for each key
    storage: Any = instance.event_log_storage
    with storage.index_connection() as connection:
        for group in batches(sorted(keys), 10_000):
            connection.execute(
                sqlalchemy.text(_DELETE),
                {"name": partitions.NAME, "keys": group},
            )
