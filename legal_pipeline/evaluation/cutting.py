"""The documents of a dataset cut and enriched, each way once, for all systems that share the result.

Not here: which part of the result a system indexes (`systems`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Chunk, Span
from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.enrichment import raptor
from legal_pipeline.enrichment.enricher import Enricher, PrefixRequest, QuestionRequest, SummaryRequest
from legal_pipeline.enrichment.parts import split_into_parts
from legal_pipeline.model.document import Document
from legal_pipeline.processing.enrichment import located_passages

#: A judgment has no summary tree of its own: it is a leaf of its practice area's tree.
_NO_TREE = frozenset({"judgment"})


@dataclass(frozen=True)
class Summary:
    """The summary of a chapter or a document, with the header it is embedded under; `spans` are those of all the text below it."""

    document: Document
    number: int
    header: str
    text: str
    spans: tuple[Span, ...]


class Cuts:
    """The chunks and layers of the documents. `failed` holds the documents that a strategy could not cut, by the strategy's name."""

    def __init__(self, documents: Sequence[Document], embedders: Embedders, enricher: Enricher) -> None:
        self.documents = documents
        self._encoder = encoders(lambda: embedders)
        self._enricher = enricher
        self.failed: dict[str, list[str]] = {}
        self.chunks: Callable[[str | None], list[tuple[Document, list[Chunk]]]] = functools.cache(self._chunks)

    def _chunks(self, strategy: str | None) -> list[tuple[Document, list[Chunk]]]:
        """Return (document, its chunks), cut by `strategy` or, with None, as the router decides; a document that fails is left out."""
        results = chunk_batch(self.documents, RouterOptions(strategy), self._encoder)
        out = []
        for document, result in zip(self.documents, results, strict=True):
            if isinstance(result, Exception):
                self.failed.setdefault(strategy or "router", []).append(f"{document.document_id}: {result}")
            else:
                out.append((document, list(result.chunks)))
        return out

    @functools.cached_property
    def prefixes(self) -> dict[str, str]:
        """Chunk id -> context prefix of the router's chunks; propositions get none, because their text names their place."""
        requests = []
        for document, found in self.chunks(None):
            about = [chunk.to_row() for chunk in found if chunk.parent_chunk_id is None]
            passages = located_passages(document, about)
            if passages:
                parts = split_into_parts(document, passages)
                title = document_header(document)
                requests.append(PrefixRequest(document.document_id, title, document.language, parts))
        return {answer.chunk_id: answer.text for answer in self._enricher.context_prefixes(requests).answers}

    @functools.cached_property
    def questions(self) -> list[tuple[str, str]]:
        """(chunk id, question) of the router's chunks."""
        requests = []
        for document, found in self.chunks(None):
            asked = (chunk for chunk in found if chunk.parent_chunk_id is None and chunk.chunk_type != "header")
            about = [chunk.to_row() for chunk in asked]
            passages = tuple(passage for _, passage in located_passages(document, about))
            if passages:
                title = document_header(document)
                requests.append(QuestionRequest(document.document_id, title, document.language, passages))
        answers = self._enricher.questions(requests).answers
        return [(answer.chunk_id, question) for answer in answers for question in dict.fromkeys(answer.questions)]

    @functools.cached_property
    def summaries(self) -> list[Summary]:
        """Level 1 (chapters) and level 0 (the document) of every document except judgments."""
        return [chunk for document, found in self.chunks(None) for chunk in self._tree(document, found)]

    def _tree(self, document: Document, found: Sequence[Chunk]) -> Iterator[Summary]:
        if document.doc_type in _NO_TREE:
            return
        groups = raptor.groups(document, [chunk.to_row() for chunk in found])
        rows = [row for group in groups for row in group.chunks]
        if sum(row["num_tokens"] for row in rows) <= raptor.BUDGET_TOKENS[0]:
            return
        title = document_header(document)
        texts = [row["chunk_text"] for row in rows]
        chapters: list[Summary] = []
        if len(groups) > 1:
            for number, group in enumerate(groups, start=1):
                said = self._summary(document, 1, group.header, [row["chunk_text"] for row in group.chunks])
                if said:
                    chapters.append(Summary(document, number, group.header, said, _spans(group.chunks)))
            texts = [chapter.text for chapter in chapters]
        said = self._summary(document, 0, title, texts)
        if said:
            yield Summary(document, 0, title, said, _spans(rows))
        yield from chapters

    def _summary(self, document: Document, level: int, title: str, texts: Sequence[str]) -> str:
        budget = raptor.BUDGET_TOKENS[level]
        request = SummaryRequest(document.document_id, "", level, title, document.language, tuple(texts), budget)
        return " ".join(answer.text for answer in self._enricher.summarise([request]).answers)


def _spans(rows: Sequence[raptor.Row]) -> tuple[Span, ...]:
    return tuple((start, end) for row in rows for start, end in row["spans"])
