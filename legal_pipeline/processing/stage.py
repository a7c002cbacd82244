"""The interface of a stage, its reports, and the check whether it has work to do.

Every content of the warehouse has a stamp: the hash of all its inputs and the version of the content. A stage reuses a content that already
has its input hash. Because the data version is made from content, a change that alters nothing does not reach later stages.
Not here: the stages.
"""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from legal_pipeline.chunking.annotate import Annotations
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_table import Embedders, ModelTable
from legal_pipeline.embedding.query_batches import QueryBatches
from legal_pipeline.enrichment.enricher import Enricher
from legal_pipeline.errors import (
    ConfigurationError,
    DatabaseUnavailableError,
    DiskFullError,
    DocumentError,
    FutureTextError,
    LegalPipelineError,
    WaitingForBatchError,
    raise_interruption,
)
from legal_pipeline.model.diff import Diff
from legal_pipeline.model.document import Document
from legal_pipeline.processing.recent_tables import RecentTables
from legal_pipeline.registry.disk_space import is_disk_full
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.warehouse import Warehouse, WarehouseSnapshot, json_content, table_content, table_of
from legal_pipeline.retrieval.reranking import Reranker, open_reranker
from legal_pipeline.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from legal_pipeline.stores.pgvector import PgvectorStore
    from legal_pipeline.stores.store import Model, VectorStore

AssetKey = tuple[str, ...]

Task = TypeVar("Task")
Answers = TypeVar("Answers")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Stamp:
    """`input_hash`: of all inputs of a content; `data_version`: of the content; `facts`: facts about it for reports."""

    input_hash: str
    data_version: str
    facts: dict[str, Any] = field(default_factory=dict)

    def dumps(self) -> str:
        return json.dumps([self.input_hash, self.data_version, self.facts], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def loads(cls, text: str | bytes) -> Stamp:
        return cls(*json.loads(text))


@dataclass(frozen=True)
class Materialized:
    """One (asset, document) is up to date. `reused`: nothing had to be computed for it."""

    asset_key: AssetKey
    document_id: str
    data_version: str
    input_versions: dict[str, str]
    metadata: dict[str, Any]
    reused: bool


@dataclass(frozen=True)
class Failed:
    """One (asset, document) failed. The document leaves the batch here and its last good version is kept. `metadata`: the cost that was
    paid anyway, with the names of `Materialized.metadata`."""

    asset_key: AssetKey
    document_id: str
    error: Exception
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Deferred(Failed):
    """One (asset, document) waits; this is not an error. Assets that do not depend on it are still made; the next run continues with the
    rest. `error` is a `WaitingForBatchError` (answers of the language model) or a `FutureTextError` (the day of a text)."""


StageEvent = Materialized | Failed


@dataclass(frozen=True)
class Resources:
    """The resources of stages. Embedder, store and enricher are created at first use: importing torch alone takes seconds.

    The enricher counts its spending by `run_id`; each run has its own enricher (`for_run`)."""

    settings: Settings
    warehouse: Warehouse
    registry: Registry
    make_embedder: Callable[[Settings], Embedder]
    make_store: Callable[[Settings], VectorStore]
    make_enricher: Callable[[Settings, str], Enricher]
    run_id: str = ""

    @functools.cached_property
    def embedders(self) -> Embedders:
        """The embedders of the settings; no model is loaded before a text is embedded."""
        return self._open(self.settings.embedding_model)

    def embedders_of(self, model: Model) -> Embedders:
        """Return the embedders that a collection was made with. Raises `ConfigurationError` if they are no longer available."""
        if model.name == self.embedders.name:
            return self.embedders
        embedders = self._open(model.setting)
        if embedders.name != model.name:
            raise ConfigurationError(
                f"searches read a collection of the embedding model {model.name}, but {model.setting} is now {embedders.name}: "
                "bring the old model back until every document is indexed with the new one (`legal-pipeline reconcile --repair`)"
            )
        return embedders

    def _open(self, setting: str) -> Embedders:
        """Return the embedders of a setting; each model is opened once, even if a former collection and the settings both name it."""

        def open_one(model: str) -> Embedder:
            if model not in self._opened:
                opened = self.make_embedder(self.settings.model_copy(update={"embedding_model": model}))
                self._opened[model] = QueryBatches(opened)
            return self._opened[model]

        return ModelTable.parse(setting).open(open_one)

    @functools.cached_property
    def _opened(self) -> dict[str, Embedder]:
        """Opened embedders by the model's setting."""
        return {}

    @functools.cached_property
    def store(self) -> VectorStore:
        return self.make_store(self.settings)

    @functools.cached_property
    def reranker(self) -> Reranker | None:
        """The reranker of the settings, None if they name none; no model is loaded before a search."""
        return open_reranker(self.settings)

    @functools.cached_property
    def pgvector(self) -> PgvectorStore:
        """The store in tables of the registry's own database."""
        from legal_pipeline.stores.registry import open_pgvector  # importing stores costs start-up time

        return open_pgvector(self.settings, self.registry.database)

    @functools.cached_property
    def enricher(self) -> Enricher:
        return self.make_enricher(self.settings, self.run_id)

    def for_run(self, run_id: str) -> Resources:
        """Return these resources with a separate enricher; close them at the end of the run."""
        made = replace(self, run_id=run_id, make_store=lambda _: self.store)
        vars(made)["_opened"] = self._opened  # a loaded model is kept for later runs
        return made

    def close(self) -> None:
        """Close the enricher if it was opened: it holds its own connections."""
        if "enricher" in vars(self):
            self.enricher.close()


@dataclass(frozen=True)
class RunOptions:
    """`force` recomputes what is up to date; `strategy` overrides the router for all documents of the run; budgets and totals of the
    language model are counted by `run_id` (None: a new unique id). `due`: leave out documents that are not due when the run claims them."""

    force: bool = False
    strategy: str | None = None
    run_id: str | None = None
    due: bool = False


@dataclass
class Batch:
    """The documents of a run that have not failed, and what this run already has in memory of them."""

    document_ids: list[str]
    resources: Resources
    options: RunOptions = RunOptions()
    documents: dict[str, Document] = field(default_factory=dict)
    annotations: dict[str, Annotations] = field(default_factory=dict)
    #: Differences between canonical documents made by this run and their predecessors, by the two data versions.
    changes: dict[tuple[str, str], Diff] = field(default_factory=dict)
    stamps: dict[tuple[AssetKey, str], Stamp] = field(default_factory=dict)
    #: The registered items of each document, if this run has read them.
    items: dict[str, list[RegisteredItem]] = field(default_factory=dict)
    #: Former ids of renamed documents that still have tables, by the present id.
    former_ids: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tables: RecentTables = field(default_factory=RecentTables)
    #: Read in place of the warehouse of `resources`.
    snapshot: WarehouseSnapshot | None = None

    @property
    def warehouse(self) -> Warehouse:
        return self.resources.warehouse if self.snapshot is None else self.snapshot

    def table_stamp(self, asset: AssetKey, document_id: str) -> Stamp | None:
        """Return the stamp of a table or of a canonical document; None if there is no content or it has no stamp.

        The stamps of the other assets in its file are kept too: stages read all of them.
        """
        if (asset, document_id) not in self.stamps:
            for key, text in self.warehouse.read_stamps(asset, document_id).items():
                self.stamps.setdefault((key, document_id), Stamp.loads(text))
        return self.stamps.get((asset, document_id))

    def input_stamp(self, asset: AssetKey, document_id: str) -> Stamp:
        """Return the stamp of an input that must exist. Raises `DocumentError` naming the asset that has to be made first."""
        stamp = self.table_stamp(asset, document_id)
        if stamp is None:
            raise DocumentError(
                f"{'/'.join(asset)} has not been made yet: `legal-pipeline reconcile --repair` makes it",
                document=document_id,
            )
        return stamp

    def input_versions(self, assets: Iterable[AssetKey], document_id: str) -> dict[str, str]:
        """Return the data version of each of the inputs, which must exist, by the name of the asset."""
        return {"/".join(key): self.input_stamp(key, document_id).data_version for key in assets}

    def id_of_previous(self, asset: AssetKey, document_id: str) -> str | None:
        """Return the id under which the last table of a document is stored: its id or a former id. None if there is no table."""
        ids = (document_id, *self.former_ids.get(document_id, ()))
        return next((name for name in ids if self.table_stamp(asset, name) is not None), None)

    def write_table(
        self, asset: AssetKey, document_id: str, table: pa.Table, stamp: Stamp, state: str | None = None
    ) -> None:
        """Write the table with its stamp, and in the same write `state`: a JSON text of the asset."""
        beside = [json_content(asset, state)] if state is not None else []
        self.tables.drop((asset, document_id))
        self.warehouse.write(document_id, table_content(asset, table, stamp.dumps()), *beside)
        self.tables.put((asset, document_id), table)
        self.stamps[asset, document_id] = stamp

    def read_table(self, asset: AssetKey, document_id: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table from this run's memory, else from the warehouse. Raises `DocumentError` if it is missing or damaged."""
        table = self.tables.get((asset, document_id))
        if table is None:
            return self.warehouse.read_table(asset, document_id, columns)
        return table if columns is None else table.select(list(columns))

    def keep_table(self, asset: AssetKey, document_id: str) -> pa.Table:
        """Return the table in the warehouse, and keep it and its stamp in memory for the stages that read it again.

        Raises `DocumentError` if it is missing or damaged.
        """
        content = self.warehouse.read(asset, document_id, "table")
        table = table_of(content)
        self.tables.put((asset, document_id), table)
        if content.stamp is not None:
            self.stamps[asset, document_id] = Stamp.loads(content.stamp)
        return table

    def read_rows(self, asset: AssetKey, document_id: str) -> list[dict[str, Any]]:
        """Return the rows of a table, as `read_table` finds it. The caller must not change them: other stages get the same ones."""
        rows = self.tables.rows((asset, document_id))
        return self.warehouse.read_table(asset, document_id).to_pylist() if rows is None else rows


class Stage(Protocol):
    """`asset_keys` are the assets that the stage makes; `run` reports each (asset, document) as soon as it is finished."""

    @property
    def asset_keys(self) -> tuple[AssetKey, ...]: ...

    def run(self, batch: Batch) -> Iterator[StageEvent]: ...


Done: TypeAlias = Materialized | Sequence[Materialized]


@dataclass(frozen=True)
class Outdated(Generic[Task]):
    """The asset of a document is outdated; `task` is what its stage needs to make it."""

    task: Task


def prepared(
    document_ids: Iterable[str],
    asset: AssetKey,
    prepare: Callable[[str], Done | Outdated[Task]],
    due: dict[str, Task],
) -> Iterator[StageEvent]:
    """Call `prepare` for each document: report documents without work, and put the others into `due`."""

    def look(document_id: str) -> Done:
        found = prepare(document_id)
        if not isinstance(found, Outdated):
            return found
        due[document_id] = found.task
        return ()

    return per_document(document_ids, asset, look)


def in_one_call(
    batch: Batch,
    asset: AssetKey,
    *,
    prepare: Callable[[str], Done | Outdated[Task]],
    call: Callable[[Mapping[str, Task]], Answers],
    finish: Callable[[str, Task, Answers], Done],
    spent: Callable[[str, Answers], dict[str, Any]],
) -> Iterator[StageEvent]:
    """Run a stage that works on all its documents at once: `prepare` each, `call` once for those that are due, `finish` each.

    If `call` raises, all documents that were due fail. In the other steps `DatabaseUnavailableError` ends the run, as in `per_document`.
    If a document cannot be finished, what was `spent` on it is still reported.
    """
    due: dict[str, Task] = {}
    yield from prepared(batch.document_ids, asset, prepare, due)
    try:
        answers = call(due)
    except Exception as error:
        yield from (failed(asset, document_id, error) for document_id in due)
        return
    yield from per_document(
        due,
        asset,
        lambda document_id: finish(document_id, due[document_id], answers),
        lambda document_id: spent(document_id, answers),
    )


def per_document(
    document_ids: Iterable[str],
    asset: AssetKey,
    work: Callable[[str], Done],
    spent: Callable[[str], dict[str, Any]] = lambda _: {},
) -> Iterator[StageEvent]:
    """Call `work` for every document. If it raises, the document is reported as failed, with what was `spent` on it, and the others
    continue.

    Raises `DatabaseUnavailableError`: without the registry no document can continue.
    """
    for document_id in list(document_ids):
        try:
            done = work(document_id)
        except DatabaseUnavailableError:
            raise  # otherwise every document would wait for the server, and fail for a reason that is not its own
        except Exception as error:
            yield failed(asset, document_id, error, spent(document_id))
        else:
            yield from (done,) if isinstance(done, Materialized) else done


def failed(asset: AssetKey, document_id: str, error: Exception, metadata: dict[str, Any] | None = None) -> Failed:
    """Return what is reported of a document whose work has raised `error`.

    Raises `DiskFullError` or an interruption if that is the cause: both end the run.
    """
    raise_interruption(error)
    if is_disk_full(error):
        # not an error of the document: the run ends, and the next run processes the rest
        raise DiskFullError(f"{'/'.join(asset)} of {document_id} cannot be written: the disk is full") from error
    if isinstance(error, (WaitingForBatchError, FutureTextError)):
        return Deferred(asset, document_id, error, metadata or {})
    if not isinstance(error, LegalPipelineError):
        # unexpected: the traceback is logged, and the other documents must still continue
        _log.error("%s of %s failed", "/".join(asset), document_id, exc_info=error)
    return Failed(asset, document_id, error, metadata or {})
