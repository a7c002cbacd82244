"""Rows of the chunk table for `chunks.jsonl`, each checked against `chunks.schema.json`.

Document types are reduced to four; `metadata` also holds the field names that readers of the file know. Not here: where the rows come
from and the file that they are written to (`corpus_assets.chunks_jsonl`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import ChunkingError
from legal_pipeline.system.data_files import data_file

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

#: Types that the schema does not have; a type that is not listed is exported unchanged or as `other`.
FOLDED = {
    "act": "act", "regulation": "act", "agency_regulation": "act", "amendment": "act", "constitution": "constitution",
    "judgment": "judgment", "precedent_case": "judgment", "appeal_decision": "judgment",
}  # fmt: skip

#: Kinds of entities that every line has, even if empty.
ENTITY_KINDS = ("people", "courts", "places", "statute_refs", "dates", "case_refs")

#: Columns that readers of the file need and that the schema has no field for.
_COLUMNS = (
    "chunk_type", "content_role", "eid", "jurisdiction", "valid_from", "valid_to", "temporal_status", "parent_chunk_id",
    "requires_manual_review", "retrieval_weight", "generator", "source_file", "source_sha256",
)  # fmt: skip
_ISO_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def export_rows(
    chunk_rows: Iterable[Mapping[str, Any]], duplicates: Mapping[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the object of a line for each row of the chunk table, in order.

    `duplicates` maps chunk ids to the id of the earlier chunk that they repeat (`chunking.near_duplicates`). Raises `ChunkingError`
    with chunk and field where a row does not match the schema.
    """
    validator = _validator()
    for row in chunk_rows:
        line = _line(row)
        earlier = (duplicates or {}).get(line["chunk_id"])
        if earlier is not None:
            line["metadata"]["near_duplicate_of"] = earlier
        error = next(iter(sorted(validator.iter_errors(line), key=lambda error: error.json_path)), None)
        if error is not None:
            raise ChunkingError(
                f"chunk {line['chunk_id']} does not fit the schema of chunks.jsonl: {error.message[:200]}",
                document=str(line["doc_id"]),
                position=error.json_path,
            )
        yield line


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    return data_file(__package__, "chunks.schema.json")


@functools.cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator

    validator: Validator = Draft202012Validator(schema())
    return validator


def _line(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in (row.get("metadata") or {}).items() if value is not None}
    entities = row.get("entities") or {}
    doc_type = FOLDED.get(row["doc_type"], "other")
    section = found.get("section")
    date = row.get("date_context")
    metadata = {
        **found,
        "title": found.get("title") or row["document_id"],
        "court": found.get("court"),
        "canonical_citation": found.get("canonical_citation")
        or found.get("neutral_citation")
        or found.get("citation")
        or found.get("number"),
        "section": section,
        "chunk_index": found.get("chunk_index", row["seq"]),
        "additional_context": found.get("additional_context") or row["contextual_header"] or None,
        "neutral_citation": found.get("neutral_citation"),
        "date_decided": found.get("date_decided"),
        "chunk_strategy": row["strategy"],
        "raptor_level": row.get("level"),
        "source_act": found.get("title") if doc_type in ("act", "constitution") else None,
        "source_section": section or row["path"],
        "source_type": row["doc_type"],
        **{name: row[name] for name in _COLUMNS if row.get(name) is not None},
    }
    if len(row["spans"]) > 1:
        metadata["spans"] = [list(span) for span in row["spans"]]
    return {
        "chunk_id": row["chunk_id"],
        "doc_id": row["document_id"],
        "chunk_text": row["chunk_text"],
        "section_path": row["path"],
        "start_char": row["start_char"],
        "end_char": row["end_char"],
        "num_tokens": row["num_tokens"],
        "language": row["language"],
        "doc_type": doc_type,
        "date_context": date if date and _ISO_DATE.fullmatch(date) else None,
        "entities": {
            **{kind: list(entities.get(kind) or ()) for kind in ENTITY_KINDS},
            **({"parties": list(entities["parties"])} if entities.get("parties") else {}),
        },
        "source_url": row.get("source_url"),
        "metadata": metadata,
    }
