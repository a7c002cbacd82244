"""Without a key: real Acts offline, the same to the byte, and fast enough that nobody waits for it."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from legal_pipeline_tests.benchmarks.enrichment import acts, enrich, sample

#: Issue 5, per core; the measured figure is above five hundred.
CHUNKS_PER_SECOND = 50


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the extractive engine opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_the_sample_corpus_is_enriched_offline_and_the_same_to_the_byte() -> None:
    first, second = enrich(sample()), enrich(sample())
    assert first.digest == second.digest
    assert first.chunks > 15


def test_another_process_says_the_same(repository: Path) -> None:
    """With another seed of hashes than that of this process, which is drawn."""
    code = "from legal_pipeline_tests.benchmarks.enrichment import enrich, sample; print(enrich(sample()).digest)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "1", "PATH": ""},
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == enrich(sample()).digest


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.heavy
def test_a_hundred_acts_are_enriched_at_fifty_chunks_a_second(corpus: Path) -> None:
    cuts = acts(corpus)
    assert len(cuts) == 100
    first, second = enrich(cuts), enrich(cuts)
    assert first.digest == second.digest
    assert max(first.chunks_per_second, second.chunks_per_second) >= CHUNKS_PER_SECOND
