"""The result of a run for a changed document, as a sentence for lawyers: the changes of the law, and the work done for them.

Not here: the words for changes of the law (`model.describe`) and displaying the sentence (`defs`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.processing.stage import Materialized, StageEvent

#: (asset, field of its metadata, its words for one and for several)
_COUNTS = (
    ("chunk_embeddings", "embedded_chunks", "chunk re-embedded", "chunks re-embedded"),
    ("context_prefixes", "asked", "context prefix", "context prefixes"),
    ("raptor_summaries", "asked", "summary", "summaries"),
    ("quim_questions", "asked", "chunk asked about again", "chunks asked about again"),
)


@dataclass
class ChangeReport:
    """Collects the events of a run, and describes each document whose canonical text changed."""

    _events: dict[str, dict[str, Materialized]] = field(default_factory=dict)

    def add(self, event: StageEvent) -> None:
        if isinstance(event, Materialized):
            self._events.setdefault(event.document_id, {})["/".join(event.asset_key)] = event

    def change(self, document_id: str) -> str | None:
        """Return the sentence for one document, for the events so far; None if its law did not change."""
        events = self._events.get(document_id, {})
        return str(_describe(events)["summary"]) if _is_changed(events) else None

    def changes(self) -> dict[str, dict[str, Any]]:
        """Return document id -> `summary` ("2 kap. 3 § ändrad.

        3 chunks re-embedded, 2 summaries, 4 requests"), counts and amending acts.
        """
        return {document_id: _describe(events) for document_id, events in self._events.items() if _is_changed(events)}


def _is_changed(events: dict[str, Materialized]) -> bool:
    canonical = events.get("canonical_documents")
    return canonical is not None and not canonical.reused and "changes" in canonical.metadata


def _describe(events: dict[str, Materialized]) -> dict[str, Any]:
    canonical = events["canonical_documents"].metadata
    counts: dict[str, int] = {}
    words = []
    for asset, name, one, many in _COUNTS:
        count = int(events[asset].metadata.get(name, 0)) if asset in events else 0
        if count or asset == "chunk_embeddings":
            counts[f"{asset}_{name}"] = count
            words.append(f"{count} {one if count == 1 else many}")
    requests = sum(int(event.metadata.get("requests", 0)) for event in events.values())
    words.append(f"{requests} {'request' if requests == 1 else 'requests'}")
    facts: dict[str, Any] = {"summary": f"{canonical['changes']}; {', '.join(words)}", **counts, "requests": requests}
    if "amending_acts" in canonical:
        facts["amending_acts"] = canonical["amending_acts"]
    return facts
