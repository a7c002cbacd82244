"""Payloads that an open shard keeps are those that are stored, and not more of them than fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from legal_pipeline.model.identity import point_id
from legal_pipeline.stores.edge_payloads import Payloads
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Point, Query


@dataclass
class Record:
    id: str
    payload: dict[str, Any]


@dataclass
class Stored:
    """Points with two fields each, and what was read of them."""

    read: list[str] = field(default_factory=list)

    def retrieve(self, ids: list[str], fields: bool | list[str]) -> list[Record]:
        self.read += ids
        whole = [{"name": id, "other": 1} for id in ids]
        return [
            Record(id, row if fields is True else {name: row[name] for name in fields if name in row})
            for id, row in zip(ids, whole, strict=True)
        ]


def test_a_payload_is_read_once_as_long_as_there_is_room() -> None:
    stored = Stored()
    payloads = Payloads(stored.retrieve, most_values=4)
    for wanted in (["a", "b"], ["b", "a"], ["a", "c"], ["b"]):
        assert payloads.of(wanted, None) == {name: (name, {"name": name, "other": 1}) for name in wanted}
    assert stored.read == ["a", "b", "c", "b"]  # for c the one used longest ago went


def test_of_more_payloads_than_fit_those_read_last_are_kept_and_after_a_write_none() -> None:
    stored = Stored()
    payloads = Payloads(stored.retrieve, most_values=4)
    payloads.of(["a", "b", "c", "d"], None)
    payloads.of(["c", "d"], None)
    payloads.of(["b"], None)
    assert stored.read == ["a", "b", "c", "d", "b"]
    for _ in range(2):
        payloads.forget()
        assert payloads.of(["b", "d"], None).keys() == {"b", "d"}
    assert stored.read[5:] == ["b", "d"] * 2


def test_payloads_with_different_fields_are_different_payloads() -> None:
    payloads = Payloads(Stored().retrieve)
    assert payloads.of(["a"], ("name",)) == {"a": ("a", {"name": "a"})}
    assert payloads.of(["a"], None) == {"a": ("a", {"name": "a", "other": 1})}
    assert payloads.of(["a"], ("name", "missing")) == {"a": ("a", {"name": "a"})}


def test_a_point_that_is_written_again_is_read_again(tmp_path: Path) -> None:
    """Its stored id is that of its row hash: time and place of its fetch may be others."""
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection("laws", 4)
    payload = {"chunk_id": "c", "row_hash": "1", "fetched_at": "2099-01-01", "is_winning_argument": True}
    point = Point(point_id("c"), "d", np.full(4, 0.5, np.float32), "fyr", "swe", payload)
    with store.session("laws", "testing"):
        for day in ("2099-01-01", "2099-06-01"):
            changed = replace(point, payload={**payload, "fetched_at": day})
            store.upsert("laws", [changed])
            (found,) = store.query_batch("laws", [Query(text="fyr")])
            assert [hit.payload for hit in found.sparse] == [{**changed.payload, "document_id": "d"}]
