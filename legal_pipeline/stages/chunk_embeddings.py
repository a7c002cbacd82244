"""`chunk_embeddings`: one vector per chunk; a chunk whose input hash the previous table holds keeps its vector.

All new texts of a batch are embedded in one call. Not here: the model (`embedding`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from legal_pipeline.corpus import identity, tables
from legal_pipeline.stages import chunks
from legal_pipeline.stages.stage import AssetKey, Batch, Failed, Materialized, StageEvent, Stamp, failed

KEY: AssetKey = ("chunk_embeddings",)

_Row = dict[str, Any]


class ChunkEmbeddings:
    asset_keys = (KEY,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        model = batch.resources.embedder.name
        pending: dict[str, tuple[Stamp, list[_Row]]] = {}
        known: dict[str, _Row] = {}
        wanted: dict[str, str] = {}
        for document_id in list(batch.document_ids):
            try:
                above = batch.input_stamp(chunks.KEY, document_id)
                expected = identity.input_hash("chunk_embeddings", model, above.data_version)
                old = batch.table_stamp(KEY, document_id)
                if old is not None and old.input_hash == expected and not batch.options.force:
                    yield _materialized(document_id, above, old, embedded=0)
                    continue
                rows = [_row(document_id, model, chunk) for chunk in chunks.load(batch, document_id)]
                if old is not None and not batch.options.force:
                    known.update(_vectors(batch, document_id))
            except Exception as error:
                yield failed(KEY, document_id, error)
                continue
            pending[document_id] = (above, rows)
            wanted.update((row["input_hash"], row.pop("text")) for row in rows)
        fresh = {key: text for key, text in wanted.items() if key not in known}
        try:
            known.update(_embed(batch, fresh))
        except Exception as error:
            yield from (failed(KEY, document_id, error) for document_id in pending)
            return
        for document_id, (above, rows) in pending.items():
            yield self._write(batch, document_id, model, above, rows, known, fresh)

    def _write(
        self,
        batch: Batch,
        document_id: str,
        model: str,
        above: Stamp,
        rows: list[_Row],
        known: dict[str, _Row],
        fresh: dict[str, str],
    ) -> Materialized | Failed:
        try:
            table = pa.Table.from_pylist(
                [{**row, **known[row["input_hash"]]} for row in rows],
                tables.embeddings_schema(batch.resources.embedder.dimension),
            )
            stamp = Stamp(
                identity.input_hash("chunk_embeddings", model, above.data_version),
                identity.input_hash([(row["chunk_id"], row["input_hash"]) for row in rows]),
                {"vectors": len(rows), "model": model},
            )
            batch.write_table(KEY, document_id, table, stamp)
            return _materialized(
                document_id, above, stamp, embedded=len({row["input_hash"] for row in rows} & fresh.keys())
            )
        except Exception as error:
            return failed(KEY, document_id, error)


def input_hash(model: str, chunk: _Row) -> str:
    """Of all that a chunk's vector is computed from."""
    return identity.input_hash("embedding", model, chunks.embedding_text(chunk))


def _row(document_id: str, model: str, chunk: _Row) -> _Row:
    return {
        "chunk_id": chunk["chunk_id"],
        "document_id": document_id,
        "input_hash": input_hash(model, chunk),
        "model": model,
        "text": chunks.embedding_text(chunk),
    }


def _vectors(batch: Batch, document_id: str) -> dict[str, _Row]:
    """What the previous table of the document holds, by input hash."""
    table = batch.warehouse.read_table(KEY, document_id)
    vectors = np.asarray(table["vector"].combine_chunks().flatten()).reshape(len(table), -1)
    rest = table.select(["input_hash", "embedded_tokens", "total_tokens"]).to_pylist()
    return {
        row["input_hash"]: {
            "vector": vector,
            "embedded_tokens": row["embedded_tokens"],
            "total_tokens": row["total_tokens"],
        }
        for row, vector in zip(rest, vectors, strict=True)
    }


def _embed(batch: Batch, texts: dict[str, str]) -> dict[str, _Row]:
    if not texts:
        return {}
    embeddings = batch.resources.embedder.embed(list(texts.values()))
    return {
        key: {"vector": vector, "embedded_tokens": embedded, "total_tokens": total}
        for key, vector, embedded, total in zip(
            texts, embeddings.vectors, embeddings.embedded_tokens, embeddings.total_tokens, strict=True
        )
    }


def _materialized(document_id: str, above: Stamp, stamp: Stamp, *, embedded: int) -> Materialized:
    return Materialized(
        KEY,
        document_id,
        stamp.data_version,
        {"chunks": above.data_version},
        {**stamp.facts, "embedded": embedded},
        embedded == 0,
    )
