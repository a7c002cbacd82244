"""Processes that take the same due documents at the same time: each document is processed once, and a killed process loses nothing."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from legal_pipeline.registration import register
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests import processes
from legal_pipeline_tests.benchmarks.large_index import StandIn, stand_in_pipeline
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.small_laws import write_law

LAWS = 24


def worker(settings: Settings, per_batch: int, documents: Sequence[str]) -> subprocess.Popen[str]:
    """See `claiming_worker`."""
    return processes.start(
        [
            sys.executable, "-W", "ignore", "-m", "legal_pipeline_tests.defs.claiming_worker",
            settings.database_url_text, str(settings.home), str(per_batch), *documents,
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY,
    )  # fmt: skip


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def next_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    """The lines until its end."""
    assert process.stdout is not None
    return process.stdout.read().split("\n")


def test_two_runs_share_the_documents_and_take_over_those_of_a_killed_one(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "laws"
    for number in range(1, LAWS + 1):
        write_law(folder, number)
    chosen = settings.model_copy(update={"enrich": "none", "stores": "qdrant"})
    with stand_in_pipeline(chosen, StandIn()) as pipeline:
        documents = list(register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new)
        killed = worker(chosen, LAWS, documents[: LAWS // 2])
        others = [worker(chosen, 4, documents), worker(chosen, 4, documents[::-1])]
        assert [next_line(process) for process in (killed, *others)] == ["ready"] * 3
        begin(killed)
        assert next_line(killed).startswith("begins ")
        for process in others:
            begin(process)
        first = [next_line(others[1])]  # the last documents are free, the first wait
        assert pipeline.registry.documents(ids=documents[:4])[0].status == "processing"
        killed.kill()
        lines = [[*given, *lines_of(process)] for process, given in zip(others, ([], first), strict=True)]
        assert [process.wait(60) for process in others] == [0, 0]
        ended = [[line.removeprefix("ends ") for line in found if line.startswith("ends ")] for found in lines]
        assert all(ended), "both had a part"
        assert Counter(name for found in ended for name in found) == Counter(documents), "each exactly once"
        begun = [line for found in lines for line in found if line.startswith("begins ")]
        assert len(begun) == LAWS
        assert pipeline.registry.counts() == {"completed": LAWS}
        assert set(pipeline.registry.manifests.published_counts("legal_chunks")) == set(documents)
        assert DueDocuments(pipeline.registry.database, "files").take(confirmed=0) == []
