"""Reconciliation of registry, warehouse and stores, by count and hash, over all documents: finds differences and the runs that repair them.

`reconcile` only reads and reports; `prepare` makes the repairs that need no run, and deletes tables that a run would otherwise accept
as valid. Not here: running documents (`pipeline`), and the schedule (`defs.schedules`, the command line).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Literal, TypeVar

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.damaged_collections import PUBLICATIONS, damaged_collections, rebuild
from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.pipeline import ASSETS, STAGES, Pipeline
from legal_pipeline.processing import generations
from legal_pipeline.processing.currency import SupportsCurrency
from legal_pipeline.processing.enrichment import generator_of
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.registry.practice_area_leaves import PracticeAreaLeaves
from legal_pipeline.registry.registry import SourceDocument
from legal_pipeline.registry.source_hashes import correct_hashes, source_hash
from legal_pipeline.registry.warehouse import Kind
from legal_pipeline.stages import amendments, canonical_documents, chunks, raw_documents
from legal_pipeline.stores.store import Point, VectorStore

#: `missing` and `damaged`: a table. `stale`: made by an older version of parser, strategy, enricher or model, or from other inputs.
#: `differs`: two of registry, warehouse and store disagree about the document.
Reason = Literal["missing", "damaged", "stale", "differs"]

#: A document that waits for its run, or is in a run, for longer than this counts as forgotten.
FORGOTTEN = timedelta(days=1)

#: Documents compared per group: their tables first, then the stores.
_GROUP = 50

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


@dataclass(frozen=True)
class Request:
    """Documents to run through these assets."""

    document_ids: tuple[str, ...]
    assets: tuple[AssetKey, ...]


@dataclass(frozen=True)
class Reconciliation:
    """The result of a reconciliation.

    `failed` are documents whose last run failed, `forgotten` those that have waited for a run for more than a day, `waiting` those that
    have waited for less time and were not compared. `areas` are practice areas whose tree must be made; `filing`: judgments wait for their
    area. `unclaimed` maps collections to numbers of points that belong to no document. `damaged` are collections whose files cannot be
    read; they are rebuilt, and their content is not compared.
    """

    documents: int = 0
    differences: tuple[Difference, ...] = ()
    failed: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    filing: bool = False
    unclaimed: dict[str, int] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not (self.differences or self.forgotten or self.areas or self.filing or self.unclaimed or self.damaged)

    def counts(self) -> dict[str, int]:
        """Return the number of differences by reason and asset: `stale chunks`."""
        return dict(Counter(f"{difference.reason} {'/'.join(difference.asset_key)}" for difference in self.differences))

    def requests(self) -> list[Request]:
        """Return the runs that repair the differences: each document once, from its first wrong asset.

        A document that failed is requested again, because an outage or a budget may have been the reason.
        """
        trees = {practice_area_trees.tree_id(area) for area in self.areas}
        first: dict[str, int] = dict.fromkeys((*self.failed, *self.forgotten), 0)
        for difference in self.differences:
            if difference.needs_no_run or difference.document_id in trees:
                continue
            step = 0 if difference.asset_key == raw_documents.KEY else 2 if difference.asset_key in _STORE_KEYS else 1
            first[difference.document_id] = min(step, first.get(difference.document_id, step))
        selections = (ASSETS, tuple(key for key in ASSETS if key != raw_documents.KEY), _STORE_KEYS)
        return [
            Request(ids, assets)
            for step, assets in enumerate(selections)
            if (ids := tuple(sorted(document_id for document_id, at in first.items() if at == step)))
        ]


_STORE_KEYS = tuple(stage.key for stage in PUBLICATIONS)


def reconcile(pipeline: Pipeline, ids: Sequence[str] | None = None) -> Reconciliation:
    """Compare all documents, or those of `ids`. Raises `StoreUnavailableError` if a store does not answer: its content is then unknown."""
    differences: list[Difference] = []
    failed: list[str] = []
    forgotten: list[str] = []
    waiting: list[str] = []
    due: list[SourceDocument] = []
    now = datetime.now(UTC)
    damaged = damaged_collections(pipeline) if ids is None else ()
    for document in pipeline.registry.documents(ids=ids):
        if document.status == "failed":
            failed.append(document.document_id)
        elif document.status == "completed":
            due.append(document)
        else:
            (forgotten if now - document.updated_at > FORGOTTEN else waiting).append(document.document_id)
    for group in _groups(due):
        differences += _look(pipeline, group, damaged)
    moved = _moved(pipeline, due)
    waiting += sorted(moved)
    differences = [difference for difference in differences if difference.document_id not in moved]
    areas: set[str] = set()
    filing = False
    unclaimed: dict[str, int] = {}
    if ids is None:
        areas = set(practice_area_trees.stale(pipeline.resources, roots=True))
        wrong = list(_trees(pipeline, damaged))
        areas |= {practice_area_trees.area_of(difference.document_id) for difference in wrong}
        differences += wrong
        filing = _filing(pipeline)
        unclaimed = _unclaimed(pipeline, {difference.document_id for difference in differences}, damaged)
    return Reconciliation(
        documents=len(failed) + len(forgotten) + len(waiting) + len(due) - len(moved),
        differences=tuple(differences),
        failed=tuple(failed),
        forgotten=tuple(forgotten),
        waiting=tuple(waiting),
        areas=tuple(sorted(areas)),
        filing=filing,
        unclaimed=unclaimed,
        damaged=damaged,
    )


def prepare(pipeline: Pipeline, found: Reconciliation) -> None:
    """Make the repairs that precede the runs of `found`.

    Rebuild damaged collections, correct the registry, and delete damaged tables, so that a run makes them again and does not accept them
    as valid. Readers see no change.
    """
    registry = pipeline.registry
    for alias in found.damaged:
        rebuild(pipeline, alias)
    for difference in found.differences:
        batch = Batch([], pipeline.resources)
        if difference.needs_no_run:
            stamp = batch.input_stamp(chunks.KEY, difference.document_id)
            version = canonical_documents.stamp_of(batch, difference.document_id).data_version
            registry.describe(difference.document_id, text_hash=version, total_chunks=stamp.facts["chunks"])
            correct_hashes(registry.database, difference.document_id)
        elif difference.reason == "damaged":
            kind: Kind = "json" if difference.asset_key == canonical_documents.KEY else "table"
            pipeline.warehouse.delete(difference.asset_key, difference.document_id, kind)


def _moved(pipeline: Pipeline, looked_at: Sequence[SourceDocument]) -> set[str]:
    """Return documents that a run has changed since they were listed: their data was read partly before the run and partly after it."""
    before = {document.document_id: document.updated_at for document in looked_at}
    now = pipeline.registry.documents(ids=list(before), tombstoned=None) if before else []
    return {document.document_id for document in now if document.updated_at != before[document.document_id]}


# -- one document -----------------------------------------------------------------------------------------------------


def _look(pipeline: Pipeline, group: Sequence[SourceDocument], damaged: Sequence[str]) -> Iterator[Difference]:
    """Compare registry and warehouse document by document, then the stores for the whole group."""
    targets = _targets(pipeline, PUBLICATIONS, damaged)
    for document in group:
        batch = Batch([document.document_id], pipeline.resources)
        wrong = list(_tables(batch, document))
        yield from wrong or _registry(batch, document)
        made = _Made(batch, document.document_id)
        for target in targets:
            yield from _expect(made, target, certain=not wrong)
    for target in targets:
        yield from _stored(target)


def _tables(batch: Batch, document: SourceDocument) -> Iterator[Difference]:
    document_id = document.document_id
    yield from _raw(batch, document_id)
    for stage in STAGES:
        if isinstance(stage, Publication | raw_documents.RawDocuments):
            continue
        if isinstance(stage, amendments.Amendments):
            yield from _amendment(batch, document)
            continue
        key = stage.asset_keys[-1]
        is_canonical = key == canonical_documents.KEY
        problem = _canonical(batch, document_id) if is_canonical else _table(batch, key, document_id)
        if problem is None and isinstance(stage, SupportsCurrency):
            try:
                problem = (
                    None if stage.is_current(batch, document_id) else ("stale", "of an older version or other inputs")
                )
            except (DocumentError, OSError, ValueError):
                problem = None  # an input is missing or damaged; the difference is reported for the input
        if problem is not None:
            yield Difference(document_id, key, *problem)


def _raw(batch: Batch, document_id: str) -> Iterator[Difference]:
    """Check the raw bytes, and that they are those that the registry records."""
    problem = _table(batch, raw_documents.KEY, document_id)
    if problem is None:
        sources = raw_documents.read_sources(batch, document_id)
        written = batch.warehouse.read_table(raw_documents.KEY, document_id, ["sha256"])["sha256"].to_pylist()
        if [source.sha256 for source in sources] != written:
            problem = "damaged", "the bytes are not those that were written"
        else:
            registry = batch.resources.registry
            held = raw_documents.held_by(registry.document(document_id))
            try:
                items = raw_documents.current_items(document_id, registry.items_of(document_id), held)
            except DocumentError as error:
                problem = "differs", error.message
            else:
                if [item.sha256 for item in items] != written:
                    problem = "differs", "the registry knows other bytes than were fetched"
    if problem is not None:
        yield Difference(document_id, raw_documents.KEY, *problem)


def _canonical(batch: Batch, document_id: str) -> tuple[Reason, str] | None:
    if not batch.warehouse.exists(canonical_documents.KEY, document_id, "json"):
        return "missing", "no file"
    try:
        Document.loads(batch.warehouse.read_json(canonical_documents.KEY, document_id))
    except (DocumentError, ValueError, KeyError, TypeError) as error:
        return "damaged", str(error)[:200]
    if canonical_documents.read_stamp(batch, document_id) is None:
        return "stale", "of another model"
    return None


def _table(batch: Batch, key: AssetKey, document_id: str) -> tuple[Reason, str] | None:
    """Check that the file exists, is complete, and has as many rows as its stamp states."""
    if not batch.warehouse.exists(key, document_id):
        return "missing", "no file"
    try:
        rows = len(batch.warehouse.read_table(key, document_id))
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


def _registry(batch: Batch, document: SourceDocument) -> Iterator[Difference]:
    """Compare the registry's facts about tables that are valid."""
    stamp = batch.input_stamp(chunks.KEY, document.document_id)
    said = {
        "text_hash": (document.text_hash, canonical_documents.stamp_of(batch, document.document_id).data_version),
        "total_chunks": (document.total_chunks, stamp.facts["chunks"]),
        "source_sha256": (document.source_sha256, source_hash(batch.resources.registry.database, document.document_id)),
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
class _Target:
    """A collection of the present settings (None: it does not exist yet), and the points that each document should have in it."""

    stage: Publication
    store: VectorStore
    collection: str | None
    expected: dict[str, _Points] = field(default_factory=dict)


def _targets(pipeline: Pipeline, stages: Sequence[Publication], damaged: Sequence[str]) -> list[_Target]:
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
            name = store.generation_for(
                stage.collection, resources.embedders.dimension, generations.present_model(resources)
            )
            exists = name in {generation.name for generation in store.generations(stage.collection)}
            targets.append(_Target(stage, store, name if exists else None))
    return targets


@dataclass
class _Made:
    """The points that a document's tables make, computed once for all stores that hold the same points."""

    batch: Batch
    document_id: str
    known: dict[Callable[[Batch, str], list[Point]], list[Point]] = field(default_factory=dict)

    def points(self, stage: Publication) -> list[Point]:
        if stage.points not in self.known:
            self.known[stage.points] = stage.points(self.batch, self.document_id)
        return self.known[stage.points]


def _expect(made: _Made, target: _Target, *, certain: bool) -> Iterator[Difference]:
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
        manifest = {str(point.payload[stage.id_field]): point.row_hash for point in points}
        published = made.batch.resources.registry.manifests.published(document_id, target.collection)
        if published != manifest:
            said = _said(Counter(manifest.items()), Counter(published.items()))
            yield Difference(document_id, stage.key, "differs", f"manifest: {said} of {len(manifest)} rows")


def _stored(target: _Target) -> Iterator[Difference]:
    """Compare the points in a store with those that the tables make."""
    stage, collection = target.stage, target.collection
    if collection is None:
        for document_id, points in target.expected.items():
            if points:
                yield Difference(
                    document_id, stage.key, "differs", f"{stage.store_name}: no collection of these settings"
                )
    elif target.expected:
        with target.store.session(collection, "reconciling"):
            for document_id, points in target.expected.items():
                held = Counter(target.store.point_hashes(collection, document_id).values())
                if held != points:
                    detail = f"{stage.store_name}: {_said(points, held)} of {points.total()} points"
                    yield Difference(document_id, stage.key, "differs", detail)


def _said(expected: Counter[T], held: Counter[T]) -> str:
    parts = (((expected - held).total(), "missing"), ((held - expected).total(), "too many"))
    return ", ".join(f"{number} {word}" for number, word in parts if number)


def _unclaimed(pipeline: Pipeline, wrong: set[str], damaged: Sequence[str]) -> dict[str, int]:
    """Return the number of points beyond those of all manifests, by collection; skipped if documents differ, which explains such points."""
    out = {}
    for target in [] if wrong else _targets(pipeline, PUBLICATIONS, damaged):
        if target.stage.has_manifest and target.collection is not None:
            published = sum(pipeline.registry.manifests.published_counts(target.collection).values())
            held = target.store.count(target.collection)
            if held > published:
                out[target.stage.collection] = held - published
    return out


# -- practice areas ---------------------------------------------------------------------------------------------------


def _trees(pipeline: Pipeline, damaged: Sequence[str]) -> Iterator[Difference]:
    """Compare the trees of practice areas: tables that are damaged, and points that are missing in a store."""
    batch = Batch([], pipeline.resources)
    for document_id in pipeline.warehouse.documents(practice_area_trees.KEY):
        problem = _table(batch, practice_area_trees.KEY, document_id)
        if problem is not None:
            yield Difference(document_id, practice_area_trees.KEY, *problem)
            continue
        made = _Made(batch, document_id)
        for target in _targets(pipeline, practice_area_trees.PUBLICATIONS, damaged):
            yield from _expect(made, target, certain=True)
            yield from _stored(target)


def _filing(pipeline: Pipeline) -> bool:
    generator = generator_of(Batch([], pipeline.resources), "summaries", Task.CLASSIFY_PRACTICE_AREA)
    if generator is None:
        return False
    leaves = PracticeAreaLeaves(pipeline.registry.database)
    return bool(leaves.due() or leaves.gone() or leaves.filed_otherwise(generator.name, generator.version))


def _groups(documents: Sequence[SourceDocument]) -> Iterator[list[SourceDocument]]:
    waiting = iter(documents)
    while group := list(islice(waiting, _GROUP)):
        yield group
