"""Erases a document in Dagster: its partition, its runs, and every event that names it.

Not here: the rest of an erasure (`erasure`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import sqlalchemy
from dagster import DagsterInstance, RunsFilter

from legal_pipeline.defs import tags
from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.defs.partitioning import partitioning
from legal_pipeline.defs.partitions import NAME
from legal_pipeline.defs.switching import write_state
from legal_pipeline.erasure import Erasure, erase
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings

#: Events of one of the partitions, and those of no partition or of a bucket that list the document. Events of other documents stay: they
#: are their state; the state of a bucket is written again.
_EVENTS = """select id from event_logs where partition = any(:names)
    or ((partition is null or position('/' in partition) > 0) and event ~ :named)"""

_DELETE = (
    f"delete from asset_event_tags where event_id in ({_EVENTS})",  # noqa: S608
    "delete from asset_check_executions where partition = any(:names) or (partition is null and evaluation_event ~ :named)",
    f"delete from event_logs where id in ({_EVENTS})",  # noqa: S608
    "update asset_keys set last_materialization = null where last_materialization ~ :named",
    "update asset_keys set cached_status_data = null where cached_status_data ~ :named",
)


def erase_document(settings: Settings, document_id: str, reason: str) -> Erasure:
    """Run `erasure.erase`, including Dagster."""
    with (
        embedded_services(settings) as settings,
        dagster_instance(settings) as instance,
        Pipeline.open(settings) as pipeline,
    ):
        own = partitioning(settings)
        keys: set[str] = set()

        def forget(names: Sequence[str]) -> None:
            keys.update(own.keys_of(pipeline.registry, names))
            erase_events(instance, names)

        done = erase(pipeline, document_id, reason, forget)
        write_state(instance, pipeline.registry, own, keys)
        return done


def erase_events(instance: DagsterInstance, names: Sequence[str]) -> None:
    """Delete the runs of each of these documents alone, and all events that name one of them.

    A run over several documents stays. Its tags have the ids of the first and the last of its documents, which may be among these.
    """
    for name in names:
        for run in instance.get_runs(RunsFilter(tags={tags.PARTITION: name})):
            instance.delete_run(run.run_id)
        instance.delete_dynamic_partition(NAME, name)
    # only the complete name: not as the beginning or the end of a longer name
    named = "|".join(rf"(^|[^a-z0-9.-]){re.escape(name)}($|[^a-z0-9.-])" for name in names)
    storage: Any = instance.event_log_storage
    with storage.index_connection() as connection:
        for statement in _DELETE:
            connection.execute(sqlalchemy.text(statement), {"names": list(names), "named": named})
