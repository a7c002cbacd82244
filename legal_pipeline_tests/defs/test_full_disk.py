"""A full disk: a command ends with one sentence, and what it had to do is done by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.errors import DiskFullError, StoreError
from legal_pipeline.registry.disk_space import is_disk_full, verify_space
from legal_pipeline_tests.cli.commands import command, command_here
from legal_pipeline_tests.small_laws import write_law

PLENTY = str(10**6)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 230 MB: room for the database and for the store, but not for both and 100 MB more."""
    place = Path(f"/tmp/legal-pipeline-disk-{os.getpid()}")
    place.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=230m", "tmpfs", str(place)], capture_output=True).returncode:
        pytest.skip("this user may not mount a disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()


def test_too_little_space_is_found_before_anything_starts(disk: Path, folder: Path) -> None:
    write_law(folder, 1)
    ended = command_here("ingest", folder, home=disk / "home")
    assert (ended.returncode, ended.stdout) == (2, b"")
    (sentence,) = ended.stderr.decode().splitlines()
    assert sentence.startswith(f"error: {disk}/home: ")
    assert "256 MB are needed" in sentence
    assert not (disk / "home").exists()


@pytest.mark.slow
def test_a_disk_that_fills_up_ends_an_ingest_with_one_sentence_and_the_next_one_goes_on(
    disk: Path, folder: Path
) -> None:
    write_law(folder, 1)
    filler = disk / "filler"
    with filler.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, 115_000_000)
    home = disk / "home"
    ended = command("ingest", folder, home=home, LEGAL_PIPELINE_MIN_FREE_BYTES=PLENTY)
    assert ended.returncode == 2, ended.stderr
    sentences = [line for line in ended.stderr.decode().splitlines() if line.startswith("error: ")]
    assert len(sentences) == 1
    assert "full" in sentences[0] or "are needed" in sentences[0]
    assert b"Traceback" not in ended.stderr
    assert not (home / "postgres" / "postmaster.pid").exists()
    filler.unlink()
    again = command_here("ingest", folder, home=home, LEGAL_PIPELINE_MIN_FREE_BYTES=PLENTY)
    assert again.returncode == 0, again.stderr
    assert b"1 document," in again.stdout


_FILL = """
import os, sys
from pathlib import Path
from legal_pipeline.errors import DiskFullError
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline_tests.stores.points import DIMENSION, act
store = QdrantEdgeStore(Path(sys.argv[1]))
store.ensure_collection("laws_1", DIMENSION)
store.replace_document("laws_1", "d", act("d", {"1": "Vägen ska hållas öppen."}))
filler = open(sys.argv[2], "wb")
free = os.statvfs(sys.argv[1]).f_bavail * os.statvfs(sys.argv[1]).f_frsize
os.posix_fallocate(filler.fileno(), 0, free - 200_000)
try:
    for number in range(40):
        store.replace_document("laws_1", f"d{number}", act(f"d{number}", {str(k): f"{k} " * 200 for k in range(100)}))
except DiskFullError as error:
    print("full:", error)
filler.close()
os.unlink(sys.argv[2])
print(store.count("laws_1", "d"))
store.replace_document("laws_1", "e", act("e", {"1": "Vägen ska hållas öppen."}))
print(store.count("laws_1", "e"))
"""


def test_a_store_on_a_full_disk_raises_an_error_instead_of_ending_the_process(disk: Path, repository: Path) -> None:
    command = [sys.executable, "-c", _FILL, str(disk), str(disk / "filler")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=repository, timeout=120)
    assert done.returncode == 0, done.stderr
    told, of_before, of_after = done.stdout.splitlines()
    assert told.startswith("full: ")
    assert (of_before, of_after) == ("1", "1")


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OSError(28, "No space left on device"), True),
        (OSError(122, "Disk quota exceeded"), True),
        (OSError(2, "No such file or directory"), False),
        (StoreError("failed while writing: IO Error: No space left on device (os error 28)"), True),
        (StoreError("refused"), False),
    ],
)
def test_an_error_of_a_full_disk_is_known_by_its_kind(error: Exception, is_full: bool) -> None:
    assert is_disk_full(error) is is_full
    outer = RuntimeError("a library's own")
    outer.__cause__ = error
    assert is_disk_full(outer) is is_full


def test_space_is_asked_for_where_a_folder_will_be(tmp_path: Path) -> None:
    verify_space(tmp_path / "not" / "there", 1)
    with pytest.raises(DiskFullError, match="are needed"):
        verify_space(tmp_path / "not" / "there", 10**18)
