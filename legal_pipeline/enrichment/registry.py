"""From settings to an engine.

Only the engine that is opened is imported: clients cost start-up time. Not here: the engines.
"""

from __future__ import annotations

from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings


def open_enricher(settings: Settings, database: Database, run_id: str) -> Enricher:
    """Claude where ANTHROPIC_API_KEY is set, its requests journalled in `database` under `run_id`; else the extractive engine. Asks nothing
    yet."""
    if settings.anthropic_api_key is None:
        from legal_pipeline.enrichment.extractive import ExtractiveEnricher

        return ExtractiveEnricher()
    from legal_pipeline.enrichment.claude import ClaudeEnricher

    return ClaudeEnricher(settings, database, run_id=run_id)
