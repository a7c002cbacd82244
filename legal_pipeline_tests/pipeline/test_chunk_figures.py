"""Figures of the chunks of each document: what is too long or comes twice, and which tables are read again."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.chunking.packing import MAX_TOKENS
from legal_pipeline.corpus_assets.chunk_figures import figures, refresh, sharing_chunk_ids
from legal_pipeline.model import tables
from legal_pipeline.pipeline import ASSETS
from legal_pipeline.stages import chunks
from legal_pipeline_tests.pipeline.conftest import Bench, Law

UP_TO_CHUNKS = ASSETS[: ASSETS.index(chunks.KEY) + 1]
FIRST, SECOND = "se-sfs-2099-10", "se-sfs-2099-11"


@pytest.fixture
def cut(bench: Bench, law: Law) -> Bench:
    """Two laws with two chunks each."""
    for number in (10, 11):
        bench.write(f"{number}.txt", law(f"2099:{number}", "En fyrvakt ska vara vaken.", f"Fyren {number} ska tändas."))
    list(bench.pipeline.run(bench.register().to_run, UP_TO_CHUNKS))
    assert refresh(bench.pipeline.resources) == 2
    return bench


def rewritten(bench: Bench, *changes: dict[str, Any], document_id: str = FIRST) -> dict[str, Any]:
    """The figures of a document after its chunks were changed."""
    warehouse = bench.pipeline.warehouse
    rows = warehouse.read_table(chunks.KEY, document_id).to_pylist()
    for row, change in zip(rows, changes, strict=True):
        row.update({**change, "metadata": {**row["metadata"], **change.get("metadata", {})}})
    stamp = warehouse.read_stamp(chunks.KEY, document_id)
    warehouse.write_table(chunks.KEY, document_id, tables.table(rows, tables.CHUNKS), stamp)
    assert refresh(bench.pipeline.resources) == 1, "only the changed table is read"
    found = {row["document_id"]: row for row in figures(bench.pipeline.registry.database, "over_limit", "repeats")}
    return found[document_id]


def test_a_chunk_is_too_long_unless_it_may_not_be_split(cut: Bench) -> None:
    assert not rewritten(cut, {"num_tokens": MAX_TOKENS}, {})["over_limit"]
    assert not rewritten(cut, {"num_tokens": MAX_TOKENS + 1, "metadata": {"oversized": True}}, {})["over_limit"]
    assert rewritten(cut, {}, {"num_tokens": MAX_TOKENS + 1})["over_limit"]


def test_an_id_comes_once_in_a_document_and_a_path_once_in_each_of_its_strategies(cut: Bench) -> None:
    assert not rewritten(cut, {"path": "§1"}, {"path": "§1", "strategy": "sliding_window"})["repeats"]
    assert rewritten(cut, {"path": "§1"}, {"path": "§1", "strategy": "paragraf"})["repeats"]
    assert rewritten(cut, {"path": "§1", "chunk_id": "a"}, {"path": "§2", "chunk_id": "a"})["repeats"]
    database = cut.pipeline.registry.database
    assert sharing_chunk_ids(database) == set()
    rewritten(cut, {"chunk_id": "a"}, {"chunk_id": "b"}, document_id=SECOND)
    assert sharing_chunk_ids(database) == {FIRST, SECOND}


def test_a_removed_document_has_no_figures(cut: Bench) -> None:
    registry = cut.pipeline.registry
    registry.tombstone(FIRST)
    assert refresh(cut.pipeline.resources) == 0
    assert [row["document_id"] for row in figures(registry.database)] == [SECOND]
