"""Qdrant server or cluster through `qdrant-client`.

Not here: the order of replacing (`stores.replacement`). Needs a server of version 1.16 or later, which keeps collection metadata.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from legal_pipeline.errors import ConfigurationError, LegalPipelineError, StoreError, StoreUnavailableError
from legal_pipeline.stores import bm25, replacement
from legal_pipeline.stores.store import (
    DENSE,
    DOCUMENT_ID,
    INDEXED_FIELDS,
    ROW_HASH,
    SPARSE,
    AnyOf,
    Condition,
    DateRange,
    Point,
    RankedLists,
    ReplaceResult,
    ScoredPoint,
    Vector,
)

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

_FORMAT = "legal-pipeline/1"
_BATCH = 128
_PAGE = 1000
_TIMEOUT_SECONDS = 30


class QdrantServerStore:
    """A `VectorStore` over a `QdrantClient`; `where` names the server in messages and must hold no secret."""

    def __init__(self, client: QdrantClient, *, where: str) -> None:
        self._client = client
        self._where = where
        self._dimensions: dict[str, int] = {}

    @classmethod
    def connect(cls, url: str, *, api_key: str | None = None, timeout: int = _TIMEOUT_SECONDS) -> QdrantServerStore:
        """Nothing is sent before the first call."""
        from qdrant_client import QdrantClient

        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigurationError("the Qdrant URL must look like http://host:6333 or https://host")
        where = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        client = QdrantClient(url=url, api_key=api_key, timeout=timeout, check_compatibility=False)
        return cls(client, where=f"the Qdrant server {where}")

    def ensure_collection(self, name: str, dimension: int) -> None:
        from qdrant_client import models

        with self._translated(f"preparing the collection {name}"):
            if not self._client.collection_exists(name):
                self._client.create_collection(
                    name,
                    vectors_config={DENSE: models.VectorParams(size=dimension, distance=models.Distance.COSINE)},
                    sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
                    metadata={"format": _FORMAT, "bm25": bm25.BM25_VERSION},
                )
                if not self._client.get_collection(name).config.metadata:
                    self._client.delete_collection(name)
                    raise ConfigurationError(
                        f"{self._where} keeps no collection metadata: version 1.16 or later is needed"
                    )
            info = self._client.get_collection(name)
            found = self._dimension_of(name, info)
            if found != dimension:
                raise ConfigurationError(
                    f"the collection {name} on {self._where} holds vectors of {found} dimensions, the embedding model gives {dimension}; "
                    "nothing was written. Use another collection or the model it was made with"
                )
            kinds = {
                "keyword": models.PayloadSchemaType.KEYWORD,
                "bool": models.PayloadSchemaType.BOOL,
                "datetime": models.PayloadSchemaType.DATETIME,
            }
            for field, kind in INDEXED_FIELDS.items():
                if field not in info.payload_schema:
                    self._client.create_payload_index(name, field, field_schema=kinds[kind], wait=True)

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        with self._translated(f"writing to {collection}"):
            table = self._table(collection)
            replacement.verify_points(points, table.dimension)
            table.write(points)

    def replace_document(
        self, collection: str, document_id: str, points: Sequence[Point], *, publish: Callable[[], None] | None = None
    ) -> ReplaceResult:
        with self._translated(f"writing {document_id} to {collection}"):
            return replacement.replace_document(self._table(collection), document_id, points, publish)

    def point_hashes(self, collection: str, document_id: str) -> dict[str, str]:
        with self._translated(f"reading {document_id} in {collection}"):
            return self._table(collection).hashes(document_id)

    def count(self, collection: str, document_id: str | None = None) -> int:
        conditions = [] if document_id is None else [AnyOf(DOCUMENT_ID, (document_id,))]
        with self._translated(f"counting {collection}"):
            return self._client.count(collection, count_filter=_filter(conditions), exact=True).count

    def delete_document(self, collection: str, document_id: str) -> int:
        with self._translated(f"deleting {document_id} in {collection}"):
            table = self._table(collection)
            ids = list(table.hashes(document_id))
            table.delete(ids)
            return len(ids)

    def query(
        self,
        collection: str,
        *,
        dense: Vector | None = None,
        text: str | None = None,
        languages: Sequence[str] = (),
        filters: Sequence[Condition] = (),
        limit: int = 50,
    ) -> RankedLists:
        from qdrant_client import models

        sparse = bm25.query_vector(text, languages) if text is not None else None

        def nearest(vector: Any, using: str) -> tuple[ScoredPoint, ...]:
            found = self._client.query_points(
                collection,
                query=vector,
                using=using,
                query_filter=_filter(filters),
                limit=limit,
                with_payload=True,
            ).points
            return tuple(ScoredPoint(str(point.id), point.score, point.payload or {}) for point in found)

        with self._translated(f"searching {collection}"):
            return RankedLists(
                dense=nearest(dense.tolist(), DENSE) if dense is not None else (),
                sparse=nearest(models.SparseVector(indices=sparse.indices, values=sparse.values), SPARSE)
                if sparse and sparse.indices
                else (),
            )

    def optimise(self, collection: str) -> None:
        """The server does it by itself."""

    @contextlib.contextmanager
    def session(self, collection: str, purpose: str) -> Iterator[None]:
        """The client keeps its connections anyhow."""
        yield

    def close(self) -> None:
        self._client.close()

    def _table(self, collection: str) -> _RemoteTable:
        if collection not in self._dimensions:
            self._dimensions[collection] = self._dimension_of(collection, self._client.get_collection(collection))
        return _RemoteTable(self._client, collection, self._dimensions[collection])

    def _dimension_of(self, name: str, info: models.CollectionInfo) -> int:
        """Dimension of a collection of ours; ConfigurationError for any other."""
        params, metadata = info.config.params, info.config.metadata or {}
        dense = params.vectors.get(DENSE) if isinstance(params.vectors, dict) else None
        sparse = (params.sparse_vectors or {}).get(SPARSE)
        ours = metadata.get("format") == _FORMAT and metadata.get("bm25") == bm25.BM25_VERSION
        if dense is None or sparse is None or not ours:
            raise ConfigurationError(
                f"the collection {name} on {self._where} was not made by this version of this package; nothing was written. "
                "Use another collection name"
            )
        return int(dense.size)

    @contextlib.contextmanager
    def _translated(self, action: str) -> Iterator[None]:
        """Errors of the client as ours."""
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        try:
            yield
        except LegalPipelineError:
            raise
        except UnexpectedResponse as error:
            status = error.status_code or 0
            if status in (401, 403):
                raise ConfigurationError(
                    f"{self._where} refused the API key while {action} (HTTP {status}); check QDRANT_API_KEY"
                ) from error
            kind = StoreUnavailableError if status in (408, 429) or status >= 500 else StoreError
            body = error.content.decode("utf-8", "replace")[:300]
            raise kind(f"{self._where} answered HTTP {status} while {action}: {body}") from error
        except ResponseHandlingException as error:
            raise StoreUnavailableError(f"{self._where} does not answer while {action}: {error.source}") from error
        except ValueError as error:
            raise StoreError(f"{self._where} refused while {action}: {error}") from error


class _RemoteTable:
    """A collection as a `PointTable`."""

    def __init__(self, client: QdrantClient, collection: str, dimension: int) -> None:
        self._client = client
        self._collection = collection
        self.dimension = dimension

    def hashes(self, document_id: str) -> dict[str, str]:
        result: dict[str, str] = {}
        offset: Any = None
        while True:
            records, offset = self._client.scroll(
                self._collection,
                scroll_filter=_filter([AnyOf(DOCUMENT_ID, (document_id,))]),
                limit=_PAGE,
                offset=offset,
                with_payload=[ROW_HASH],
            )
            result.update((str(record.id), str((record.payload or {}).get(ROW_HASH, ""))) for record in records)
            if offset is None:
                return result

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        result: dict[str, str] = {}
        for start in range(0, len(ids), _PAGE):
            records = self._client.retrieve(
                self._collection, list(ids[start : start + _PAGE]), with_payload=[DOCUMENT_ID]
            )
            result.update((str(record.id), str((record.payload or {}).get(DOCUMENT_ID, ""))) for record in records)
        return result

    def write(self, points: Sequence[Point]) -> None:
        for start in range(0, len(points), _BATCH):
            batch = [_point_struct(point) for point in points[start : start + _BATCH]]
            self._client.upsert(self._collection, batch, wait=True)

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_client import models

        for start in range(0, len(ids), _PAGE):
            selector = models.PointIdsList(points=list(ids[start : start + _PAGE]))
            self._client.delete(self._collection, selector, wait=True)


def _point_struct(point: Point) -> models.PointStruct:
    from qdrant_client import models

    sparse = bm25.document_vector(point.text, point.language)
    return models.PointStruct(
        id=point.id,
        vector={
            DENSE: point.vector.tolist(),
            SPARSE: models.SparseVector(indices=sparse.indices, values=sparse.values),
        },
        payload={**point.payload, DOCUMENT_ID: point.document_id},
    )


def _filter(conditions: Sequence[Condition]) -> models.Filter | None:
    from qdrant_client import models

    if not conditions:
        return None
    must: list[Any] = []
    must_not: list[Any] = []
    for condition in conditions:
        if isinstance(condition, AnyOf | DateRange):
            must.append(_condition(condition))
        else:
            must_not.append(_condition(condition.condition))
    return models.Filter(must=must, must_not=must_not)


def _condition(condition: AnyOf | DateRange) -> Any:
    from qdrant_client import models

    if isinstance(condition, AnyOf):
        each: list[Any] = [
            models.FieldCondition(key=condition.field, match=models.MatchValue(value=value))
            for value in condition.values
        ]
        return models.Filter(should=each) if each else models.HasIdCondition(has_id=[])
    # The model turns ISO strings into datetimes itself; its annotation does not say so.
    bounds: dict[str, Any] = {
        "gte": condition.since, "gt": condition.after, "lte": condition.until, "lt": condition.before
    }  # fmt: skip
    within = models.FieldCondition(key=condition.field, range=models.DatetimeRange(**bounds))
    if not condition.or_absent:
        return within
    absent = models.IsEmptyCondition(is_empty=models.PayloadField(key=condition.field))
    return models.Filter(should=[within, absent])
