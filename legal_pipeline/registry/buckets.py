"""Buckets: the documents of one source whose ids have a hash in a range, and the state of their assets as one partition shows it.

Also the partitioning that a home records. Not here: the keys of partitions, and which run takes which documents (`defs.partitioning`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from legal_pipeline.registry.database import Database

_HASHES = 1 << 32


@dataclass(frozen=True)
class Bucket:
    """Bucket `number` of the `buckets` of a source."""

    source: str
    number: int
    buckets: int

    @property
    def values(self) -> dict[str, str]:
        """Return the first and the last hash of the bucket, and its source, as parameters of a statement."""
        first, end = (-(-number * _HASHES // self.buckets) for number in (self.number, self.number + 1))
        return {"source": self.source, "low": f"{first:08x}", "high": f"{end - 1:08x}"}


@dataclass(frozen=True)
class Content:
    """The documents of a bucket of which an asset was made: their number, and a version that changes with each of their versions."""

    documents: int
    version: str


@dataclass(frozen=True)
class Place:
    """What the place of a document depends on; a `SourceDocument` has it too."""

    document_id: str
    source: str
    id_hash: str


@dataclass(frozen=True)
class Unfinished:
    """A document of a bucket that failed or waits, with the reason."""

    document_id: str
    status: str
    reason: str


_IN_BUCKET = "d.source = %(source)s and d.id_hash between %(low)s and %(high)s and d.tombstoned_at is null"

#: The hash of document ids and versions in the order of the ids.
_DIGEST = """left(encode(sha256(string_agg(d.document_id || ' ' || {}, ',' order by d.document_id collate "C")::bytea), 'hex'), 32)"""


def number_of(id_hash: str, buckets: int) -> int:
    """Return the number of the bucket of a document, by the first 32 bits of the hash of its id (hexadecimal)."""
    return int(id_hash, 16) * buckets // _HASHES


def documents_of(database: Database, bucket: Bucket, *, due: bool = False) -> list[str]:
    """Return the ids of the documents in the bucket that are not removed; `due`: only those that wait for a run."""
    waiting = "and exists (select from due_documents w where w.document_id = d.document_id)" if due else ""
    rows = database.rows(
        f'select d.document_id from source_documents d where {_IN_BUCKET} {waiting} order by d.document_id collate "C"',  # noqa: S608
        bucket.values,
    )
    return [row["document_id"] for row in rows]


def count_documents(database: Database, bucket: Bucket) -> int:
    """Return the number of documents in the bucket that are not removed."""
    statement = f"select count(*) as documents from source_documents d where {_IN_BUCKET}"  # noqa: S608
    return int(database.row(statement, bucket.values)["documents"])


def contents(database: Database, bucket: Bucket) -> dict[str, Content]:
    """Return the content of each asset, by the asset's name; assets that no document has are left out."""
    rows = database.rows(
        f"""select v.key as asset, count(*) as documents, {_DIGEST.format("v.value")} as version
            from source_documents d join document_versions using (document_id), jsonb_each_text(versions) v
            where {_IN_BUCKET} and v.value is not null group by v.key""",  # noqa: S608
        bucket.values,
    )
    return {row["asset"]: Content(row["documents"], row["version"]) for row in rows}


def items_version(database: Database, bucket: Bucket) -> str:
    """Return a version that changes when a document of the bucket is new, removed, or has other items."""
    version = _DIGEST.format("d.revision || ':' || left(d.source_sha256, 16)")
    statement = f"select {version} as version from source_documents d where {_IN_BUCKET}"  # noqa: S608
    return database.row(statement, bucket.values)["version"] or ""


def unfinished(database: Database, bucket: Bucket) -> list[Unfinished]:
    """Return the documents of the bucket that failed or wait for answers, by id."""
    rows = database.rows(
        f"""select d.document_id, processing_status as status, coalesce(last_error, '') as reason from source_documents d
            where {_IN_BUCKET} and processing_status in ('failed', 'waiting') order by d.document_id collate "C" """,  # noqa: S608
        bucket.values,
    )
    return [Unfinished(**row) for row in rows]


def places(database: Database, *, removed: bool) -> Iterator[Place]:
    """Yield the places of all documents; `removed`: also those that their source removed."""
    statement = "select document_id, source, id_hash from source_documents where %s or tombstoned_at is null"
    yield from (Place(**row) for row in database.rows(statement, (removed,)))


def recorded(database: Database) -> tuple[int | None] | None:
    """Return the number of buckets of the home's partitioning (None: a partition for each document) in a tuple; None if none is recorded.

    A home that had documents before partitionings were recorded has a partition for each document.
    """
    if (row := database.row("select buckets from partitioning")) is not None:
        return (row["buckets"],)
    return (None,) if database.row("select 1 from source_documents limit 1") else None


def record(database: Database, buckets: int | None) -> None:
    """Record the number of buckets; None: a partition for each document."""
    database.execute(
        "insert into partitioning (buckets) values (%s) on conflict (is_present) do update set buckets = excluded.buckets",
        (buckets,),
    )
