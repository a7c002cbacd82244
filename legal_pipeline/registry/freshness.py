"""The times of the last poll and the last change of sources, for the checks of silent sources and stale documents.

Not here: the checks (`defs.freshness_checks`), and polling a source (`registration`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from legal_pipeline.registry.database import Database


def record_poll(database: Database, source: str, scope: Sequence[str], left_out: Mapping[str, int]) -> None:
    """Record a poll of the source, for keys that begin with one of `scope`. A poll for changes has no scope: it covers all keys.

    `left_out`: prefix of `scope` -> the number of its files and folders that the user's patterns leave out.
    """
    numbers = dict.fromkeys(scope or ("",), 0) | dict(left_out)
    with database.connection() as connection:
        connection.cursor().executemany(
            """insert into source_looks (source, scope, left_out) values (%s, %s, %s)
               on conflict (source, scope) do update set looked_at = now(), left_out = excluded.left_out""",
            [
                (source, prefix.replace("\x00", "\N{REPLACEMENT CHARACTER}"), number)
                for prefix, number in numbers.items()
            ],
        )


def left_out(database: Database) -> dict[str, int]:
    """Return folder -> the number of its files and folders that patterns left out at its last poll; folders without any are not listed."""
    rows = database.rows("select scope, left_out from source_looks where left_out > 0 order by scope")
    return {row["scope"]: row["left_out"] for row in rows}


def last_changes(database: Database) -> dict[str, datetime]:
    """Return source -> when a text of its documents last changed, or a document was added; without sources of removed documents only."""
    rows = database.rows(
        """select i.source, max(coalesce(d.text_changed_at, d.created_at)) as changed_at
           from source_items i join source_documents d using (document_id) where d.tombstoned_at is null
           group by i.source order by i.source"""
    )
    return {row["source"]: row["changed_at"] for row in rows}


def not_polled_since(database: Database, moment: datetime) -> dict[str, datetime]:
    """Return documents that no poll has found since `moment` -> their last poll that listed them, the oldest poll first."""
    rows = database.rows(
        """select d.document_id, max(greatest(i.seen_at, l.looked_at)) as polled_at
           from source_documents d join source_items i using (document_id)
               left join source_looks l on l.source = i.source and starts_with(i.item_key, l.scope) and i.missing_since is null
           where d.tombstoned_at is null group by d.document_id
           having max(greatest(i.seen_at, l.looked_at)) < %s order by polled_at, d.document_id""",
        (moment,),
    )
    return {row["document_id"]: row["polled_at"] for row in rows}
