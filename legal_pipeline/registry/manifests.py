"""The visibility of points for readers of the vector stores: manifests of documents in collections, and which collection is live.

A collection is identified by its own name, or by the alias under which it is live. Not here: the points (`stores`) and the decision what
is published (`processing.publication`).
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.registry.database import Database

#: Any constant that no other lock of this database uses.
_PUBLICATION_LOCK = 0x7075626C  # "publ"

#: Maximum number of manifest rows cached per process: about 30 MB.
_MOST_ROWS = 150_000


@dataclass(frozen=True, slots=True)
class LiveCollection:
    """The collection behind an alias; `publishes`: whether any document has published rows in it."""

    name: str
    publishes: bool


@dataclass(frozen=True, slots=True)
class PublishedState:
    """`moment` is a number for the present state of all manifests, for `published_at`; `live` are the live collections by alias."""

    moment: int
    live: Mapping[str, LiveCollection]


@dataclass(frozen=True, slots=True)
class _Manifest:
    """`moment`: a state of all manifests in which this one was the document's."""

    version: int
    rows: Mapping[str, str]
    moment: int | None = None


class _Recent:
    """Cache of the manifests that were read last, of limited size. Safe in several threads."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._manifests: OrderedDict[tuple[str, str], _Manifest] = OrderedDict()
        self._rows = 0

    def known(self, collection: str, document_ids: Iterable[str]) -> dict[str, _Manifest]:
        with self._mutex:
            keys = [(collection, name) for name in document_ids if (collection, name) in self._manifests]
            for key in keys:
                self._manifests.move_to_end(key)
            return {name: self._manifests[collection, name] for _, name in keys}

    def keep(self, collection: str, manifests: Mapping[str, _Manifest]) -> None:
        with self._mutex:
            for name, manifest in manifests.items():
                former = self._manifests.pop((collection, name), None)
                self._rows += len(manifest.rows) - (len(former.rows) if former is not None else 0)
                self._manifests[collection, name] = manifest
            while self._rows > _MOST_ROWS:
                _, oldest = self._manifests.popitem(last=False)
                self._rows -= len(oldest.rows)

    def forget(self, collection: str, document_ids: Iterable[str]) -> None:
        with self._mutex:
            for name in document_ids:
                former = self._manifests.pop((collection, name), None)
                self._rows -= len(former.rows) if former is not None else 0


class Manifests:
    """The operations on manifests. Safe in any number of threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read = _Recent()

    def go_live(self, alias: str, collection: str) -> None:
        """Make `collection` live under `alias`: from now on all methods below use its manifests for `alias`."""
        self._database.execute(
            """insert into live_collections (alias, collection) values (%s, %s)
               on conflict (alias) do update set collection = excluded.collection""",
            (alias, collection),
        )

    def state(self, aliases: Sequence[str]) -> PublishedState:
        """Return the present state; aliases that never had a collection are left out."""
        rows = self._database.rows(
            """select alias, collection, (select coalesce(max(version), 0) from published_manifest) as moment, exists (
                   select from published_manifest known where known.collection = live.collection) as publishes
               from unnest(%s::text[]) as asked (name) left join live_collections live on alias = name""",
            (list(aliases),),
        )
        live = {row["alias"]: LiveCollection(row["collection"], row["publishes"]) for row in rows if row["alias"]}
        return PublishedState(rows[0]["moment"], live)

    def forget_collection(self, collection: str) -> None:
        """Delete the manifests of a dropped collection."""
        self._database.execute("delete from published_manifest where collection = %s", (collection,))

    def publish(self, document_id: str, collection: str, rows: Mapping[str, str]) -> None:
        """Publish the document: from now on readers of `collection` see exactly these of its rows (chunk id -> row hash)."""
        self.publish_many({document_id: rows}, collection)

    def publish_many(self, manifests: Mapping[str, Mapping[str, str]], collection: str) -> None:
        """Publish the documents, all in the same moment: document id -> rows as in `publish`."""
        with self._database.connection() as connection:
            # one at a time, or a manifest with a lower version could become visible after one with a higher version
            connection.execute("select pg_advisory_xact_lock(%s)", (_PUBLICATION_LOCK,))
            connection.execute(
                """insert into published_manifest (document_id, collection, rows)
                   select document_id, live_collection(%s), rows::jsonb from unnest(%s::text[], %s::text[]) as given (document_id, rows)
                   on conflict (document_id, collection) do update set rows = excluded.rows, version = excluded.version,
                       published_at = now()""",
                (collection, list(manifests), [json.dumps(dict(rows)) for rows in manifests.values()]),
            )

    def published_at(
        self, moment: int, document_ids: Sequence[str], collection: str
    ) -> Mapping[str, Mapping[str, str]]:
        """Return the published rows of the documents that have any, in the state of `moment` unless `published_since` reports a document.

        What was read in the same state is not read again.
        """
        known = self._read.known(collection, document_ids)
        found = {name: manifest.rows for name, manifest in known.items() if manifest.moment == moment}
        if missing := [name for name in document_ids if name not in found]:
            found |= self._published_many(missing, collection, moment)
        return found

    def published_since(self, moment: int, document_ids: Sequence[str], collection: str) -> list[str]:
        """Return those of the documents whose manifest changed after `moment`: published or withdrawn since."""
        rows = self._database.rows(
            """select asked.document_id from unnest(%s::text[]) as asked (document_id) where not exists (
                   select from published_manifest known
                   where known.collection = live_collection(%s) and known.document_id = asked.document_id and known.version <= %s)
               order by asked.document_id collate "C" """,
            (list(document_ids), collection, moment),
        )
        changed = [row["document_id"] for row in rows]
        self._read.forget(collection, changed)
        return changed

    def published(self, document_id: str, collection: str) -> Mapping[str, str]:
        """Return the published rows; empty if nothing was published."""
        return self.published_many([document_id], collection).get(document_id, {})

    def published_many(self, document_ids: Sequence[str], collection: str) -> dict[str, Mapping[str, str]]:
        """Return the published rows of the documents that have any.

        Cached manifests are not read again: a version never changes.
        """
        return self._published_many(document_ids, collection, None)

    def _published_many(
        self, document_ids: Sequence[str], collection: str, moment: int | None
    ) -> dict[str, Mapping[str, str]]:
        known = self._read.known(collection, document_ids)
        rows = self._database.rows(
            """select document_id, version, case when version = any(%(known)s) then null else rows end as rows
               from published_manifest where collection = live_collection(%(collection)s) and document_id = any(%(ids)s)""",
            {
                "known": [manifest.version for manifest in known.values()],
                "collection": collection,
                "ids": list(document_ids),
            },
        )
        found = {}
        for row in rows:
            name, version = row["document_id"], row["version"]
            published = known[name].rows if row["rows"] is None else row["rows"]
            found[name] = _Manifest(version, published, moment if moment is not None and version <= moment else None)
        self._read.keep(collection, found)
        return {name: manifest.rows for name, manifest in found.items()}

    def document_of(self, chunk_id: str, collection: str) -> str | None:
        """Return the document that published a chunk of this id; None if no document did."""
        row = self._database.row(
            "select document_id from published_manifest where collection = live_collection(%s) and jsonb_exists(rows, %s)",
            (collection, chunk_id),
        )
        return row["document_id"] if row else None

    def published_counts(self, collection: str) -> dict[str, int]:
        """Return the number of published rows per document."""
        rows = self._database.rows(
            """select document_id, (select count(*) from jsonb_object_keys(rows)) as rows from published_manifest
               where collection = live_collection(%s) order by document_id collate "C" """,
            (collection,),
        )
        return {row["document_id"]: row["rows"] for row in rows}

    def unpublish(self, document_ids: Iterable[str], collection: str) -> None:
        self._database.execute(
            "delete from published_manifest where document_id = any(%s) and collection = live_collection(%s)",
            (list(document_ids), collection),
        )
