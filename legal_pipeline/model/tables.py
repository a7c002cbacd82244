"""Arrow schemas of the tables in the warehouse: the contract with all readers of the tables.

Not here: their storage (`registry.warehouse`), and the tables in Postgres (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

_SPAN = pa.list_(pa.int64(), 2)
_STRINGS = pa.list_(pa.string())

ENTITIES = pa.struct(
    [(name, _STRINGS) for name in ("dates", "statute_refs", "case_refs", "courts", "people", "places", "parties")]
)

CROSS_REFERENCE = pa.struct(
    [
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("raw", pa.string()),
        ("work_uri", pa.string()),
        ("eid", pa.string()),
        ("kind", pa.string()),
    ]
)

#: The metadata of a chunk. A missing value is null, never guessed.
CHUNK_METADATA = pa.struct(
    [
        *((name, pa.string()) for name in (
            "title", "number", "work_uri", "canonical_citation", "section", "heading", "part", "chapter", "chapter_heading",
            "division", "schedule", "amended_by", "base_law", "department", "issued", "in_force", "repealed", "repealed_by",
            "replaced_by_section", "consolidated_through", "court", "court_level", "bench", "date_decided", "case_type", "citation",
            "neutral_citation", "case_number", "judgment_part", "issue", "opinion", "para_id", "legal_standard", "criterion_tag", "licence",
            "route_reason", "source_act", "parser",
            "parser_version", "fetched_at", "additional_context", "overlap_boundary", "near_duplicate_of",
            "plan_fallback",
        )),
        *((name, _STRINGS) for name in (
            "judges", "parties", "parallel_citations", "paths", "terms", "eids", "paras", "pins", "work_uris",
            "provisions", "subdivisions",
        )),
        *((name, pa.int64()) for name in (
            "chunk_index", "raptor_level", "section_level", "bench_strength", "page_number", "total_pages", "overlap_tokens",
        )),
        *((name, pa.float64()) for name in ("ocr_confidence", "quality_score")),
        *((name, pa.bool_()) for name in ("is_winning_argument", "oversized", "suspected_truncation", "section_suspected_truncation")),
        ("amendment_history", pa.list_(pa.struct([(name, pa.string()) for name in ("by", "date", "action")]))),
    ]
)  # fmt: skip

CHUNKS = pa.schema(
    [
        pa.field("chunk_id", pa.string(), nullable=False),
        pa.field("document_id", pa.string(), nullable=False),
        ("source_file", pa.string()),
        pa.field("strategy", pa.string(), nullable=False),
        pa.field("chunk_type", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        ("eid", pa.string()),
        pa.field("seq", pa.int64(), nullable=False),
        ("parent_chunk_id", pa.string()),
        ("level", pa.int64()),
        ("content_role", pa.string()),
        pa.field("contextual_header", pa.string(), nullable=False),
        pa.field("chunk_text", pa.string(), nullable=False),
        pa.field("source_text_sha256", pa.string(), nullable=False),
        pa.field("start_char", pa.int64(), nullable=False),
        pa.field("end_char", pa.int64(), nullable=False),
        pa.field("spans", pa.list_(_SPAN), nullable=False),
        pa.field("num_tokens", pa.int64(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("jurisdiction", pa.string(), nullable=False),
        pa.field("doc_type", pa.string(), nullable=False),
        ("date_context", pa.string()),
        ("temporal_status", pa.string()),
        ("valid_from", pa.string()),
        ("valid_to", pa.string()),
        ("source_url", pa.string()),
        pa.field("source_sha256", pa.string(), nullable=False),
        pa.field("requires_manual_review", pa.bool_(), nullable=False),
        pa.field("retrieval_weight", pa.float64(), nullable=False),
        ("generator", pa.string()),
        pa.field("input_hash", pa.string(), nullable=False),
        ("entities", ENTITIES),
        ("cross_references", pa.list_(CROSS_REFERENCE)),
        ("metadata", CHUNK_METADATA),
    ]
)

#: One row per wording and interval (`model.versions.ProvisionVersion` documents the columns).
PROVISION_VERSIONS = pa.schema(
    [
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("eid", pa.string(), nullable=False),
        pa.field("provision_id", pa.string(), nullable=False),
        pa.field("prior_eids", _STRINGS, nullable=False),
        pa.field("text_hash", pa.string(), nullable=False),
        ("valid_from", pa.string()),
        ("valid_to", pa.string()),
        ("introduced_by", pa.string()),
        ("superseded_by", pa.string()),
    ]
)


def embeddings_schema(dimension: int | None) -> pa.Schema:
    """Return the schema of a table with one row per chunk.

    `vector` is (dimension,) float32 of unit length, of any dimension if `dimension` is None; tokens are those of the model.
    """
    return pa.schema(
        [
            pa.field("chunk_id", pa.string(), nullable=False),
            pa.field("document_id", pa.string(), nullable=False),
            pa.field("input_hash", pa.string(), nullable=False),
            pa.field("model", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), -1 if dimension is None else dimension), nullable=False),
            pa.field("embedded_tokens", pa.int64(), nullable=False),
            pa.field("total_tokens", pa.int64(), nullable=False),
        ]
    )


def table(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return the rows as a table of exactly `schema`; a metadata key that is not in the schema raises an error, so no data is lost."""
    listed = list(rows)
    known = frozenset(field.name for field in CHUNK_METADATA)
    for row in listed:
        unknown = row.get("metadata", {}).keys() - known
        if unknown:
            raise KeyError(
                f"metadata {sorted(unknown)} of {row.get('chunk_id')} is in no schema (model.tables.CHUNK_METADATA)"
            )
    return pa.Table.from_pylist(listed, schema=schema)
