"""Rules of the embedded store: one opener at a time, nothing lost when a process is killed, no foreign folder touched."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.stores.edge_collection import Keeper
from legal_pipeline.stores.edge_damage import is_damage
from legal_pipeline.stores.edge_shard import is_turn
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import UNKNOWN_MODEL, AnyOf, ReplaceResult
from legal_pipeline_tests import processes
from legal_pipeline_tests.stores.points import DIMENSION, act, provision, row_hashes

NAME = "legal_chunks"
REPOSITORY = Path(__file__).resolve().parents[2]


def start(code: str, directory: Path) -> subprocess.Popen[str]:
    preamble = f"""
        from pathlib import Path
        import os, signal, sys, time
        from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
        from legal_pipeline_tests.stores.points import DIMENSION, act
        store = QdrantEdgeStore(Path({str(directory)!r}))
    """
    program = textwrap.dedent(preamble) + textwrap.dedent(code)
    return processes.start([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)


@pytest.fixture
def store(tmp_path: Path) -> QdrantEdgeStore:
    opened = QdrantEdgeStore(tmp_path / "qdrant", lock_timeout=10)
    opened.ensure_collection(NAME, DIMENSION)
    return opened


def test_who_waits_too_long_is_told_for_whom(store: QdrantEdgeStore, tmp_path: Path) -> None:
    impatient = QdrantEdgeStore(tmp_path / "qdrant", lock_timeout=0.2)
    with store.session(NAME, "indexing 40 documents"):
        store.count(NAME)
        with pytest.raises(StoreUnavailableError, match=r"process \d+ \(indexing 40 documents\) since .*waited 0.2 s"):
            impatient.count(NAME)
    assert impatient.count(NAME) == 0


def test_a_search_gets_its_turn_in_the_middle_of_a_long_session(store: QdrantEdgeStore, tmp_path: Path) -> None:
    reader = QdrantEdgeStore(tmp_path / "qdrant", lock_timeout=10)
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(reader.count(NAME))

    with store.session(NAME, "indexing"):
        store.count(NAME)
        thread = threading.Thread(target=read)
        thread.start()
        end = time.monotonic() + 20
        number = 0
        try:
            while len(seen) < 3 and time.monotonic() < end:
                number += 1
                store.replace_document(NAME, f"se-sfs-{number}", act(f"se-sfs-{number}", {"1": "Lydelse."}))
        finally:
            done.set()
        written = store.count(NAME)
    thread.join()
    assert len(seen) >= 3
    assert written == number


def test_a_killed_holder_leaves_no_lock(store: QdrantEdgeStore, tmp_path: Path) -> None:
    holder = start(
        f"""
        with store.session("{NAME}", "holding"):
            store.count("{NAME}")
            print("held", flush=True)
            time.sleep(60)
        """,
        tmp_path / "qdrant",
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert store.count(NAME) == 0


def test_two_processes_write_at_the_same_time_and_lose_nothing(store: QdrantEdgeStore, tmp_path: Path) -> None:
    writers = [
        start(
            f"""
            for number in range(15):
                document_id = f"se-sfs-{writer}-{{number}}"
                store.replace_document("{NAME}", document_id, act(document_id, {{"1": "Lydelse.", "2": "Annan lydelse."}}))
            """,
            tmp_path / "qdrant",
        )
        for writer in range(2)
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    assert store.count(NAME) == 60


def test_killed_at_any_step_the_next_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Steps: after creating, after writing (in the hook that publishes), and in the middle of many documents."""
    new = {str(n): f"Ny lydelse {n}." for n in range(3, 40)}
    old = {str(n): f"Lydelse {n}." for n in range(30)}
    steps = {
        "created": f'store.ensure_collection("{NAME}", DIMENSION); os.kill(os.getpid(), signal.SIGKILL)',
        "published": f"""
            store.ensure_collection("{NAME}", DIMENSION)
            store.replace_document("{NAME}", "d", act("d", {old!r}))
            store.replace_document("{NAME}", "d", act("d", {new!r}), publish=lambda: os.kill(os.getpid(), signal.SIGKILL))
        """,
        "any": f"""
            store.ensure_collection("{NAME}", DIMENSION)
            print("ready", flush=True)
            for number in range(1000):
                store.replace_document("{NAME}", "d", act("d", {old!r} if number % 2 else {new!r}))
        """,
    }
    for step, code in steps.items():
        directory = tmp_path / step
        process = start(code, directory)
        if step == "any":
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.37)
            process.send_signal(signal.SIGKILL)
        assert process.wait(timeout=60) == -signal.SIGKILL
        store = QdrantEdgeStore(directory)
        store.ensure_collection(NAME, DIMENSION)
        present = store.point_hashes(NAME, "d")
        if step == "published":
            assert sorted(present.values()) == sorted({*row_hashes(act("d", old)), *row_hashes(act("d", new))})
        store.replace_document(NAME, "d", act("d", new))
        assert sorted(store.point_hashes(NAME, "d").values()) == row_hashes(act("d", new))
        assert store.replace_document(NAME, "d", act("d", new)) == ReplaceResult(0, len(new), 0)
        assert store.count(NAME) == len(new)


def test_a_kill_before_a_segment_counted_its_operations_does_not_keep_stale_points(tmp_path: Path) -> None:
    """Points are flushed before the number of the last operation on them; with it left behind, no deletion may pass for an older one."""
    old, new = ([provision("d", str(n), f"{word} {n}.") for n in range(1500)] for word in ("förr", "nu"))
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection(NAME, DIMENSION)
    store.replace_document(NAME, "d", old)
    counted = {path: path.read_bytes() for path in (tmp_path / NAME).rglob("segment.json")}
    assert counted
    store.upsert(NAME, new)
    for path, before in counted.items():
        assert path.read_bytes() != before
        path.write_bytes(before)
    assert store.replace_document(NAME, "d", old).deleted == len(new)
    assert sorted(store.point_hashes(NAME, "d").values()) == row_hashes(old)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [4, pytest.param(12, marks=pytest.mark.heavy)])
def test_whenever_it_is_killed_what_is_there_is_whole(tmp_path: Path, kills: int) -> None:
    """A flush that was cut short leaves each point in full or not at all."""
    versions = [
        [provision("d", str(n), f"Lydelse {number} {n}.", jurisdiction=("se", "in")[n % 2]) for n in range(700)]
        for number in range(3)
    ]
    known = {point.row_hash: point for version in versions for point in version}
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection(NAME, DIMENSION)
    for kill in range(kills):
        process = start(
            f"""
            from legal_pipeline_tests.stores.points import provision
            versions = [
                [provision("d", str(n), f"Lydelse {{number}} {{n}}.", jurisdiction=("se", "in")[n % 2]) for n in range(700)]
                for number in range(3)
            ]
            print("ready", flush=True)
            for number in range(1000):
                store.replace_document("{NAME}", "d", versions[number % 3])
                print(number % 3, flush=True)
            """,
            tmp_path,
        )
        assert process.stdout is not None
        process.stdout.readline()
        assert process.stdout.readline() == "0\n"
        time.sleep(0.5 * kill / kills)
        process.send_signal(signal.SIGKILL)
        last = [0, *map(int, process.stdout.read().split())][-1]
        assert process.wait(timeout=60) == -signal.SIGKILL
        present = store.point_hashes(NAME, "d")
        complete = [{point.row_hash for point in version} <= {*present.values()} for version in versions]
        assert complete[last] or complete[(last + 1) % 3]
        found = store.query(NAME, dense=versions[0][0].vector, text="lydelse", languages=["swe"], limit=5000)
        assert {point.id for point in found.dense} == {point.id for point in found.sparse} == present.keys()
        for point in found.dense:
            assert point.payload == {**known[present[point.id]].payload, "document_id": "d"}
        for jurisdiction in ("se", "in"):
            one = store.query(
                NAME, dense=versions[0][0].vector, filters=[AnyOf("jurisdiction", (jurisdiction,))], limit=5000
            )
            assert {point.id for point in one.dense} == {
                point.id for point in found.dense if point.payload["jurisdiction"] == jurisdiction
            }
    store.replace_document(NAME, "d", versions[1])
    assert sorted(store.point_hashes(NAME, "d").values()) == row_hashes(versions[1])


def test_an_unfinished_creation_is_swept_away(tmp_path: Path) -> None:
    left_over = tmp_path / f".{NAME}.building" / "shard"
    left_over.mkdir(parents=True)
    (left_over / "edge_config.json").write_text("{", encoding="utf-8")
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection(NAME, DIMENSION)
    assert store.count(NAME) == 0


def test_a_foreign_folder_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "holiday.jpg").write_bytes(b"sun")
    store = QdrantEdgeStore(tmp_path)
    with pytest.raises(ConfigurationError, match="not a collection of this package"):
        store.ensure_collection(NAME, DIMENSION)
    assert [path.name for path in (tmp_path / NAME).iterdir()] == ["holiday.jpg"]
    for use in (store.count, store.drop, lambda name: store.go_live("alias", name)):
        with pytest.raises(ConfigurationError, match="not a collection of this package"):
            use(NAME)
    assert store.live("alias") is None
    assert [path.name for path in (tmp_path / NAME).iterdir()] == ["holiday.jpg"]


def test_a_damaged_collection_is_an_error_that_names_it(store: QdrantEdgeStore, tmp_path: Path) -> None:
    (tmp_path / "qdrant" / NAME / "shard" / "edge_config.json").write_text("{", encoding="utf-8")
    for opened in (store, QdrantEdgeStore(tmp_path / "qdrant", lock_timeout=0)):  # the first one leaves no lock
        with pytest.raises(StoreError, match=f"the collection {NAME} .* cannot be opened"):
            opened.count(NAME)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        *((f"os error {number}", False) for number in (1, 12, 13, 23, 24, 28, 30)),
        ("os error 2", True),
        ("bad page", True),
    ],
)
def test_a_system_that_refuses_to_open_or_write_files_is_no_damage(reason: str, expected: bool) -> None:
    assert is_damage(Exception(f"Service runtime error: page 3 ({reason})")) is expected
    assert not is_damage(Exception(f"Wrong input: page 3 ({reason})"))


def test_a_collection_of_another_version_is_refused(store: QdrantEdgeStore, tmp_path: Path) -> None:
    marker = tmp_path / "qdrant" / NAME / "collection.json"
    marker.write_text(marker.read_text("utf-8").replace("legal-pipeline/2", "legal-pipeline/1"), "utf-8")
    with pytest.raises(ConfigurationError, match="is of another version of this package"):
        store.count(NAME)


def test_a_collection_that_is_built_anew_with_fewer_points_than_were_written_replaces_nothing(
    store: QdrantEdgeStore,
) -> None:
    points = act("a", {"1": "Fyren ska tändas.", "2": "Fyren ska släckas."})
    store.upsert(NAME, points)
    with pytest.raises(StoreError, match="1 points after writing 2; nothing was replaced"):
        store.rebuild(NAME, DIMENSION, UNKNOWN_MODEL, [points[:1], points[:1]])
    assert store.count(NAME) == 2
    assert store.rebuild(NAME, DIMENSION, UNKNOWN_MODEL, [points[:1], points[1:]]) == 2
    assert store.count(NAME) == 2


def test_an_empty_folder_becomes_a_collection(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    store = QdrantEdgeStore(tmp_path)
    store.ensure_collection(NAME, DIMENSION)
    assert store.count(NAME) == 0


def test_the_vectors_of_a_large_collection_are_read_in_thirty_nights() -> None:
    pages = 47
    nights = [{page for page in range(pages) if is_turn(page, pages, night)} for night in range(740_000, 740_030)]
    assert sorted(page for read in nights for page in read) == list(range(pages))
    assert max(map(len, nights)) == 2
    assert all(is_turn(page, 30, 740_000) for page in range(30))


def test_a_collection_dropped_while_it_is_open_is_made_anew_without_its_points(store: QdrantEdgeStore) -> None:
    store.ensure_collection(NAME, DIMENSION)
    with store.session(NAME, "test"):
        store.upsert(NAME, act("a", {"1": "Fyren ska tändas."}))
        store.drop(NAME)
        store.ensure_collection(NAME, DIMENSION)
        assert store.count(NAME) == 0


def test_the_keeper_makes_room_until_its_last_caller_is_done() -> None:
    called = threading.Event()
    keeper = Keeper(called.set)
    with keeper.working():
        with keeper.working():
            assert called.wait(5)
        time.sleep(0.05)  # a call that had begun ends
        called.clear()
        assert called.wait(5)
    time.sleep(0.05)
    called.clear()
    assert not called.wait(0.2)
