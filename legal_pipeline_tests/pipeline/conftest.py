"""A pipeline over a temporary home, and small laws as files. Not here: Dagster (`legal_pipeline_tests/defs`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    Enriched,
    PracticeAreaRequest,
    PrefixRequest,
    QuestionRequest,
    Questions,
    Summary,
    SummaryRequest,
)
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.pipeline import Failed, Materialized, Pipeline, StageEvent
from legal_pipeline.processing.stage import Resources, RunOptions
from legal_pipeline.registration import Registration, register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
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

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        self.texts.extend(texts)
        return self.inner.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        self.texts.extend(texts)
        return self.inner.embed_queries(texts)


class CountingEnricher(ExtractiveEnricher):
    """The engine without a language model; remembers what it was asked."""

    def __init__(self) -> None:
        self.prefix_requests: list[PrefixRequest] = []
        self.summary_requests: list[SummaryRequest] = []
        self.question_requests: list[QuestionRequest] = []
        self.area_requests: list[PracticeAreaRequest] = []

    def clear(self) -> None:
        for requests in (self.prefix_requests, self.summary_requests, self.question_requests, self.area_requests):
            requests.clear()

    def context_prefixes(self, requests: Sequence[PrefixRequest]) -> Enriched[ContextPrefix]:
        self.prefix_requests.extend(requests)
        return super().context_prefixes(requests)

    def summarise(self, requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        self.summary_requests.extend(requests)
        return super().summarise(requests)

    def questions(self, requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        self.question_requests.extend(requests)
        return super().questions(requests)

    def classify_practice_area(self, requests: Sequence[PracticeAreaRequest]) -> Enriched[Classification]:
        self.area_requests.extend(requests)
        return super().classify_practice_area(requests)


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
