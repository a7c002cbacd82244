"""See the package. One line of the record is one text: hashes of what was read and cut from it, short enough to read a difference."""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import tomllib
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.annotate import annotate, read_annotations
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.enrichment import forms
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.enrichment import located_passages
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.search import search
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.chunks import EmbedderAsEncoder, cut_batch, embedding_text, options_for
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import DENSE
from legal_pipeline_tests.real_documents import swedish_bulk

_HERE = Path(__file__).parent
_RECORD = _HERE / "record.json"
_GOLD = _HERE.parent / "retrieval" / "citation_gold.toml"

#: Of the folder `eval` nothing: its texts are rows of data sets.
_FOLDERS = ("histories", "in", "se", "tagged", "us", "world", "zw")
_COLLECTION = "legal_chunks"
_HITS = 10

#: Scores differ in the last digits from run to run, the order of the hits does not; provenance is of a registry, which is not there.
_LEFT_OUT = frozenset({"score", "score_parts", "provenance"})

Record = dict[str, dict[str, Any]]


class TextEncoder:
    """A vector per text that depends on the text alone: where a semantic chunker cuts stays the same, and nothing is embedded."""

    name = "golden"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=16) for text in texts]
        return np.array([one / np.linalg.norm(one) for one in made], dtype=np.float32).reshape(len(texts), 16)


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def read_file(corpus: Path, path: Path) -> tuple[str, dict[str, Any]]:
    key = str(path.relative_to(corpus))
    try:
        document = parse(SourceFile(path.name, path.read_bytes()))
    except LegalPipelineError as error:
        return key, {"error": type(error).__name__, "message": str(error)[:160]}
    return key, read_document(document)


def read_document(document: Document) -> dict[str, Any]:
    nodes = list(document.walk())
    annotations = read_annotations(document)
    said: dict[str, Any] = {
        "id": document.document_id,
        "format": document.format,
        "text": digest(document.text),
        "nodes": digest([node.to_json() for node in document.nodes]),
        "eids": digest([node.eid for node in nodes]),
        "document": digest(document.metadata | {"title": document.title, "work": document.work_uri}),
        "warnings": digest([str(one) for one in document.warnings]),
        "references": digest([one.row(document.document_id) for one in annotations.references]),
    }
    (cut,) = cut_batch([document], [options_for(document, None)], lambda _: TextEncoder())
    if isinstance(cut, Exception):
        return said | {"uncut": f"{type(cut).__name__}: {cut}"[:160]}
    annotate(cut.chunks, annotations)
    rows = [json.loads(chunk.dumps()) for chunk in cut.chunks]
    about = [row for row in rows if row.get("parent_chunk_id") is None]
    title = document_header(document)
    prefixes = [forms.prefix(passage, title, document.language) for _, passage in located_passages(document, about)]
    return said | {
        "chunks": len(rows),
        "ids": digest([row["chunk_id"] for row in rows]),
        "paths": digest([row["path"] for row in rows]),
        "rows": digest(rows),
        "prefixes": digest(prefixes),
    }


def read_bulk(corpus: Path) -> tuple[str, dict[str, Any]]:
    found = {key: read_document(document) for key, document in swedish_bulk(corpus)}
    return "se/bulk", {"documents": len(found), "all": digest(found)}


def read_corpus(corpus: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    paths = [path for folder in _FOLDERS for path in sorted((corpus / folder).rglob("*")) if path.is_file()]
    with ProcessPoolExecutor() as pool:
        bulk = pool.submit(read_bulk, corpus)
        yield from pool.map(read_file, [corpus] * len(paths), paths)
        yield bulk.result()


def hits(corpus: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The first hits of a hundred queries, citations and questions, in the files of the gold set; vectors are of headers."""
    gold = tomllib.loads(_GOLD.read_text("utf-8"))
    cited = [query for name, queries in gold.items() if name != "files" for query in queries]
    asked = [*cited, *tomllib.loads((_HERE / "queries.toml").read_text("utf-8"))["questions"]]
    embedder = open_embedder()
    sources = [DirectorySource(corpus / name) for name in gold["files"]]
    documents = [parse(source.fetch(source.list().items[0])) for source in sources]
    rows = []
    for cut in cut_batch(
        documents, [options_for(one, None) for one in documents], lambda _: EmbedderAsEncoder(embedder)
    ):
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
        for query in asked:
            found = search(query, store=store, embedder=lambda: embedder, limit=_HITS)
            shown = [{name: said for name, said in asdict(hit).items() if name not in _LEFT_OUT} for hit in found]
            first = [f"{hit.document_id} {hit.path}" for hit in found[:2]]
            yield (
                f"query: {query}",
                {"first": first, "ids": digest([hit.chunk_id for hit in found]), "hits": digest(shown)},
            )
        store.close()


def differences(old: Record, new: Record) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        before, now = old.get(key, {}), new.get(key, {})
        changed = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
        if changed:
            yield f"{key}: " + ", ".join(f"{name} {before.get(name)} -> {now.get(name)}" for name in changed)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--write", action="store_true", help="record anew instead of comparing")
    chosen = options.parse_args()
    new: Record = dict(read_corpus(chosen.corpus)) | dict(hits(chosen.corpus))
    if chosen.write:
        lines = (f"{json.dumps(key)}: {json.dumps(new[key], ensure_ascii=False)}" for key in sorted(new))
        _RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        print(f"{len(new)} entries recorded")
        return
    found = list(differences(json.loads(_RECORD.read_text("utf-8")), new))
    print("\n".join([*found, f"{len(found)} of {len(new)} entries differ"]))
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
