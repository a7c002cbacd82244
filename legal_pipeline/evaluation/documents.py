"""The documents that a dataset is made from: every file of some folders, one expression per work.

Not here: formats (`parsing`) and the queries about the documents (`citation_queries`, `definition_queries`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import Limits
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.split import split
from legal_pipeline.sources.directory import DirectorySource

#: Types of documents that are never chunked: their provisions are in the Act that they amend.
_LEFT_OUT = frozenset({"amendment"})


@dataclass(frozen=True)
class Corpus:
    """`left_out` counts files and documents by the reason why they are not in `documents`."""

    documents: tuple[Document, ...]
    left_out: dict[str, int]


def read_corpus(paths: Sequence[Path], limits: Limits | None = None, *, longest: int | None = None) -> Corpus:
    """Return the documents of all files at and under `paths`, in the order of their ids.

    Of several expressions of one work the latest is kept, and of several files of one date the longest. `longest`: documents with more
    characters are left out. Raises `ListingError` for a path that does not exist.
    """
    left_out: Counter[str] = Counter()
    return choose(_read(DirectorySource(paths, limits=limits), left_out), left_out, longest=longest)


def choose(
    documents: Iterable[Document], left_out: Counter[str] | None = None, *, longest: int | None = None
) -> Corpus:
    """Return one document per work out of `documents`; see `read_corpus`."""
    left_out = Counter() if left_out is None else left_out
    chosen: dict[str, Document] = {}
    for document in documents:
        if document.doc_type in _LEFT_OUT:
            left_out["amending act"] += 1
            continue
        other = chosen.get(document.document_id)
        if other is not None:
            left_out["another expression of the same work"] += 1
        if other is None or _rank(document) > _rank(other):
            chosen[document.document_id] = document
    kept = []
    for document in sorted(chosen.values(), key=lambda document: document.document_id):
        if longest is not None and len(document.text) > longest:
            left_out[f"longer than {longest:,} characters"] += 1
        else:
            kept.append(document)
    return Corpus(tuple(kept), dict(left_out))


def _read(source: DirectorySource, left_out: Counter[str]) -> Iterator[Document]:
    for item in source.list().items:
        try:
            parts = split(source.fetch(item))
        except LegalPipelineError as error:
            left_out[type(error).__name__] += 1
            continue
        for part in parts.values():
            try:
                yield parse(part, part.hints.get("format"))
            except LegalPipelineError as error:
                left_out[type(error).__name__] += 1


def _rank(document: Document) -> tuple[str, int]:
    return document.as_of_date or "", len(document.text)
