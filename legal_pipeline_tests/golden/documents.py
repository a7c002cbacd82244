"""Hashes of what is read and cut from a text, short enough to read a difference. Not here: the record, and what an index makes of texts."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.akn.writer import export_akn
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.annotate import annotate, read_annotations
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.enrichment import forms
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.enrichment import located_passages
from legal_pipeline.stages.chunks import cut_batch
from legal_pipeline_tests.prints.comparison import FILES
from legal_pipeline_tests.real_documents import swedish_bulk

#: Of the folder `eval` nothing: its texts are rows of data sets.
_FOLDERS = ("histories", "in", "se", "tagged", "us", "world", "zw")

#: Files up to this size, in bytes, are half of them, and take a twentieth of the time of all.
SHORT = 30_000

#: A text of this length, in characters, is cut by every strategy: most are the strategy of few documents or of none.
_CUT_BY_ALL = range(2_000, 20_000)

#: Hashes of an entry of the record by name, or the text itself where it is short.
Entry = dict[str, Any]


class TextEncoder:
    """A vector per text that depends on the text alone: where a semantic chunker cuts stays the same, and nothing is embedded."""

    name = "golden"

    def __init__(self, dimension: int = 16) -> None:
        self._dimension = dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=self._dimension) for text in texts]
        vectors = [vector / np.linalg.norm(vector) for vector in made]
        return np.array(vectors, dtype=np.float32).reshape(len(texts), self._dimension)


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def without(names: frozenset[str], value: Any) -> Any:
    """`value` without the fields `names`, at any depth."""
    if isinstance(value, Mapping):
        return {name: without(names, item) for name, item in value.items() if name not in names}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [without(names, item) for item in value]
    return value


def files(corpus: Path) -> dict[str, Path]:
    """Return the files of `corpus` and the prints of our own, by the key of their entry."""
    roots = {folder: corpus / folder for folder in _FOLDERS} | {"prints": FILES}
    return {
        f"{name}/{path.relative_to(root)}": path
        for name, root in roots.items()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def read_file(path: Path) -> Entry:
    try:
        document = parse(SourceFile(path.name, path.read_bytes()))
    except LegalPipelineError as error:
        return {"error": type(error).__name__, "message": str(error)[:160]}
    return read_document(document)


def read_document(document: Document) -> Entry:
    nodes = list(document.walk())
    annotations = read_annotations(document)
    said: Entry = {
        "id": document.document_id,
        "format": document.format,
        "text": digest(document.text),
        "nodes": digest([node.to_json() for node in document.nodes]),
        "eids": digest([node.eid for node in nodes]),
        "document": digest(document.metadata | {"title": document.title, "work": document.work_uri}),
        "warnings": digest([str(warning) for warning in document.warnings]),
        "references": digest([reference.row(document.document_id) for reference in annotations.references]),
        "export": _exported(document),
    }
    (cut,) = cut_batch([document], None, lambda _: TextEncoder())
    if isinstance(cut, Exception):
        return said | {"uncut": f"{type(cut).__name__}: {cut}"[:160]}
    annotate(cut.chunks, annotations)
    rows = [json.loads(chunk.dumps()) for chunk in cut.chunks]
    about = [row for row in rows if row.get("parent_chunk_id") is None]
    title = document_header(document)
    passages = [passage for _, passage in located_passages(document, about)]
    return said | {
        "chunks": len(rows),
        "ids": digest([row["chunk_id"] for row in rows]),
        "paths": digest([row["path"] for row in rows]),
        "rows": digest(rows),
        "prefixes": digest([forms.prefix(passage, title, document.language) for passage in passages]),
        "questions": digest([forms.questions(passage, title, document.language) for passage in passages]),
        **(_by_strategy(document) if len(document.text) in _CUT_BY_ALL else {}),
    }


def _by_strategy(document: Document) -> Entry:
    found: Entry = {}
    for strategy in STRATEGIES:
        (cut,) = cut_batch([document], strategy, lambda _: TextEncoder())
        if isinstance(cut, Exception):
            found[f"by {strategy}"] = f"{type(cut).__name__}: {cut}"[:160]
        else:
            found[f"by {strategy}"] = digest([chunk.dumps() for chunk in cut.chunks])
    return found


def _exported(document: Document) -> str:
    try:
        return digest(export_akn(document).decode())
    except LegalPipelineError as error:
        return f"{type(error).__name__}: {error}"[:160]


def read_bulk(corpus: Path) -> Entry:
    found = {key: read_document(document) for key, document in swedish_bulk(corpus)}
    return {"documents": len(found), "all": digest(found)}


def read_corpus(corpus: Path) -> Iterator[tuple[str, Entry]]:
    """(key, entry) of every file."""
    with ProcessPoolExecutor() as pool:
        bulk = pool.submit(read_bulk, corpus)
        read = files(corpus)
        yield from zip(read, pool.map(read_file, read.values()), strict=True)
        yield "se/bulk", bulk.result()
