"""A run keeps the tables that it wrote in memory, up to a number of bytes."""

from __future__ import annotations

import pyarrow as pa

from legal_pipeline.processing.recent_tables import RecentTables


def test_recent_tables_keep_so_many_bytes_and_drop_what_was_used_least_recently() -> None:
    table = pa.table({"number": pa.array(range(100), pa.int64())})
    recent = RecentTables(most_bytes=2 * table.nbytes)
    for name in "abc":
        recent.put((("chunks",), name), table)
        recent.get((("chunks",), "a"))
    assert [recent.get((("chunks",), name)) is not None for name in "abc"] == [True, False, True]
    recent.put((("chunks",), "d"), pa.table({"number": pa.array(range(1000), pa.int64())}))
    assert recent.get((("chunks",), "d")) is None
    recent.drop((("chunks",), "a"))
    recent.put((("chunks",), "e"), table)
    assert [recent.get((("chunks",), name)) is not None for name in "ace"] == [False, True, True]


def test_the_rows_of_a_recent_table_are_made_once_and_leave_with_it() -> None:
    table = pa.table({"number": pa.array(range(100), pa.int64())})
    name = (("chunks",), "a")
    recent = RecentTables()
    assert recent.rows(name) is None
    recent.put(name, table)
    rows = recent.rows(name)
    assert rows is not None
    assert rows == table.to_pylist()
    assert recent.rows(name) is rows
    recent.put(name, table.slice(1))
    assert recent.rows(name) == rows[1:]


def test_a_table_whose_rows_are_too_large_is_kept_without_them() -> None:
    table = pa.table({"number": pa.array(range(100), pa.int64())})
    name = (("chunks",), "a")
    recent = RecentTables(most_bytes=2 * table.nbytes)
    recent.put(name, table)
    assert recent.rows(name) is not recent.rows(name)
    assert recent.get(name) is table
