"""`quim_questions`: three to five questions that each chunk answers, in the words of a lawyer (QuIM-RAG, Saha et al., 2024).

Covers of judgments (chunk type `header`) and rewritten definitions have no questions. A chunk whose input hash is in the previous table
keeps its questions. Not here: writing questions (`enrichment`), their vectors and points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from legal_pipeline.chunking.headers import document_header
from legal_pipeline.enrichment.enricher import Generator, QuestionRequest, Task
from legal_pipeline.model import identity
from legal_pipeline.model.tables import required
from legal_pipeline.processing.enrichment import Due, PerChunk, Row, located_passages, passage_hash, previous_rows
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.stages import canonical_documents, chunks

KEY: AssetKey = ("quim_questions",)

SCHEMA = pa.schema(
    [
        *required("question_id", "source_chunk_id", "document_id"),
        *required("seq", type=pa.int64()),
        *required("question", "generator", "prompt_version", "input_hash"),
    ]
)


def load(batch: Batch, document_id: str) -> list[Row]:
    """Return the questions of a document, in the order of its chunks. The caller must not change them."""
    return batch.read_rows(KEY, document_id)


def _due(batch: Batch, document_id: str, generator: Generator) -> Due:
    document = canonical_documents.load(batch, document_id)
    title = document_header(document)
    about = [row for row in chunks.load(batch, document_id) if _is_asked_about(row)]
    passages = [passage for _, passage in located_passages(document, about)]
    hashes = {passage.chunk_id: passage_hash(passage, title, document.language, generator) for passage in passages}
    known: dict[str, list[str]] = {}
    for row in previous_rows(batch, KEY, document_id):
        known.setdefault(row["input_hash"], []).append(row["question"])
    asked = tuple(passage for passage in passages if hashes[passage.chunk_id] not in known)

    def rows(answers: Mapping[str, Sequence[str]]) -> list[Row]:
        return [
            {
                "question_id": identity.sha256_hex(f"{chunk_id}|{question}")[:16],
                "source_chunk_id": chunk_id,
                "document_id": document_id,
                "seq": seq,
                "question": question,
                "generator": generator.name,
                "prompt_version": generator.version,
                "input_hash": input_hash,
            }
            for chunk_id, input_hash in hashes.items()
            # a model may repeat a question
            for seq, question in enumerate(dict.fromkeys(known.get(input_hash) or answers.get(chunk_id, ())))
        ]

    request = QuestionRequest(document_id, title, document.language, asked) if asked else None
    return Due(request, len(asked), rows)


def _is_asked_about(row: Row) -> bool:
    return row["parent_chunk_id"] is None and row["chunk_type"] != "header"


STAGE = PerChunk(
    KEY,
    chunks.KEY,
    "questions",
    Task.QUESTIONS,
    SCHEMA,
    _due,
    lambda batch, requests: batch.resources.enricher.questions(requests),
    lambda answer: (answer.chunk_id, answer.questions),
)
