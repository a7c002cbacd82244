"""Stretches of a source's keys that were compared with the registry and agreed with it: the table `source_pages`.

What a poll finds as it was is not compared again. Not here: comparing (`sources.plan`), and reading a folder page by page
(`sources.directory`).
"""

from __future__ import annotations

from datetime import timedelta

from legal_pipeline.registry.database import Database

#: (after, until): the keys behind the first one, up to the second.
Range = tuple[str, str]


class SourcePages:
    """The verbs on the pages of one source. Safe in any number of processes."""

    def __init__(self, database: Database, source: str) -> None:
        self._database = database
        self._source = source

    def known(self, within: Range, *, no_older_than: timedelta) -> dict[Range, str]:
        """The fingerprints of the pages within a range of keys. Older ones, and those of a clock that ran ahead, are compared again."""
        with self._database.connection() as connection:
            rows = connection.execute(
                """select after_key, until_key, fingerprint from source_pages
                   where source = %s and after_key >= %s and until_key <= %s and compared_at between now() - %s and now()""",
                (self._source, *within, no_older_than),
            ).fetchall()
        return {(row["after_key"], row["until_key"]): row["fingerprint"] for row in rows}

    def record(self, page: Range, fingerprint: str, items: int) -> None:
        """The registry agrees with these keys. Pages that overlap with this one were cut otherwise and are forgotten."""
        after, until = page
        with self._database.connection() as connection:
            connection.execute(
                "delete from source_pages where source = %s and until_key > %s and after_key < %s",
                (self._source, after, until),
            )
            connection.execute(
                """insert into source_pages (source, after_key, until_key, fingerprint, items) values (%s, %s, %s, %s, %s)
                   on conflict (source, until_key) do update set after_key = excluded.after_key,
                       fingerprint = excluded.fingerprint, items = excluded.items, compared_at = now()""",
                (self._source, after, until, fingerprint, items),
            )

    def forget(self) -> None:
        """Somebody else changed what the registry says of the source's items: everything is compared again."""
        with self._database.connection() as connection:
            connection.execute("delete from source_pages where source = %s", (self._source,))
