"""The comparison of documents in full: registry, tables of the warehouse, manifests and points of the stores.

It only reads. Not here: which documents are compared, and repairs (`reconcile`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.pipeline import STAGES, Pipeline
from legal_pipeline.processing import generations
from legal_pipeline.processing.currency import SupportsCurrency
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.registry.registry import RegisteredItem, SourceDocument
from legal_pipeline.registry.source_hashes import source_hashes
from legal_pipeline.registry.warehouse import WarehouseSnapshot
from legal_pipeline.stages import amendments, canonical_documents, chunks, raw_documents
from legal_pipeline.stores.store import Point, VectorStore

#: `missing` and `damaged`: a table. `stale`: made by an older version of parser, strategy, enricher or model, or from other inputs.
#: `differs`: two of registry, warehouse and store disagree about the document.
Reason = Literal["missing", "damaged", "stale", "differs"]

#: The facts of a table's stamp that give its number of rows.
_ROWS = ("rows", "vectors", "citations", "chunks")

#: Row hashes, counted; point ids are not compared, because each store has its own.
_Points = Counter[str]

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """`asset_key` of a document, or of a practice area's tree, is not in its expected state."""

    document_id: str
    asset_key: AssetKey
    reason: Reason
    detail: str

    @property
    def needs_no_run(self) -> bool:
        """Whether only the registry is wrong about the content of the warehouse."""
        return self.asset_key == ("registry",)


def compare_documents(
    pipeline: Pipeline, group: Sequence[SourceDocument], targets: Sequence[Target]
) -> Iterator[Difference]:
    """Compare registry and warehouse document by document, then the stores for the whole group."""
    ids = [document.document_id for document in group]
    for target in targets:
        target.read_manifests(pipeline, ids)
    every_item = pipeline.registry.items_of_documents(ids, missing=True)
    items = {id: [item for item in held if item.missing_since is None] for id, held in every_item.items()}
    hashes = source_hashes(pipeline.registry.database, ids)
    # the registry's hash is of all items that the document had, until one counts as removed
    hashes |= {id: None for id in ids if len(items[id]) < len(every_item[id])}
    for document in group:
        snapshot = WarehouseSnapshot(pipeline.warehouse)
        batch = Batch([document.document_id], pipeline.resources, items=items, snapshot=snapshot)
        wrong = list(_tables(batch, document, every_item[document.document_id]))
        yield from wrong or _registry(batch, document, hashes[document.document_id])
        made = Made(batch, document.document_id)
        for target in targets:
            yield from expect_points(made, target, certain=not wrong)
    for target in targets:
        yield from compare_points(target)
        target.expected.clear()


def _tables(batch: Batch, document: SourceDocument, every_item: list[RegisteredItem]) -> Iterator[Difference]:
    """Compare the tables; `every_item`: the document's items, with those that are missing at their source and not removed yet."""
    document_id = document.document_id
    yield from _raw(batch, document, every_item)
    for stage in STAGES:
        if isinstance(stage, Publication | raw_documents.RawDocuments):
            continue
        if isinstance(stage, amendments.Amendments):
            yield from _amendment(batch, document)
            continue
        key = stage.asset_keys[-1]
        is_canonical = key == canonical_documents.KEY
        problem = _canonical(batch, document_id) if is_canonical else table_problem(batch, key, document_id)
        if problem is None and isinstance(stage, SupportsCurrency):
            try:
                problem = (
                    None if stage.is_current(batch, document_id) else ("stale", "of an older version or other inputs")
                )
            except (DocumentError, OSError, ValueError):
                problem = None  # an input is missing or damaged; the difference is reported for the input
        if problem is not None:
            yield Difference(document_id, key, *problem)


def _raw(batch: Batch, document: SourceDocument, every_item: list[RegisteredItem]) -> Iterator[Difference]:
    """Check the raw bytes, and that they are those that the registry records."""
    document_id = document.document_id
    problem = table_problem(batch, raw_documents.KEY, document_id)
    if problem is None:
        sources = raw_documents.read_sources(batch, document_id)
        written = batch.read_table(raw_documents.KEY, document_id, ["sha256"])["sha256"].to_pylist()
        if [source.sha256 for source in sources] != written:
            problem = "damaged", "the bytes are not those that were written"
        else:
            problem = _other_items(document, batch.items[document_id], written)
            if problem is not None and len(every_item) > len(batch.items[document_id]):
                # an item that is missing since the last poll may come back: until it counts as removed, the document is made of it
                problem = _other_items(document, every_item, written) and problem
    if problem is not None:
        yield Difference(document_id, raw_documents.KEY, *problem)


def _other_items(
    document: SourceDocument, items: list[RegisteredItem], written: list[str]
) -> tuple[Reason, str] | None:
    """Return why the document would not be made of the bytes `written` if its source had these items; None if it would."""
    try:
        current = raw_documents.current_items(document.document_id, items, raw_documents.held_by(document))
    except DocumentError as error:
        return "differs", error.message
    if [item.sha256 for item in current] != written:
        return "differs", "the registry knows other bytes than were fetched"
    return None


def _canonical(batch: Batch, document_id: str) -> tuple[Reason, str] | None:
    if not batch.warehouse.exists(canonical_documents.KEY, document_id, "json"):
        return "missing", "no file"
    try:
        Document.loads(batch.warehouse.read_json(canonical_documents.KEY, document_id))
    except (DocumentError, ValueError, KeyError, TypeError) as error:
        return "damaged", str(error)[:200]
    if batch.table_stamp(canonical_documents.KEY, document_id) is None:
        return "stale", "of another model"
    return None


def table_problem(batch: Batch, key: AssetKey, document_id: str) -> tuple[Reason, str] | None:
    """Check that the file exists, is complete, and has as many rows as its stamp states."""
    if not batch.warehouse.exists(key, document_id):
        return "missing", "no file"
    try:
        rows = len(batch.keep_table(key, document_id))
        stamp = batch.table_stamp(key, document_id)
    except (DocumentError, OSError, ValueError) as error:
        return "damaged", str(error)[:200]
    if stamp is None:
        return "stale", "without a stamp"
    stated = next((stamp.facts[name] for name in _ROWS if name in stamp.facts), rows)
    return None if stated == rows else ("damaged", f"{rows} rows, {stated} were written")


def _amendment(batch: Batch, document: SourceDocument) -> Iterator[Difference]:
    if document.doc_type != "amendment":
        return
    try:
        act = amendments.amending_act(canonical_documents.load(batch, document.document_id))
    except (DocumentError, ValueError):
        return  # reported for the canonical document
    if act not in batch.resources.registry.amendments_of(act.base_law):
        yield Difference(document.document_id, amendments.KEY, "differs", "the registry has no such amending act")


def _registry(batch: Batch, document: SourceDocument, sha256: str | None) -> Iterator[Difference]:
    """Compare the registry's facts about tables that are valid; `sha256`: the hash of its items."""
    stamp = batch.input_stamp(chunks.KEY, document.document_id)
    said = {
        "text_hash": (
            document.text_hash,
            batch.input_stamp(canonical_documents.KEY, document.document_id).data_version,
        ),
        "total_chunks": (document.total_chunks, stamp.facts["chunks"]),
        "source_sha256": (document.source_sha256, sha256),
    }
    wrong = [
        f"{name} is {here}, the warehouse says {there}"
        for name, (here, there) in said.items()
        if there is not None and here != there
    ]
    if wrong:
        yield Difference(document.document_id, ("registry",), "differs", "; ".join(wrong))


# -- stores -----------------------------------------------------------------------------------------------------------


@dataclass
class Target:
    """A collection of the present settings (None: it does not exist yet), the points that each document should have in it; manifests."""

    stage: Publication
    store: VectorStore
    collection: str | None
    expected: dict[str, _Points] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def read_manifests(self, pipeline: Pipeline, document_ids: Sequence[str]) -> None:
        """Read the manifests of these documents, for `expect_points`."""
        if self.stage.has_manifest and self.collection is not None:
            self.published = pipeline.registry.manifests.published_many(document_ids, self.collection)


def targets_of(pipeline: Pipeline, stages: Sequence[Publication], damaged: Sequence[str]) -> list[Target]:
    """Return the targets of the stores that are on, without damaged collections.

    While a collection of other settings still serves searches, the target is the new collection that is under construction.
    """
    resources = pipeline.resources
    targets = []
    for stage in stages:
        is_damaged = stage.has_manifest and stage.collection in damaged
        if stage.is_on(resources) and not is_damaged:
            store = stage.store(resources)
            # the model alone does not name it: the same vectors may be stored in another way
            name = generations.name_of_present(resources, stage)
            exists = name in {generation.name for generation in store.generations(stage.collection)}
            targets.append(Target(stage, store, name if exists else None))
    return targets


@dataclass
class Made:
    """The points that a document's tables make, computed once for all stores that hold the same points."""

    batch: Batch
    document_id: str
    known: dict[Callable[[Batch, str], list[Point]], list[Point]] = field(default_factory=dict)

    def points(self, stage: Publication) -> list[Point]:
        if stage.points not in self.known:
            self.known[stage.points] = stage.points(self.batch, self.document_id)
        return self.known[stage.points]


def expect_points(made: Made, target: Target, *, certain: bool) -> Iterator[Difference]:
    """Note the points that the tables make, and compare them with the manifest.

    If a table is wrong (`certain` is False), the run that makes it again also updates the stores.
    """
    stage, document_id = target.stage, made.document_id
    try:
        points = made.points(stage)
    except (DocumentError, OSError, ValueError) as error:
        if certain:
            yield Difference(document_id, stage.key, "differs", str(error)[:200])
        return
    target.expected[document_id] = Counter(point.row_hash for point in points)
    if stage.has_manifest and target.collection is not None:
        manifest = stage.manifest(points)
        published = target.published.get(document_id, {})
        if published != manifest:
            said = _said(Counter(manifest.items()), Counter(published.items()))
            yield Difference(document_id, stage.key, "differs", f"manifest: {said} of {len(manifest)} rows")


def compare_points(target: Target) -> Iterator[Difference]:
    """Compare the points in a store with those that the tables make."""
    stage, collection = target.stage, target.collection
    if collection is None:
        for document_id, points in target.expected.items():
            if points:
                yield Difference(
                    document_id, stage.key, "differs", f"{stage.store_name}: no collection of these settings"
                )
    elif target.expected:
        hashes = target.store.point_hashes_many(collection, list(target.expected))
        for document_id, points in target.expected.items():
            held = Counter(hashes[document_id].values())
            if held != points:
                detail = f"{stage.store_name}: {_said(points, held)} of {points.total()} points"
                yield Difference(document_id, stage.key, "differs", detail)


def _said(expected: Counter[T], held: Counter[T]) -> str:
    parts = (((expected - held).total(), "missing"), ((held - expected).total(), "too many"))
    return ", ".join(f"{number} {word}" for number, word in parts if number)
