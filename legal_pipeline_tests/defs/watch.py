"""A sensor looked at as the daemon does it. Not here: the tests."""

from __future__ import annotations

from collections.abc import Callable

from dagster import (
    DagsterInstance,
    JobDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    build_sensor_context,
    job,
    op,
)

from legal_pipeline.defs import partitions
from legal_pipeline.defs.resources import PipelineResource, Pipelines
from legal_pipeline.defs.sensors import poll_folder
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.settings import Settings

Evaluate = Callable[[SensorEvaluationContext, Pipelines], SensorResult | SkipReason]


class Watch:
    """Looks as the daemon does: keeps the cursor and adds the partitions that were asked for."""

    def __init__(self, instance: DagsterInstance, settings: Settings, evaluate: Evaluate = poll_folder) -> None:
        self._evaluate = evaluate
        self._instance = instance
        self.settings = settings
        self.cursor: str | None = None

    def poll(self) -> SensorResult | SkipReason:
        context = build_sensor_context(instance=self._instance, cursor=self.cursor)
        result = self._evaluate(context, PipelineResource(loaded=self.settings))
        if isinstance(result, SensorResult):
            self.cursor = result.cursor
            for request in result.dynamic_partitions_requests or ():
                self._instance.add_dynamic_partitions(request.partitions_def_name, list(request.partition_keys))
        return result

    def asked(self) -> list[tuple[str, ...]]:
        """The documents of each run that a poll asks for."""
        result = self.poll()
        assert isinstance(result, SensorResult)
        order = list(self._instance.get_dynamic_partitions(partitions.NAME))
        groups = []
        for request in result.run_requests or ():
            if request.partition_key:
                groups.append((request.partition_key,))
            else:
                first = order.index(request.tags["dagster/asset_partition_range_start"])
                last = order.index(request.tags["dagster/asset_partition_range_end"])
                groups.append(tuple(order[first : last + 1]))
        return groups


def complete(pipeline: Pipeline) -> None:
    for document in pipeline.registry.documents():
        pipeline.registry.set_status(document.document_id, "completed")


def any_job() -> JobDefinition:
    """A job for runs that only stand in the instance."""

    @op
    def nothing() -> None: ...

    @job
    def some_job() -> None:
        nothing()

    return some_job
