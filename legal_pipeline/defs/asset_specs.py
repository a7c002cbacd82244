"""The assets of a document as the UI lists them: content, columns, group, kinds, owner, code version and inputs.

Not here: how they are made (`defs.assets`, `pipeline`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import pyarrow as pa
from dagster import (
    AssetKey,
    AssetsDefinition,
    AssetSpec,
    TableColumn,
    TableColumnConstraints,
    TableSchema,
    map_asset_specs,
)

from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.defs.code_versions import FIRST, code_versions
from legal_pipeline.defs.partitions import documents
from legal_pipeline.pipeline import ASSETS, DEPENDENCIES, SOURCE, STRATEGIES
from legal_pipeline.processing.stage import AssetKey as Key
from legal_pipeline.stages import canonical_documents
from legal_pipeline.views.asset_tables import column_schema

#: (group, kinds, description) of each asset.
_ASSETS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "source_items": (
        "documents", ("file",),
        "The items of a document at its source. When a poll finds a changed item, it records an observation here, and `raw_documents` is "
        "due.",
    ),
    "raw_documents": (
        "documents", ("arrow",), "The bytes of the current expression of a document, as its source delivered them.",
    ),
    "canonical_documents": (
        "documents", ("json",),
        "The canonical text of a document and its tree of nodes, which are spans of the text; what changed since the previous text.",
    ),
    "amendments": ("documents", ("postgres",), "Amending acts, joined to their base law at query time; never chunked."),
    "provision_versions": (
        "documents", ("arrow",), "The wordings of each provision with their validity intervals and the acts that began and ended them.",
    ),
    "cross_references": ("documents", ("arrow",), "The citations of a document: the provision that each is in, and the work cited."),
    "chunks": ("chunks", ("arrow",), "All chunks of a document in text order, whichever strategy cut them."),
    "context_prefixes": (
        "enrichment", ("arrow", "anthropic"), "A short text on the place and the content of each chunk, which is embedded with the chunk.",
    ),
    "raptor_summaries": (
        "enrichment", ("arrow", "anthropic"), "Summaries of each chapter and of the document: chunks of a higher level.",
    ),
    "quim_questions": (
        "enrichment", ("arrow", "anthropic"), "Three to five questions in the manner of a lawyer that each chunk answers.",
    ),
    "superseded_chunks": (
        "index", ("arrow",),
        "Chunks with superseded wordings from earlier expressions, each with its validity interval (history).",
    ),
    "chunk_embeddings": ("index", ("arrow",), "One vector per chunk and summary."),
    "question_embeddings": ("index", ("arrow",), "One vector per question."),
    "qdrant_chunks": (
        "index", ("qdrant",),
        "The chunks and summaries of a document as points in the vector store, and the manifest that lets readers see them.",
    ),
    "qdrant_questions": (
        "index", ("qdrant",), "The questions of a document as points of their own, each with the chunk that answers it.",
    ),
    "pgvector_chunks": (
        "index", ("postgres",), "The points of `qdrant_chunks` as rows of PostgreSQL, for searches with SQL.",
    ),
}  # fmt: skip

#: Kinds of the assets that are not partitioned by documents.
_OTHER_KINDS = {
    "chunks_jsonl": ("json",),
    "chunk_report": ("python",),
    "retrieval_evaluation": ("python",),
    "reconciliation": ("postgres",),
    "practice_areas": ("postgres", "anthropic"),
    "practice_area_trees": ("arrow", "anthropic"),
}

#: The tag by which the UI filters and jobs select.
UNIT_TAG = "legal_pipeline/unit"
_TAGS = {UNIT_TAG: "document"}


def owned_by(
    owner: str, assets: Iterable[AssetsDefinition | AssetSpec], keys: AssetKeys = PLAIN
) -> Sequence[AssetsDefinition | AssetSpec]:
    """Add owner and table columns to all `assets`, and kinds (the labels in the UI) to those of the corpus and of practice areas."""

    def complete(spec: AssetSpec) -> AssetSpec:
        kinds = spec.kinds or set(_OTHER_KINDS.get(spec.key.path[-1], ()))
        columns = column_schema(keys.own(spec.key))
        metadata = {} if columns is None else {"dagster/column_schema": _table_schema(columns)}
        return spec.replace_attributes(owners=[owner], kinds=kinds, metadata={**spec.metadata, **metadata})

    return map_asset_specs(complete, assets)


def _table_schema(columns: pa.Schema) -> TableSchema:
    return TableSchema(
        [
            TableColumn(column.name, str(column.type), constraints=TableColumnConstraints(nullable=column.nullable))
            for column in columns
        ]
    )


def assets_of(groups: Collection[str]) -> set[Key]:
    """Return the assets of a document in these groups, without those of strategies."""
    return {key for key in (SOURCE, *ASSETS) if _ASSETS[key[-1]][0] in groups}


def made_specs() -> list[AssetSpec]:
    """Return the specs of the assets that runs make."""
    versions = code_versions()
    return [_spec(key, versions.get(key, FIRST)) for key in ASSETS]


def external_specs() -> list[AssetSpec]:
    """Return the specs of the assets that are never requested: the items of a source, and the chunks of each strategy."""
    strategies = [
        AssetSpec(
            AssetKey(key),
            deps=[AssetKey(canonical_documents.KEY)],
            group_name="strategies",
            description=f"The chunks that the strategy `{key[-1]}` made, of the documents of which it made any. They come with `chunks`.",
            kinds={"arrow"},
            tags=_TAGS,
            partitions_def=documents,
        )
        for key in STRATEGIES
    ]
    return [_spec(SOURCE, None), *strategies]


def _spec(key: Key, version: str | None) -> AssetSpec:
    group, kinds, description = _ASSETS[key[-1]]
    return AssetSpec(
        AssetKey(key),
        deps=[AssetKey(above) for above in DEPENDENCIES.get(key, ())],
        skippable=version is not None,
        group_name=group,
        code_version=version,
        description=description,
        kinds=set(kinds),
        tags=_TAGS,
        partitions_def=documents if version is None else None,
    )
