"""Speed of the extractive engine on real Acts, and that it says the same twice.

`python -m legal_pipeline_tests.benchmarks.enrichment CORPUS` prints chunks per second of processor time on one core for prefixes,
questions and the tree of summaries of 100 Swedish Acts of the bulk sample and of every file of the sample corpus that has provisions. Not
here: parsing, chunking and embedding, which are timed by themselves.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.enrichment import raptor
from legal_pipeline.enrichment.enricher import PrefixRequest, QuestionRequest, SummaryRequest
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.enrichment.parts import split_into_parts
from legal_pipeline.model.document import Document
from legal_pipeline.processing.enrichment import located_passages
from legal_pipeline_tests.real_documents import documents, swedish_bulk

ACTS = 100
SAMPLE = Path(__file__).resolve().parents[2] / "data"

#: A document and the rows of its chunks.
Cut = tuple[Document, list[dict[str, Any]]]


@dataclass(frozen=True)
class Result:
    """`seconds` of processor time; `digest` of all that was said, in order."""

    chunks: int
    seconds: float
    digest: str

    @property
    def chunks_per_second(self) -> float:
        return self.chunks / self.seconds


def acts(corpus: Path, number: int = ACTS) -> list[Cut]:
    """The first Acts of the bulk sample that have provisions, cut."""
    found = (document for _, document in swedish_bulk(corpus) if any(document.provisions()))
    return [_cut(document) for document in itertools.islice(found, number)]


def sample() -> list[Cut]:
    """The documents of the sample corpus that have provisions, cut: the others need the embedding model to be cut at all."""
    return [_cut(document) for _, document in documents(SAMPLE, "sample") if any(document.provisions())]


def enrich(cuts: Iterable[Cut]) -> Result:
    """Prefixes, questions and all summaries of every document."""
    engine = ExtractiveEnricher()
    digest = hashlib.sha256()
    chunks = 0
    start = time.process_time()
    for document, rows in cuts:
        chunks += len(rows)
        key, title, language = document.document_id, document_header(document), document.language
        passages = located_passages(document, rows)
        prefixes = PrefixRequest(key, title, language, split_into_parts(document, passages))
        questions = QuestionRequest(key, title, language, tuple(passage for _, passage in passages))
        requests = [
            SummaryRequest(
                key, group.key, 1, group.header, language, tuple(row["chunk_text"] for row in group.chunks), 200
            )
            for group in raptor.groups(document, rows)
        ]
        below = engine.summarise(requests).answers
        whole = SummaryRequest(key, "", 0, title, language, tuple(answer.text for answer in below), 300)
        said = [
            *(answer.text for answer in engine.context_prefixes([prefixes]).answers),
            *(question for answer in engine.questions([questions]).answers for question in answer.questions),
            *(answer.text for answer in (*below, *engine.summarise([whole]).answers)),
        ]
        digest.update("\n".join(said).encode())
    return Result(chunks, time.process_time() - start, digest.hexdigest())


def _cut(document: Document) -> Cut:
    return document, [one.to_row() for one in chunk(document).chunks]


def main(corpus: str) -> None:
    for name, cuts in (("sample corpus", sample()), (f"{ACTS} Acts", acts(Path(corpus)))):
        first, second = enrich(cuts), enrich(cuts)
        same = "the same twice" if first.digest == second.digest else "NOT THE SAME TWICE"
        print(f"{name}: {len(cuts)} documents, {first.chunks} chunks, {second.chunks_per_second:.0f} chunks/s, {same}")


if __name__ == "__main__":
    main(*sys.argv[1:])
