"""`chunks.jsonl`: the chunk tables of all documents as one file in the schema of seed 002.

Not here: the schema and the shape of a line (`chunking.export`), and what counts as a near duplicate (`chunking.near_duplicates`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.chunking.export import export_rows
from legal_pipeline.chunking.near_duplicates import near_duplicates
from legal_pipeline.corpus.files import replacing
from legal_pipeline.corpus.item_hints import withheld
from legal_pipeline.corpus.registry import Registry
from legal_pipeline.corpus.warehouse import Warehouse
from legal_pipeline.sources.registry import WITHHELD
from legal_pipeline.stages.chunks import KEY


@dataclass(frozen=True)
class Exported:
    """What stands in the file; `withheld` documents do not, because their source forbids that they are handed on."""

    documents: int
    chunks: int
    near_duplicates: int
    withheld: int


def write_chunks_jsonl(registry: Registry, warehouse: Warehouse, target: Path) -> Exported:
    """Write one line per chunk of every document that is not removed and may be handed on, ordered by document id and place in the text.

    `target` holds the old file or the whole new one. Raises `ChunkingError` where a row does not fit the schema, and
    `ConfigurationError` where the folder cannot be written to.
    """
    due = [document.document_id for document in registry.documents() if warehouse.exists(KEY, document.document_id)]
    kept_back = withheld(registry.database, WITHHELD)
    ids = [document_id for document_id in due if document_id not in kept_back]
    duplicates = near_duplicates(_rows(warehouse, ids, ("chunk_id", "chunk_text", "generator")))
    chunks = 0
    with replacing(target) as file:
        for line in export_rows(_rows(warehouse, ids), duplicates):
            file.write((json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8"))
            chunks += 1
    return Exported(len(ids), chunks, len(duplicates), len(due) - len(ids))


def _rows(warehouse: Warehouse, ids: list[str], columns: tuple[str, ...] | None = None) -> Iterator[dict[str, Any]]:
    for document_id in ids:
        yield from warehouse.read_table(KEY, document_id, columns).to_pylist()
