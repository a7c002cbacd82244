"""A point as a row of a pgvector table: the columns and their content.

Not here: the tables (`sql/collection.sql`) and writing rows (`stores.pgvector`).
"""

from __future__ import annotations

import datetime
import unicodedata
import uuid
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from psycopg.types.json import Jsonb

from legal_pipeline.model.identity import point_id
from legal_pipeline.stores import bm25
from legal_pipeline.stores.store import DOCUMENT_ID, Payload, Point

#: Columns that are copied unchanged, with their types; the columns of vectors depend on the collection (`CollectionTable.columns`).
COLUMNS: Mapping[str, str] = {
    "id": "uuid", "source_type": "text", "source_document": "text", "source_section": "text", "chunk_text": "text",
    "chunk_index": "int4", "criterion_tag": "text", "legal_standard": "text", "is_winning_argument": "bool", "section_level": "int4",
    "document_id": "text", "chunk_id": "text", "parent_chunk_id": "text", "row_hash": "text", "strategy": "text", "chunk_type": "text",
    "path": "text", "eid": "text", "language": "text", "jurisdiction": "text", "valid_from": "date", "valid_to": "date",
    "date_decided": "date", "payload": "jsonb",
}  # fmt: skip

#: Columns only of the pending rows: the other columns are computed from them.
PENDING_COLUMNS: Mapping[str, str] = {"parent_section_id": "uuid", "words_text": "text", "words_configuration": "text"}

#: Payload fields that are copied unchanged to a column, null if absent: filters read the column.
TEXT_FIELDS: Mapping[str, str] = {
    name: name
    for name in (
        "document_id", "chunk_id", "jurisdiction", "language", "strategy", "chunk_type", "path", "eid", "criterion_tag", "legal_standard",
    )
}  # fmt: skip
DATE_FIELDS = frozenset({"valid_from", "valid_to", "date_decided"})
#: Dates of the Act of a provision; read from the payload, because few searches use them.
PAYLOAD_DATE_FIELDS = frozenset({"in_force", "repealed"})

_TEXT = "chunk_text"


def row(point: Point, vectors: Mapping[str, object]) -> tuple[Any, ...]:
    """Return the values of `COLUMNS`, then of `vectors` (column -> value for the driver), then of `PENDING_COLUMNS`."""
    payload = {**point.payload, DOCUMENT_ID: point.document_id}
    text = payload.get(_TEXT)
    if _TEXT in payload:
        payload[_TEXT] = None
    parent = payload.get("parent_chunk_id")
    values = {
        "id": uuid.UUID(point.id),
        "source_type": payload.get("doc_type") or "other",
        "source_document": PurePath(str(payload.get("source_file") or point.document_id)).name,
        "source_section": payload.get("source_section") or payload.get("section") or payload.get("path"),
        "chunk_text": point.text if text is None else text,
        "chunk_index": int(payload.get("chunk_index") or payload.get("seq") or 0),
        "is_winning_argument": payload.get("is_winning_argument") is True,
        "section_level": payload.get("section_level"),
        "parent_chunk_id": parent,
        "row_hash": point.row_hash,
        **{column: payload.get(field) for field, column in TEXT_FIELDS.items()},
        **{field: day(payload.get(field)) for field in DATE_FIELDS},
        "payload": Jsonb(payload),
        "parent_section_id": uuid.UUID(point_id(str(parent))) if parent else None,
        "words_text": unicodedata.normalize("NFC", point.text),
        "words_configuration": configuration(point.language),
    }
    return (*(values[name] for name in COLUMNS), *vectors.values(), *(values[name] for name in PENDING_COLUMNS))


def payload(stored: Mapping[str, Any], chunk_text: str) -> Payload:
    """Return the payload as the caller passed it."""
    return {**stored, _TEXT: chunk_text} if _TEXT in stored else stored


def configuration(language: str) -> str:
    """Return PostgreSQL's text search configuration for an ISO 639-3 code: with stemming if BM25 stems the language, else `simple`."""
    return f"pg_catalog.{bm25.stemmers().get(language, 'simple')}"


def day(value: object) -> datetime.date | None:
    """Return the day of an ISO 8601 date or time; None for any other value (a provision may apply from a condition in words)."""
    try:
        return datetime.datetime.fromisoformat(value).date() if isinstance(value, str) else None
    except ValueError:
        return None
