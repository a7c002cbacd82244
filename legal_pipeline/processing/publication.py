"""Write a document's points to one collection of a vector store, and the manifest that makes them visible to searches.

Points whose row hash is already in the store are not written, and no points are made of a document whose inputs are those of the last
publication while the store still has its points. Not here: the content of points (`stages.qdrant_chunks`,
`stages.qdrant_questions`, `stages.pgvector_chunks`), replacing points (`stores`), and replacing the collection of another model
(`processing.generations`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.errors import ConfigurationError, LegalPipelineError, raise_interruption
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
from legal_pipeline.registry import publications
from legal_pipeline.registry.publications import Published
from legal_pipeline.stores.replacement import batches
from legal_pipeline.stores.store import Generation, Point, ReplaceResult, VectorStore

#: The data version of a document in a disabled store.
OFF = "off"

#: Points of several documents are written together, about this many at a time: every write waits for the disk once, and searches wait
#: for the write (half a second in Qdrant Edge).
GROUP_POINTS = 4096

#: Documents whose points in the store are compared with the last publication in one request.
_COMPARED = 256


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
    #: The tables that `points` reads besides `above`.
    beside: tuple[AssetKey, ...] = ()
    #: Raised when `points` makes other points of the same tables.
    version: str = "1"

    @property
    def asset_keys(self) -> tuple[AssetKey, ...]:
        return (self.key,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        if not batch.document_ids:
            return
        if not self.is_on(batch.resources):
            yield from per_document(batch.document_ids, self.key, lambda document_id: self._off(batch, document_id))
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

    def _off(self, batch: Batch, document_id: str) -> Materialized:
        metadata = {"points": 0, "points_written": 0, "points_deleted": 0, "points_unchanged": 0, "store": OFF}
        return Materialized(self.key, document_id, OFF, batch.input_versions(self.above, document_id), metadata, True)

    def _write(self, batch: Batch, store: VectorStore, generation: Generation) -> Iterator[StageEvent]:
        """Write documents in groups of about `GROUP_POINTS` points."""
        group: dict[str, list[Point]] = {}
        intact: dict[str, tuple[Published, int]] = {}

        def prepare(document_id: str) -> Materialized | Outdated[list[Point]]:
            batch.input_versions(self.above, document_id)
            if document_id in intact:
                last, points = intact[document_id]
                if last.made_from == self._made_from(batch, document_id):
                    return self._materialized(
                        batch, document_id, last.data_version, points, ReplaceResult(0, points, 0)
                    )
            return Outdated(self.points(batch, document_id))

        for some in batches(list(batch.document_ids), _COMPARED):
            intact = self._intact(batch, store, generation, some)
            for document_id in some:
                yield from prepared((document_id,), self.key, prepare, group)
                if sum(map(len, group.values())) >= GROUP_POINTS:
                    yield from self._write_group(batch, store, generation, group)
                    group = {}
        if group:
            yield from self._write_group(batch, store, generation, group)

    def _made_from(self, batch: Batch, document_id: str) -> str:
        """Return the hash of all tables that `points` reads."""
        stamps = [batch.table_stamp(key, document_id) for key in (*self.above, *self.beside)]
        return identity.input_hash(self.version, [stamp and (stamp.input_hash, stamp.data_version) for stamp in stamps])

    def _intact(
        self, batch: Batch, store: VectorStore, generation: Generation, document_ids: Sequence[str]
    ) -> dict[str, tuple[Published, int]]:
        """Return the last publication, and its number of points, of the documents of which the store and the manifest still have exactly
        these points; none if the store cannot answer: then it is written to, and each document has its reason."""
        registry = batch.resources.registry
        if batch.options.force:
            return {}
        last = publications.read(registry.database, document_ids, self.store_name, generation.name)
        if not last:
            return {}
        try:
            held = store.point_hashes_many(generation.name, list(last))
        except LegalPipelineError:
            return {}
        if self.has_manifest:
            manifests = registry.manifests.published_many(list(last), generation.name)
            last = {key: found for key, found in last.items() if found.data_version == _version(manifests.get(key, {}))}
        return {
            key: (found, len(held[key]))
            for key, found in last.items()
            if found.row_hashes == identity.input_hash(sorted(held[key].values()))
        }

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
            raise_interruption(error)
            if len(group) == 1 or isinstance(error, ConfigurationError):
                yield from (failed(self.key, document_id, error) for document_id in group)
                return
            for document_id, points in group.items():
                yield from self._write_group(batch, store, generation, {document_id: points})
            return
        done = {
            document_id: Published(
                self._made_from(batch, document_id),
                _version(self.manifest(points)),
                identity.input_hash(sorted(point.row_hash for point in points)),
            )
            for document_id, points in group.items()
        }
        publications.record(registry.database, done, self.store_name, generation.name)
        for document_id, result in results.items():
            version = done[document_id].data_version
            yield self._materialized(batch, document_id, version, len(group[document_id]), result)

    def manifest(self, points: list[Point]) -> dict[str, str]:
        """Return the manifest of a document with these points: id -> row hash."""
        return {str(point.payload[self.id_field]): point.row_hash for point in points}

    def _materialized(
        self, batch: Batch, document_id: str, version: str, points: int, result: ReplaceResult
    ) -> Materialized:
        metadata = {
            "points": points,
            "points_written": result.written,
            "points_deleted": result.deleted,
            "points_unchanged": result.unchanged,
        }
        unchanged = result.written == 0 and result.deleted == 0
        return Materialized(
            self.key, document_id, version, batch.input_versions(self.above, document_id), metadata, unchanged
        )


def _version(manifest: Mapping[str, str]) -> str:
    """Return the data version of a document with this manifest."""
    return identity.input_hash(sorted(manifest.items()))
