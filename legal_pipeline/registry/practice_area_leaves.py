"""The places of judgments in the trees of the practice areas: the operations on the table `practice_area_leaves`.

Not here: which area a judgment belongs to (`corpus_assets.practice_areas`) and the trees (`corpus_assets.practice_area_trees`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from legal_pipeline.registry.database import Database

#: Maximum number of judgments under one node of level 1.
LEAVES_PER_NODE = 20

#: Any constant, as long as every process uses the same one while it assigns places.
_PLACE_LOCK = 0x6C656166  # "leaf"

#: A document that was completed at least once and is not removed; if it failed later, its last good version counts.
_STANDS = "d.doc_type = 'judgment' and d.tombstoned_at is null and d.processed_at is not null"


@dataclass(frozen=True)
class Due:
    """A judgment to be filed, and when it was last processed."""

    document_id: str
    processed_at: datetime


@dataclass(frozen=True)
class Filed:
    """A judgment's place. `node` counts from 1 within area, jurisdiction and language."""

    document_id: str
    area: str
    jurisdiction: str
    language: str
    node: int
    leaf_hash: str
    input_hash: str


@dataclass(frozen=True)
class AreaState:
    """The number of an area's leaves, and the sum of their hashes as text: the state that the summaries of the area are made from."""

    leaves: int
    state: str


NO_LEAVES = AreaState(0, "0")


class PracticeAreaLeaves:
    """The operations on leaves. Safe in any number of processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, *, everything: bool = False) -> list[Due]:
        """Return judgments processed since they were last filed, or all judgments, by id."""
        rows = self._database.rows(
            f"""select d.document_id, d.processed_at from source_documents d left join practice_area_leaves l using (document_id)
                where {_STANDS} and (%s or l.document_id is null or l.looked_at < d.processed_at)
                order by d.document_id collate "C" """,  # noqa: S608
            (everything,),
        )
        return [Due(**row) for row in rows]

    def gone(self) -> list[str]:
        """Return leaves whose document is removed, or is not a judgment any more."""
        rows = self._database.rows(
            f"""select l.document_id from practice_area_leaves l join source_documents d using (document_id)
                where not ({_STANDS}) order by 1"""  # noqa: S608
        )
        return [row["document_id"] for row in rows]

    def filed_otherwise(self, generator: str, prompt_version: str) -> int:
        """Return the number of leaves that were filed by another model or prompt."""
        row = self._database.row(
            "select count(*) as n from practice_area_leaves where (generator, prompt_version) <> (%s, %s)",
            (generator, prompt_version),
        )
        return int(row["n"])

    def filed(self, *, areas: Sequence[str] | None = None, ids: Sequence[str] | None = None) -> list[Filed]:
        """Return leaves by area, jurisdiction, language, node and id."""
        rows = self._database.rows(
            """select document_id, area, jurisdiction, language, node, leaf_hash, input_hash from practice_area_leaves
               where (%(areas)s::text[] is null or area = any(%(areas)s)) and (%(ids)s::text[] is null or document_id = any(%(ids)s))
               order by area collate "C", jurisdiction collate "C", language collate "C", node, document_id collate "C" """,
            {"areas": None if areas is None else list(areas), "ids": None if ids is None else list(ids)},
        )
        return [Filed(**row) for row in rows]

    def states(self, areas: Sequence[str] | None = None) -> dict[str, AreaState]:
        """Return the state of each area that has leaves, or of each of `areas`; reads one row per area, for any number of leaves."""
        rows = self._database.rows(
            """select area, leaves, state::text from practice_area_states
               where leaves > 0 and (%(areas)s::text[] is null or area = any(%(areas)s))""",
            {"areas": None if areas is None else list(areas)},
        )
        found = {row["area"]: AreaState(row["leaves"], row["state"]) for row in rows}
        return {area: found.get(area, NO_LEAVES) for area in (found if areas is None else areas)}

    def file(
        self, due: Due, *, area: str, jurisdiction: str, language: str, leaf_hash: str, input_hash: str, generator: str,
        prompt_version: str,
    ) -> Filed:  # fmt: skip
        """Assign a place to the judgment, or keep its place in this area; two processes never assign the same place."""
        values = {
            "document_id": due.document_id, "area": area, "jurisdiction": jurisdiction, "language": language, "leaf_hash": leaf_hash,
            "input_hash": input_hash, "generator": generator, "prompt_version": prompt_version, "looked_at": due.processed_at,
            "full": LEAVES_PER_NODE,
        }  # fmt: skip
        with self._database.connection() as connection:
            connection.execute("select pg_advisory_xact_lock(%s)", (_PLACE_LOCK,))
            row = connection.execute(
                """with same as (
                       select node from practice_area_leaves where document_id = %(document_id)s and area = %(area)s
                           and jurisdiction = %(jurisdiction)s and language = %(language)s
                   ), last as (
                       select node, count(*) as leaves from practice_area_leaves where area = %(area)s
                           and jurisdiction = %(jurisdiction)s and language = %(language)s group by node order by node desc limit 1
                   )
                   insert into practice_area_leaves (document_id, area, jurisdiction, language, node, leaf_hash, input_hash, generator,
                       prompt_version, looked_at)
                   values (%(document_id)s, %(area)s, %(jurisdiction)s, %(language)s, coalesce((select node from same),
                       (select case when leaves < %(full)s then node else node + 1 end from last), 1), %(leaf_hash)s, %(input_hash)s,
                       %(generator)s, %(prompt_version)s, %(looked_at)s)
                   on conflict (document_id) do update set area = excluded.area, jurisdiction = excluded.jurisdiction,
                       language = excluded.language, node = excluded.node, leaf_hash = excluded.leaf_hash,
                       input_hash = excluded.input_hash, generator = excluded.generator, prompt_version = excluded.prompt_version,
                       looked_at = excluded.looked_at
                   returning document_id, area, jurisdiction, language, node, leaf_hash, input_hash""",
                values,
            ).fetchone()
        assert row is not None
        return Filed(**row)

    def forget(self, ids: Iterable[str]) -> list[str]:
        """Delete these leaves and return their areas."""
        with self._database.connection() as connection:
            # each leaf changes the row of its area: two processes that delete many would wait for each other
            connection.execute("select pg_advisory_xact_lock(%s)", (_PLACE_LOCK,))
            rows = connection.execute(
                "delete from practice_area_leaves where document_id = any(%s) returning area", (list(ids),)
            ).fetchall()
        return sorted({row["area"] for row in rows})
