"""All expressions of a document that were ever current: their canonical JSON by content hash, and their index.

Not here: assets made from them (`stages.provision_versions`, `stages.superseded_chunks`) and the current expression
(`stages.canonical_documents`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from legal_pipeline.model.document import Document
from legal_pipeline.processing.stage import AssetKey, Batch

KEY: AssetKey = ("expressions",)

SCHEMA = pa.schema(
    [
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("position", pa.int64(), nullable=False),
        pa.field("expression", pa.string(), nullable=False),
        ("as_of_date", pa.string()),
        ("consolidated_through", pa.string()),
        pa.field("first_seen", pa.string(), nullable=False),
        pa.field("source_items", pa.list_(pa.struct([("name", pa.string()), ("sha256", pa.string())])), nullable=False),
        pa.field("changes", pa.string(), nullable=False),
    ]
)


@dataclass(frozen=True)
class Expression:
    """One row of the index. `expression` is the content hash (the data version of the canonical document), and the name of its file.

    `first_seen` is the date on which it became current here; `changes` describes the differences from the expression before, for lawyers.
    """

    expression: str
    as_of_date: str | None
    consolidated_through: str | None
    first_seen: str
    source_items: tuple[tuple[str, str], ...]
    changes: str

    def to_row(self, document_id: str, position: int) -> dict[str, Any]:
        items = [{"name": name, "sha256": sha256} for name, sha256 in self.source_items]
        return {**asdict(self), "document_id": document_id, "position": position, "source_items": items}

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Expression:
        items = tuple((item["name"], item["sha256"]) for item in row["source_items"])
        return cls(
            **{name: row[name] for name in cls.__dataclass_fields__ if name != "source_items"}, source_items=items
        )


def folder(document_id: str) -> AssetKey:
    """Return the folder of the files of a document's expressions; each file is named by its content hash."""
    return (*KEY, document_id)


def index(batch: Batch, document_id: str) -> list[Expression]:
    """Return the expressions of a document in the order in which they were current; a text that became current again is listed twice."""
    if not batch.warehouse.exists(KEY, document_id):
        return []
    return [Expression.from_row(row) for row in batch.read_table(KEY, document_id).to_pylist()]


def record(
    batch: Batch, document: Document, version: str, text: str, items: Sequence[tuple[str, str]], changes: str
) -> None:
    """Store `text`, the canonical JSON with the content hash `version`, as the latest expression of its document.

    If the source is the same and only its parsing changed (a later parser version), it replaces the last expression: the law did not
    change.
    """
    known = index(batch, document.document_id)
    through = document.metadata.get("consolidated_through")
    latest = Expression(
        expression=version,
        as_of_date=document.as_of_date,
        consolidated_through=str(through) if through else None,
        first_seen=datetime.now(UTC).date().isoformat(),
        source_items=tuple(items),
        changes=changes,
    )
    if known and known[-1].expression == version:
        return
    if known and known[-1].source_items == latest.source_items:
        latest = replace(latest, first_seen=known[-1].first_seen, changes=known[-1].changes)
        known.pop()
    # the text before the index that names it: a killed run may leave a file that is not in the index, never an index without its file
    batch.warehouse.write_json(folder(document.document_id), version, text)
    write_index(batch, document.document_id, [*known, latest])


def write_index(batch: Batch, document_id: str, known: Sequence[Expression]) -> None:
    """Write the index. `known` are all expressions of the document; their files must exist."""
    rows = [expression.to_row(document_id, position) for position, expression in enumerate(known)]
    batch.warehouse.write_table(KEY, document_id, pa.Table.from_pylist(rows, schema=SCHEMA))


def load(batch: Batch, document_id: str, version: str) -> Document:
    """Return an expression. Raises `DocumentError` if it is not stored or was written with another version of the document model."""
    return Document.from_json(json.loads(batch.warehouse.read_json(folder(document_id), version)))
