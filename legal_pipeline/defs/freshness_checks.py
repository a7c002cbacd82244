"""Asset checks for missing updates: a source without changes for long, and documents that no poll has found for long.

Not here: their measurements (`registry.freshness`), and the checks of results (`defs.checks`).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from dagster import MetadataValue

from legal_pipeline.defs.check_outcome import NAMED, Checks, Outcome
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.freshness import last_changes, not_polled_since
from legal_pipeline.stages import raw_documents


def _silence(pipeline: Pipeline) -> Outcome:
    """Check the sources. Sources without a number of days in the settings, and sources that are not followed, are not checked."""
    now = datetime.now(UTC)
    allowed = pipeline.resources.settings.silence_days
    days = {source: (now - moment).days for source, moment in last_changes(pipeline.registry.database).items()}
    silent = sorted(source for source in days.keys() & allowed.keys() if days[source] >= allowed[source] > 0)
    return not silent, {
        "silent": MetadataValue.json(silent),
        "days_since_a_change": MetadataValue.json(days),
        "days_allowed": MetadataValue.json(allowed),
    }


def _staleness(pipeline: Pipeline) -> Outcome:
    days = pipeline.resources.settings.stale_days
    if not days:
        return True, {"stale": 0}
    found = not_polled_since(pipeline.registry.database, datetime.now(UTC) - timedelta(days=days))
    first = {name: moment.isoformat(timespec="seconds") for name, moment in list(found.items())[:NAMED]}
    return not found, {"stale": len(found), "days_allowed": days, "longest_ago": MetadataValue.json(first)}


FRESHNESS_CHECKS: Checks = {
    "silence": (
        raw_documents.KEY,
        "Every source has brought something new within its days (LEGAL_PIPELINE_SILENCE_DAYS).",
        _silence,
    ),
    "staleness": (
        raw_documents.KEY,
        "Every document was found by a poll of its source within LEGAL_PIPELINE_STALE_DAYS.",
        _staleness,
    ),
}
