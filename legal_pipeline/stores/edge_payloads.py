"""Payloads of points of an open shard of Qdrant Edge, kept in memory.

To find points takes Edge a tenth of the time that it takes to read their payloads, and the lists of one search, and of searches after it,
share many points. Only this process can write to the shard while it is open, so what is kept is what is stored. Not here: finding points
(`stores.edge_shard`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from legal_pipeline.stores.edge_points import without_mirrors
from legal_pipeline.stores.store import Payload, Query

#: Maximum number of field values in memory: some 8,000 whole payloads of chunks, about 50 MB.
_MOST_VALUES = 300_000

#: The fields of a payload that are read; None: all of them.
Fields = tuple[str, ...] | None


def asked_fields(query: Query) -> Fields:
    """Return the fields that a query asks for, always in one order."""
    return None if query.fields is None else tuple(sorted(query.fields))


class Payloads:
    """`retrieve` returns records with `id` and `payload` of the points with these ids, with all fields (True) or with the named ones."""

    def __init__(
        self, retrieve: Callable[[list[Any], bool | list[str]], Iterable[Any]], *, most_values: int = _MOST_VALUES
    ) -> None:
        self._retrieve = retrieve
        self._most = most_values
        self._kept: OrderedDict[tuple[Any, Fields], tuple[str, Payload]] = OrderedDict()
        self._values = 0

    def of(self, ids: Iterable[Any], fields: Fields) -> dict[Any, tuple[str, Payload]]:
        """Return the id, as text, and the payload of each point that is stored; points may share it, so it must not be changed."""
        found: dict[Any, tuple[str, Payload]] = {}
        missing = []
        for point_id in ids:
            key = point_id, fields
            if (kept := self._kept.get(key)) is None:
                missing.append(point_id)
            else:
                self._kept.move_to_end(key)
                found[point_id] = kept
        if missing:
            for record in self._retrieve(missing, True if fields is None else list(fields)):
                point_id, payload = record.id, without_mirrors(record.payload)
                found[point_id] = self._kept[point_id, fields] = str(point_id), payload
                self._values += len(payload)
            while self._values > self._most:
                self._values -= len(self._kept.popitem(last=False)[1][1])
        return found

    def forget(self) -> None:
        """Forget everything: points are about to be written."""
        self._kept.clear()
        self._values = 0
