"""Write a document's points to one collection of a vector store, and the manifest that makes them visible to searches.

Points whose row hash is already in the store are not written. Not here: the content of points (`stages.qdrant_chunks`,
`stages.qdrant_questions`, `stages.pgvector_chunks`), replacing points (`stores`), and replacing the collection of another model
(`processing.generations`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model import identity
from legal_pipeline.processing import generations
from legal_pipeline.processing.generations import CollectionAlias
from legal_pipeline.processing.stage import (
    AssetKey,
    Batch,
    Materialized,
    Outdated,
    StageEvent,
    failed,
    per_document,
    prepared,
)
from legal_pipeline.stores.store import Generation, Point, ReplaceResult, VectorStore

#: The data version of a document in a disabled store.
OFF = "off"

#: Points of several documents are written together, about this many at a time: every write waits for the disk once, and searches wait
#: for the write (half a second in Qdrant Edge).
GROUP_POINTS = 4096

#: A document's points and the result of writing them.
_Written = tuple[list[Point], ReplaceResult]


@dataclass(frozen=True)
class Publication(CollectionAlias):
    """The asset `key`, made from the assets `above`; the manifest names the points of `points` by their payload's `id_field`.

    A store that the settings leave out reports every document with no points and keeps its content: an asset without a report counts as
    failed in a backfill.
    """

    key: AssetKey
    above: tuple[AssetKey, ...]
    collection: str
    id_field: str
    points: Callable[[Batch, str], list[Point]]
    store_name: str = "qdrant"

    @property
    def asset_keys(self) -> tuple[AssetKey, ...]:
        return (self.key,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        if not batch.document_ids:
            return
        if not self.is_on(batch.resources):
            yield from per_document(batch, self.key, lambda document_id: self._off(batch, document_id))
            return
        store = self.store(batch.resources)
        try:
            generation = generations.prepare(batch.resources, self, store)
        except Exception as error:
            yield from (failed(self.key, document_id, error) for document_id in list(batch.document_ids))
            return
        with store.session(generation.name, f"writing {len(batch.document_ids)} documents"):
            yield from self._write(batch, store, generation)
        generations.switch_if_complete(batch.resources, self, store, generation)

    def withdraw(self, batch: Batch, document_id: str) -> int:
        """Delete the document from the store; return the number of its points. Searches stop seeing it before its first point is
        deleted."""
        return self._withdraw(batch, [document_id])[document_id]

    def _withdraw(self, batch: Batch, document_ids: Sequence[str]) -> Counter[str]:
        deleted: Counter[str] = Counter()
        if not document_ids or not self.is_on(batch.resources):
            return deleted
        store = self.store(batch.resources)
        for generation in store.generations(self.collection):
            if self.has_manifest:
                batch.resources.registry.manifests.unpublish(document_ids, generation.name)
            deleted.update(store.delete_documents(generation.name, document_ids))
        return deleted

    def _inputs(self, batch: Batch, document_id: str) -> dict[str, str]:
        return {"/".join(key): batch.input_stamp(key, document_id).data_version for key in self.above}

    def _off(self, batch: Batch, document_id: str) -> Materialized:
        metadata = {"points": 0, "points_written": 0, "points_deleted": 0, "points_unchanged": 0, "store": OFF}
        return Materialized(self.key, document_id, OFF, self._inputs(batch, document_id), metadata, True)

    def _write(self, batch: Batch, store: VectorStore, generation: Generation) -> Iterator[StageEvent]:
        """Write documents in groups of about `GROUP_POINTS` points."""
        group: dict[str, list[Point]] = {}

        def prepare(document_id: str) -> Materialized | Outdated[list[Point]]:
            found = self.points(batch, document_id)
            self._inputs(batch, document_id)
            return Outdated(found)

        for document_id in list(batch.document_ids):
            yield from prepared((document_id,), self.key, prepare, group)
            if sum(map(len, group.values())) >= GROUP_POINTS:
                yield from self._write_group(batch, store, generation, group)
                group = {}
        if group:
            yield from self._write_group(batch, store, generation, group)

    def _write_group(
        self, batch: Batch, store: VectorStore, generation: Generation, group: Mapping[str, list[Point]]
    ) -> Iterator[StageEvent]:
        """Write the group in one call; if that fails, write document by document, so that each failure has its own reason."""
        registry = batch.resources.registry
        before = registry.manifests.published_many(list(group), generation.name) if self.has_manifest else {}

        def publish(document_ids: Collection[str]) -> None:
            manifests = {document_id: self.manifest(group[document_id]) for document_id in document_ids}
            changed = {name: manifest for name, manifest in manifests.items() if manifest != before.get(name)}
            if self.has_manifest and changed:
                registry.manifests.publish_many(changed, generation.name)

        try:
            deleted = self._withdraw(batch, [document_id for document_id, points in group.items() if not points])
            results = {document_id: ReplaceResult(0, 0, deleted[document_id]) for document_id in group}
            if written := {document_id: points for document_id, points in group.items() if points}:
                results |= store.replace_documents(generation.name, written, publish=publish)
        except Exception as error:
            if len(group) == 1 or isinstance(error, ConfigurationError):
                yield from (failed(self.key, document_id, error) for document_id in group)
                return
            for document_id, points in group.items():
                yield from self._write_group(batch, store, generation, {document_id: points})
            return
        for document_id, result in results.items():
            yield self._materialized(batch, document_id, (group[document_id], result))

    def manifest(self, points: list[Point]) -> dict[str, str]:
        """Return the manifest of a document with these points: id -> row hash."""
        return {str(point.payload[self.id_field]): point.row_hash for point in points}

    def _materialized(self, batch: Batch, document_id: str, written: _Written) -> Materialized:
        points, result = written
        metadata = {
            "points": len(points),
            "points_written": result.written,
            "points_deleted": result.deleted,
            "points_unchanged": result.unchanged,
        }
        version = identity.input_hash(sorted(self.manifest(points).items()))
        unchanged = result.written == 0 and result.deleted == 0
        return Materialized(self.key, document_id, version, self._inputs(batch, document_id), metadata, unchanged)
