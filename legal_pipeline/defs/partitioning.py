"""How documents are divided into partitions: one for each document, or buckets, which are sets of the documents of one source.

Everything that maps documents to partitions or back asks `partitioning(settings)`. Not here: the partitions in Dagster
(`defs.partitions`), and how a home changes from one to the other (`defs.switching`).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.buckets import Bucket, Place, documents_of, items_version, number_of, record, recorded
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry, SourceDocument
from legal_pipeline.settings import Settings

#: The op that makes every asset of a document.
OP_NAME = "documents"

#: Maximum number of documents that an event of a bucket lists.
MAX_LISTED = 20


def version_of_items(document: SourceDocument) -> str:
    """Return a version that changes with the items of one document."""
    return f"{document.revision}:{document.source_sha256[:16]}"


@dataclass(frozen=True)
class ChangedItems:
    """A partition with documents whose items are new or changed: its key, the version of its items, and facts to show."""

    key: str
    version: str
    facts: Mapping[str, Any]


class Partitioning:
    """One partition per document: its key is the document's id."""

    #: Number of buckets per source; None: one partition per document.
    buckets: int | None = None
    #: The value of the setting.
    name = "documents"

    def __str__(self) -> str:
        return "documents"

    def key_of(self, document: SourceDocument | Place) -> str:
        """Return the key of the document's partition."""
        return document.document_id

    def grouped(self, documents: Iterable[SourceDocument]) -> dict[str, list[SourceDocument]]:
        """Return key -> documents, in the given order."""
        found: dict[str, list[SourceDocument]] = {}
        for document in documents:
            found.setdefault(self.key_of(document), []).append(document)
        return found

    def documents_of(self, registry: Registry, keys: Sequence[str], *, due: bool = False) -> dict[str, list[str]]:
        """Return key -> ids of its documents; `due`: only documents that wait for a run, if a partition has several."""
        return {key: [key] for key in keys}

    def keys_of(self, registry: Registry, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Return key -> those of `document_ids` that are in this partition."""
        return {document_id: [document_id] for document_id in sorted(document_ids)}

    def covered_by(self, keys: Collection[str]) -> Container[str]:
        """Return the ids of documents that runs over these partitions may process."""
        return frozenset(keys)

    def changed_items(
        self, registry: Registry, documents: Sequence[SourceDocument], known: Collection[str]
    ) -> list[ChangedItems]:
        """Return the partitions of `documents` whose earlier results are out of date; `known` are the keys of all partitions."""
        return [
            ChangedItems(
                document.document_id,
                version_of_items(document),
                {"revision": document.revision, "file": document.file_path or document.filename},
            )
            for document in documents
            if document.revision > 1
        ]

    def run_config(self, *, documents: Sequence[str] | None = None, **config: Any) -> dict[str, Any]:
        """Return the configuration of a run over the documents that are due in its partitions, or over `documents`."""
        return {"ops": {OP_NAME: {"config": {**config, **self._chosen(documents)}}}}

    def _chosen(self, documents: Sequence[str] | None) -> dict[str, Any]:
        # the keys of the run's partitions say which documents were chosen
        return {"due": True} if documents is None else {}

    def per_run(self, settings: Settings) -> int:
        """Return the maximum number of partitions in one run of a backfill."""
        return settings.partitions_per_run

    def verify(self, database: Database) -> None:
        """Record the partitioning of an empty home. Raises `ConfigurationError` if the home has another one."""
        held = recorded(database)
        if held is None:
            record(database, self.buckets)
        elif held[0] != self.buckets:
            raise ConfigurationError(
                f"the partitions of this home are {_named(held[0])}, but the settings (LEGAL_PIPELINE_PARTITIONING, "
                f"LEGAL_PIPELINE_BUCKETS) say {self}: restore the settings, or switch with `legal-pipeline partitioning {self.name}`"
            )


@dataclass(frozen=True)
class Buckets(Partitioning):
    """Partitions `<source>/<bucket>`: the documents of a source whose ids have a hash in a certain range."""

    buckets: int
    name = "buckets"

    def __str__(self) -> str:
        return f"buckets ({self.buckets:,} per source)"

    def key_of(self, document: SourceDocument | Place) -> str:
        number = number_of(document.id_hash, self.buckets)
        return f"{document.source}/{number:0{len(str(self.buckets - 1))}}"

    def bucket(self, key: str) -> Bucket:
        """Return the bucket with this key. Raises `ConfigurationError` for the key of another partitioning."""
        if not self._is_key(key):
            raise ConfigurationError(f"{key} is not a partition of {self}: expected <source>/<number of the bucket>")
        source, _, number = key.rpartition("/")
        return Bucket(source, int(number), self.buckets)

    def _is_key(self, key: str) -> bool:
        source, _, number = key.rpartition("/")
        return bool(source) and number.isdecimal() and int(number) < self.buckets

    def documents_of(self, registry: Registry, keys: Sequence[str], *, due: bool = False) -> dict[str, list[str]]:
        return {key: documents_of(registry.database, self.bucket(key), due=due) for key in keys}

    def keys_of(self, registry: Registry, document_ids: Collection[str]) -> dict[str, list[str]]:
        found = self.grouped(registry.documents(ids=list(document_ids), tombstoned=None))
        return {key: [document.document_id for document in found[key]] for key in sorted(found)}

    def covered_by(self, keys: Collection[str]) -> Container[str]:
        # runs of other assets have other partitions
        return _Covered(frozenset(self.bucket(key).number for key in keys if self._is_key(key)), self.buckets)

    def changed_items(
        self, registry: Registry, documents: Sequence[SourceDocument], known: Collection[str]
    ) -> list[ChangedItems]:
        return [
            ChangedItems(
                key,
                items_version(registry.database, self.bucket(key)),
                {
                    "new_or_changed": len(found),
                    "documents": [{"document": document.document_id} for document in found[:MAX_LISTED]],
                },
            )
            for key, found in self.grouped(documents).items()
            if key in known
        ]

    def _chosen(self, documents: Sequence[str] | None) -> dict[str, Any]:
        return {"due": True} if documents is None else {"documents": list(documents)}

    def per_run(self, settings: Settings) -> int:
        return settings.buckets_per_run


@dataclass(frozen=True)
class _Covered(Container[str]):
    """The documents in buckets of these numbers, of whatever source: a document of another source waits needlessly, but only for a run."""

    numbers: frozenset[int]
    buckets: int

    def __contains__(self, document_id: object) -> bool:
        return number_of(sha256_hex(str(document_id))[:8], self.buckets) in self.numbers if self.numbers else False


def partitioning(settings: Settings) -> Partitioning:
    """Return the partitioning of the settings."""
    return of_buckets(settings.buckets if settings.partitioning == "buckets" else None)


def of_buckets(buckets: int | None) -> Partitioning:
    """Return the partitioning with so many buckets per source; None: one partition per document."""
    return Partitioning() if buckets is None else Buckets(buckets)


def _named(buckets: int | None) -> str:
    return str(of_buckets(buckets))


def batches(taken: Mapping[str, Sequence[str]], limit: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield at most `limit` documents of these partitions at a time, in order, with the keys of the partitions that end with them."""
    documents: list[str] = []
    complete: list[str] = []
    for key, found in taken.items():
        for document_id in found:
            if len(documents) == limit:
                yield documents, complete
                documents, complete = [], []
            documents.append(document_id)
        complete.append(key)
    if complete:
        yield documents, complete
