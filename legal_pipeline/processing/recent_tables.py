"""A memory cache of tables that this run wrote: later stages read each of them several times.

Not here: the content of tables, and their files (`registry.warehouse`).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

#: (asset key, document id)
Name = tuple[tuple[str, ...], str]

#: Total bytes of the cached tables: enough for some hundred Acts of average length.
MOST_BYTES = 1 << 26


class RecentTables:
    """At most `most_bytes` of tables; the least recently used table is removed first. A larger table is not stored."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._tables: OrderedDict[Name, pa.Table] = OrderedDict()

    def put(self, name: Name, table: pa.Table) -> None:
        self.drop(name)
        if table.nbytes > self._most_bytes:
            return
        self._tables[name] = table
        self._bytes += table.nbytes
        while self._bytes > self._most_bytes:
            _, oldest = self._tables.popitem(last=False)
            self._bytes -= oldest.nbytes

    def get(self, name: Name) -> pa.Table | None:
        table = self._tables.get(name)
        if table is not None:
            self._tables.move_to_end(name)
        return table

    def drop(self, name: Name) -> None:
        """Remove the table; no error if it is not there."""
        if (table := self._tables.pop(name, None)) is not None:
            self._bytes -= table.nbytes
