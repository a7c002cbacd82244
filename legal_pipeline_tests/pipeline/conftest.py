"""A pipeline over a temporary home, and small laws as files. Not here: Dagster (`legal_pipeline_tests/defs`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.pipeline import Failed, Materialized, Pipeline, StageEvent
from legal_pipeline.processing.stage import Resources, RunOptions
from legal_pipeline.registration import Registration, register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stores.registry import open_store
from legal_pipeline_tests.counting import CountingEmbedder, CountingEnricher


@dataclass
class Bench:
    """A pipeline, its folder of sources, and what its last run reported."""

    pipeline: Pipeline
    folder: Path
    embedder: CountingEmbedder
    enricher: CountingEnricher
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
        self.enricher.clear()
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
    def chunk_texts(self) -> list[str]:
        """What was embedded of chunks and summaries: header, then text; a question is a single line."""
        return [text for text in self.embedder.texts if "\n" in text]

    @property
    def points_written(self) -> int:
        return sum(event.metadata["points_written"] for event in self.done("qdrant_chunks").values())

    def reopened(self) -> Bench:
        return Bench(self.pipeline, self.folder, self.embedder, self.enricher)


@pytest.fixture
def bench(settings: Settings, model: Embedder, tmp_path: Path) -> Iterator[Bench]:
    settings = settings.model_copy(update={"enrich": "prefixes,summaries,questions"})  # every stage has work
    folder = tmp_path / "laws"
    folder.mkdir()
    embedder = CountingEmbedder(model)
    enricher = CountingEnricher()
    database = Database.open(settings)
    resources = Resources(
        settings,
        Warehouse(settings.warehouse_root),
        Registry(database),
        lambda _: embedder,
        open_store,
        lambda *_: enricher,
    )
    with Pipeline(resources, database) as pipeline:
        yield Bench(pipeline, folder, embedder, enricher)


Law = Callable[..., str]


@pytest.fixture
def law() -> Law:
    """A plain-text statute: `law("2099:10", "Fyrvakten ska vara vaken.", …)`, one § per text."""

    def write(number: str, *texts: str, title: str = "om fyrvakter") -> str:
        sections = "\n\n".join(f"{index} § {text}" for index, text in enumerate(texts, start=1))
        return f"Lag ({number}) {title}\n\n{sections}\n"

    return write
