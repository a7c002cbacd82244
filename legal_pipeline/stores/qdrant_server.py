"""Qdrant server or cluster through `qdrant-client`.

Not here: the order of replacing (`stores.replacement`), the meaning of an answer and retries (`stores.qdrant_answers`). Needs a server of
version 1.16 or later, which stores collection metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qdrant_client import QdrantClient, models

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.settings import Quantization
from legal_pipeline.stores import bm25
from legal_pipeline.stores.point_table_store import (
    PointTableStore,
    Result,
    foreign_alias_error,
    is_generation_of,
    verify_dimension,
)
from legal_pipeline.stores.qdrant_answers import DEFAULT_RETRIES, Retries, is_conflict
from legal_pipeline.stores.qdrant_requests import QdrantRequests
from legal_pipeline.stores.replacement import VersionedPoints, batches, ids_and_hashes
from legal_pipeline.stores.store import (
    DENSE,
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    SPARSE,
    UNKNOWN_MODEL,
    AnyOf,
    Condition,
    DateRange,
    Generation,
    Model,
    Point,
    Query,
    RankedLists,
    ScoredPoint,
)
from legal_pipeline.system.retries import RetryPolicy
from legal_pipeline.system.urls import is_web_address, render_url

_FORMAT = "legal-pipeline/2"
_BATCH = 128
_PAGE = 1000
_TIMEOUT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a server puts the points of a collection; None leaves the server's default.

    A server divides a collection into shards and replicas when it creates it, so another number of either builds a new collection. It moves
    payloads and vectors between memory and disk in an existing one.
    """

    shards: int | None = None
    replicas: int | None = None
    payload_on_disk: bool | None = None
    vectors_on_disk: bool | None = None

    @property
    def layout(self) -> dict[str, int]:
        """The part that needs a new collection. Empty by default, so that collections made before these settings stay in use."""
        given = {"shards": self.shards, "replicas": self.replicas}
        return {name: number for name, number in given.items() if number is not None}


class QdrantServerStore(PointTableStore["_RemoteTable"]):
    """A `VectorStore` over a `QdrantClient`; `where` identifies the server in messages and must not contain a secret.

    A call that fails because the server is unreachable, slow or failing is retried according to `retries`; all calls can be repeated.
    """

    def __init__(
        self,
        client: QdrantClient,
        *,
        where: str,
        quantization: Quantization = "none",
        placement: Placement = Placement(),
        retries: RetryPolicy = DEFAULT_RETRIES,
    ) -> None:
        self._client = client
        self._where = where
        self._quantization: Quantization = quantization
        self._placement = placement
        self._retries = Retries(where, retries)
        self._known: dict[str, Generation] = {}
        self.layout = {"bm25": bm25.BM25_VERSION, "quantization": quantization, **placement.layout}

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        api_key: str | None = None,
        timeout: int = _TIMEOUT_SECONDS,
        quantization: Quantization = "none",
        placement: Placement = Placement(),
        retries: RetryPolicy = DEFAULT_RETRIES,
    ) -> QdrantServerStore:
        """Create the store; nothing is sent before the first call."""
        where = render_url(url)
        if not is_web_address(url):
            raise ConfigurationError(f"the Qdrant URL must look like http://host:6333 or https://host, and is {where}")
        client = QdrantClient(url=url, api_key=api_key, timeout=timeout, check_compatibility=False)
        where = f"the Qdrant server {where}"
        return cls(client, where=where, quantization=quantization, placement=placement, retries=retries)

    def ensure_collection(self, name: str, dimension: int, model: Model = UNKNOWN_MODEL) -> None:
        self._retries.call(f"preparing the collection {name}", lambda: self._ensure(name, dimension, model))

    def live(self, alias: str) -> Generation | None:
        return self._retries.call(f"looking for {alias}", lambda: self._live(alias))

    def generations(self, alias: str) -> list[Generation]:
        def look() -> list[Generation]:
            live = self._live(alias)
            return [
                self._generation(name, live.name if live is not None else "")
                for name in self._collections()
                if is_generation_of(name, alias)
            ]

        return self._retries.call(f"looking for {alias}", look)

    def go_live(self, alias: str, name: str) -> None:
        def switch() -> None:
            self._generation(name, name)  # raises if the collection is not ours
            create = models.CreateAliasOperation(
                create_alias=models.CreateAlias(collection_name=name, alias_name=alias)
            )
            delete = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias))
            # both in one request: the alias always exists
            self._client.update_collection_aliases([delete, create] if alias in self._aliases() else [create])

        self._retries.call(f"leading {alias} to {name}", switch)
        self._known.pop(alias, None)

    def drop(self, name: str) -> None:
        def delete() -> None:
            if name in self._collections():
                self._generation(name, "")
                self._client.delete_collection(name)
            self._known.pop(name, None)

        self._retries.call(f"dropping {name}", delete)

    def optimise(self, collection: str) -> None:
        """Do nothing: the server optimises by itself."""

    def close(self) -> None:
        self._client.close()

    def _work(self, collection: str, purpose: str, work: Callable[[_RemoteTable], Result]) -> Result:
        def once() -> Result:
            known = self._known.get(collection) or self._generation(collection, "")
            dimensions = known.model.dimensions(known.dimension)
            return work(_RemoteTable(self._client, collection, dimensions, self._quantization != "none"))

        return self._retries.call(purpose, once)

    def _ensure(self, name: str, dimension: int, model: Model) -> None:
        if name not in self._collections():
            try:
                self._create(name, dimension, model)
            except Exception as error:
                if not is_conflict(error):  # another process was faster, or an answer to this very request was lost
                    raise
            if not self._client.get_collection(name).config.metadata:
                self._client.delete_collection(name)
                raise ConfigurationError(f"{self._where} keeps no collection metadata: version 1.16 or later is needed")
        found = self._generation(name, "")
        verify_dimension(f"{name} on {self._where}", found.dimension, dimension)
        info = self._client.get_collection(name)
        self._place(name, info.config.params)
        indexed = info.payload_schema
        for field, kind in INDEXED_FIELDS.items():
            if field not in indexed:
                self._client.create_payload_index(name, field, field_schema=models.PayloadSchemaType(kind), wait=True)

    def _create(self, name: str, dimension: int, model: Model) -> None:
        quantized = models.ScalarQuantization(
            scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        )
        self._client.create_collection(
            name,
            vectors_config={
                vector: models.VectorParams(
                    size=size, distance=models.Distance.COSINE, on_disk=self._placement.vectors_on_disk
                )
                for vector, size in model.dimensions(dimension).items()
            },
            sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            quantization_config=quantized if self._quantization == "int8" else None,
            shard_number=self._placement.shards,
            replication_factor=self._placement.replicas,
            on_disk_payload=self._placement.payload_on_disk,
            metadata={
                "format": _FORMAT,
                "bm25": bm25.BM25_VERSION,
                **model.dump(),
            },
        )

    def _place(self, name: str, params: models.CollectionParams) -> None:
        """Let the server move what is not where the settings want it; it does so during its other work."""
        # `on_disk` and not `memory`, which servers before 1.20 do not know
        payload, vectors = self._placement.payload_on_disk, self._placement.vectors_on_disk
        found = params.vectors if isinstance(params.vectors, dict) else {}
        moved = {
            vector: models.VectorParamsDiff(on_disk=vectors)
            for vector, held in found.items()
            if vectors not in (None, bool(held.on_disk))
        }
        if moved:
            self._client.update_collection(name, vectors_config=moved)
        if payload not in (None, params.on_disk_payload):
            self._client.update_collection(name, collection_params=models.CollectionParamsDiff(on_disk_payload=payload))

    def _verify_alias(self, alias: str) -> None:
        if alias in self._retries.call(f"looking for {alias}", self._collections):
            raise foreign_alias_error(alias, self._where)

    def _collections(self) -> list[str]:
        return sorted(collection.name for collection in self._client.get_collections().collections)

    def _aliases(self) -> dict[str, str]:
        return {alias.alias_name: alias.collection_name for alias in self._client.get_aliases().aliases}

    def _live(self, alias: str) -> Generation | None:
        name = self._aliases().get(alias)
        return self._generation(name, name) if name is not None else None

    def _generation(self, name: str, live: str) -> Generation:
        """Return a collection of ours, as in `edge_marker.read_marker`; raise ConfigurationError for any other."""
        config = self._client.get_collection(name).config
        params, metadata = config.params, config.metadata or {}
        dense = params.vectors.get(DENSE) if isinstance(params.vectors, dict) else None
        sparse = (params.sparse_vectors or {}).get(SPARSE)
        if dense is None or sparse is None or metadata.get("format") != _FORMAT:
            raise ConfigurationError(
                f"the collection {name} on {self._where} was not made by this version of this package; nothing was written. "
                "Use another collection name"
            )
        self._known[name] = Generation(name, Model.load(metadata), int(dense.size), name == live)
        return self._known[name]


class _RemoteTable(VersionedPoints):
    """A collection that implements `SearchableTable`."""

    def __init__(self, client: QdrantClient, collection: str, dimensions: Mapping[str, int], quantized: bool) -> None:
        self._client = client
        self._collection = collection
        self._quantized = quantized
        self._requests = _ServerRequests()
        self.dimensions = dimensions

    def lock(self, document_ids: Iterable[str]) -> None:
        """Do nothing: a second writer of a document repeats the first one's writes, because ids are hashes of the content."""

    def _hashes(self, conditions: Sequence[Condition]) -> Iterator[tuple[str, str, str]]:
        """Yield (document id, stored id, row hash) of each point."""
        offset: Any = None
        while True:
            records, offset = self._client.scroll(
                self._collection,
                scroll_filter=self._requests.filter(conditions),
                limit=_PAGE,
                offset=offset,
                with_payload=[DOCUMENT_ID, ROW_HASH],
            )
            yield from ids_and_hashes(records)
            if offset is None:
                return

    def count(self, document_id: str | None) -> int:
        conditions = [] if document_id is None else [AnyOf(DOCUMENT_ID, (document_id,))]
        return self._client.count(self._collection, count_filter=self._requests.filter(conditions), exact=True).count

    def query_batch(self, queries: Sequence[Query]) -> list[RankedLists]:
        requests = [
            self._requests.of(
                query,
                quantized=self._quantized,
                with_payload=True if query.fields is None else list(query.fields),
            )
            for query in queries
        ]
        asked = [request for each in requests for request in each.values()]
        answers = iter(self._client.query_batch_points(self._collection, asked) if asked else ())
        return [RankedLists(**{name: _scored(next(answers)) for name in each}) for each in requests]

    def write(self, points: Mapping[str, Point]) -> None:
        for batch in batches(points.items(), _BATCH):
            made = [_point_struct(stored_id, point) for stored_id, point in batch]
            self._client.upsert(self._collection, made, wait=True)

    def delete(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _PAGE):
            selector = models.PointIdsList(points=list(ids[start : start + _PAGE]))
            self._client.delete(self._collection, selector, wait=True)


def _scored(answer: models.QueryResponse) -> tuple[ScoredPoint, ...]:
    return tuple(ScoredPoint(str(point.id), point.score, point.payload or {}) for point in answer.points)


def _point_struct(stored_id: str, point: Point) -> models.PointStruct:
    sparse = bm25.document_vector(point.text, point.language)
    return models.PointStruct(
        id=stored_id,
        vector={
            point.vector_name: point.vector.tolist(),
            SPARSE: models.SparseVector(indices=list(sparse), values=list(sparse.values())),
        },
        payload={**point.payload, DOCUMENT_ID: point.document_id},
    )


class _ServerRequests(QdrantRequests):
    def __init__(self) -> None:
        super().__init__(models)

    def _nearest(self, vector: Any, using: str, **given: Any) -> Any:
        return self._types.QueryRequest(query=vector, using=using, **given)

    def _flags(self, name: str, flags: list[bool]) -> list[Any]:
        types = self._types
        return [types.FieldCondition(key=name, match=types.MatchValue(value=flag)) for flag in flags]

    def _within(self, condition: DateRange) -> Any:
        # the model converts ISO strings to datetimes
        bounds = self._types.DatetimeRange(
            gte=condition.since, gt=condition.after, lte=condition.until, lt=condition.before
        )
        return self._types.FieldCondition(key=condition.field, range=bounds)

    def _absent(self, name: str) -> Any:
        return self._types.IsEmptyCondition(is_empty=self._types.PayloadField(key=name))

    def _points(self, ids: Sequence[str]) -> Any:
        return self._types.HasIdCondition(has_id=list(ids))
