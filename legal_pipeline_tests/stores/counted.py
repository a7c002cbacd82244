"""Counts how often Qdrant Edge opens a folder and is asked, whoever asks. Not here: how often it should (the tests)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

from legal_pipeline.stores.edge_shard import Shard


@dataclass
class CountedCalls:
    """`opens` of folders, `queries` to open ones."""

    opens: int = 0
    queries: int = 0


@contextlib.contextmanager
def counted_calls() -> Iterator[CountedCalls]:
    """The calls that are made within the block, in this process."""
    calls = CountedCalls()
    load, query = Shard.load, Shard.query_batch

    def counted_load(*arguments: Any) -> Any:
        calls.opens += 1
        return load(*arguments)

    def counted_query(*arguments: Any) -> Any:
        calls.queries += 1
        return query(*arguments)

    with (
        mock.patch.object(Shard, "load", counted_load),
        mock.patch.object(Shard, "query_batch", counted_query),
    ):
        yield calls
