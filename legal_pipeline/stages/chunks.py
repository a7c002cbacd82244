"""`chunks/<strategy>` and `chunks`: each strategy's chunks of a document, and their union in text order.

A strategy that has nothing for a document is reported with `chunks: 0` and has no file. Not here: how documents are cut (`chunking`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from legal_pipeline.chunking import router
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.corpus import identity, tables
from legal_pipeline.corpus.document import Document
from legal_pipeline.stages import canonical_documents
from legal_pipeline.stages.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document

KEY: AssetKey = ("chunks",)
STRATEGY_KEYS: dict[str, AssetKey] = {name: ("chunks", name) for name in STRATEGIES}

#: Amending acts are read at query time and never chunked (seed 000, "law-first").
NEVER_CHUNKED = frozenset({"amendment"})


class Chunks:
    """One cut per document gives all of its assets, so that they cannot disagree."""

    asset_keys = (*STRATEGY_KEYS.values(), KEY)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        def work(document_id: str) -> list[Materialized]:
            canonical = canonical_documents.stamp_of(batch, document_id)
            inputs = {"canonical_documents": canonical.data_version}
            strategy = batch.options.strategy or batch.resources.settings.forced_strategy
            expected = identity.input_hash("chunks", canonical.data_version, strategy, _versions())
            old = batch.table_stamp(KEY, document_id)
            if old is not None and old.input_hash == expected and not batch.options.force:
                return [_materialized(key, document_id, inputs, old, True) for key in self.asset_keys]
            document = canonical_documents.load(batch, document_id)
            chunked = cut(document, strategy)
            stamp = _stamp(expected, chunked)
            for name, key in STRATEGY_KEYS.items():
                rows = [chunk.to_row() for chunk in chunked.chunks if chunk.strategy == name]
                if rows:
                    batch.write_table(key, document_id, tables.table(rows, tables.CHUNKS), stamp)
                else:
                    batch.warehouse.delete(key, document_id)
            rows = [chunk.to_row() for chunk in chunked.chunks]
            # last: its stamp says that the others are there
            batch.write_table(KEY, document_id, tables.table(rows, tables.CHUNKS), stamp)
            batch.resources.registry.describe(document_id, total_chunks=len(chunked.chunks))
            return [_materialized(key, document_id, inputs, stamp, False) for key in self.asset_keys]

        yield from per_document(batch, KEY, work)


def cut(document: Document, strategy: str | None) -> ChunkedDocument:
    """The chunks of a document; none, and no complaint, for an amending act."""
    if document.doc_type in NEVER_CHUNKED:
        return ChunkedDocument((), (), (("none", "amending acts are not chunked"),), 1.0)
    return router.chunk(document, RouterOptions(strategy or document.metadata.get("forced_strategy")))


def load(batch: Batch, document_id: str) -> list[dict[str, Any]]:
    """The chunk rows of a document in text order."""
    rows: list[dict[str, Any]] = batch.warehouse.read_table(KEY, document_id).to_pylist()
    return rows


def embedding_text(row: dict[str, Any]) -> str:
    """What is embedded for a chunk row: header, blank line, text (seed 000)."""
    header = row["contextual_header"]
    return f"{header}\n\n{row['chunk_text']}" if header else str(row["chunk_text"])


def _versions() -> dict[str, str]:
    return {name: strategy.version for name, strategy in STRATEGIES.items()}


def _stamp(expected: str, chunked: ChunkedDocument) -> Stamp:
    excluded: Counter[str] = Counter()
    for item in chunked.exclusions:
        excluded[item.reason] += item.end - item.start
    tokens = sorted(chunk.num_tokens for chunk in chunked.chunks)
    facts = {
        "chunks": len(tokens),
        "by_strategy": dict(Counter(chunk.strategy for chunk in chunked.chunks)),
        "by_type": dict(Counter(chunk.chunk_type for chunk in chunked.chunks)),
        "route": [list(pair) for pair in chunked.route],
        "coverage": chunked.coverage,
        "excluded_characters": dict(excluded),
        "exclusions": [[item.start, item.end, item.reason] for item in chunked.exclusions],
        "tokens": sum(tokens),
        "tokens_median": tokens[len(tokens) // 2] if tokens else 0,
        "tokens_max": tokens[-1] if tokens else 0,
        "oversized": sum(bool(chunk.metadata.get("oversized")) for chunk in chunked.chunks),
    }
    return Stamp(expected, identity.input_hash([_version_of(chunk) for chunk in chunked.chunks]), facts)


def _version_of(chunk: Chunk) -> list[Any]:
    return [
        chunk.chunk_id,
        chunk.input_hash,
        chunk.start_char,
        chunk.end_char,
        chunk.valid_from,
        chunk.valid_to,
        chunk.metadata,
    ]


def _materialized(key: AssetKey, document_id: str, inputs: dict[str, str], stamp: Stamp, reused: bool) -> Materialized:
    facts = {name: value for name, value in stamp.facts.items() if name != "exclusions"}
    if key != KEY:
        facts = {"chunks": facts["by_strategy"].get(key[-1], 0)}
    return Materialized(key, document_id, stamp.data_version, inputs, facts, reused)
