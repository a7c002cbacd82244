"""Figures of each document's chunks in the registry: what the report and the checks over the corpus add up.

Only documents whose tables changed are read: a table is known by its version text. Not here: the figures of one document's stamp
(`chunking.metrics`), the report (`corpus_assets.chunk_report`) and the checks (`defs.checks`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from legal_pipeline.chunking.packing import MAX_TOKENS
from legal_pipeline.enrichment.extractive import NAME as EXTRACTIVE
from legal_pipeline.enrichment.validation import PREFIX_TOKENS
from legal_pipeline.model import identity
from legal_pipeline.processing.stage import Batch, Resources
from legal_pipeline.registry.database import Database
from legal_pipeline.stages import chunks, context_prefixes, qdrant_chunks, raptor_summaries, superseded_chunks
from legal_pipeline.text.tokens import count_many

#: Incremented when the same tables give other figures.
VERSION = "1"

#: The tables whose stamps or rows are read.
_TABLES = (chunks.KEY, raptor_summaries.KEY, superseded_chunks.KEY, context_prefixes.KEY)

#: Documents read and recorded at a time.
_GROUP = 200

_COLUMNS = (
    "document_id", "made_from", "coverage", "by_strategy", "by_type", "anomalies", "tokens", "over_limit", "repeats", "chunk_hashes",
    "points", "prefixes", "wrong_prefixes",
)  # fmt: skip


def refresh(resources: Resources) -> int:
    """Bring the figures up to date with the tables of the warehouse; return the number of documents that were read.

    Documents that are removed or have no chunk table have no figures.
    """
    database = resources.registry.database
    warehouse = resources.warehouse
    versions = [warehouse.file_versions(key) for key in warehouse.one_per_file(_TABLES)]
    with database.reading() as connection:
        rows = connection.execute(
            """select d.document_id, f.made_from from source_documents d left join chunk_figures f using (document_id)
               where d.tombstoned_at is null order by d.document_id collate "C" """
        ).fetchall()
    known = {row["document_id"]: row["made_from"] for row in rows if row["document_id"] in versions[0]}
    made_from = {name: identity.input_hash(VERSION, [each.get(name) for each in versions]) for name in known}
    kept = {name for name in known if known[name] == made_from[name]}
    due = [name for name in known if name not in kept]
    for begin in range(0, len(due), _GROUP):
        group = due[begin : begin + _GROUP]
        batch = Batch(group, resources)
        found = [row for name in group if (row := _figures(batch, name, made_from[name])) is not None]
        _record(database, found)
        kept |= {row["document_id"] for row in found}
    with database.connection() as connection:
        connection.execute(
            """delete from chunk_figures f where not exists (
                   select from unnest(%s::text[]) as kept (document_id) where kept.document_id = f.document_id)""",
            (sorted(kept),),
        )
    return len(due)


def figures(database: Database, *columns: str) -> Iterator[dict[str, Any]]:
    """Yield these columns of all documents' figures, in the order of their ids: those of many documents do not fit into memory at once."""
    from psycopg import sql

    names = sql.SQL(", ").join(map(sql.Identifier, ("document_id", *columns)))
    statement = sql.SQL('select {} from chunk_figures order by document_id collate "C"').format(names)
    with database.connection() as connection, connection.cursor(name="figures") as cursor:
        cursor.itersize = _GROUP
        yield from cursor.execute(statement)


def sharing_chunk_ids(database: Database) -> set[str]:
    """Return the documents that have a chunk id of another document, by hashes of 64 bits."""
    with database.reading() as connection:
        rows = connection.execute(
            """with ids as (select document_id, unnest(chunk_hashes) as hash from chunk_figures)
               select document_id from ids where hash in (
                   select hash from ids group by hash having min(document_id) <> max(document_id))"""
        ).fetchall()
    return {row["document_id"] for row in rows}


def _record(database: Database, found: Sequence[dict[str, Any]]) -> None:
    from psycopg import sql

    statement = sql.SQL(
        "insert into chunk_figures ({}) values ({}) on conflict (document_id) do update set ({}) = row({})"
    ).format(
        sql.SQL(", ").join(map(sql.Identifier, _COLUMNS)),
        sql.SQL(", ").join(map(sql.Placeholder, _COLUMNS)),
        sql.SQL(", ").join(map(sql.Identifier, _COLUMNS)),
        sql.SQL(", ").join(sql.Identifier("excluded", name) for name in _COLUMNS),
    )
    with database.connection() as connection, connection.cursor() as cursor:
        cursor.executemany(statement, found)


def _figures(batch: Batch, document_id: str, made_from: str) -> dict[str, Any] | None:
    """Return the row of a document; None if its chunk table has no stamp."""
    from psycopg.types.json import Json

    stamp = batch.table_stamp(chunks.KEY, document_id)
    if stamp is None:
        return None
    facts = stamp.facts
    read = ["chunk_id", "strategy", "path", "num_tokens", "metadata"]
    rows = batch.warehouse.read_table(chunks.KEY, document_id, read).to_pylist()
    ids = [row["chunk_id"] for row in rows]
    paths = Counter((row["strategy"], row["path"]) for row in rows)
    prefixes, wrong_prefixes = _prefixes(batch, document_id)
    return {
        "document_id": document_id,
        "made_from": made_from,
        "coverage": float(facts["coverage"]),
        "by_strategy": Json(facts["by_strategy"]),
        "by_type": Json(facts["by_type"]),
        "anomalies": Json(Counter(anomaly["kind"] for anomaly in facts["anomalies"])),
        "tokens": facts[chunks.SIZES],
        "over_limit": any(row["num_tokens"] > MAX_TOKENS and not row["metadata"].get("oversized") for row in rows),
        "repeats": len(set(ids)) < len(ids) or any(number > 1 for number in paths.values()),
        "chunk_hashes": [_hash(chunk_id) for chunk_id in ids],
        "points": qdrant_chunks.expected_points(batch, document_id),
        "prefixes": prefixes,
        "wrong_prefixes": wrong_prefixes,
    }


def _prefixes(batch: Batch, document_id: str) -> tuple[int, list[str]]:
    """Return the number of prefixes of a language model, and those outside the limits.

    Prefixes of the extractive enricher are templates, and their length depends on the names in them; only prefixes of a model must be in
    the limits.
    """
    if not batch.warehouse.exists(context_prefixes.KEY, document_id):
        return 0, []
    low, high = PREFIX_TOKENS
    table = batch.warehouse.read_table(context_prefixes.KEY, document_id, ["chunk_id", "prefix", "generator"])
    rows = [row for row in table.to_pylist() if row["generator"] != EXTRACTIVE]
    counts = zip(rows, count_many([row["prefix"] for row in rows]), strict=True)
    return len(rows), [f"{row['chunk_id']}: {tokens}" for row, tokens in counts if not low <= tokens <= high]


def _hash(chunk_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(chunk_id.encode(), digest_size=8).digest(), signed=True)
