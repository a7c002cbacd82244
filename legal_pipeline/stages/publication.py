"""A document's points in one collection of a vector store, and the manifest that lets readers see them.

Points whose row hash the store holds already are left alone. Not here: which points these are (`stages.qdrant_chunks`,
`stages.qdrant_questions`, `stages.pgvector_chunks`) and how points are replaced (`stores`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from legal_pipeline.corpus import identity
from legal_pipeline.stages.stage import AssetKey, Batch, Materialized, StageEvent, failed, per_document
from legal_pipeline.stores.store import Point, VectorStore

#: The data version of a document in a store that is off.
OFF = "off"


@dataclass(frozen=True)
class Publication:
    """The asset `key`, made from the assets `above`; the manifest names the points of `points` by their payload's `id_field`.

    A store that the settings leave out is reported with no points for every document and keeps what it holds: an asset that reports
    nothing counts as failed in a backfill. pgvector has no manifest: it replaces a document in one transaction.
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
        if self.store_name not in batch.resources.settings.store_names:
            yield from per_document(batch, self.key, lambda document_id: self._off(batch, document_id))
            return
        store = self._store(batch)
        try:
            store.ensure_collection(self.collection, batch.resources.embedder.dimension)
        except Exception as error:
            yield from (failed(self.key, document_id, error) for document_id in list(batch.document_ids))
            return
        with store.session(self.collection, f"writing {len(batch.document_ids)} documents"):
            yield from per_document(batch, self.key, lambda document_id: self._replace(batch, document_id))

    def withdraw(self, batch: Batch, document_id: str) -> int:
        """Take the document out of the store; how many points it had. Readers stop seeing it before its first point leaves."""
        if self.store_name not in batch.resources.settings.store_names:
            return 0
        store = self._store(batch)
        store.ensure_collection(self.collection, batch.resources.embedder.dimension)
        if self.store_name != "pgvector":
            batch.resources.registry.unpublish(document_id, self.collection)
        return store.delete_document(self.collection, document_id)

    def _store(self, batch: Batch) -> VectorStore:
        return batch.resources.pgvector if self.store_name == "pgvector" else batch.resources.store

    def _inputs(self, batch: Batch, document_id: str) -> dict[str, str]:
        return {"/".join(key): batch.input_stamp(key, document_id).data_version for key in self.above}

    def _off(self, batch: Batch, document_id: str) -> Materialized:
        metadata = {"points": 0, "points_written": 0, "points_deleted": 0, "points_unchanged": 0, "store": OFF}
        return Materialized(self.key, document_id, OFF, self._inputs(batch, document_id), metadata, True)

    def _replace(self, batch: Batch, document_id: str) -> Materialized:
        registry, store = batch.resources.registry, self._store(batch)
        has_manifest = self.store_name != "pgvector"
        inputs = self._inputs(batch, document_id)
        found = self.points(batch, document_id)
        manifest = {str(point.payload[self.id_field]): point.row_hash for point in found}
        before = registry.published(document_id, self.collection) if has_manifest else {}

        def publish() -> None:
            if has_manifest and manifest != before:
                registry.publish(document_id, self.collection, manifest)

        if found:
            result = store.replace_document(self.collection, document_id, found, publish=publish)
            written, deleted, unchanged = result.written, result.deleted, result.unchanged
        else:
            if has_manifest:
                registry.unpublish(document_id, self.collection)
            written, deleted, unchanged = 0, store.delete_document(self.collection, document_id), 0
        metadata = {
            "points": len(found),
            "points_written": written,
            "points_deleted": deleted,
            "points_unchanged": unchanged,
        }
        version = identity.input_hash(sorted(manifest.items()))
        return Materialized(self.key, document_id, version, inputs, metadata, written == 0 and deleted == 0)
