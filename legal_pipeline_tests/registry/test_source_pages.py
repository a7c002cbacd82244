"""Ranges of a source's keys that agreed with the registry, on a real PostgreSQL."""

from __future__ import annotations

from datetime import timedelta

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.source_pages import SourcePages

ALL = ("/in/", "/in0")
DAY = timedelta(days=1)


def test_a_page_takes_the_place_of_those_that_it_overlaps_and_of_no_neighbour(database: Database) -> None:
    pages = SourcePages(database, "files")
    for after, until in (("/in/", "/in/c"), ("/in/c", "/in/f"), ("/in/f", "/in/k"), ("/in/k", "/in0")):
        pages.record((after, until), until, 3)
    pages.record(("/in/d", "/in/k"), "new", 4)
    assert pages.known(ALL, no_older_than=DAY) == {
        ("/in/", "/in/c"): "/in/c",
        ("/in/d", "/in/k"): "new",
        ("/in/k", "/in0"): "/in0",
    }
    assert pages.known(("/in/d", "/in/k"), no_older_than=DAY) == {("/in/d", "/in/k"): "new"}
    assert SourcePages(database, "feed").known(ALL, no_older_than=DAY) == {}


def test_a_page_that_is_old_or_of_a_day_to_come_is_compared_again(database: Database) -> None:
    pages = SourcePages(database, "files")
    for key, shift in (("/in/a", "- interval '2 days'"), ("/in/b", ""), ("/in/c", "+ interval '1 hour'")):
        pages.record((key, f"{key}z"), key, 1)
        database.execute(
            f"update source_pages set compared_at = compared_at {shift} where after_key = %s".encode(),
            (key,),
        )
    assert list(pages.known(ALL, no_older_than=DAY)) == [("/in/b", "/in/bz")]
    assert len(pages.known(ALL, no_older_than=3 * DAY)) == 2
