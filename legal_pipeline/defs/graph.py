"""The whole graph, built by one function that takes overrides.

Not here: any single definition, and the object that Dagster loads (`legal_pipeline.definitions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dagster import Definitions, in_process_executor

from legal_pipeline.defs import practice_areas
from legal_pipeline.defs.asset_specs import external_specs, owned_by
from legal_pipeline.defs.assets import document_assets
from legal_pipeline.defs.automation import automation_sensor
from legal_pipeline.defs.checks import corpus_checks
from legal_pipeline.defs.corpus_assets import chunk_report, chunks_jsonl
from legal_pipeline.defs.evaluation_asset import retrieval_evaluation
from legal_pipeline.defs.io_manager import WarehouseIOManager
from legal_pipeline.defs.jobs import jobs
from legal_pipeline.defs.message_batches import message_batch_sensor
from legal_pipeline.defs.purging import purging
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.retention import pruning
from legal_pipeline.defs.schedules import nightly
from legal_pipeline.defs.sensors import sensors
from legal_pipeline.settings import Settings, load_settings


def build_definitions(*, resources: Mapping[str, Any] | None = None, settings: Settings | None = None) -> Definitions:
    """The whole graph. `resources` replace those of the same name (`pipeline`, `io_manager`), so that a test or the command line runs
    the real graph on its own; `settings` are those of the process when None."""
    chosen = settings or load_settings()
    given = {"pipeline": PipelineResource(loaded=settings), **(resources or {})}
    area_assets, area_jobs = practice_areas.definitions()
    all_jobs = [*jobs(), *area_jobs]
    reconciliation, reconcile_job, schedules, repairs = nightly(chosen, all_jobs)
    prune_job, prune_schedule = pruning(chosen)
    purge_job, purge_schedule = purging(chosen)
    return Definitions(
        assets=owned_by(
            chosen.asset_owner,
            [
                document_assets(chosen.partitions_per_run),
                *external_specs(),
                *area_assets,
                chunks_jsonl,
                chunk_report,
                retrieval_evaluation,
                reconciliation,
            ],
        ),
        asset_checks=[corpus_checks()],
        jobs=[*all_jobs, reconcile_job, prune_job, purge_job],
        schedules=[*schedules, prune_schedule, purge_schedule],
        sensors=[
            *sensors(chosen),
            practice_areas.practice_area_sensor(chosen, all_jobs),
            message_batch_sensor(chosen),
            repairs,
            automation_sensor(chosen),
        ],
        executor=in_process_executor,
        resources={"io_manager": WarehouseIOManager(pipeline=given["pipeline"]), **given},
    )
