"""What a corpus has come to: versions of every asset of every document, and the points of both stores. Not here: how it got there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from dagster import AssetKey, AssetRecordsFilter, DagsterInstance
from dagster._core.definitions.data_version import extract_data_version_from_entry

from legal_pipeline.pipeline import ASSETS, STRATEGIES, Materialized, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.source import Source


@dataclass(frozen=True)
class EndState:
    """`versions`: (asset, document) -> data version; `points`: (store, document) -> point id -> row hash; `counts`: documents by status."""

    versions: dict[tuple[str, str], str]
    points: dict[tuple[str, str], dict[str, str]]
    counts: dict[str, int]


def of_dagster(instance: DagsterInstance, settings: Settings, documents: Sequence[str]) -> EndState:
    """What Dagster was told last of each document, and what the stores hold."""
    versions: dict[tuple[str, str], str] = {}
    for key in (*ASSETS, *STRATEGIES):
        cursor: str | None = None
        while True:
            page = instance.fetch_materializations(AssetRecordsFilter(AssetKey(key)), limit=1000, cursor=cursor)
            for record in page.records:  # the latest first
                version = extract_data_version_from_entry(record.event_log_entry)
                assert version is not None, (key, record.partition_key)
                versions.setdefault(("/".join(key), str(record.partition_key)), version.value)
            if not page.has_more:
                break
            cursor = page.cursor
    with Pipeline.open(settings) as pipeline:
        return EndState(versions, points(pipeline, documents), pipeline.registry.counts())


def of_library(settings: Settings, source: Source) -> EndState:
    """What `Pipeline.run` alone makes of the source, in this process."""
    with Pipeline.open(settings) as pipeline:
        found = register(source, pipeline.registry, grace=timedelta(0))
        documents = sorted({*found.new, *found.listed})
        versions = {}
        for event in pipeline.run(documents):
            assert isinstance(event, Materialized), event
            versions["/".join(event.asset_key), event.document_id] = event.data_version
        return EndState(versions, points(pipeline, documents), pipeline.registry.counts())


def points(pipeline: Pipeline, documents: Sequence[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Point id -> row hash of every document in each store; a document without any is an error."""
    found = {}
    for name, store in (("qdrant", pipeline.resources.store), ("pgvector", pipeline.resources.pgvector)):
        for document_id in documents:
            found[name, document_id] = store.point_hashes("legal_chunks", document_id)
            assert found[name, document_id], (name, document_id)
    return found
