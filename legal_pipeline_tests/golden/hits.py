"""The first hits of a hundred queries by the model's vectors, over the files of the citation gold. Not here: hits without a model."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.chunks import cut_batch, embedding_text
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import DENSE
from legal_pipeline_tests.golden.documents import Entry, digest, without

_HERE = Path(__file__).parent
_GOLD = _HERE.parent / "retrieval" / "citation_gold.toml"
_COLLECTION = "legal_chunks"
_HITS = 10

#: Scores differ in the last digits from run to run, the order of the hits does not; provenance is of a registry, which is not there.
_LEFT_OUT = frozenset({"score", "score_parts", "provenance"})


def cited_queries() -> list[str]:
    gold = tomllib.loads(_GOLD.read_text("utf-8"))
    return [query for name, queries in gold.items() if name != "files" for query in queries]


def questions() -> list[str]:
    found: list[str] = tomllib.loads((_HERE / "queries.toml").read_text("utf-8"))["questions"]
    return found


def shown(hits: list[Hit], left_out: frozenset[str] = frozenset()) -> Entry:
    """What the hits are, without scores and the fields `left_out`."""
    said = [{name: value for name, value in asdict(hit).items() if name not in _LEFT_OUT} for hit in hits]
    first = [f"{hit.document_id} {hit.path}" for hit in hits[:2]]
    return {"first": first, "ids": digest([hit.chunk_id for hit in hits]), "hits": digest(without(left_out, said))}


def first_hits(corpus: Path) -> Iterator[tuple[str, Entry]]:
    embedder = open_embedder()
    sources = [DirectorySource(corpus / name) for name in tomllib.loads(_GOLD.read_text("utf-8"))["files"]]
    documents = [parse(source.fetch(source.list().items[0])) for source in sources]
    rows = []
    for cut in cut_batch(documents, None, lambda _: EmbedderAsEncoder(embedder)):
        assert not isinstance(cut, Exception)
        rows += [{**chunk.to_row(), "context_prefix": None} for chunk in cut.chunks]
    vectors = embedder.embed_passages([row["contextual_header"] or row["path"] for row in rows]).vectors
    with tempfile.TemporaryDirectory() as folder:
        store = QdrantEdgeStore(Path(folder))
        store.ensure_collection(_COLLECTION, embedder.dimension)
        pairs = zip(rows, vectors, strict=True)
        store.upsert(
            _COLLECTION,
            [point(row, embedding_text(row, None), StoredVector(vector, DENSE, "")) for row, vector in pairs],
        )
        for query in [*cited_queries(), *questions()]:
            yield f"query: {query}", shown(search(query, View(store, lambda: embedder), limit=_HITS))
        store.close()
