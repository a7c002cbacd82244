"""The content of the index by jurisdiction, and how recent it is. Not here: counting (`registry.listing`)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

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
        self._mutex = threading.Lock()
        self._kept: OrderedDict[frozenset[str], tuple[tuple[Any, ...], float, Sequence[Counted]]] = OrderedDict()

    def of(self, hidden: frozenset[str]) -> Sequence[Counted]:
        """Return the counts without the documents `hidden`."""
        state, now = state_of_counts(self._database), time.monotonic()
        with self._mutex:
            known = self._kept.get(hidden)
        if known is not None and known[0] == state and now - known[1] < _MAX_SECONDS:
            return known[2]
        rows = counted(self._database, hidden)
        with self._mutex:
            self._kept[hidden] = state, now, rows
            self._kept.move_to_end(hidden)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return rows


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
