"""Estimate the language model requests of an ingest and their cost: files are parsed and chunked, requests are counted and priced.

Touches no store and sends nothing: the stages use a log instead of a model. Not here: prices and counts (`enrichment.estimate`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from legal_pipeline.building.source import SourceFile
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.embedding.registry import configured_embedder
from legal_pipeline.enrichment.estimate import Estimate, estimate
from legal_pipeline.enrichment.request_log import RequestLog
from legal_pipeline.errors import FutureTextError, LegalPipelineError
from legal_pipeline.model import tables
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.split import split
from legal_pipeline.pipeline import verify_settings
from legal_pipeline.processing.advice import Advice
from legal_pipeline.processing.stage import Batch, Failed, Resources, Stage, Stamp
from legal_pipeline.registration import identify
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import ENRICHMENTS, Settings
from legal_pipeline.sources.source import ListingError, Source, SourceItem
from legal_pipeline.stages import chunks, context_prefixes, quim_questions, raptor_summaries
from legal_pipeline.stages.canonical_documents import read_document
from legal_pipeline.stages.raw_documents import current_items
from legal_pipeline.stores.registry import open_store
from legal_pipeline.stores.replacement import batches

_STAGES: tuple[Stage, ...] = (context_prefixes.STAGE, raptor_summaries.RaptorSummaries(), quim_questions.STAGE)


@dataclass(frozen=True)
class DryRun:
    """`estimate` is of all documents, as if none had been run before. `unreadable`: name or id -> why it cannot be parsed or chunked;
    `waiting`: id -> the future day of its text."""

    documents: int
    chunks: int
    estimate: Estimate
    unreadable: Mapping[str, str] = field(default_factory=dict)
    waiting: Mapping[str, str] = field(default_factory=dict)


def dry_run(
    settings: Settings, source: Source, *, hints: Mapping[str, Any] | None = None, strategy: str | None = None
) -> DryRun:
    """Return what it would cost to run all documents of `source` with Claude, even if there is no key.

    Enrichments are those of the settings, or all if the settings name none. Raises `ListingError` if the source cannot be listed.
    """
    verify_settings(settings)
    if settings.enrich is None:
        settings = settings.model_copy(update={"enrich": ",".join(sorted(ENRICHMENTS))})
    unreadable: dict[str, str] = {}
    waiting: dict[str, str] = {}
    total = Estimate()
    documents = pieces = 0
    for group in batches(_documents(source, dict(hints or {}), unreadable, waiting), settings.partitions_per_run):
        with tempfile.TemporaryDirectory(prefix="legal-pipeline-dry-run-") as folder:
            log = RequestLog()
            batch = _batch(settings, Warehouse(folder), log)
            pieces += _cut(batch, group, strategy or settings.forced_strategy, unreadable)
            documents += len(batch.document_ids)
            _enrich(batch, unreadable)
        total += estimate(settings, log.requests)
    return DryRun(documents, pieces, total, unreadable, waiting)


def _documents(
    source: Source, hints: dict[str, Any], unreadable: dict[str, str], waiting: dict[str, str]
) -> Iterator[Document]:
    """Yield the documents made from the source's items, each in its current expression, as registration finds them."""
    held: dict[str, list[tuple[RegisteredItem, SourceItem]]] = {}
    if not (listed := source.list().items):
        raise ListingError("nothing to estimate: no file was found that is not hidden, temporary or left out")
    for item in listed:
        for record, error in identify(source, item, (), hints):
            assert record.document_id is not None
            if error is not None:
                unreadable[item.name] = str(error)
            else:
                held.setdefault(record.document_id, []).append((record, item))
    for document_id, found in sorted(held.items()):
        try:
            items = {(record.item_key, record.location): item for record, item in found}
            current = current_items(document_id, [record for record, _ in found])
            yield read_document([_file(source, items[record.item_key, record.location], record) for record in current])
        except FutureTextError as error:
            waiting[document_id] = error.message
        except LegalPipelineError as error:
            unreadable[document_id] = str(error)


def _file(source: Source, item: SourceItem, record: RegisteredItem) -> SourceFile:
    return split(source.fetch(item).with_hints(**record.given))[record.location].with_hints(**record.hints)


def _batch(settings: Settings, warehouse: Warehouse, log: RequestLog) -> Batch:
    registry = cast("Registry", None)  # no code of the dry run uses the registry
    return Batch([], Resources(settings, warehouse, registry, configured_embedder, open_store, lambda *_: log))


def _cut(batch: Batch, documents: Sequence[Document], strategy: str | None, unreadable: dict[str, str]) -> int:
    """Chunk `documents`, add those that succeed to `batch`, with their chunks, and return the number of chunks."""
    advice = Advice(batch)
    typed = advice.typed(documents)
    encoder = encoders(lambda: batch.resources.embedders)
    cut = chunks.cut_batch(typed, strategy, encoder, advice.planner, advice.proposer)
    pieces = 0
    for document, result in zip(typed, cut, strict=True):
        if isinstance(result, Exception):
            unreadable[document.document_id] = str(result)
            continue
        rows = [chunk.to_row() for chunk in result.chunks]
        batch.write_table(chunks.KEY, document.document_id, tables.table(rows, tables.CHUNKS), Stamp("", "", {}))
        batch.documents[document.document_id] = document
        batch.document_ids.append(document.document_id)
        pieces += len(rows)
    return pieces


def _enrich(batch: Batch, unreadable: dict[str, str]) -> None:
    for stage in _STAGES:
        for event in stage.run(batch):
            if isinstance(event, Failed):
                batch.document_ids.remove(event.document_id)
                unreadable[event.document_id] = str(event.error)
