"""`chunks/<strategy>` and `chunks`: each strategy's chunks of a document, and their union in text order.

A strategy that has nothing for a document is reported with `chunks: 0` and has no file. Not here: how documents are cut (`chunking`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.chunking import cited_places
from legal_pipeline.chunking.annotate import annotate
from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument, embedded_text
from legal_pipeline.chunking.cut import MakeEncoder, chunk_batch
from legal_pipeline.chunking.metrics import measure
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import ROUTER_VERSION, RouterOptions
from legal_pipeline.corpus import identity, tables
from legal_pipeline.corpus.document import Document
from legal_pipeline.embedding.encoder import EmbedderAsEncoder as EmbedderAsEncoder
from legal_pipeline.stages import canonical_documents, cross_references
from legal_pipeline.stages.stage import AssetKey, Batch, Materialized, Resources, StageEvent, Stamp, failed

KEY: AssetKey = ("chunks",)

#: The fact that holds the tokens of every chunk, for the histogram that the UI shows.
SIZES = "chunk_sizes"
STRATEGY_KEYS: dict[str, AssetKey] = {name: ("chunks", name) for name in STRATEGIES}

#: Amending acts are read at query time and never chunked (seed 000, "law-first").
NEVER_CHUNKED = frozenset({"amendment"})


class Chunks:
    """One cut per document gives all of its assets, so that they cannot disagree; texts to encode go through one call per batch."""

    asset_keys = (*STRATEGY_KEYS.values(), KEY)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        due: list[tuple[Document, RouterOptions, str, dict[str, str]]] = []
        for document_id in list(batch.document_ids):
            try:
                canonical = canonical_documents.stamp_of(batch, document_id)
                inputs = {"canonical_documents": canonical.data_version}
                strategy = batch.options.strategy or batch.resources.settings.forced_strategy
                expected = expected_hash(batch, canonical.data_version)
                old = batch.table_stamp(KEY, document_id)
                if old is not None and old.input_hash == expected and not batch.options.force:
                    yield from self._materialized(document_id, inputs, old, True)
                    continue
                document = canonical_documents.load(batch, document_id)
                due.append((document, options_for(document, strategy), expected, inputs))
            except Exception as error:
                yield failed(KEY, document_id, error)
        results = cut_batch([item[0] for item in due], [item[1] for item in due], lambda: encoder_of(batch.resources))
        for (document, _, expected, inputs), result in zip(due, results, strict=True):
            try:
                if isinstance(result, Exception):
                    raise result
                annotate(result.chunks, cross_references.annotations_of(batch, document.document_id))
                stamp = _write(batch, document, expected, result)
            except Exception as error:
                yield failed(KEY, document.document_id, error)
            else:
                yield from self._materialized(document.document_id, inputs, stamp, False)

    def _materialized(
        self, document_id: str, inputs: dict[str, str], stamp: Stamp, reused: bool
    ) -> Iterator[Materialized]:
        for key in self.asset_keys:
            facts = {name: value for name, value in stamp.facts.items() if name != "exclusions"}
            if key != KEY:
                facts = {"chunks": facts["by_strategy"].get(key[-1], 0)}
            yield Materialized(key, document_id, stamp.data_version, inputs, facts, reused)


def expected_hash(batch: Batch, canonical_version: str) -> str:
    """Of all that the chunks of a canonical document are made from."""
    strategy = batch.options.strategy or batch.resources.settings.forced_strategy
    versions = [_versions(batch), ROUTER_VERSION, cross_references.VERSION, cited_places.VERSION]
    return identity.input_hash("chunks", canonical_version, strategy, versions)


def encoder_of(resources: Resources) -> EmbedderAsEncoder:
    return EmbedderAsEncoder(resources.embedder)


def options_for(document: Document, strategy: str | None) -> RouterOptions:
    """The run's strategy, else the one that the document's sidecar asks for."""
    return RouterOptions(strategy or document.metadata.get("forced_strategy"))


def cut_batch(
    documents: Sequence[Document], options: Sequence[RouterOptions], encoder: MakeEncoder
) -> list[ChunkedDocument | Exception]:
    """The chunks of each document or its error; none, and no complaint, for an amending act."""
    cut = [number for number, document in enumerate(documents) if document.doc_type not in NEVER_CHUNKED]
    results = chunk_batch([documents[number] for number in cut], [options[number] for number in cut], encoder)
    by_number = dict(zip(cut, results, strict=True))
    nothing = ChunkedDocument((), (), (("none", "amending acts are not chunked"),), 1.0)
    return [by_number.get(number, nothing) for number in range(len(documents))]


def _write(batch: Batch, document: Document, expected: str, chunked: ChunkedDocument) -> Stamp:
    document_id = document.document_id
    stamp = _stamp(expected, chunked, document)
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
    return stamp


def load(batch: Batch, document_id: str) -> list[dict[str, Any]]:
    """The chunk rows of a document in text order."""
    rows: list[dict[str, Any]] = batch.warehouse.read_table(KEY, document_id).to_pylist()
    return rows


def embedding_text(row: dict[str, Any], prefix: str | None) -> str:
    """What is embedded for a chunk row."""
    return embedded_text(row["contextual_header"], prefix, row["chunk_text"])


def _versions(batch: Batch) -> dict[str, str]:
    """The version of every strategy; those that cut by meaning depend on the model too."""
    model = batch.resources.embedder.name
    return {
        name: f"{strategy.version}/{model}" if strategy.pieces else strategy.version
        for name, strategy in STRATEGIES.items()
    }


def _stamp(expected: str, chunked: ChunkedDocument, document: Document) -> Stamp:
    excluded: Counter[str] = Counter()
    for item in chunked.exclusions:
        excluded[item.reason] += item.end - item.start
    metrics = measure(document.document_id, [chunk.to_row() for chunk in chunked.chunks], document).to_json()
    del metrics["document_id"]
    facts = {
        **metrics,
        "route": [list(pair) for pair in chunked.route],
        "coverage": chunked.coverage,
        "excluded_characters": dict(excluded),
        "exclusions": [[item.start, item.end, item.reason] for item in chunked.exclusions],
        "oversized": sum(bool(chunk.metadata.get("oversized")) for chunk in chunked.chunks),
        SIZES: [chunk.num_tokens for chunk in chunked.chunks],
    }
    return Stamp(expected, identity.input_hash([_version_of(chunk) for chunk in chunked.chunks]), facts)


def _version_of(chunk: Chunk) -> dict[str, Any]:
    """Every column but those that say when and from where the text was fetched."""
    kept = {name: value for name, value in chunk.to_row().items() if name not in canonical_documents.PROVENANCE}
    kept["metadata"] = {
        name: value for name, value in chunk.metadata.items() if name not in canonical_documents.PROVENANCE
    }
    return kept
