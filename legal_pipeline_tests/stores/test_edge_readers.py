"""Several processes that keep a collection of Qdrant Edge open: one reads it for all.

Two stores stand for two processes: a folder cannot be open in both of them either.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from legal_pipeline.errors import MissingCollectionError, StoreUnavailableError
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline_tests.stores.counted import counted_calls
from legal_pipeline_tests.stores.points import DIMENSION, direction, provision

NAME = "legal_chunks"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection(NAME, DIMENSION)
    store.upsert(NAME, [provision("act-1", str(number), f"Fyr {number} ska lysa.") for number in range(20)])
    return tmp_path


@contextlib.contextmanager
def searching(directory: Path) -> Iterator[QdrantEdgeStore]:
    store = QdrantEdgeStore(directory, lock_timeout=20)
    with store.kept_open([NAME], "searching"):
        yield store


def found(store: QdrantEdgeStore) -> list[str]:
    lists = store.query(NAME, dense=direction(3), text="fyr lysa", languages=["swe"], limit=5)
    assert len(lists.dense) == len(lists.sparse) == 5
    return [point.id for point in (*lists.dense, *lists.sparse)]


def test_the_folder_is_opened_once_however_many_search(directory: Path) -> None:
    with searching(directory) as first, searching(directory) as second, counted_calls() as calls:
        answers = [found(store) for store in (first, second) * 10]
    assert calls.opens == 1
    assert answers == answers[:1] * 20


def test_when_the_one_that_reads_ends_the_next_one_takes_its_place(directory: Path) -> None:
    with searching(directory) as last:
        with searching(directory) as first:
            before = [found(first), found(last)]
        with counted_calls() as calls:
            assert [found(last), found(last)] == before
        assert calls.opens == 1


def test_a_process_reads_for_the_others_until_its_last_search_is_done(directory: Path) -> None:
    with searching(directory) as first, searching(directory) as other:
        with first.kept_open([NAME], "searching as well"):
            before = found(first)
        with counted_calls() as calls:
            assert [found(first), found(other)] == [before, before]
        assert calls.opens == 0


def test_several_threads_ask_while_another_process_writes(directory: Path) -> None:
    writer = QdrantEdgeStore(directory, lock_timeout=20)
    with searching(directory) as first, searching(directory) as second, ThreadPoolExecutor(6) as pool:
        found(first)
        asked = [pool.submit(found, store) for store in (first, second) * 15]
        for number in range(3):
            writer.upsert(NAME, [provision("act-2", str(number), "Taxa.")])
        assert all(one.result(60) for one in asked)
        assert first.count(NAME, "act-2") == second.count(NAME, "act-2") == 3


def test_an_error_of_the_one_that_reads_is_the_error_of_the_one_that_asks(directory: Path) -> None:
    with searching(directory) as first, searching(directory) as second:
        found(first)
        QdrantEdgeStore(directory, lock_timeout=20).drop(NAME)
        with pytest.raises(MissingCollectionError, match=NAME):
            found(second)


def test_where_no_socket_can_be_made_each_reads_in_turn(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(directory / "missing"))
    with searching(directory) as first, searching(directory) as second:
        assert found(first) == found(second) == found(first)


def test_who_does_not_know_the_key_is_not_answered(directory: Path) -> None:
    with searching(directory) as first, searching(directory) as second:
        found(first)
        told = directory / f"{NAME}.reader"
        assert told.stat().st_mode & 0o077 == 0
        key = told.read_text("utf-8").rpartition('"key": "')[2].partition('"')[0]
        told.write_text(told.read_text("utf-8").replace(key, "00" * 32), "utf-8")
        second._readers[NAME]._timeout = 0.3
        with pytest.raises(StoreUnavailableError, match="does not answer"):
            found(second)
        assert found(first)
