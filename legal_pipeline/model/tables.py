"""Arrow schemas of the tables in the warehouse: the contract with all readers of the tables.

Not here: their storage (`registry.warehouse`), and the tables in Postgres (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

_SPAN = pa.list_(pa.int64(), 2)
_STRINGS = pa.list_(pa.string())


def required(*names: str, type: pa.DataType | None = None) -> list[pa.Field]:
    """Return columns without nulls, of texts or of `type`."""
    return [pa.field(name, type or pa.string(), nullable=False) for name in names]


def optional(*names: str, type: pa.DataType | None = None) -> list[pa.Field]:
    """Return columns that may have nulls, of texts or of `type`."""
    return [pa.field(name, type or pa.string()) for name in names]


ENTITIES = pa.struct(
    optional("dates", "statute_refs", "case_refs", "courts", "people", "places", "parties", type=_STRINGS)
)
CROSS_REFERENCE = pa.struct([*optional("start", "end", type=pa.int64()), *optional("raw", "work_uri", "eid", "kind")])

#: The metadata of a chunk. A missing value is null, never guessed.
CHUNK_METADATA = pa.struct(
    [
        *optional(
            "title", "number", "work_uri", "canonical_citation", "section", "heading", "part", "chapter", "chapter_heading",
            "division", "schedule", "amended_by", "base_law", "department", "issued", "in_force", "repealed", "repealed_by",
            "replaced_by_section", "consolidated_through", "court", "court_level", "bench", "date_decided", "case_type", "citation",
            "neutral_citation", "case_number", "judgment_part", "issue", "opinion", "para_id", "legal_standard", "criterion_tag", "licence",
            "route_reason", "source_act", "parser",
            "parser_version", "fetched_at", "additional_context", "overlap_boundary", "near_duplicate_of",
            "plan_fallback",
        ),
        *optional(
            "judges", "parties", "parallel_citations", "paths", "terms", "eids", "paras", "pins", "work_uris",
            "provisions", "subdivisions", type=_STRINGS,
        ),
        *optional(
            "chunk_index", "raptor_level", "section_level", "bench_strength", "page_number", "total_pages", "overlap_tokens",
            type=pa.int64(),
        ),
        *optional("ocr_confidence", "quality_score", type=pa.float64()),
        *optional("is_winning_argument", "oversized", "suspected_truncation", "section_suspected_truncation", type=pa.bool_()),
        *optional("amendment_history", type=pa.list_(pa.struct(optional("by", "date", "action")))),
    ]
)  # fmt: skip

CHUNKS = pa.schema(
    [
        *required("chunk_id", "document_id"),
        *optional("source_file"),
        *required("strategy", "chunk_type", "path"),
        *optional("eid"),
        *required("seq", type=pa.int64()),
        *optional("parent_chunk_id"),
        *optional("level", type=pa.int64()),
        *optional("content_role"),
        *required("contextual_header", "chunk_text", "source_text_sha256"),
        *required("start_char", "end_char", type=pa.int64()),
        *required("spans", type=pa.list_(_SPAN)),
        *required("num_tokens", type=pa.int64()),
        *required("language", "jurisdiction", "doc_type"),
        *optional("date_context", "temporal_status", "valid_from", "valid_to", "source_url"),
        *required("source_sha256"),
        *required("requires_manual_review", type=pa.bool_()),
        *required("retrieval_weight", type=pa.float64()),
        *optional("generator"),
        *required("input_hash"),
        *optional("entities", type=ENTITIES),
        *optional("cross_references", type=pa.list_(CROSS_REFERENCE)),
        *optional("metadata", type=CHUNK_METADATA),
    ]
)

#: One row per wording and interval (`model.versions.ProvisionVersion` documents the columns).
PROVISION_VERSIONS = pa.schema(
    [
        *required("document_id", "eid", "provision_id"),
        *required("prior_eids", type=_STRINGS),
        *required("text_hash"),
        *optional("valid_from", "valid_to", "introduced_by", "superseded_by"),
    ]
)


def embeddings_schema(dimension: int | None, id_column: str = "chunk_id") -> pa.Schema:
    """Return the schema of a table with one row per chunk, or per other text that `id_column` names.

    `vector` is (dimension,) float32 of unit length, of any dimension if `dimension` is None; tokens are those of the model.
    """
    return pa.schema(
        [
            *required(id_column, "document_id", "input_hash", "model"),
            *required("vector", type=pa.list_(pa.float32(), -1 if dimension is None else dimension)),
            *required("embedded_tokens", "total_tokens", type=pa.int64()),
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
