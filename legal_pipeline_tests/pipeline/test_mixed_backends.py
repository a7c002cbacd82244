"""Workers on different backends of one model write one collection."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.pipeline import Failed, Materialized, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests import processes
from legal_pipeline_tests.conftest import REPOSITORY
from legal_pipeline_tests.pipeline.conftest import Law

WORKERS = {"torch on cpu in float32": ("torch", "float32"), "openvino on cpu in bfloat16": ("openvino", "bfloat16")}
TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")
QUERY = "när ljuder mistluren vid dimma"
#: Written before, by this process.
FIRST, *LATER = (f"2099:{number}" for number in range(10, 15))


def document_id(number: str) -> str:
    return f"se-sfs-{number.replace(':', '-')}"


@pytest.fixture
def pipeline(settings: Settings, tmp_path: Path, law: Law) -> Iterator[Pipeline]:
    """All laws registered, the first one indexed."""
    folder = tmp_path / "laws"
    folder.mkdir()
    for number in (FIRST, *LATER):
        texts = [text.replace(".", f" i distrikt {number}.") for text in TEXTS]
        (folder / f"{number.replace(':', '-')}.txt").write_text(law(number, *texts), "utf-8")
    with Pipeline.open(settings) as opened:
        register(DirectorySource(folder), opened.registry, grace=timedelta(0))
        assert not [event for event in opened.run([document_id(FIRST)]) if isinstance(event, Failed)]
        yield opened


def worker(settings: Settings, backend: tuple[str, str], documents: list[str]) -> subprocess.Popen[str]:
    """See `writing_worker`."""
    return processes.start(
        [
            sys.executable, "-W", "ignore", "-m", "legal_pipeline_tests.pipeline.writing_worker",
            settings.database_url_text, str(settings.home), *backend, *documents,
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY,
    )  # fmt: skip


@pytest.mark.heavy
def test_two_workers_on_different_backends_write_one_collection_while_a_reader_searches(pipeline: Pipeline) -> None:
    settings = pipeline.resources.settings
    halves = [[document_id(number) for number in LATER[start::2]] for start in (0, 1)]
    collections = {one.generation.name for one in pipeline.collections()}
    workers = [worker(settings, backend, half) for backend, half in zip(WORKERS.values(), halves, strict=True)]
    for process, description in zip(workers, WORKERS, strict=True):
        assert process.stdout is not None
        assert process.stdout.readline().strip() == description
    # the first search loads the model, which may take longer than all the writing
    seen = [found(pipeline)]
    for process in workers:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    while any(process.poll() is None for process in workers):
        seen.append(found(pipeline))
        time.sleep(0.1)
    assert [process.returncode for process in workers] == [0, 0]
    seen.append(found(pipeline))
    assert all(len(sections) == len(TEXTS) for answer in seen for sections in answer.values()), (
        "each in full or not yet"
    )
    assert all(before.keys() <= after.keys() for before, after in itertools.pairwise(seen))
    assert seen[0].keys() == {document_id(FIRST)}
    assert len(seen) > 2, "the reader searched while they wrote"
    assert seen[-1].keys() == {document_id(number) for number in (FIRST, *LATER)}

    states = pipeline.collections()
    assert {one.generation.name for one in states} == collections
    assert {one.generation.model.name for one in states} == {open_embedder().name}
    again = list(pipeline.run([document_id(number) for number in (FIRST, *LATER)]))
    assert all(isinstance(event, Materialized) and event.reused for event in again), (
        "this process takes what they wrote"
    )


def found(pipeline: Pipeline) -> dict[str, set[str]]:
    """By document, the sections among the hits of a search that asks for all of them."""
    hits = pipeline.search(QUERY, limit=100, passage_tokens=0, fold_duplicates=False)
    sections: dict[str, set[str]] = {}
    for hit in hits:
        sections.setdefault(hit.document_id, set()).add(hit.path)
    return sections
