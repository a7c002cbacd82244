"""The loaded form of each asset: the table of its documents' rows, documents, a file, or an error for an asset that is not a table.

One place for all assets. Not here: how they are made (each in its module), and Dagster (`defs.io_manager`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from legal_pipeline.corpus_assets import chunk_report, chunks_jsonl, practice_area_trees, practice_areas
from legal_pipeline.errors import DocumentError, NotATableError
from legal_pipeline.model import tables
from legal_pipeline.model.document import Document
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.registry.warehouse import Kind, Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.stages import (
    amendments,
    canonical_documents,
    chunk_embeddings,
    chunks,
    context_prefixes,
    cross_references,
    pgvector_chunks,
    provision_versions,
    qdrant_chunks,
    qdrant_questions,
    question_embeddings,
    quim_questions,
    raptor_summaries,
    raw_documents,
    superseded_chunks,
)

#: The loaded asset: its rows, its documents by id, or its file.
Loaded: TypeAlias = pa.Table | dict[str, Document] | Path


class _Loader(Protocol):
    def __call__(self, settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> Loaded: ...


def load(settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> Loaded:
    """Load `asset` for the documents (or practice areas) in `partitions`, for all if it is None.

    Documents without this asset are left out; raises `DocumentError` if none of the named documents has it, and `NotATableError` for an
    asset that is not a table, with its kind. An asset of another team is a table per document.
    """
    return LOADERS.get(asset, Tables())(settings, asset, partitions)


@dataclass(frozen=True)
class Tables:
    """A table per document, concatenated; `schema` is the schema of an empty result, if it does not depend on the settings.

    `of` is the asset whose rows with the last part of this asset's key in the column `strategy` are this asset; it is not stored itself.
    `name` returns the name of a partition's file.
    """

    schema: pa.Schema | None = None
    of: AssetKey | None = None
    name: Callable[[str], str] = str

    def __call__(self, settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> pa.Table:
        warehouse = Warehouse(settings.warehouse_root)
        stored = self.of or asset
        named = None if partitions is None else [self.name(partition) for partition in partitions]
        names = _made(warehouse, stored, named, asset, "table")
        found = [warehouse.read_table(stored, name).replace_schema_metadata(None) for name in names]
        if self.of is not None:
            found = [table.filter(pc.equal(table["strategy"], asset[-1])) for table in found]
        if not found:
            return self.schema.empty_table() if self.schema is not None else pa.table({})
        return pa.concat_tables(found, promote_options="permissive")


def _documents(settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> dict[str, Document]:
    warehouse = Warehouse(settings.warehouse_root)
    names = _made(warehouse, canonical_documents.KEY, partitions, asset, "json")
    return {name: Document.loads(warehouse.read_json(canonical_documents.KEY, name)) for name in names}


def _amendments(settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> pa.Table:
    """Return the rows of amending acts, with their documents, read from the canonical documents; other documents have no rows."""
    documents = _documents(settings, asset, partitions)
    return amendments.table(documents.values())


def _chunk_report(settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> pa.Table:
    warehouse = Warehouse(settings.warehouse_root)
    if not warehouse.exists(chunk_report.KEY, chunk_report.CORPUS):
        raise _not_made(asset, None)
    return warehouse.read_table(chunk_report.KEY, chunk_report.CORPUS)


def _chunks_jsonl(settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> Path:
    path = chunks_jsonl.export_path(settings.home)
    if not path.is_file():
        raise _not_made(asset, None)
    return path


@dataclass(frozen=True)
class _NoTable:
    """An asset that is not stored as a table."""

    what: str

    def __call__(self, settings: Settings, asset: AssetKey, partitions: Sequence[str] | None) -> Loaded:
        raise NotATableError(f"{'/'.join(asset)} is not a table of the warehouse: it is {self.what}")


def _made(
    warehouse: Warehouse, key: AssetKey, partitions: Sequence[str] | None, asset: AssetKey, kind: Kind
) -> list[str]:
    """Return the documents with a file of `key`, from which `asset` is read."""
    if partitions is None:
        return warehouse.documents(key, kind)
    names = [partition for partition in partitions if warehouse.exists(key, partition, kind)]
    if not names:
        raise _not_made(asset, partitions)
    return names


def _not_made(asset: AssetKey, partitions: Sequence[str] | None) -> DocumentError:
    return DocumentError(f"{'/'.join(asset)} has not been made yet", document=", ".join(sorted(partitions or ())[:5]))


_POINTS = (
    "the points of the collection `{collection}` in Qdrant. Load `{tables}` for their texts and vectors, or search them with "
    "`legal_pipeline.pipeline.Pipeline.search`"
)
_FIGURES = "the figures that its materialization shows as metadata"


def column_schema(asset: AssetKey) -> pa.Schema | None:
    """Return the columns of an asset that is a table; None for other assets, and for vectors, whose width depends on the model."""
    if asset == amendments.KEY:
        return amendments.SCHEMA
    if asset == chunk_report.KEY:
        return chunk_report.SCHEMA
    loader = LOADERS.get(asset)
    return loader.schema if isinstance(loader, Tables) else None


LOADERS: dict[AssetKey, _Loader] = {
    ("source_items",): _NoTable(
        "the rows of the table `source_items` in PostgreSQL. Load `raw_documents` for the files that documents are made from"
    ),
    raw_documents.KEY: Tables(raw_documents.SCHEMA),
    canonical_documents.KEY: _documents,
    amendments.KEY: _amendments,
    provision_versions.KEY: Tables(tables.PROVISION_VERSIONS),
    cross_references.KEY: Tables(cross_references.SCHEMA),
    **dict.fromkeys(chunks.STRATEGY_KEYS.values(), Tables(tables.CHUNKS, of=chunks.KEY)),
    chunks.KEY: Tables(tables.CHUNKS),
    context_prefixes.KEY: Tables(context_prefixes.SCHEMA),
    raptor_summaries.KEY: Tables(raptor_summaries.SCHEMA),
    quim_questions.KEY: Tables(quim_questions.SCHEMA),
    superseded_chunks.KEY: Tables(superseded_chunks.SCHEMA),
    chunk_embeddings.KEY: Tables(),
    question_embeddings.KEY: Tables(),
    qdrant_chunks.KEY: _NoTable(
        _POINTS.format(collection=qdrant_chunks.COLLECTION, tables="chunks` and `chunk_embeddings")
    ),
    qdrant_questions.KEY: _NoTable(
        _POINTS.format(collection=qdrant_questions.COLLECTION, tables="quim_questions` and `question_embeddings")
    ),
    pgvector_chunks.KEY: _NoTable(
        f"the rows of the table `{pgvector_chunks.COLLECTION}` in PostgreSQL. Query them with SQL "
        "(`legal_pipeline.retrieval.sql_patterns`), or load `chunks` and `chunk_embeddings`"
    ),
    practice_areas.KEY: _NoTable(
        "the rows of the table `practice_area_leaves` in PostgreSQL. Load `practice_area_trees` for the summaries made of them"
    ),
    practice_area_trees.KEY: Tables(practice_area_trees.SCHEMA, name=practice_area_trees.tree_id),
    chunks_jsonl.KEY: _chunks_jsonl,
    chunk_report.KEY: _chunk_report,
    ("retrieval_evaluation",): _NoTable(_FIGURES),
    ("reconciliation",): _NoTable(_FIGURES),
}
