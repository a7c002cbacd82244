"""What a publication counts on is on the disk, so that a power cut takes nothing of it. Not here: processes that are killed, which leave
their written pages to the kernel (`test_qdrant_edge`).
"""

from __future__ import annotations

import mmap
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline_tests.stores.points import DIMENSION, act

NAME = "legal_chunks"
OLD = {str(n): f"Lydelse {n}." for n in range(30)}
NEW = {str(n): f"Ny lydelse {n}." for n in range(20, 40)}


def unwritten(folder: Path) -> dict[str, int]:
    """Kilobytes that this process has changed in its mapped files under `folder` and that the disk does not have yet, by path."""
    waiting: dict[str, int] = {}
    path = ""
    for line in Path("/proc/self/smaps").read_text("utf-8").splitlines():
        if mapping := re.match(r"[0-9a-f]+-[0-9a-f]+ (?:\S+ +){4}(.*)", line):
            path = mapping[1]
        elif re.match(r"(?:Shared|Private)_Dirty:", line) and path.startswith(f"{folder}/"):
            waiting[path] = waiting.get(path, 0) + int(line.split()[1])
    return {name: size for name, size in waiting.items() if size}


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on a disk. A file system in memory never writes what waits to be written."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name, (Path(name) / "probe").open("w+b") as file:
        file.truncate(mmap.PAGESIZE)
        with mmap.mmap(file.fileno(), 0) as pages:
            pages[:4] = b"some"
            assert unwritten(Path(name))
            pages.flush()
            if unwritten(Path(name)):
                pytest.skip("/var/tmp is not on a disk")
        yield Path(name)


def test_what_is_published_replaced_or_optimised_is_on_the_disk_before_the_call_returns(disk: Path) -> None:
    store = QdrantEdgeStore(disk / "qdrant")
    store.ensure_collection(NAME, DIMENSION)
    when_published: list[dict[str, int]] = []
    with store.session(NAME, "indexing"):  # closing the collection would write everything
        for wordings in (OLD, NEW):
            points = act("se-sfs-1", wordings)
            result = store.replace_document(
                NAME, "se-sfs-1", points, publish=lambda: when_published.append(unwritten(disk))
            )
            assert unwritten(disk) == {}
        assert result.deleted == len(OLD)
        store.optimise(NAME)
        assert unwritten(disk) == {}
    assert when_published == [{}, {}]
