"""The partitions of every per-document asset, and the ranges of partitions for a set of documents.

Not here: the list of documents (`registry.registry`).
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Container, Mapping, Sequence, Sized
from typing import Any

from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, DynamicPartitionsDefinition, RunRequest, RunsFilter

from legal_pipeline.defs import tags
from legal_pipeline.defs.partitioning import Partitioning
from legal_pipeline.registry.aliases import Aliases

NAME = "documents"

documents = DynamicPartitionsDefinition(name=NAME)

#: A run in one of these states processes its documents or will process them.
_UNFINISHED = [
    DagsterRunStatus.QUEUED, DagsterRunStatus.NOT_STARTED, DagsterRunStatus.STARTING, DagsterRunStatus.STARTED,
    DagsterRunStatus.CANCELING,
]  # fmt: skip


def ranges(
    wanted: Collection[str], order: Sequence[str], limit: int, documents: Mapping[str, Sized] | None = None
) -> list[tuple[str, ...]]:
    """Return `wanted` in groups of at most `limit` documents, each without gaps in `order`, the order in which the keys were added.

    A run covers all partitions between the first and the last key of its range, so a gap would add documents that are not wanted.
    `documents`: the documents of each key, one if none are given; a key with more than `limit` is a group of its own.
    """
    if limit < 1:
        raise ValueError(f"limit {limit}: at least 1 is needed")
    chosen = frozenset(wanted)
    groups: list[tuple[str, ...]] = []
    group: list[str] = []
    held = 0
    for key in order:
        size = 0 if key not in chosen else 1 if documents is None else len(documents[key])
        if group and (key not in chosen or held + size > limit):
            groups.append(tuple(group))
            group, held = [], 0
        if key in chosen:
            group.append(key)
            held += size
    if group:
        groups.append(tuple(group))
    return groups


def range_tags(group: Sequence[str]) -> dict[str, str]:
    """Return the tags that make a run cover `group`."""
    if len(group) == 1:
        return {tags.PARTITION: group[0]}
    return {tags.PARTITION_RANGE_START: group[0], tags.PARTITION_RANGE_END: group[-1]}


def run_request(run_key: str, group: Sequence[str], **options: Any) -> RunRequest:
    """Return the request of one run over `group`; `options` as for `RunRequest`."""
    if len(group) == 1:
        return RunRequest(run_key, partition_key=group[0], **options)
    return RunRequest(run_key, tags=range_tags(group), **options)


def add(instance: DagsterInstance, keys: Collection[str]) -> None:
    """Add those of `keys` that are not partitions yet, sorted, so that a range of them is contiguous."""
    if added := sorted(set(keys) - set(instance.get_dynamic_partitions(NAME))):
        instance.add_dynamic_partitions(NAME, added)


def unfinished(instance: DagsterInstance) -> Sequence[DagsterRun]:
    """Return the runs that are queued or in progress."""
    return instance.get_runs(RunsFilter(statuses=_UNFINISHED))


def remove_renamed(instance: DagsterInstance, aliases: Aliases, partitioning: Partitioning) -> None:
    """Remove the partitions of former document ids.

    A partition that an unfinished run covers stays until the next call, because a range is defined by the partitions at its ends.
    """
    old_ids = aliases.with_partition()
    if not old_ids:
        return
    busy = Runs(instance, partitioning).documents
    gone = sorted(old_id for old_id in old_ids if old_id not in busy)
    for old_id in gone:
        instance.delete_dynamic_partition(NAME, old_id)
    aliases.set_partition_removed(gone)


class Runs:
    """The documents that unfinished runs cover, and the order of the partitions, each read on first use.

    There may be very many partitions, and they are not needed if no run is in progress.
    """

    def __init__(self, instance: DagsterInstance, partitioning: Partitioning) -> None:
        self._instance = instance
        self._partitioning = partitioning

    @functools.cached_property
    def order(self) -> list[str]:
        return list(self._instance.get_dynamic_partitions(NAME))

    @functools.cached_property
    def documents(self) -> Container[str]:
        """Return the ids of the documents that an unfinished run may process."""
        runs = unfinished(self._instance)
        is_range = any(tags.PARTITION_RANGE_START in run.tags for run in runs)
        return self._partitioning.covered_by(covered(runs, self.order if is_range else ()))


def covered(runs: Sequence[DagsterRun], order: Sequence[str]) -> frozenset[str]:
    """Return the keys of the partitions that these runs cover, by the order of the partitions."""
    found: set[str] = set()
    position = {key: index for index, key in enumerate(order)}
    for run in runs:
        if (key := run.tags.get(tags.PARTITION)) is not None:
            found.add(key)
        first = position.get(run.tags.get(tags.PARTITION_RANGE_START, ""))
        last = position.get(run.tags.get(tags.PARTITION_RANGE_END, ""))
        if first is not None and last is not None:
            found.update(order[first : last + 1])
    return frozenset(found)
