"""A memory cache of tables that this run wrote: later stages read each of them several times.

Not here: the content of tables, and their files (`registry.warehouse`).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

#: (asset key, document id)
Name = tuple[tuple[str, ...], str]

#: Total bytes of the cached tables: enough for some hundred Acts of average length.
MOST_BYTES = 1 << 26
#: Bytes of a table's rows as Python objects for each byte of the table: chunks of statutes have 7 to 12.
_ROWS_WEIGHT = 12


@dataclass(frozen=True)
class _Recent:
    """`weight`: bytes; counted once, because counting those of a table of many columns takes time."""

    table: pa.Table
    weight: int
    rows: list[dict[str, Any]] | None = None


class RecentTables:
    """At most `most_bytes` of tables and their rows; the least recently used table is removed first. A larger table is not stored."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._tables: OrderedDict[Name, _Recent] = OrderedDict()

    def put(self, name: Name, table: pa.Table) -> None:
        self.drop(name)
        self._put(name, _Recent(table, int(table.nbytes)))

    def get(self, name: Name) -> pa.Table | None:
        found = self._tables.get(name)
        if found is None:
            return None
        self._tables.move_to_end(name)
        return found.table

    def rows(self, name: Name) -> list[dict[str, Any]] | None:
        """Return the rows of a cached table; they are cached too, so a caller must not change them."""
        found = self._tables.get(name)
        if found is None or found.rows is not None:
            return None if found is None else found.rows
        rows: list[dict[str, Any]] = found.table.to_pylist()
        self.drop(name)
        self._put(name, _Recent(found.table, found.weight * (1 + _ROWS_WEIGHT), rows))
        if name not in self._tables:  # too large with its rows
            self._put(name, found)
        return rows

    def drop(self, name: Name) -> None:
        """Remove the table; no error if it is not there."""
        if (found := self._tables.pop(name, None)) is not None:
            self._bytes -= found.weight

    def _put(self, name: Name, recent: _Recent) -> None:
        if recent.weight > self._most_bytes:
            return
        self._tables[name] = recent
        self._bytes += recent.weight
        while self._bytes > self._most_bytes:
            _, oldest = self._tables.popitem(last=False)
            self._bytes -= oldest.weight
