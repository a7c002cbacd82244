"""Reconciliation of registry, warehouse and stores, by count and hash, over all documents: finds differences and the runs that repair them.

A document is compared in full if its fingerprint (`fingerprints`) is not that of its last full comparison, or if it is in the sample.
`reconcile` reports, and writes only the record of these comparisons; `prepare` makes the repairs that need no run, and deletes tables that
a run would otherwise accept as valid. Not here: the full comparison (`comparison`), running documents (`pipeline`), and the schedule
(`defs.schedules`, the command line).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from legal_pipeline.comparison import (
    Difference,
    Made,
    Target,
    compare_documents,
    compare_points,
    expect_points,
    table_problem,
    targets_of,
)
from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.damaged_collections import PUBLICATIONS, rebuild, verify_collections
from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.fingerprints import Fingerprints
from legal_pipeline.pipeline import ASSETS, Pipeline
from legal_pipeline.processing.enrichment import generator_of
from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.registry.practice_area_leaves import PracticeAreaLeaves
from legal_pipeline.registry.registry import SourceDocument, Status
from legal_pipeline.registry.source_hashes import correct_hashes
from legal_pipeline.registry.verified_documents import VerifiedDocuments
from legal_pipeline.registry.warehouse import Kind
from legal_pipeline.stages import canonical_documents, chunks, raw_documents
from legal_pipeline.stores.replacement import batches

#: A document that waits for its run, or is in a run, for longer than this counts as forgotten.
FORGOTTEN = timedelta(days=1)

#: Documents compared per group: their tables first, then the stores.
_GROUP = 200

_UNDER_WAY: tuple[Status, ...] = ("pending", "processing", "waiting")

#: The share of the unchanged documents that is compared in full each night, those compared longest ago first: within a month, all of them.
SAMPLED = 1 / 30


@dataclass(frozen=True)
class Request:
    """Documents to run through these assets."""

    document_ids: tuple[str, ...]
    assets: tuple[AssetKey, ...]


@dataclass(frozen=True)
class Reconciliation:
    """The result of a reconciliation.

    `failed` are documents whose last run failed, `forgotten` those that have waited for a run for more than a day, `waiting` those that
    have waited for less time, or wait for the day of their text, and were not compared. `compared` of the others were compared in full;
    the rest had the fingerprint of their last comparison. `areas` are practice areas whose tree must be made; `filing`: judgments wait for
    their area. `unclaimed` maps collections to numbers of points that belong to no document. `damaged` are collections whose files cannot
    be read; they are rebuilt, and their content is not compared.
    """

    documents: int = 0
    compared: int = 0
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
        """Whether nothing differs and nothing waits for a repair.

        Documents whose last run failed are in `failed` and do not make it False: what is stored of them is their last good version.
        """
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


def reconcile(pipeline: Pipeline) -> Reconciliation:
    """Compare all documents. Raises `StoreUnavailableError` if a store does not answer: its content is then unknown."""
    with pipeline.kept_open():  # opening a large collection of Qdrant Edge takes seconds
        return _reconcile(pipeline)


def _reconcile(pipeline: Pipeline) -> Reconciliation:
    registry = pipeline.registry
    failed = [document.document_id for document in registry.documents(status="failed")]
    forgotten: list[str] = []
    waiting: list[str] = []
    now = datetime.now(UTC)
    for status in _UNDER_WAY:
        for document in registry.documents(status=status):
            is_forgotten = now - document.updated_at > FORGOTTEN and not raw_documents.waits_for_its_day(document)
            (forgotten if is_forgotten else waiting).append(document.document_id)
    damaged, hashes = verify_collections(pipeline)
    found = _Comparison(pipeline, targets_of(pipeline, PUBLICATIONS, damaged))
    due = found.compare_changed({*failed, *forgotten, *waiting}, hashes)
    VerifiedDocuments(registry.database).forget(found.wrong)
    waiting += found.moved
    areas = set(practice_area_trees.stale(pipeline.resources, roots=True))
    wrong = list(_trees(pipeline, damaged))
    areas |= {practice_area_trees.area_of(difference.document_id) for difference in wrong}
    differences = [*found.differences, *wrong]
    return Reconciliation(
        documents=len(failed) + len(forgotten) + len(waiting) + len(due) - len(found.moved),
        compared=len(found.compared),
        differences=tuple(differences),
        failed=tuple(failed),
        forgotten=tuple(sorted(forgotten)),
        waiting=tuple(sorted(waiting)),
        areas=tuple(sorted(areas)),
        filing=_filing(pipeline),
        unclaimed={} if differences else _unclaimed(pipeline, damaged),
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
            version = batch.input_stamp(canonical_documents.KEY, difference.document_id).data_version
            registry.describe(difference.document_id, text_hash=version, total_chunks=stamp.facts["chunks"])
            correct_hashes(registry.database, difference.document_id)
        elif difference.reason == "damaged":
            kind: Kind = "json" if difference.asset_key == canonical_documents.KEY else "table"
            pipeline.warehouse.delete(difference.asset_key, difference.document_id, kind)


@dataclass
class _Comparison:
    """The full comparisons so far: the ids of the `compared` documents without those that a run changed meanwhile, which are `moved`."""

    pipeline: Pipeline
    targets: list[Target]
    compared: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    differences: list[Difference] = field(default_factory=list)

    def compare(self, document_ids: Sequence[str]) -> None:
        for group in batches(document_ids, _GROUP):
            documents = self.pipeline.registry.documents(ids=group)
            completed = [document for document in documents if document.status == "completed"]
            found = list(compare_documents(self.pipeline, completed, self.targets))
            moved = _moved(self.pipeline, documents)
            self.moved |= moved
            self.compared |= {document.document_id for document in completed} - moved
            self.differences += [difference for difference in found if difference.document_id not in moved]

    @property
    def wrong(self) -> set[str]:
        return {difference.document_id for difference in self.differences}

    def compare_changed(self, unfinished: Collection[str], hashes: Mapping[str, Mapping[str, str]]) -> list[str]:
        """Compare the documents that changed since they were last compared, and a sample of the others; return all completed documents.

        A difference in the sample is one that fingerprints do not show: then all documents are compared. `hashes`: see `Fingerprints`.
        """
        seen = Fingerprints(self.pipeline, [(target.store, target.collection) for target in self.targets], hashes)
        due = [document_id for document_id in seen.document_ids if document_id not in unfinished]
        unchanged = seen.unchanged()
        sample = set(unchanged[: math.ceil(len(unchanged) * SAMPLED)])
        rest = set(unchanged) - sample
        self.compare([document_id for document_id in due if document_id not in rest])
        if sample & self.wrong:
            self.compare([document_id for document_id in due if document_id in rest])
        seen.record(sorted(self.compared - self.wrong))
        return due


def _moved(pipeline: Pipeline, looked_at: Sequence[SourceDocument]) -> set[str]:
    """Return documents that wait for a run, or that a run has changed since they were listed: their data was read partly before the run and
    partly after it."""
    before = {
        document.document_id: document.updated_at if document.status == "completed" else None for document in looked_at
    }
    now = pipeline.registry.documents(ids=list(before), tombstoned=None) if before else []
    return {document.document_id for document in now if document.updated_at != before[document.document_id]}


def _unclaimed(pipeline: Pipeline, damaged: Sequence[str]) -> dict[str, int]:
    """Return the number of points beyond those of all manifests, by collection. Documents that differ would explain such points."""
    out = {}
    for target in targets_of(pipeline, PUBLICATIONS, damaged):
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
        problem = table_problem(batch, practice_area_trees.KEY, document_id)
        if problem is not None:
            yield Difference(document_id, practice_area_trees.KEY, *problem)
            continue
        made = Made(batch, document_id)
        for target in targets_of(pipeline, practice_area_trees.PUBLICATIONS, damaged):
            target.read_manifests(pipeline, [document_id])
            yield from expect_points(made, target, certain=True)
            yield from compare_points(target)


def _filing(pipeline: Pipeline) -> bool:
    generator = generator_of(Batch([], pipeline.resources), "summaries", Task.CLASSIFY_PRACTICE_AREA)
    if generator is None:
        return False
    leaves = PracticeAreaLeaves(pipeline.registry.database)
    return bool(leaves.due() or leaves.gone() or leaves.filed_otherwise(generator.name, generator.version))
