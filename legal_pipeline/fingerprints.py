"""Fingerprints of documents: a hash of everything that the comparison of a document reads, made without opening one of its files.

A document with the fingerprint of its last full comparison needs no other. A file is known by its version text, a row of the registry by
the transaction that wrote it, a document in a store by the row hashes of its points. What this cannot show (bytes that change on the disk,
code that makes other points of the same tables) is found by full comparisons of a sample. Not here: the comparison (`comparison`).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

from legal_pipeline.model import identity
from legal_pipeline.pipeline import STAGES, Pipeline
from legal_pipeline.processing.currency import SupportsCurrency
from legal_pipeline.processing.publication import Publication
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.coming_expressions import today
from legal_pipeline.registry.verified_documents import RegistryState, Verified, VerifiedDocuments
from legal_pipeline.stages import canonical_documents
from legal_pipeline.stores.store import VectorStore

#: The assets whose files a comparison reads.
_ASSETS = [key for stage in STAGES if not isinstance(stage, Publication) for key in stage.asset_keys]


class Fingerprints:
    """The fingerprints of all completed documents at the moment of construction, read before the comparison: a later change then gives
    another fingerprint."""

    def __init__(
        self,
        pipeline: Pipeline,
        collections: Iterable[tuple[VectorStore, str | None]],
        hashes: Mapping[str, Mapping[str, str]],
    ) -> None:
        """`collections`: those that should have the documents' points, None for one that does not exist yet.

        `hashes`: `document_hashes` of collections that were read just now, by name.
        """
        self._records = VerifiedDocuments(pipeline.registry.database)
        self._batch = Batch([], pipeline.resources)
        self._states = {state.document_id: state for state in self._records.states(today())}
        self._acts = self._records.amending_acts()
        self._sums: defaultdict[str, int] = defaultdict(int)
        warehouse = pipeline.warehouse
        for key in warehouse.one_per_file(_ASSETS):
            self._add("/".join(key), warehouse.file_versions(key).items())
        self._collections: list[str | None] = []
        for store, collection in collections:
            self._collections.append(collection)
            if collection is not None:
                of_documents = hashes[collection] if collection in hashes else store.document_hashes(collection)
                self._add(f"{len(self._collections)} {collection}", of_documents.items())
        self._versions: dict[str, str] = {}

    def _add(self, place: str, states: Iterable[tuple[str, str]]) -> None:
        for document_id, state in states:
            digest = hashlib.blake2b(f"{place} {state}".encode(), digest_size=16).digest()
            self._sums[document_id] += int.from_bytes(digest)

    @property
    def document_ids(self) -> list[str]:
        """The completed documents, by id."""
        return sorted(self._states)

    def unchanged(self) -> list[str]:
        """Return the documents that have the fingerprint of their last full comparison, the one compared longest ago first."""
        found = [
            (state.verified_at, state.document_id)
            for state in self._states.values()
            if state.verified is not None
            and state.verified_at is not None
            and state.verified.fingerprint == self._fingerprint(state, state.verified.format, state.verified.number)
        ]
        return [document_id for _, document_id in sorted(found)]

    def record(self, document_ids: Iterable[str]) -> None:
        """Record that these documents were compared in full without a difference."""
        verified = []
        for document_id in document_ids:
            state = self._states.get(document_id)
            stamp = self._batch.table_stamp(canonical_documents.KEY, document_id)
            if state is not None and stamp is not None:
                format, number = stamp.facts["format"], stamp.facts.get("number")
                verified.append(Verified(document_id, self._fingerprint(state, format, number), format, number))
        self._records.record(verified)

    def _fingerprint(self, state: RegistryState, format: str, number: str | None) -> str:
        if format not in self._versions:
            self._versions[format] = identity.input_hash(
                [stage.made_with(self._batch, format) for stage in STAGES if isinstance(stage, SupportsCurrency)],
                self._collections,
            )
        sums = self._sums.get(state.document_id, 0)
        acts = self._acts.get(number, "") if number else ""
        whole = f"{state.rows_hash}|{sums:x}|{acts}|{self._versions[format]}"
        return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()
