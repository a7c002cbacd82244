"""How processes that work at once divide the processors."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.processors import Processors
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline_tests import processes

_WORK = (
    "import sys; from pathlib import Path; from legal_pipeline.embedding.processors import Processors\n"
    "with Processors(Path(sys.argv[1])).working():\n"
    "    print('working', flush=True); sys.stdin.read()"
)


@pytest.fixture
def processors(tmp_path: Path) -> Processors:
    return Processors(tmp_path / "working", available=lambda: 8)


@contextlib.contextmanager
def another(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that works with `directory`."""
    process = processes.start(
        [sys.executable, "-c", _WORK, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    try:
        yield process
    finally:
        process.communicate()


def test_each_process_that_works_has_its_share(processors: Processors, tmp_path: Path) -> None:
    assert processors.share() == 8
    with processors.working():
        assert processors.share() == 8
        with another(tmp_path / "working"):
            assert processors.share() == 4
            with another(tmp_path / "working"), another(tmp_path / "elsewhere"):
                assert processors.share() == 2
        assert processors.share() == 8


def test_a_killed_process_leaves_its_share_to_the_others(processors: Processors, tmp_path: Path) -> None:
    with processors.working(), another(tmp_path / "working") as process:
        assert processors.share() == 4
        process.kill()
        process.wait()
        assert processors.share() == 8


def test_more_processes_than_processors_have_one_each(processors: Processors) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(9):
            stack.enter_context(processors.working())
        assert processors.share() == 1


def test_where_nothing_can_be_written_a_process_has_them_all(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with Processors(file / "working").working():
        assert Processors(file / "working").share() == available_processors()


def test_the_number_of_threads_follows_the_share_within_one_call_and_leaves_the_vectors() -> None:
    import torch

    texts = [f"{number} § Vägen ska hållas öppen i {number} dagar." for number in range(300)]
    used: list[int] = []

    def threads() -> int:
        used.append(torch.get_num_threads())
        return 1 + len(used) % 2

    with_torch = BackendOptions("torch")
    vectors = open_embedder(options=with_torch, threads=threads).embed_passages(texts).vectors
    assert set(used[1:]) == {1, 2}
    assert np.abs(vectors - open_embedder(options=with_torch, threads=1).embed_passages(texts).vectors).max() < 1e-5
