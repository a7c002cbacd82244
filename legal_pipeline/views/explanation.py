"""The origin of a chunk and the reason for its boundaries: its row, its document and the route that the router chose.

Not here: finding chunks by content (`retrieval`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.errors import DocumentError
from legal_pipeline.model import identity
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch, Resources
from legal_pipeline.stages import canonical_documents, chunks, raptor_summaries, superseded_chunks
from legal_pipeline.stages.qdrant_chunks import COLLECTION


@dataclass(frozen=True)
class Explanation:
    """`route` has (strategy, reason) of every segment of the document; `source_text_matches` is computed at the time of the call."""

    chunk_id: str
    document_id: str
    title: str
    citation: str
    strategy: str
    route_reason: str
    route: list[list[str]]
    path: str
    eid: str | None
    spans: list[list[int]]
    num_tokens: int
    source_file: str
    source_url: str | None
    source_sha256: str
    parser: str
    source_text_matches: bool
    text: str


#: Fields that are the columns of that name, of a chunk and of a summary of judgments.
_OF_SUMMARIES = ("chunk_id", "document_id", "strategy", "path", "num_tokens", "source_sha256")


def explain(resources: Resources, chunk_id: str) -> Explanation:
    """Explain the chunk; `chunk_id` may be its id before its document was renamed.

    Raises `DocumentError` if no published document has such a chunk.
    """
    document_id = resources.registry.manifests.document_of(chunk_id, COLLECTION)
    if document_id is None and (present := resources.registry.aliases.chunk(chunk_id)) is not None:
        chunk_id, document_id = present, resources.registry.manifests.document_of(present, COLLECTION)
    if document_id is not None:
        batch = Batch([document_id], resources)
        if practice_area_trees.is_tree(batch, document_id):
            return _of_a_tree(batch, document_id, chunk_id)
        superseded = superseded_chunks.load(batch, document_id)
        for row in (*chunks.load(batch, document_id), *raptor_summaries.load(batch, document_id), *superseded):
            if row["chunk_id"] == chunk_id:
                return _explanation(batch, row)
    raise DocumentError(f"no published chunk has the id {chunk_id!r}")


def _of_a_tree(batch: Batch, document_id: str, chunk_id: str) -> Explanation:
    """Explain a summary of judgments: its source is text of many documents, found through the chunks that it names."""
    (row,) = (row for row in practice_area_trees.load(batch, document_id) if row["chunk_id"] == chunk_id)
    return Explanation(
        **{name: row[name] for name in _OF_SUMMARIES},
        title=row["metadata"]["title"],
        citation=row["contextual_header"],
        route_reason=f"summary of {len(row['leaf_hashes'])} judgments by {row['generator']}, from {', '.join(row['child_ids'])}",
        route=[],
        eid=None,
        spans=[],
        source_file="",
        source_url=None,
        parser="",
        source_text_matches=practice_area_trees.is_made_from_present_texts(batch, row),
        text=row["chunk_text"],
    )


def _explanation(batch: Batch, row: dict[str, Any]) -> Explanation:
    document = (
        expressions.load(batch, row["document_id"], row["expression"])
        if "expression" in row
        else canonical_documents.load(batch, row["document_id"])
    )
    stamp = batch.input_stamp(chunks.KEY, row["document_id"])
    text = "\n".join(document.text[start:end] for start, end in row["spans"])
    metadata = row["metadata"]
    return Explanation(
        **{name: row[name] for name in (*_OF_SUMMARIES, "eid", "spans", "source_file", "source_url")},
        title=document.title,
        citation=row["contextual_header"],
        route_reason=metadata["route_reason"] or f"summary of {len(row['child_ids'])} parts by {row['generator']}",
        route=stamp.facts["route"],
        parser=f"{metadata['parser']} {metadata['parser_version']}",
        # a generated text (a summary, a proposition) is not its source's text, but has the hash of it
        source_text_matches=identity.sha256_hex(text) == row["source_text_sha256"],
        text=row["chunk_text"],
    )
