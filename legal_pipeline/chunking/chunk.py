"""What a strategy proposes (`Draft`), what the router hands it (`Segment`) and what comes out (`Chunk`).

Not here: how chunks are cut (one module per strategy) or checked (`chunking.assemble`).
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.model.document import Node

Span = tuple[int, int]

#: What a chunk can be. The last is made by `stages.raptor_summaries`.
CHUNK_TYPES = (
    "statutory_text", "definition", "proviso", "explanation", "schedule_entry", "transitional", "preamble", "appendix", "headnote",
    "header", "facts", "issue", "reasoning", "holding", "order", "dissent", "obiter", "page", "markdown", "raptor_summary",
)  # fmt: skip


@dataclass(slots=True)
class Draft:
    """A proposed chunk: spans of the document's text and what the strategy knows about them.

    `anchor` is where the provision that `path` names begins (for strategies without provisions, the nearest heading above): chunk
    ids hold offsets relative to it, so that text inserted earlier in the Act does not re-key what follows.

    A draft `in_addition` stands beside the chunks that cover its text: it counts for no coverage, and its parent is the chunk in which
    its text begins. `generated` replaces the text of the spans, which stay its source; `generator` says what made it, or what planned it.
    """

    spans: tuple[Span, ...]
    chunk_type: str
    path: str
    header: str
    anchor: int
    eid: str | None = None
    content_role: str | None = None
    level: int | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    retrieval_weight: float = 1.0
    may_be_oversized: bool = False
    requires_manual_review: bool = False
    in_addition: bool = False
    generated: str | None = None
    generator: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Exclusion:
    """Text that is in no chunk, and why (docs/concepts/text-and-spans.md)."""

    start: int
    end: int
    reason: str


@dataclass(slots=True, frozen=True)
class Segment:
    """A part of a document that one strategy cuts: nodes (with their ancestors), or spans of text that no provision holds."""

    strategy: str
    reason: str
    spans: tuple[Span, ...]
    nodes: tuple[tuple[Node, tuple[Node, ...]], ...] = ()


@dataclass(slots=True)
class Chunk:
    """One row of the chunk table. `metadata` holds only what the source gives."""

    chunk_id: str
    document_id: str
    source_file: str
    strategy: str
    chunk_type: str
    path: str
    eid: str | None
    seq: int
    parent_chunk_id: str | None
    level: int | None
    content_role: str | None
    contextual_header: str
    chunk_text: str
    source_text_sha256: str
    start_char: int
    end_char: int
    spans: tuple[Span, ...]
    num_tokens: int
    language: str
    jurisdiction: str
    doc_type: str
    date_context: str | None
    temporal_status: str | None
    valid_from: str | None
    valid_to: str | None
    source_url: str | None
    source_sha256: str
    requires_manual_review: bool
    retrieval_weight: float
    generator: str | None
    input_hash: str
    entities: dict[str, list[str]] = field(default_factory=dict)
    cross_references: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_row(self) -> dict[str, Any]:
        """A plain mapping for Parquet and JSON; spans as lists of [start, end]."""
        row = {name: getattr(self, name) for name in _FIELDS}
        row["spans"] = [list(span) for span in self.spans]
        return row

    def dumps(self) -> str:
        return json.dumps(self.to_row(), ensure_ascii=False, separators=(",", ":"))


def embedded_text(header: str, prefix: str | None, text: str) -> str:
    """What is embedded for a chunk: header, newline, context prefix, blank line, text; without what it lacks."""
    above = "\n".join(part for part in (header, prefix) if part)
    return f"{above}\n\n{text}" if above else text


_FIELDS = tuple(item.name for item in dataclasses.fields(Chunk))


@dataclass(slots=True, frozen=True)
class ChunkedDocument:
    """All chunks of a document in text order, what was left out, and why it was cut so."""

    chunks: tuple[Chunk, ...]
    exclusions: tuple[Exclusion, ...]
    route: tuple[tuple[str, str], ...]
    coverage: float
    warnings: tuple[str, ...] = ()
