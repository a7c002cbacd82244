"""The pipeline: its stages, the order in which a batch of documents passes them, and the events that each stage reports.

Only this module knows the order; it does not use dagster. Not here: the stages (`stages`), and how documents are registered
(`registration`).
"""

from __future__ import annotations

import contextlib
import functools
import logging
import time
import uuid
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.embedding.processors import Processors
from legal_pipeline.embedding.registry import configured_embedder
from legal_pipeline.enrichment.registry import open_enricher
from legal_pipeline.errors import ConfigurationError, DatabaseUnavailableError, DocumentError, StoreError
from legal_pipeline.jurisdictions.jurisdiction import add_configured
from legal_pipeline.processing import generations
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import (
    AssetKey,
    Batch,
    Deferred,
    Failed,
    Materialized,
    Resources,
    RunOptions,
    Stage,
    StageEvent,
)
from legal_pipeline.registry import warehouse_migration
from legal_pipeline.registry.claims import Claims
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.document_versions import record_versions
from legal_pipeline.registry.registry import Registry, SourceDocument, Status
from legal_pipeline.registry.run_outcomes import Outcome, finish_run
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.renaming import finish
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.hit import ContextLevel, Hit
from legal_pipeline.retrieval.query_text import verify_text
from legal_pipeline.retrieval.searcher import Searcher
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
from legal_pipeline.stores.registry import open_store
from legal_pipeline.stores.store import DOCUMENT_ID, AnyOf, Condition
from legal_pipeline.views import hit_details
from legal_pipeline.views.published_index import PublishedIndex

STAGES: tuple[Stage, ...] = (
    raw_documents.RawDocuments(),
    canonical_documents.CanonicalDocuments(),
    amendments.Amendments(),
    provision_versions.ProvisionVersions(),
    cross_references.CrossReferences(),
    chunks.Chunks(),
    context_prefixes.STAGE,
    raptor_summaries.RaptorSummaries(),
    quim_questions.STAGE,
    superseded_chunks.SupersededChunks(),
    chunk_embeddings.STAGE,
    question_embeddings.STAGE,
    qdrant_chunks.STAGE,
    qdrant_questions.STAGE,
    pgvector_chunks.STAGE,
)

#: Seconds between two attempts to claim documents that other runs process.
_CLAIMED_SECONDS = 0.5

_log = logging.getLogger(__name__)

#: The root of all dependencies: the items of a source, which the pipeline does not make.
SOURCE: AssetKey = ("source_items",)

#: The chunk assets of the strategies. A document has those of the strategies that made chunks of it, and no others: they are made
#: together with `chunks` and are never requested by themselves.
STRATEGIES: tuple[AssetKey, ...] = tuple(chunks.STRATEGY_KEYS.values())

#: The inputs of each asset: the edges of the graph that the UI shows.
DEPENDENCIES: dict[AssetKey, tuple[AssetKey, ...]] = {
    raw_documents.KEY: (SOURCE,),
    canonical_documents.KEY: (raw_documents.KEY,),
    amendments.KEY: (canonical_documents.KEY,),
    provision_versions.KEY: (canonical_documents.KEY,),
    cross_references.KEY: (canonical_documents.KEY,),
    chunks.KEY: (canonical_documents.KEY, *STRATEGIES),
    context_prefixes.KEY: (chunks.KEY,),
    raptor_summaries.KEY: (chunks.KEY,),
    quim_questions.KEY: (chunks.KEY,),
    superseded_chunks.KEY: (chunks.KEY, context_prefixes.KEY, provision_versions.KEY),
    chunk_embeddings.KEY: chunk_embeddings.STAGE.above,
    question_embeddings.KEY: question_embeddings.STAGE.above,
    qdrant_chunks.KEY: qdrant_chunks.STAGE.above,
    qdrant_questions.KEY: qdrant_questions.STAGE.above,
    pgvector_chunks.KEY: pgvector_chunks.STAGE.above,
}

ASSETS: tuple[AssetKey, ...] = tuple(DEPENDENCIES)


@functools.cache
def _all_above(asset: AssetKey) -> frozenset[AssetKey]:
    """Return `asset` and all assets that it is made from."""
    return frozenset({asset}).union(*(_all_above(above) for above in DEPENDENCIES[asset] if above in DEPENDENCIES))


@functools.cache
def _all_below(asset: AssetKey) -> frozenset[AssetKey]:
    """Return all assets that are made from `asset`."""
    return frozenset(key for key in ASSETS if key != asset and asset in _all_above(key))


def _waits_for(stage: Stage, deferred: Collection[AssetKey]) -> bool:
    """Return whether `stage` makes its assets from one of `deferred`."""
    return any(not _all_above(key).isdisjoint(deferred) for key in stage.asset_keys if key in DEPENDENCIES)


def _unknown(document_id: str) -> Failed:
    return Failed(ASSETS[0], document_id, DocumentError("not in the registry", document=document_id))


def _held(holders: Mapping[str, str], document_ids: Sequence[str]) -> Iterator[Failed]:
    """Yield a failure for each document that another run keeps."""
    for document_id in document_ids:
        holder = holders.get(document_id, "")
        error = DocumentError(
            f"another run has it{f', {holder}' if holder else ''}: end that process if it hangs, and run this document again",
            document=document_id,
        )
        yield Failed(ASSETS[0], document_id, error)


def _version(event: Materialized) -> str | None:
    """Return the data version; None for the chunks of a strategy that makes none of this document any more."""
    is_lost = event.asset_key in STRATEGIES and not event.metadata["chunks"]
    return None if is_lost else event.data_version


def _processors(settings: Settings) -> Processors:
    return Processors(settings.home / "working")


def verify_settings(settings: Settings) -> None:
    """Add the configured countries. Raises `ConfigurationError` for a setting whose values only the code that uses it knows."""
    add_configured(settings)
    try:
        RouterOptions(settings.forced_strategy)
    except ConfigurationError as error:
        raise ConfigurationError(f"{Settings.environment_name('forced_strategy')}: {error}") from None


class Pipeline:
    """All stages, run with one set of resources."""

    def __init__(self, resources: Resources, database: Database) -> None:
        self.resources = resources
        self._database = database
        self._processors = _processors(resources.settings)
        #: Open until the pipeline is closed; safe for use in several threads.
        self.searcher = Searcher(PublishedIndex(resources))

    @classmethod
    def open(cls, settings: Settings, *, database_timeout: float = 30) -> Pipeline:
        """Open database, registry and warehouse; embedder and store open when a stage first needs them.

        `database_timeout`: see `Database`.
        """
        verify_settings(settings)
        warehouse = Warehouse(settings.warehouse_root)
        warehouse_migration.migrate(warehouse)
        database = Database.open(settings, timeout=database_timeout)
        resources = Resources(
            settings=settings,
            warehouse=warehouse,
            registry=Registry(database),
            make_embedder=lambda settings: configured_embedder(settings, threads=_processors(settings).share),
            make_store=open_store,
            make_enricher=lambda settings, run_id: open_enricher(settings, database, run_id),
        )
        return cls(resources, database)

    @property
    def registry(self) -> Registry:
        return self.resources.registry

    @property
    def warehouse(self) -> Warehouse:
        return self.resources.warehouse

    def run(
        self,
        document_ids: Sequence[str],
        assets: Collection[AssetKey] | None = None,
        options: RunOptions = RunOptions(),
    ) -> Generator[StageEvent, None, None]:
        """Run documents through the stages that make `assets` (None: all assets), one stage after another for the whole batch.

        Each finished (asset, document) is reported at once. A document that fails in a stage is reported there and leaves the batch; the
        other documents continue. The registry has the outcome when the iterator is exhausted.

        The run claims its documents. It first processes those that no other run has claimed, and then waits for the others; those that
        stay with a live run for too long are reported as failed, and their state is left to that run.
        """
        wanted = frozenset(ASSETS if assets is None else assets)
        unknown = wanted - set(ASSETS)
        if unknown:
            raise ConfigurationError(f"no such assets: {sorted('/'.join(key) for key in unknown)}")
        run_id = options.run_id or uuid.uuid4().hex
        waiting, announced, since = list(dict.fromkeys(document_ids)), list[str](), 0.0
        with (
            contextlib.closing(self.resources.for_run(run_id)) as resources,
            self._processors.working(),
            Claims(self._database) as claims,
        ):
            while waiting:
                claimed, left = claims.take(waiting, due=options.due)
                if not options.due:
                    yield from map(_unknown, [name for name in waiting if name not in claimed and name not in {*left}])
                if claimed:
                    yield from self._run(Batch(list(claimed), resources, options), wanted, claimed)
                    claims.release()
                elif left:
                    if left != announced:
                        _log.warning(
                            "waiting for %d documents that other runs process: %s", len(left), ", ".join(left[:3])
                        )
                        announced, since = left, time.monotonic()
                    if time.monotonic() - since > self.resources.settings.run_wait_minutes * 60:
                        yield from _held(claims.holders(left), left)
                        return
                    time.sleep(_CLAIMED_SECONDS)
                waiting = left

    def _run(
        self, batch: Batch, wanted: frozenset[AssetKey], former_status: Mapping[str, Status]
    ) -> Iterator[StageEvent]:
        """Run claimed documents, which had `former_status`."""
        before = {
            document.document_id: replace(document, status=former_status[document.document_id])
            for document in self.registry.documents(ids=batch.document_ids, tombstoned=None)
        }
        batch.former_ids = self.registry.aliases.unfinished(batch.document_ids)
        reported = wanted.union(STRATEGIES) if chunks.KEY in wanted else wanted
        # others were erased meanwhile
        alive = [document_id for document_id in batch.document_ids if document_id in before]
        deferred: dict[str, dict[AssetKey, Deferred]] = {}
        versions: dict[str, dict[str, str | None]] = {}
        try:
            for stage in STAGES:
                if wanted.isdisjoint(stage.asset_keys):
                    continue
                # run every stage of the document that does not need the deferred answers
                batch.document_ids = [key for key in alive if not _waits_for(stage, deferred.get(key, {}))]
                for event in stage.run(batch):
                    if isinstance(event, Deferred):
                        batch.document_ids.remove(event.document_id)
                        deferred.setdefault(event.document_id, {})[event.asset_key] = event
                    elif isinstance(event, Failed):
                        batch.document_ids.remove(event.document_id)
                        alive.remove(event.document_id)
                        self._set_unfinished("failed", before[event.document_id], event)
                    elif event.asset_key not in reported:
                        continue
                    else:
                        versions.setdefault(event.document_id, {})["/".join(event.asset_key)] = _version(event)
                    yield event
        except DatabaseUnavailableError:
            raise  # nothing can be recorded: the claims end with this process, and the next poll finds them so
        except BaseException:
            # an interrupt, here or in the caller that consumes the events: the documents in progress wait for the next run, under a run key
            # that Dagster has not seen
            for document_id in alive:
                self.registry.retry(document_id)
            raise
        record_versions(self._database, versions)  # before a document leaves the run as finished
        for document_id in [key for key in alive if key in deferred]:
            alive.remove(document_id)
            self._set_unfinished("waiting", before[document_id], *deferred[document_id].values())
        yield from self._set_finished(batch, wanted, [before[document_id] for document_id in alive])

    def _set_finished(
        self, batch: Batch, wanted: frozenset[AssetKey], documents: Sequence[SourceDocument]
    ) -> Iterator[Failed]:
        """Record what was made of `documents` (their state before the run); yield a failure for a former id that cannot be removed."""
        whole_way, below = self._to_the_stores(), frozenset[AssetKey]().union(*map(_all_below, wanted))
        outcomes = []
        for document in documents:
            document_id = document.document_id
            # partial runs add up; assets made from an asset that was made again may have changed
            made = {key for key in ASSETS if "/".join(key) in document.made} - below | wanted
            done = whole_way <= made or document.status == "completed"
            if done and document_id in batch.former_ids:
                try:
                    finish(batch, document_id, STAGES)
                except StoreError as error:
                    event = Failed(qdrant_chunks.KEY, document_id, error)
                    self._set_unfinished("failed", document, event)
                    yield event
                    continue
            outcomes.append(Outcome(document_id, document.revision, frozenset(map("/".join, made)), done))
        yield from map(_unknown, finish_run(self._database, outcomes))

    def _set_unfinished(self, status: Status, document: SourceDocument, *events: Failed) -> None:
        own = f"{document.document_id}: "  # errors name the document first, and so does who prints the reason
        reason = "; ".join(f"{'/'.join(event.asset_key)}: {str(event.error).removeprefix(own)}" for event in events)
        self.registry.set_status(document.document_id, status, error=reason, revision=document.revision)

    def _to_the_stores(self) -> frozenset[AssetKey]:
        """Return the assets of all stores that are on, and all assets that they are made from: a document with these is completed."""
        stores = self.resources.settings.store_names
        ends = [stage.key for stage in STAGES if isinstance(stage, Publication) and stage.store_name in stores]
        return frozenset().union(*(_all_above(key) for key in ends))

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        filters: SearchFilters | Mapping[str, str] | None = None,
        languages: Sequence[str] = (),
        fold_duplicates: bool = True,
        passage_tokens: int | None = None,
        amendments: bool = False,
        context: ContextLevel | None = None,
    ) -> list[Hit]:
        """Return published chunks for `query`; `filters` may also be payload fields with the value that each must have.

        See `retrieval.searcher`.

        `passage_tokens`: None takes the value of the settings. `amendments` adds to each hit the acts that amend its provision, `context`
        the text of that level around the hit.
        """
        conditions: list[Condition]
        if isinstance(filters, SearchFilters):
            conditions = [*filters.conditions()]
        else:
            for name, value in (filters or {}).items():
                verify_text(f"the filter `{name}`", value)
            named = [AnyOf(name, (value,)) for name, value in (filters or {}).items()]
            conditions = [*named, *SearchFilters().conditions()]
        conditions = [self._by_present_ids(condition) for condition in conditions]
        settings = self.resources.settings
        hits = self.searcher.search(
            query,
            limit=limit,
            filters=conditions,
            languages=languages,
            fold_duplicates=fold_duplicates,
            passage_tokens=settings.passage_tokens if passage_tokens is None else passage_tokens,
        )
        hits = hit_details.with_facts(self.resources, hits)
        if amendments:
            hits = hit_details.with_amendments(self.resources, hits)
        return hits if context is None else hit_details.with_context(self.resources, hits, context)

    def _by_present_ids(self, condition: Condition) -> Condition:
        """Return `condition` with former document ids replaced by the present ids."""
        if not isinstance(condition, AnyOf) or condition.field != DOCUMENT_ID:
            return condition
        return AnyOf(DOCUMENT_ID, tuple(self.registry.aliases.names(map(str, condition.values))))

    def optimise(self) -> list[str]:
        """Let every store that is on optimise its live collections for fast searches; return the names of the collections.

        A collection is held meanwhile, for minutes if it is large: the nightly reconciliation calls this.
        """
        done = []
        for stage in STAGES:
            if isinstance(stage, Publication) and stage.is_on(self.resources):
                store = stage.store(self.resources)
                if (live := store.live(stage.collection)) is not None:
                    store.optimise(live.name)
                    done.append(f"{stage.store_name}: {live.name}")
        return done

    def purge(self, *, grace: timedelta | None = None) -> dict[str, int]:
        """Remove tombstoned documents from the stores and the amendments; return the number of deleted points by document.

        With `grace`: only documents that were tombstoned at least that long ago and are still in the stores.

        The document's tables stay in the warehouse as its history. A document that its source lists again is run again. A document that
        cannot be removed stays for the next call, and the others continue; the last such error is raised at the end.
        """
        deleted: dict[str, int] = {}
        failure: DocumentError | None = None
        for document in self.registry.removed(grace=grace):
            try:
                deleted[document.document_id] = self._withdraw(document)
            except DocumentError as error:
                failure = error
        for event in practice_area_trees.withdraw(self.resources, list(deleted)):
            if isinstance(event, Failed):
                raise event.error
        if failure is not None:
            raise failure
        return deleted

    def _withdraw(self, document: SourceDocument) -> int:
        """Remove one document from the stores; return the number of its points."""
        document_id = document.document_id
        batch = Batch([document_id], self.resources)
        number = None
        if document.doc_type == "amendment":
            number = canonical_documents.load(batch, document_id).number
        points = sum(stage.withdraw(batch, document_id) for stage in STAGES if isinstance(stage, Publication))
        if number is not None:
            self.registry.forget_amendment(number)
        if not self.registry.set_purged(document_id):
            self.registry.retry(document_id)  # its source lists it again: the next run makes it again
        return points

    def collections(self) -> list[generations.State]:
        """Return the collections of the stores that are on: the live ones, and the progress of those under construction."""
        return [state for stage in self._publications() for state in generations.states(self.resources, stage)]

    @contextlib.contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep the collections that documents are written to open during the block, except while another process waits for them.

        For several runs in one process: Qdrant Edge takes 0.4 s of processor time to open 50,000 points, and each run would do so.
        """
        with contextlib.ExitStack() as stack:
            for stage in self._publications():
                if stage.is_on(self.resources):
                    name = generations.name_of_present(self.resources, stage)
                    stack.enter_context(stage.store(self.resources).kept_open([name], "several runs"))
            yield

    def sweep(self) -> list[str]:
        """Drop the collections that neither searches nor runs use any more; return their names."""
        return [name for stage in self._publications() for name in generations.sweep(self.resources, stage)]

    def _publications(self) -> list[Publication]:
        """Return one publication stage for each collection."""
        stages = [stage for stage in STAGES if isinstance(stage, Publication)]
        return list({(stage.store_name, stage.collection): stage for stage in stages}.values())

    def close(self) -> None:
        self.searcher.close()
        self.resources.close()
        self._database.close()

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = [
    "ASSETS",
    "DEPENDENCIES",
    "SOURCE",
    "STAGES",
    "STRATEGIES",
    "Deferred",
    "Failed",
    "Materialized",
    "Pipeline",
    "RunOptions",
    "StageEvent",
]
