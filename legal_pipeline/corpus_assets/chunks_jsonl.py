"""`chunks.jsonl`: the chunk tables of all documents as one file, in the schema `chunking/chunks.schema.json`.

Its lines are made and checked per group of documents; after a change of one document only the lines of its group are made again, and the
system copies the others from the file before (`registry.joined_files`). Not here: the schema and the form of a line (`chunking.export`),
and near duplicates (`corpus_assets.chunk_repeats`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.chunking.export import export_rows
from legal_pipeline.corpus_assets import chunk_repeats
from legal_pipeline.model import identity
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.registry import joined_files
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import withheld
from legal_pipeline.registry.listing import document_ids
from legal_pipeline.registry.parts import delete_parts, groups
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.sources.registry import WITHHELD
from legal_pipeline.stages import chunks

KEY: AssetKey = ("chunks_jsonl",)

#: Incremented when the same chunks give other lines or sketches.
VERSION = "2"


@dataclass(frozen=True)
class Exported:
    """The content of the file; `withheld` documents are left out, because their source does not permit redistribution.

    The file is made of `groups` groups of documents; the lines of `groups_made` groups were made again, those of the others were copied.
    """

    documents: int
    chunks: int
    near_duplicates: int
    withheld: int
    groups: int
    groups_made: int


def export_path(home: Path) -> Path:
    """Return the path of the file that the asset `chunks_jsonl` writes."""
    return home / "export" / "chunks.jsonl"


def write_chunks_jsonl(registry: Registry, warehouse: Warehouse, target: Path) -> Exported:
    """Write one line per chunk of every document that is not removed and may be redistributed, ordered by document id and text position.

    `target` is either the old file or the complete new file. Raises `ChunkingError` if a row does not match the schema, and
    `ConfigurationError` if the folder is not writable.
    """
    files = warehouse.file_versions(chunks.KEY)
    database = registry.database
    due = [document_id for document_id in document_ids(database) if document_id in files]
    kept_back = withheld(database, WITHHELD)
    ids = [document_id for document_id in due if document_id not in kept_back]
    compared = ("chunk_id", "chunk_text", "generator")
    chunk_repeats.refresh(
        database,
        {document_id: identity.input_hash(KEY, VERSION, files[document_id]) for document_id in ids},
        lambda document_id: _rows(warehouse, [document_id], compared),
    )
    repeats = chunk_repeats.states(database)
    members = {
        identity.input_hash(KEY, VERSION, [(name, files[name], repeats.get(name)) for name in group]): group
        for group in groups(ids)
    }
    joined = joined_files.write(
        warehouse,
        KEY,
        target,
        {name: functools.partial(_lines, database, warehouse, group) for name, group in members.items()},
    )
    for former in ("lines", "sketches"):  # of earlier releases
        delete_parts(warehouse, *KEY, former)
    repeated = sum(number for number, _ in repeats.values())
    return Exported(len(ids), joined.lines, repeated, len(due) - len(ids), len(members), joined.made)


def _lines(database: Database, warehouse: Warehouse, group: Sequence[str]) -> bytes:
    rows = export_rows(_rows(warehouse, group), chunk_repeats.repeats(database, group))
    found = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in rows)
    return "".join(found).encode("utf-8")


def _rows(warehouse: Warehouse, ids: Sequence[str], columns: tuple[str, ...] | None = None) -> Iterator[dict[str, Any]]:
    for document_id in ids:
        if warehouse.exists(chunks.KEY, document_id):  # else they were damaged, and a run makes them again
            yield from warehouse.read_table(chunks.KEY, document_id, columns).to_pylist()
