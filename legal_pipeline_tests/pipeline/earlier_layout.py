"""Writes a warehouse as releases before the bundles did: a file per asset and document, and chunks and texts several times.

Not here: moving it to bundles (`registry.warehouse_migration`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from legal_pipeline.registry.bundles import Member, load
from legal_pipeline.registry.warehouse import Warehouse


def write_earlier_layout(warehouse: Warehouse, root: Path) -> None:
    """Write all documents of `warehouse` below `root`."""
    for path in warehouse.files():
        document_id = Path(path).name.removesuffix(".zip")
        members = load(Path(warehouse.root, path).read_bytes())
        for name, member in members.items():
            folder, _, kind = name.rpartition(".")
            if folder.startswith("expressions/"):
                continue
            if kind == "arrows":
                _write_table(
                    root / folder.replace("expression_index", "expressions") / document_id, _table(member), member.stamp
                )
            elif folder == "canonical_documents":
                stamp: list[Any] = json.loads(member.stamp or "")
                _write_text(root / folder / document_id, member, stamp)
                _write_text(root / "expressions" / document_id / stamp[1], member, stamp)
            else:
                _write(root / folder / f"{document_id}.json", member.content())
        if path.startswith("chunks/"):
            stamps = {"canonical_documents.json": warehouse.read_stamp(("canonical_documents",), document_id, "json")}
            (version,) = (json.loads(stamp or "")[1] for stamp in stamps.values())
            _write_chunks(root, document_id, version, members["chunks.arrows"], members["context_prefixes.arrows"])
            chunks = _table(members["chunks.arrows"])
            for strategy in set(chunks["strategy"].to_pylist()):
                own = chunks.filter(pc.equal(chunks["strategy"], strategy))
                _write_table(root / "chunks" / strategy / document_id, own, members["chunks.arrows"].stamp)
        if path.startswith("expressions/"):
            for version in {name.split("/")[1].removesuffix(".json") for name in members}:
                text = members[f"expressions/{version}.json"]
                _write_text(root / "expressions" / document_id / version, text, ["of then", version, {}])
                tables = [members[f"expressions/{version}/{asset}.arrows"] for asset in ("chunks", "context_prefixes")]
                _write_chunks(root, document_id, version, *tables)


def _write_chunks(root: Path, document_id: str, version: str, chunks: Member, prefixes: Member) -> None:
    table, by_id = _table(chunks), _table(prefixes).select(["chunk_id", "prefix"]).to_pylist()
    known = {row["chunk_id"]: row["prefix"] for row in by_id}
    column = pa.array([known.get(chunk_id) for chunk_id in table["chunk_id"].to_pylist()], pa.string())
    stamp = json.dumps([json.loads(chunks.stamp or "")[0], "of chunks and prefixes", {}])
    _write_table(root / "expressions" / document_id / version, table.append_column("context_prefix", column), stamp)


def _write_text(path: Path, member: Member, stamp: list[Any]) -> None:
    data = json.loads(member.content())
    head = {"stamp": stamp, **{name: data.pop(name) for name in ("format", "parser_version", "model_version")}}
    text = json.dumps({**head, **data}, ensure_ascii=False, separators=(",", ":"))
    _write(path.with_name(f"{path.name}.json"), text.encode())


def _write_table(path: Path, table: pa.Table, stamp: str | None) -> None:
    metadata = {**(table.schema.metadata or {}), **({b"legal_pipeline": stamp.encode()} if stamp is not None else {})}
    buffer = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), buffer)
    _write(path.with_name(f"{path.name}.parquet"), buffer.getvalue().to_pybytes())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _table(member: Member) -> pa.Table:
    return pa.ipc.open_stream(member.content()).read_all()
