"""Real histories, one version after the other, through the directory sensor and Dagster runs in this process.

Not here: what is expected of them (`legal_pipeline_tests/defs/test_replay.py`) and how long it takes (`benchmarks/replay.py`).
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dagster import DagsterInstance, SensorResult, build_sensor_context
from pydantic import SecretStr

from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.sensors import poll_folder
from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.model.diff import Diff, diff
from legal_pipeline.pipeline import Failed, Materialized, Pipeline
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch, StageEvent
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings
from legal_pipeline_tests.counting import CountingEmbedder
from legal_pipeline_tests.real_documents import existing


@dataclass(frozen=True)
class History:
    """The files of one work, oldest first. `words` is what a file lacks of its own name and number (its sidecar)."""

    files: tuple[Path, ...]
    words: dict[str, str] = field(default_factory=dict)


AML = (
    "rkrattsbaser_html/sfs-1977-1160.tom-2023-349.html",
    "selex_md/sfs-1977-1160.md",
    "riksdagen_html/sfs-1977-1160.tom-2025-732.riksdagen.html",
)
HISTORIES = (
    "fr_code_justice_penale_mineurs",
    "fr_constitution_1958",
    "us_dc_code_51-101",
    "se_2010-110_sfb_selex",
    "se_pairs/1967-837_patentlag",
    "aml",
)


def history(corpus: Path, name: str) -> History:
    if name == "aml":
        return History(tuple(corpus / "se" / file for file in AML))
    files = tuple(existing(corpus / "histories" / name, "v[0-9]*"))
    patent = {"number": "1967:837", "title": "Patentlag (1967:837)"}
    return History(files, patent if name.endswith("patentlag") else {})


@dataclass
class Watched(CountingEmbedder):
    """A model that remembers also how long it took."""

    seconds: float = 0.0
    processor: float = 0.0

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        begin, busy = time.perf_counter(), time.process_time()
        embeddings = super().embed_passages(texts)
        self.seconds += time.perf_counter() - begin
        self.processor += time.process_time() - busy
        return embeddings


@dataclass(frozen=True)
class Step:
    """What came of one version. `found`: how the pipeline's own two last expressions differ, None for the first and for one that differs
    in nothing. `seconds` are of the poll and its runs, `embedding` of the model within them; `processor` and `embedding_processor` are of
    this process's processor time, which other work on the machine changes less."""

    version: str
    run_ids: tuple[str, ...]
    events: tuple[Materialized, ...]
    found: Diff | None
    texts: tuple[str, ...]
    seconds: float
    embedding: float
    processor: float
    embedding_processor: float

    def made(self, *key: str) -> Materialized:
        (event,) = (event for event in self.events if event.asset_key == key)
        return event

    @property
    def chunks(self) -> int:
        return int(self.made("chunks").metadata["chunks"])

    @property
    def embedded_chunks(self) -> int:
        return int(self.made("chunk_embeddings").metadata.get("embedded_chunks", 0))

    @property
    def rebuilt(self) -> set[tuple[str, ...]]:
        """Assets that had to be computed."""
        return {event.asset_key for event in self.events if not event.reused}


class _Kept:
    """One pipeline for all looks and runs, so that the model is loaded once."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.settings = pipeline.resources.settings
        self.events: list[StageEvent] = []
        self._pipeline = pipeline

    @contextlib.contextmanager
    def open(self) -> Iterator[Pipeline]:
        yield self._pipeline

    def observe(self, event: StageEvent) -> None:
        self.events.append(event)


class Replay:
    """A watched folder with one file, whose content is replaced by the next version."""

    def __init__(self, instance: DagsterInstance, pipeline: Pipeline, model: Watched) -> None:
        self.pipeline = pipeline
        self._instance = instance
        self._model = model
        self._resource = _Kept(pipeline)
        self._job = build_definitions(
            settings=pipeline.resources.settings, resources={"pipeline": self._resource}
        ).resolve_job_def("process_document")
        self._cursor: str | None = None
        self._recorded: list[str] = []
        self.folder = pipeline.resources.settings.watched_directory
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def document_id(self) -> str:
        (document,) = self.pipeline.registry.documents()
        return document.document_id

    @property
    def batch(self) -> Batch:
        return Batch([self.document_id], self.pipeline.resources)

    def put(self, file: Path, words: dict[str, str] | None = None) -> None:
        target = self.folder / "law.txt"  # formats are known by their content
        target.write_bytes(file.read_bytes())
        if words:
            target.with_name("law.txt.meta.json").write_text(json.dumps(words), "utf-8")

    def step(self, file: Path, words: dict[str, str] | None = None) -> Step:
        """The next version arrives: one poll of the sensor, and the runs that it asks for."""
        self.put(file, words)
        self._resource.events.clear()
        self._model.texts.clear()
        self._model.seconds = self._model.processor = 0.0
        begin, busy = time.perf_counter(), time.process_time()
        run_ids = tuple(self._run(partition) for partition in self._look())
        seconds, processor = time.perf_counter() - begin, time.process_time() - busy
        failures = [event for event in self._resource.events if isinstance(event, Failed)]
        if failures:
            raise failures[0].error
        known = expressions.index(self.batch, self.document_id)
        found = None
        if len(known) > 1 and self._recorded != (latest := [one.expression for one in known]):
            before, after = (expressions.load(self.batch, self.document_id, version) for version in latest[-2:])
            found = diff(before, after)
        self._recorded = [one.expression for one in known]
        events = tuple(event for event in self._resource.events if isinstance(event, Materialized))
        spent = (seconds, self._model.seconds, processor, self._model.processor)
        return Step(file.stem, run_ids, events, found, tuple(self._model.texts), *spent)

    def _look(self) -> list[str]:
        result = poll_folder(build_sensor_context(instance=self._instance, cursor=self._cursor), self._resource)
        assert isinstance(result, SensorResult), result
        self._cursor = result.cursor
        for request in result.dynamic_partitions_requests or ():
            self._instance.add_dynamic_partitions(request.partitions_def_name, list(request.partition_keys))
        return [str(request.partition_key) for request in result.run_requests or ()]

    def _run(self, partition: str) -> str:
        result = self._job.execute_in_process(
            instance=self._instance,
            partition_key=partition,
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            raise_on_error=False,
        )
        failed = [event for event in self._resource.events if isinstance(event, Failed)]
        assert result.success or failed, [event.message for event in result.all_events if event.is_failure]
        return str(result.run_id)


@contextlib.contextmanager
def replay(instance: DagsterInstance, settings: Settings, model: Embedder) -> Iterator[Replay]:
    watched = Watched(model)
    with Pipeline.open(settings) as opened:
        resources = replace(opened.resources, make_embedder=lambda _: watched)
        with Pipeline(resources, Database.open(settings)) as pipeline:
            yield Replay(instance, pipeline, watched)


@contextlib.contextmanager
def elsewhere(settings: Settings, home: Path) -> Iterator[Settings]:
    """The same settings with a home and a database of their own: a fresh build, beside the first."""
    import psycopg

    url = settings.database_url_text
    name = re.sub(r".*/([^/?]+)(\?.*)?$", r"\1", url)
    fresh = url.replace(f"/{name}", f"/{name}_fresh")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"create database {name}_fresh strategy file_copy".encode())
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    try:
        yield settings.model_copy(
            update={"home": home, "database_url": SecretStr(fresh), "source_directory": home / "sources"}
        )
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"drop database if exists {name}_fresh with (force)".encode())


def plain(rows: Sequence[dict[str, Any]]) -> list[bytes]:
    """Rows as bytes, without their vectors and what says of which fetch they are: a fetch of the same words makes no row anew."""
    return [
        json.dumps(
            _without(row, ("fetched_at", "source_sha256", "vector")), ensure_ascii=False, sort_keys=True, default=str
        ).encode()
        for row in rows
    ]


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {key: _without(inner, names) for key, inner in value.items() if key not in names}
    return value
