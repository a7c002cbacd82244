"""The graph, built by one function that takes overrides: all of it, or the part that a team's code location needs.

Not here: any single definition, the object that Dagster loads (`legal_pipeline.definitions`), and the components (`defs.components`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dagster import Definitions, in_process_executor

from legal_pipeline.defs import corpus_assets, practice_areas
from legal_pipeline.defs.asset_keys import AssetKeys
from legal_pipeline.defs.asset_specs import assets_of, external_specs, owned_by
from legal_pipeline.defs.assets import document_assets
from legal_pipeline.defs.automation import automation_sensor
from legal_pipeline.defs.checks import corpus_checks
from legal_pipeline.defs.evaluation_asset import retrieval_evaluation
from legal_pipeline.defs.io_manager import WarehouseIOManager
from legal_pipeline.defs.jobs import DOCUMENT_GROUPS, AssetJob, jobs
from legal_pipeline.defs.message_batches import message_batch_sensor
from legal_pipeline.defs.purging import purging
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.retention import pruning
from legal_pipeline.defs.schedules import nightly_checks, nightly_reconcile
from legal_pipeline.defs.sensors import sensors
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Settings, load_settings

#: The groups of the assets, as `only` names them.
GROUPS = (*DOCUMENT_GROUPS, "strategies", corpus_assets.GROUP, practice_areas.GROUP)


def build_definitions(
    *,
    key_prefix: Sequence[str] | str | None = None,
    resources: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
    source_sensors: bool = True,
    settings: Settings | None = None,
) -> Definitions:
    """Return the assets with their checks, jobs, schedules and sensors, to load directly or to merge with a team's own definitions.

    `key_prefix` precedes the keys of the assets; it does not affect the partitions, the registry and the warehouse.
    `resources` replace those of the same name (`pipeline`, `io_manager`). `only` lists groups of assets (`GROUPS`): they include their
    checks, and the jobs and sensors that request only these assets; reconciling, repairs and the pruning of the event log come only with
    the whole graph. `source_sensors`: False if a team follows its sources by components. `settings`: None takes those of the process.
    Raises `ConfigurationError` for an unknown group.
    """
    groups = _checked(GROUPS if only is None else only)
    chosen = settings or load_settings()
    keys = AssetKeys.behind(key_prefix)
    given = {"pipeline": PipelineResource(loaded=settings), **(resources or {})}
    io_manager = WarehouseIOManager(pipeline=given["pipeline"], key_prefix=list(keys.prefix))
    document_jobs = jobs(groups & set(DOCUMENT_GROUPS))
    area_assets, area_jobs = practice_areas.definitions(keys)
    parts = [_documents(groups, keys, chosen, document_jobs, source_sensors=source_sensors)]
    if practice_areas.GROUP in groups:
        sensor = practice_areas.practice_area_sensor(chosen, area_jobs)
        parts.append(Definitions(assets=area_assets, jobs=area_jobs, sensors=[sensor]))
    if corpus_assets.GROUP in groups:
        own = (corpus_assets.chunks_jsonl, corpus_assets.chunk_report, retrieval_evaluation)
        parts.append(
            Definitions(assets=[keys.definition(asset) for asset in own], sensors=[automation_sensor(chosen, keys)])
        )
    if groups >= set(GROUPS):
        parts += [nightly_reconcile(chosen, [*document_jobs, *area_jobs], keys), pruning(chosen)]
    if (checks := corpus_checks(assets_of(groups), keys)) is not None:
        parts.append(nightly_checks(chosen, checks))
    merged = Definitions.merge(*parts)
    return Definitions(
        assets=owned_by(chosen.asset_owner, merged.assets or (), keys),  # type: ignore[arg-type]
        asset_checks=merged.asset_checks,
        jobs=merged.jobs,
        schedules=merged.schedules,
        sensors=merged.sensors,
        executor=in_process_executor,
        resources={"io_manager": io_manager, **given},
    )


def _documents(
    groups: frozenset[str],
    keys: AssetKeys,
    settings: Settings,
    document_jobs: Sequence[AssetJob],
    *,
    source_sensors: bool,
) -> Definitions:
    """Return the per-document assets, and the jobs and sensors that request them."""
    of_documents = groups & set(DOCUMENT_GROUPS)
    made = [document_assets(settings, of_documents, keys)] if of_documents else []
    found = [
        Definitions(
            assets=[*made, *(keys.spec(spec) for spec in external_specs() if spec.group_name in groups)],
            jobs=document_jobs,
        )
    ]
    if "documents" in groups and source_sensors:
        found.append(Definitions(sensors=sensors(settings, keys)))
    if "enrichment" in groups:
        found.append(Definitions(sensors=[message_batch_sensor(settings)]))
    if "index" in groups:
        found.append(purging(settings))
    return Definitions.merge(*found)


def _checked(only: Collection[str]) -> frozenset[str]:
    if isinstance(only, str) or not only or set(only) - set(GROUPS):
        raise ConfigurationError(f"build_definitions: only={only!r}: expected one or more of {', '.join(GROUPS)}")
    return frozenset(only)
