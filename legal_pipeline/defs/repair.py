"""Reconciliation from the command line. The runs that repair the differences are Dagster runs in the process of the command.

Not here: the nightly run (`defs.schedules`), and the comparison (`reconcile`).
"""

from __future__ import annotations

from legal_pipeline.defs.launch import Report, dagster_instance, embedded_services, run_documents, update_practice_areas
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reconcile import Reconciliation, prepare, reconcile
from legal_pipeline.renaming import begin_renamings
from legal_pipeline.settings import Settings


def reconcile_documents(
    settings: Settings, *, repair: bool, report: Report
) -> tuple[Reconciliation, Reconciliation | None]:
    """Return the differences, and those left after the repair (None if there was nothing to repair or no repair was requested)."""
    with embedded_services(settings) as settings, Pipeline.open(settings) as pipeline:
        if repair:
            begin_renamings(pipeline.resources)
        renamed = list(pipeline.registry.aliases.unfinished()) if repair else []
        found = reconcile(pipeline)
        if not repair:
            return found, None
        if found.is_clean and not found.failed and not renamed:
            pipeline.optimise()
            return found, None
        with dagster_instance(settings) as instance:
            prepare(pipeline, found)
            if renamed:
                run_documents(instance, pipeline, renamed, report=report)
            for request in found.requests():
                run_documents(instance, pipeline, list(request.document_ids), report=report, assets=request.assets)
            update_practice_areas(instance, pipeline, report=report, refresh_roots=True)
        pipeline.optimise()
        return found, reconcile(pipeline)
