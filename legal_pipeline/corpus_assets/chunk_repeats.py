"""Near-duplicate chunks of the export, kept in the registry: a change costs a comparison with the chunks that share a band with it.

`chunk_sketches` has the bands of the chunks of each exported document, `chunk_repeats` the earliest chunk that each near duplicate
repeats. Not here: when chunks are near duplicates (`chunking.near_duplicates`), and the export (`corpus_assets.chunks_jsonl`).
"""

from __future__ import annotations

import bisect
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.near_duplicates import Sketches, earliest_repeats, process_hashes, sketch
from legal_pipeline.registry.database import Database
from legal_pipeline.stores.replacement import batches

#: Reads `chunk_id`, `chunk_text` and `generator` of a document's chunks, in their order.
Rows = Callable[[str], Iterable[Mapping[str, Any]]]

#: If at least this share of the documents changed, all are compared at once: what shares a band with them would be read many times.
_MANY = 0.1

_GROUP = 200
#: Documents whose shingles are kept in memory: the first of a family of copies is compared with each of the others.
_KEPT = 512
#: Any constant, as long as every process uses the same one.
_LOCK = 0x72657065  # "repe"


def refresh(database: Database, made_from: Mapping[str, str], rows: Rows) -> None:
    """Bring the repeated chunks up to date with these documents, which are in the order of the export.

    `made_from`: document id -> a text that changes with its chunks.
    """
    with database.connection() as connection:
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        found = connection.execute("select document_id, made_from from chunk_sketches").fetchall()
        known = {row["document_id"]: row["made_from"] for row in found}
        changed = [name for name, version in made_from.items() if known.get(name) != version]
        without = [*changed, *(known.keys() - made_from.keys())]
        # a document that was erased has no sketches any more
        again = connection.execute(
            """select document_id, chunk_id from chunk_repeats as repeat
               where document_id <> all(%(without)s) and (earlier_document_id = any(%(without)s) or not exists (
                   select from chunk_sketches as sketch where sketch.document_id = repeat.earlier_document_id))""",
            {"without": without},
        ).fetchall()
        connection.execute("delete from chunk_sketches where document_id = any(%s)", (without,))
        for group in batches(changed, _GROUP):
            _insert_sketches(connection, group, made_from, rows)
        affected = sorted({*changed, *(row["document_id"] for row in again)})
        if len(affected) > _MANY * len(made_from):
            sketches = dict(_sketches(connection, "true", (), rows))
            due = new = np.ones(sum(len(each.chunk_ids) for each in sketches.values()), np.bool_)
            connection.execute("delete from chunk_repeats")
            _insert_repeats(
                connection, sketches, earliest_repeats(list(sketches.values()), due=due, new=new, before={})
            )
        elif affected:
            _compare(connection, affected, set(changed), {(row["document_id"], row["chunk_id"]) for row in again}, rows)


def states(database: Database) -> dict[str, tuple[int, str]]:
    """Return document id -> number of its chunks that repeat others, and a text that changes with them."""
    with database.reading() as connection:
        found = connection.execute(
            """select document_id, count(*) as number,
                   md5(string_agg(chunk_id || ' ' || earlier_chunk_id, ' ' order by chunk_id collate "C")) as state
               from chunk_repeats group by document_id"""
        ).fetchall()
    return {row["document_id"]: (row["number"], row["state"]) for row in found}


def repeats(database: Database, document_ids: Sequence[str]) -> dict[str, str]:
    """Return the id of each chunk of these documents that nearly repeats an earlier one -> the id of the earliest such chunk."""
    with database.reading() as connection:
        found = connection.execute(
            "select chunk_id, earlier_chunk_id from chunk_repeats where document_id = any(%s)", (list(document_ids),)
        ).fetchall()
    return {row["chunk_id"]: row["earlier_chunk_id"] for row in found}


def _compare(
    connection: Any, affected: Sequence[str], changed: set[str], again: set[tuple[str, str]], rows: Rows
) -> None:
    """Compare the chunks of `changed` documents and those of `again` with all others, and the others with the changed ones."""
    near: dict[str, Sketches] = {}
    for group in batches(affected, _GROUP):
        condition = "bands && array(select unnest(bands) from chunk_sketches where document_id = any(%s))"
        near.update(_sketches(connection, condition, (group,), rows))
    sketches = {name: near[name] for name in sorted(near)}
    places = {place: position for position, place in enumerate(_places(sketches))}
    new = np.fromiter((name in changed for name, _ in places), np.bool_, len(places))
    due = new | np.fromiter((place in again for place in places), np.bool_, len(places))
    connection.cursor().executemany("delete from chunk_repeats where document_id = %s and chunk_id = %s", sorted(again))
    names = list(sketches)
    firsts = list(itertools.accumulate((len(each.chunk_ids) for each in sketches.values()), initial=0))
    before = {}
    for row in connection.execute("select * from chunk_repeats where document_id = any(%s)", (names,)).fetchall():
        earlier = row["earlier_document_id"], row["earlier_chunk_id"]
        # the earlier chunk shares no band with what changed: its place among these documents decides
        between = firsts[bisect.bisect_left(names, earlier[0])]
        before[places[row["document_id"], row["chunk_id"]]] = places.get(earlier, between)
    _insert_repeats(connection, sketches, earliest_repeats(list(sketches.values()), due=due, new=new, before=before))


def _places(sketches: Mapping[str, Sketches]) -> Iterator[tuple[str, str]]:
    """Yield (document id, chunk id) of each position."""
    return ((name, chunk_id) for name, each in sketches.items() for chunk_id in each.chunk_ids)


def _insert_sketches(connection: Any, document_ids: Sequence[str], made_from: Mapping[str, str], rows: Rows) -> None:
    made = ((name, sketch(rows(name))) for name in document_ids)
    connection.cursor().executemany(
        # not of a document that was erased meanwhile
        """insert into chunk_sketches (document_id, made_from, chunk_ids, bands, signs)
           select document_id, %s, %s, %s, %s from source_documents where document_id = %s""",
        [
            (made_from[name], list(of.chunk_ids), of.bands.view(np.int64).ravel().tolist(), of.signs.tobytes(), name)
            for name, of in made
        ],
    )


def _insert_repeats(connection: Any, sketches: Mapping[str, Sketches], found: Mapping[int, int]) -> None:
    places = list(_places(sketches))
    connection.cursor().executemany(
        """insert into chunk_repeats (document_id, chunk_id, earlier_document_id, earlier_chunk_id) values (%s, %s, %s, %s)
           on conflict (document_id, chunk_id) do update
               set earlier_document_id = excluded.earlier_document_id, earlier_chunk_id = excluded.earlier_chunk_id""",
        [(*places[position], *places[earlier]) for position, earlier in found.items()],
    )


def _sketches(connection: Any, condition: str, values: Sequence[object], rows: Rows) -> Iterator[tuple[str, Sketches]]:
    """Yield the sketches of the documents for which the condition holds, by document id; shingles are made of texts when asked for."""

    @functools.lru_cache(maxsize=_KEPT)
    def shingles(document_id: str) -> dict[str, NDArray[np.uint64]]:
        return {str(row["chunk_id"]): process_hashes(str(row["chunk_text"])) for row in rows(document_id)}

    def shingles_of(document_id: str, chunk_ids: Sequence[str], position: int) -> NDArray[np.uint64]:
        return shingles(document_id).get(chunk_ids[position], np.zeros(0, np.uint64))

    statement = f"""select document_id, chunk_ids, bands, signs from chunk_sketches where chunk_ids <> '{{}}' and {condition}
                    order by document_id collate "C" """  # noqa: S608
    with connection.cursor(name="sketches", binary=True) as cursor:
        for row in cursor.execute(statement, values):
            bands = np.array(row["bands"], np.int64).view(np.uint64).reshape(len(row["chunk_ids"]), -1)
            signs = np.frombuffer(row["signs"], np.uint8).reshape(len(row["chunk_ids"]), -1)
            of_document = functools.partial(shingles_of, row["document_id"], row["chunk_ids"])
            yield row["document_id"], Sketches(row["chunk_ids"], bands, signs, of_document)
