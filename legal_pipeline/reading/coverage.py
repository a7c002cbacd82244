"""The content of the index by jurisdiction, and how recent it is. Not here: counting (`registry.listing`)."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence

from legal_pipeline.model.versions import act_number
from legal_pipeline.reading.answers import Coverage, JurisdictionCoverage
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import Counted, counted, state_of_counts

#: Maximum age of counts: an erased document leaves them after this time at the latest.
_MAX_SECONDS = 60.0

#: Maximum number of sets of hidden documents whose counts are kept: as many as there are kinds of readers.
_MOST_KEPT = 64


class Counts:
    """The counts of documents, made again after a publication, a poll, a change or a removal. Safe in several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted = functools.lru_cache(_MOST_KEPT)(lambda hidden, _: counted(database, hidden))

    def of(self, hidden: frozenset[str]) -> Sequence[Counted]:
        """Return the counts without the documents `hidden`."""
        return self._counted(hidden, (*state_of_counts(self._database), time.monotonic() // _MAX_SECONDS))


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
