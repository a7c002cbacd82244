"""Ranges of a source's keys that were compared with the registry and agreed with it: the table `source_pages`.

Pages that a poll finds unchanged are not compared again. Not here: comparing (`sources.plan`), and reading a folder page by page
(`sources.directory`).
"""

from __future__ import annotations

from datetime import timedelta

from legal_pipeline.registry.database import Database

#: (after, until): the keys after the first key, up to and including the second.
Range = tuple[str, str]


class SourcePages:
    """The operations on the pages of one source. Safe in any number of processes."""

    def __init__(self, database: Database, source: str) -> None:
        self._database = database
        self._source = source

    def known(self, within: Range, *, no_older_than: timedelta) -> dict[Range, str]:
        """Return the fingerprints of the pages in a range of keys, without pages that are older or dated in the future (a wrong clock)."""
        rows = self._database.rows(
            """select after_key, until_key, fingerprint from source_pages
               where source = %s and after_key >= %s and until_key <= %s and compared_at between now() - %s and now()""",
            (self._source, *within, no_older_than),
        )
        return {(row["after_key"], row["until_key"]): row["fingerprint"] for row in rows}

    def record(self, page: Range, fingerprint: str, items: int) -> None:
        """Record that the registry agrees with these keys. Overlapping pages with other limits are deleted."""
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
        """Delete all pages: another process changed the registry's items of the source, so all are compared again."""
        self._database.execute("delete from source_pages where source = %s", (self._source,))
