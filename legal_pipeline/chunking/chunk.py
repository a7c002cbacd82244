"""The types of chunking: `Segment` (input of a strategy), `Draft` (its output) and `Chunk` (one row of the chunk table).

Not here: how chunks are cut (one module per strategy) or checked (`chunking.assemble`).
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.model.document import TEXT_ROLE, Node

Span = tuple[int, int]

#: Chunk types. `stages.raptor_summaries` makes the last type.
CHUNK_TYPES = (
    "statutory_text", "definition", "proviso", "explanation", "schedule_entry", "transitional", "preamble", "appendix", "headnote",
    "header", "facts", "issue", "reasoning", "holding", "order", "dissent", "obiter", "page", "markdown", "raptor_summary",
)  # fmt: skip


@dataclass(slots=True)
class Draft:
    """A proposed chunk: spans of the document's text, with its path, header and metadata.

    `anchor` is the offset where the provision that `path` names begins (for strategies without provisions, the nearest heading above).
    Chunk ids hold offsets relative to `anchor`, so that text inserted earlier in the Act does not change the ids of later chunks.

    A draft `in_addition` repeats text that other chunks cover: it does not count for coverage, and its parent is the chunk in which its
    text begins. `generated` replaces the text of the spans, which remain its source; `generator` names what made or planned the draft.
    """

    spans: tuple[Span, ...]
    chunk_type: str
    path: str
    header: str
    anchor: int
    eid: str | None = None
    content_role: str = TEXT_ROLE
    level: int | None = 2
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
    """Text that is in no chunk, and the reason (docs/concepts/text-and-spans.md)."""

    start: int
    end: int
    reason: str


@dataclass(slots=True, frozen=True)
class Segment:
    """A part of a document that one strategy cuts: nodes (with their ancestors), or spans of text outside all provisions."""

    strategy: str
    reason: str
    spans: tuple[Span, ...]
    nodes: tuple[tuple[Node, tuple[Node, ...]], ...] = ()


@dataclass(slots=True)
class Chunk:
    """One row of the chunk table. `metadata` holds only values that the source gives."""

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
        """Return a plain mapping for Parquet and JSON; spans are lists of [start, end]."""
        row = {name: getattr(self, name) for name in _FIELDS}
        row["spans"] = [list(span) for span in self.spans]
        return row

    def dumps(self) -> str:
        return json.dumps(self.to_row(), ensure_ascii=False, separators=(",", ":"))


def embedded_text(header: str, prefix: str | None, text: str) -> str:
    """Return the text that is embedded for a chunk: header, newline, context prefix, blank line, text; missing parts are omitted."""
    above = "\n".join(part for part in (header, prefix) if part)
    return f"{above}\n\n{text}" if above else text


_FIELDS = tuple(item.name for item in dataclasses.fields(Chunk))


@dataclass(slots=True, frozen=True)
class ChunkedDocument:
    """All chunks of a document in text order, its exclusions, and the reason for the strategy."""

    chunks: tuple[Chunk, ...]
    exclusions: tuple[Exclusion, ...]
    route: tuple[tuple[str, str], ...]
    coverage: float
    warnings: tuple[str, ...] = ()
