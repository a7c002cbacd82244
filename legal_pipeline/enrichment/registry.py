"""Open the enricher that the settings select.

Only that enricher is imported, because clients cost start-up time. Not here: the enrichers.
"""

from __future__ import annotations

from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings


def open_enricher(settings: Settings, database: Database, run_id: str) -> Enricher:
    """Return Claude if ANTHROPIC_API_KEY is set, with its requests in the journal in `database` under `run_id`; else the extractive
    enricher. Makes no request yet."""
    if settings.anthropic_api_key is None:
        from legal_pipeline.enrichment.extractive import ExtractiveEnricher

        return ExtractiveEnricher()
    from legal_pipeline.enrichment.claude import ClaudeEnricher

    return ClaudeEnricher(settings, database, run_id=run_id)
