"""A pipeline over a temporary home, and small laws as files. Not here: Dagster (`legal_pipeline_tests/defs`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.corpus.database import Database
from legal_pipeline.corpus.registry import Registry
from legal_pipeline.corpus.warehouse import Warehouse
from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.pipeline import Failed, Materialized, Pipeline, StageEvent
from legal_pipeline.registration import Registration, register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages.stage import Resources, RunOptions
from legal_pipeline.stores.registry import open_store


@dataclass
class CountingEmbedder:
    """The real model; remembers what it was asked for."""

    inner: Embedder
    texts: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens

    def embed(self, texts: Sequence[str]) -> Embeddings:
        self.texts.extend(texts)
        return self.inner.embed(texts)


@pytest.fixture(scope="session")
def model() -> Embedder:
    """Loaded once for all tests."""
    return open_embedder()


@dataclass
class Bench:
    """A pipeline, its folder of sources, and what its last run reported."""

    pipeline: Pipeline
    folder: Path
    embedder: CountingEmbedder
    events: list[StageEvent] = field(default_factory=list)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def register(self, *, grace: float = 0, **hints: str) -> Registration:
        return register(
            DirectorySource(self.folder), self.pipeline.registry, grace=timedelta(seconds=grace), hints=hints
        )

    def ingest(self, options: RunOptions = RunOptions(), **hints: str) -> Registration:
        """Look at the folder and run what it holds."""
        self.embedder.texts.clear()
        found = self.register(**hints)
        self.events = list(self.pipeline.run([*found.to_run, *found.listed], options=options))
        return found

    @property
    def failures(self) -> dict[str, Exception]:
        return {event.document_id: event.error for event in self.events if isinstance(event, Failed)}

    def done(self, *asset_key: str) -> dict[str, Materialized]:
        return {
            event.document_id: event
            for event in self.events
            if isinstance(event, Materialized) and event.asset_key == asset_key
        }

    @property
    def points_written(self) -> int:
        return sum(event.metadata["points_written"] for event in self.done("qdrant_chunks").values())

    def reopened(self) -> Bench:
        return Bench(self.pipeline, self.folder, self.embedder)


@pytest.fixture
def bench(settings: Settings, model: Embedder, tmp_path: Path) -> Iterator[Bench]:
    folder = tmp_path / "laws"
    folder.mkdir()
    embedder = CountingEmbedder(model)
    database = Database.open(settings)
    resources = Resources(
        settings, Warehouse(settings.warehouse_root), Registry(database), lambda _: embedder, open_store
    )
    with Pipeline(resources, database) as pipeline:
        yield Bench(pipeline, folder, embedder)


Law = Callable[..., str]


@pytest.fixture
def law() -> Law:
    """A plain-text statute: `law("2099:10", "Fyrvakten ska vara vaken.", …)`, one § per text."""

    def write(number: str, *texts: str, title: str = "om fyrvakter") -> str:
        sections = "\n\n".join(f"{index} § {text}" for index, text in enumerate(texts, start=1))
        return f"Lag ({number}) {title}\n\n{sections}\n"

    return write
