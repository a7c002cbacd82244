"""PostgreSQL killed alone amid a run: the run ends with one sentence, and the next one finishes the work."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.errors import DatabaseUnavailableError
from legal_pipeline.pipeline import Materialized, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.due_documents import DueDocuments
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.small_laws import write_law


@pytest.fixture
def home() -> Iterator[Path]:
    """Not under pytest's own folder, which is closed to the account that the server runs under."""
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder:
        yield Path(folder) / "home"


def kill_server(settings: Settings) -> None:
    """The server itself; its workers end without it."""
    number = int((settings.home / "postgres" / "postmaster.pid").read_text().split()[0])
    os.kill(number, signal.SIGKILL)


def run_and_kill(pipeline: Pipeline, documents: Sequence[str], stage: str, killed: list[str]) -> None:
    """Kill the server when the first document is through `stage`."""
    for event in pipeline.run(documents):
        if not killed and isinstance(event, Materialized) and event.asset_key == (stage,):
            kill_server(pipeline.resources.settings)
            killed.append(event.document_id)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["raw_documents", "chunk_embeddings"])
def test_a_run_whose_database_is_killed_says_so_and_is_done_again(
    settings: Settings, tmp_path: Path, home: Path, stage: str
) -> None:
    chosen = settings.model_copy(update={"database_url": None, "home": home, "enrich": "none"})
    for number in range(1, 4):
        write_law(tmp_path / "lagar", number)
    source = DirectorySource(tmp_path / "lagar")
    with Pipeline.open(chosen) as pipeline:
        pipeline.registry.database._timeout = 2  # seconds that it waits for a server that does not answer
        found = register(source, pipeline.registry, grace=timedelta(0))
        killed = []
        with pytest.raises(DatabaseUnavailableError, match=r"the database at .* (was lost|does not answer)"):
            run_and_kill(pipeline, found.new, stage, killed)
        assert killed
    with Pipeline.open(chosen) as pipeline:
        due = DueDocuments(pipeline.registry.database, source.name)
        assert [one.document_id for one in due.take(confirmed=0)] == list(found.new)
        assert not [event for event in pipeline.run(found.new) if not isinstance(event, Materialized)]
        assert pipeline.registry.counts() == {"completed": 3}
        assert due.take(confirmed=0) == []
        assert {hit.document_id for hit in pipeline.search("Vägföreningen ska hålla vägen framkomlig")} == set(
            found.new
        )
