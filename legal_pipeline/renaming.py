"""Renaming documents: a document that gets another id from its parser is made under that id and removed under the old id.

The order is: the registry records the alias and moves the source items (`begin`); a run makes the document under the present id with
the vectors and language model answers stored under the old id (`Batch.former_ids`); when it is published, the old points and tables are
deleted (`finish`). If this is interrupted at any step, the next run continues. Not here: the tables of aliases (`registry.aliases`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.errors import DocumentError, LegalPipelineError
from legal_pipeline.processing import expressions
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch, Resources, Stage
from legal_pipeline.stages import (
    canonical_documents,
    chunks,
    raptor_summaries,
    raw_documents,
    superseded_chunks,
)

#: Tables whose rows have chunk ids.
_CHUNK_TABLES: tuple[AssetKey, ...] = (chunks.KEY, raptor_summaries.KEY, superseded_chunks.KEY)


def begin_renamings(resources: Resources, document_ids: Sequence[str] | None = None) -> dict[str, str]:
    """Begin to rename documents (all or `document_ids`) whose bytes get another id from the present parser; return old id -> present id.

    Bytes are parsed only if another version of the parser made the canonical document.
    """
    aliases = resources.registry.aliases
    begun = {}
    for document in resources.registry.documents(ids=document_ids):
        batch = Batch([], resources)
        old_id = document.document_id
        if (present := _present_id(batch, old_id)) is not None and present != old_id:
            aliases.begin(old_id, present)
            begun[old_id] = present
    return begun


def _present_id(batch: Batch, document_id: str) -> str | None:
    """Return the id that the present parser reads from a document whose canonical text is out of date.

    None if the text is current, and if the bytes cannot be read: the document's run reports the reason.
    """
    try:
        if canonical_documents.CanonicalDocuments().is_current(batch, document_id):
            return None
        if not batch.warehouse.exists(canonical_documents.KEY, document_id, "json"):
            return None
        return canonical_documents.read_document(raw_documents.read_sources(batch, document_id)).document_id
    except (LegalPipelineError, OSError, ValueError):
        return None


def finish(batch: Batch, document_id: str, stages: Sequence[Stage]) -> None:
    """Delete the data under the old ids of a document that was made under its present id. Every step can be repeated.

    Raises `StoreError` if a store does not delete the points; the next run then continues.
    """
    aliases = batch.resources.registry.aliases
    for old_id in batch.former_ids.get(document_id, ()):
        aliases.record_chunks(_chunk_ids(batch, old_id, document_id))
        for stage in stages:
            if isinstance(stage, Publication):
                stage.withdraw(batch, old_id)
        delete_files(batch, old_id, stages)
        aliases.finish(old_id)


def delete_files(batch: Batch, document_id: str, stages: Sequence[Stage]) -> None:
    """Remove the files of a document from the warehouse: its tables, and all of its expressions."""
    # delete the chunks last: a run that continues needs them to find their old ids
    keys = [key for stage in stages for key in stage.asset_keys]
    batch.warehouse.delete_files((expressions.ARCHIVE, *keys), document_id, last=chunks.KEY)


def chunk_ids(batch: Batch, document_id: str) -> list[str]:
    """Return the chunk ids in the document's chunk tables."""
    return [chunk_id for key in _CHUNK_TABLES for _, chunk_id in _places(batch, key, document_id)]


def _chunk_ids(batch: Batch, old_id: str, document_id: str) -> dict[str, str]:
    """Return old chunk id -> present chunk id, for chunks of equal text at one place; equal chunks are matched by their order."""
    found = {}
    for key in _CHUNK_TABLES:
        present = defaultdict(list)
        for place, chunk_id in _places(batch, key, document_id):
            present[place].append(chunk_id)
        for place, chunk_id in _places(batch, key, old_id):
            if present[place]:
                found[chunk_id] = present[place].pop(0)
    return found


def _places(batch: Batch, key: AssetKey, document_id: str) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield (strategy, path and text, chunk id) of the rows of a table; nothing if there is no table."""
    try:
        table = batch.warehouse.read_table(key, document_id, ["strategy", "path", "chunk_text", "chunk_id"])
    except DocumentError:
        return
    for row in table.to_pylist():
        yield (row["strategy"], row["path"], row["chunk_text"]), row["chunk_id"]
