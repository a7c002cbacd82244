"""The content of the index by jurisdiction, and how recent it is. Not here: counting (`registry.listing`)."""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.model.versions import act_number
from legal_pipeline.reading.answers import Coverage, JurisdictionCoverage
from legal_pipeline.registry.listing import Counted


def coverage_of(rows: Sequence[Counted]) -> Coverage:
    codes = sorted({row.jurisdiction for row in rows})
    found = [_of_jurisdiction(code, [row for row in rows if row.jurisdiction == code]) for code in codes]
    return Coverage(documents=sum(row.documents for row in rows), jurisdictions=found)


def _of_jurisdiction(code: str, rows: Sequence[Counted]) -> JurisdictionCoverage:
    looks = [row.looked_at for row in rows if row.looked_at is not None]
    changes = [row.changed_at for row in rows if row.changed_at is not None]
    acts = [act for row in rows for act in row.consolidated_through]
    return JurisdictionCoverage(
        jurisdiction=code,
        documents={row.doc_type: row.documents for row in rows},
        last_look=max(looks).isoformat() if looks else None,
        last_change=max(changes).isoformat() if changes else None,
        consolidated_through=max(acts, key=lambda act: act_number(act) or (0, 0)) if acts else None,
    )
