"""Erases a document that must not be kept, for example a judgment that was withdrawn or must be anonymised.

The document is removed from the stores, the warehouse with all its expressions, the results over all documents, the registry, and the
cached answers of sources. Every step can be repeated: the same call finishes an erasure that was killed. Not here: Dagster's events
(`defs.erasing`), and the record that keeps the document away (`registry.erasures`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.corpus_assets import chunk_report, practice_area_trees
from legal_pipeline.corpus_assets.chunks_jsonl import export_path, write_chunks_jsonl
from legal_pipeline.damaged_collections import PUBLICATIONS, rebuild
from legal_pipeline.errors import DocumentError
from legal_pipeline.pipeline import STAGES, Pipeline
from legal_pipeline.processing.stage import Batch, Failed
from legal_pipeline.registry.erasures import Erasures
from legal_pipeline.registry.practice_area_leaves import PracticeAreaLeaves
from legal_pipeline.renaming import chunk_ids, delete_files
from legal_pipeline.sources.http import AnswerCache
from legal_pipeline.sources.registry import answers_folder
from legal_pipeline.stages import canonical_documents


@dataclass(frozen=True)
class Erasure:
    """The result of an erasure.

    `names`: the document's id and its former ids. `points`: number of deleted points. `rebuilt`: rebuilt collections.
    """

    names: tuple[str, ...]
    points: int
    rebuilt: tuple[str, ...]


def erase(
    pipeline: Pipeline, document_id: str, reason: str, elsewhere: Callable[[Sequence[str]], None] = lambda _: None
) -> Erasure:
    """Erase the document under all its ids, and record `reason` (which must not repeat the erased content).

    `elsewhere` erases these ids in places that this module does not know, before the registry forgets them.
    Raises `DocumentError` for a document that is not in the registry and was not erased, `ConfigurationError` while it is in processing.
    """
    registry = pipeline.registry
    erasures = Erasures(registry.database)
    present = registry.aliases.present_ids([document_id]).get(document_id, document_id)
    if registry.document(present) is None and erasures.erased_by(present) is None:
        raise DocumentError("not in the registry", document=document_id)
    names = erasures.names(present)
    erasures.record(names, reason)
    batch = Batch(names, pipeline.resources)
    chunks = [chunk_id for name in names for chunk_id in chunk_ids(batch, name)]
    numbers = [number for name in names if (number := _number(batch, name)) is not None]
    areas = {leaf.area for leaf in PracticeAreaLeaves(registry.database).filed(ids=names)}
    for event in practice_area_trees.withdraw(pipeline.resources, names):
        if isinstance(event, Failed):
            raise event.error
    points = sum(stage.withdraw(batch, name) for stage in PUBLICATIONS for name in names)
    rebuilt = _rebuild(pipeline)
    for name in names:
        delete_files(batch, name, STAGES)
    trees = [practice_area_trees.tree_id(area) for area in sorted(areas)]
    elsewhere(names)
    erasures.erase(names, trees=trees, chunks=chunks, numbers=numbers)
    _make_anew(pipeline)
    return Erasure(tuple(names), points, rebuilt)


def _number(batch: Batch, document_id: str) -> str | None:
    """Return the number under which the registry may know the document as an amending act."""
    try:
        return canonical_documents.load(batch, document_id).number
    except (DocumentError, ValueError, KeyError):
        return None  # it was never parsed, or is gone already


def _rebuild(pipeline: Pipeline) -> tuple[str, ...]:
    """Rebuild embedded collections from the tables of the other documents, because their files still contain deleted points."""
    if pipeline.resources.settings.qdrant_url is not None:
        return ()
    resources = pipeline.resources
    aliases = [stage.collection for stage in PUBLICATIONS if stage.has_manifest and stage.is_on(resources)]
    live = [alias for alias in aliases if resources.store.live(alias) is not None]
    for alias in live:
        rebuild(pipeline, alias)
    return tuple(live)


def _make_anew(pipeline: Pipeline) -> None:
    """Make the results over all documents again, and clear the cached answers of sources: a list in them may contain the title."""
    settings, warehouse = pipeline.resources.settings, pipeline.warehouse
    if export_path(settings.home).exists():
        write_chunks_jsonl(pipeline.registry, warehouse, export_path(settings.home))
    if warehouse.exists(chunk_report.KEY, chunk_report.CORPUS):
        chunk_report.make_chunk_report(pipeline.resources)
    folder = answers_folder(settings)
    if folder.exists():
        cache = AnswerCache(folder)
        cache.clear()
        cache.close()


def lift(pipeline: Pipeline, document_ids: Sequence[str]) -> None:
    """Lift the erasures: the next poll of their sources registers these documents again. Raises `DocumentError` if one was not erased."""
    erasures = Erasures(pipeline.registry.database)
    for document_id in document_ids:
        if not erasures.lift(document_id):
            raise DocumentError("was not erased", document=document_id)
