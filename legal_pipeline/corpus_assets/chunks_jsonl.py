"""`chunks.jsonl`: the chunk tables of all documents as one file, in the schema `chunking/chunks.schema.json`.

Its lines are made and checked per group of documents; after a change of one document only the lines of its group are made again, and the
system copies the others from the file before (`registry.joined_files`). Not here: the schema and the form of a line (`chunking.export`),
and the definition of near duplicates (`chunking.near_duplicates`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from legal_pipeline.chunking import near_duplicates
from legal_pipeline.chunking.export import export_rows
from legal_pipeline.chunking.near_duplicates import Sketches
from legal_pipeline.model import identity
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.registry import joined_files
from legal_pipeline.registry.item_hints import withheld
from legal_pipeline.registry.parts import Parts, groups
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.sources.registry import WITHHELD
from legal_pipeline.stages import chunks

KEY: AssetKey = ("chunks_jsonl",)

#: Incremented when the same chunks give other lines or sketches.
VERSION = "1"


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


@dataclass(frozen=True)
class _Group:
    """Documents whose lines are stored together; `made_from` is the hash of their present chunk tables."""

    document_ids: tuple[str, ...]
    made_from: str


def export_path(home: Path) -> Path:
    """Return the path of the file that the asset `chunks_jsonl` writes."""
    return home / "export" / "chunks.jsonl"


def write_chunks_jsonl(registry: Registry, warehouse: Warehouse, target: Path) -> Exported:
    """Write one line per chunk of every document that is not removed and may be redistributed, ordered by document id and text position.

    `target` is either the old file or the complete new file. Raises `ChunkingError` if a row does not match the schema, and
    `ConfigurationError` if the folder is not writable.
    """
    files = warehouse.file_versions(chunks.KEY)
    due = [document.document_id for document in registry.documents() if document.document_id in files]
    kept_back = withheld(registry.database, WITHHELD)
    ids = [document_id for document_id in due if document_id not in kept_back]
    members = [
        _Group(group, identity.input_hash(KEY, VERSION, [[document_id, files[document_id]] for document_id in group]))
        for group in groups(ids)
    ]
    duplicates = _near_duplicates(warehouse, members)
    joined = joined_files.write(
        warehouse,
        KEY,
        target,
        {
            identity.input_hash(group.made_from, repeats): functools.partial(_lines, warehouse, group, repeats)
            for group, repeats in zip(members, duplicates, strict=True)
        },
    )
    Parts(warehouse, *KEY, "lines").sweep()  # earlier releases stored the lines here once more
    repeated = sum(map(len, duplicates))
    return Exported(len(ids), joined.lines, repeated, len(due) - len(ids), len(members), joined.made)


def _lines(warehouse: Warehouse, group: _Group, repeats: dict[str, str]) -> bytes:
    rows = export_rows(_rows(warehouse, group.document_ids), repeats)
    found = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in rows)
    return "".join(found).encode("utf-8")


def _near_duplicates(warehouse: Warehouse, members: Sequence[_Group]) -> list[dict[str, str]]:
    """Return for each group: its chunk ids that nearly repeat an earlier chunk of any group -> that chunk."""
    parts = Parts(warehouse, *KEY, "sketches")
    sketches = [_sketches(warehouse, parts, group) for group in members]
    found = near_duplicates.repeated(sketches)
    parts.sweep()
    return [{chunk_id: found[chunk_id] for chunk_id in sketch.chunk_ids if chunk_id in found} for sketch in sketches]


def _sketches(warehouse: Warehouse, parts: Parts, group: _Group) -> Sketches:
    def make() -> pa.Table:
        made = near_duplicates.sketch(_rows(warehouse, group.document_ids, ("chunk_id", "chunk_text", "generator")))
        shingles = [made.shingles(position) for position in range(len(made.chunk_ids))]
        bands = pa.array(made.bands.ravel(), pa.uint64())
        return pa.table(
            {
                "chunk_id": pa.array(made.chunk_ids, pa.string()),
                "bands": pa.FixedSizeListArray.from_arrays(bands, made.bands.shape[1]),
                "shingles": pa.array(shingles, pa.list_(pa.uint32())),
            }
        )

    table = parts.table(group.made_from, make, ("chunk_id", "bands"))
    read: list[pa.Array] = []

    def shingles(position: int) -> NDArray[np.uint32]:
        if not read:
            read.append(parts.table(group.made_from, make, ("shingles",))["shingles"].combine_chunks())
        found: NDArray[np.uint32] = read[0][position].values.to_numpy()
        return found

    bands = table["bands"].combine_chunks()
    return Sketches(
        table["chunk_id"].to_pylist(), bands.flatten().to_numpy().reshape(-1, bands.type.list_size), shingles
    )


def _rows(warehouse: Warehouse, ids: Sequence[str], columns: tuple[str, ...] | None = None) -> Iterator[dict[str, Any]]:
    for document_id in ids:
        if warehouse.exists(chunks.KEY, document_id):  # else they were damaged, and a run makes them again
            yield from warehouse.read_table(chunks.KEY, document_id, columns).to_pylist()
