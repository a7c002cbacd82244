"""`context_prefixes`: for every chunk a short text on its place and function, which is embedded with it
(Contextual Retrieval, Anthropic, 2024).

A prefix's input hash covers the chunk, its ancestors' headings and the document's title, not the rest of the document. If more than a fifth
of the chunks changed since all prefixes were last made together, in one or several steps, all are made again. Not here: writing prefixes
(`enrichment`).
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from legal_pipeline.chunking.headers import document_header
from legal_pipeline.enrichment.enricher import Generator, PrefixRequest, Task
from legal_pipeline.enrichment.parts import split_into_parts
from legal_pipeline.model.tables import optional, required
from legal_pipeline.processing.enrichment import Due, PerChunk, Row, located_passages, passage_hash, previous_rows
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.stages import canonical_documents, chunks

KEY: AssetKey = ("context_prefixes",)

#: Above this share of changed provisions the other prefixes may describe an outdated document.
_REFRESH_SHARE = 0.2
#: Metadata key in the table's file: the chunks at the time when all prefixes were last made together, as beginnings of their input hashes.
_REFERENCE = b"reference"
_HASH_CHARS = 16

#: The columns that `load` reads.
PREFIXES = pa.schema(optional("chunk_id", "prefix"))

SCHEMA = pa.schema(required("chunk_id", "document_id", "prefix", "generator", "prompt_version", "input_hash"))


def load(batch: Batch, document_id: str, key: AssetKey = KEY) -> dict[str, str]:
    """Return chunk id -> prefix. `key`: of an earlier expression's table."""
    table = batch.read_table(key, document_id, PREFIXES.names)
    return dict(zip(table["chunk_id"].to_pylist(), table["prefix"].to_pylist(), strict=True))


def _due(batch: Batch, document_id: str, generator: Generator) -> Due:
    document = canonical_documents.load(batch, document_id)
    title = document_header(document)
    # a proposition already names its Act and section
    about = [row for row in chunks.load(batch, document_id) if row["parent_chunk_id"] is None]
    passages = located_passages(document, about)
    hashes = {passage.chunk_id: passage_hash(passage, title, document.language, generator) for _, passage in passages}
    known = {row["input_hash"]: row for row in previous_rows(batch, KEY, document_id)}
    asked = [(offset, passage) for offset, passage in passages if hashes[passage.chunk_id] not in known]
    now = {input_hash[:_HASH_CHARS] for input_hash in hashes.values()}
    reference = _reference(batch, document_id) if known else now
    if max(len(now - reference), len(reference - now)) > _REFRESH_SHARE * len(reference):
        asked, known, reference = passages, {}, now

    def rows(answers: Mapping[str, str]) -> list[Row]:
        fresh = {"document_id": document_id, "generator": generator.name, "prompt_version": generator.version}
        return [
            {**known[input_hash], "chunk_id": chunk_id, "document_id": document_id}
            if input_hash in known
            else {**fresh, "chunk_id": chunk_id, "prefix": answers[chunk_id], "input_hash": input_hash}
            for chunk_id, input_hash in hashes.items()
            if input_hash in known or chunk_id in answers
        ]

    parts = split_into_parts(document, asked)
    request = PrefixRequest(document_id, title, document.language, parts) if asked else None
    return Due(request, len(asked), rows, {_REFERENCE: " ".join(sorted(reference)).encode()})


def _reference(batch: Batch, document_id: str) -> set[str]:
    previous = batch.id_of_previous(KEY, document_id) or document_id
    return set((batch.read_table(KEY, previous).schema.metadata or {}).get(_REFERENCE, b"").decode().split())


STAGE = PerChunk(
    KEY,
    chunks.KEY,
    "prefixes",
    Task.CONTEXT_PREFIXES,
    SCHEMA,
    _due,
    lambda batch, requests: batch.resources.enricher.context_prefixes(requests),
    lambda answer: (answer.chunk_id, answer.text),
)
