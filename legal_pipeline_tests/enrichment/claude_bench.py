"""A pipeline whose engine is Claude, asked at the local server: what a run reported, what the journal holds, what the tables say.

Not here: fixtures (`conftest`) and the documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.delivery import DeliveryPolicy
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.pipeline import ASSETS, Failed, Materialized, Pipeline, StageEvent
from legal_pipeline.processing.stage import AssetKey, Batch, Resources, RunOptions
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.stages import chunks, context_prefixes, quim_questions, raptor_summaries
from legal_pipeline.stores.registry import open_store
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.run_total import run_total

ENRICHMENTS = (context_prefixes.KEY, raptor_summaries.KEY, quim_questions.KEY)
UP_TO_ENRICHMENT = ASSETS[: ASSETS.index(quim_questions.KEY) + 1]
COUNTS = ("requests", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


@dataclass
class Run:
    """What one run reported."""

    id: str
    events: list[StageEvent] = field(default_factory=list)

    @property
    def failures(self) -> dict[str, Exception]:
        return {event.document_id: event.error for event in self.events if isinstance(event, Failed)}

    def done(self, key: AssetKey) -> dict[str, Materialized]:
        return {
            event.document_id: event
            for event in self.events
            if isinstance(event, Materialized) and event.asset_key == key
        }

    @property
    def reported(self) -> dict[str, int]:
        """What the run says that it paid for."""
        return {name: sum(event.metadata.get(name, 0) for event in self.events) for name in COUNTS}

    @property
    def dollars(self) -> float:
        return sum(event.metadata.get("cost_usd", 0.0) for event in self.events)


@dataclass
class ClaudeBench:
    settings: Settings
    server: AnthropicServer
    database: Database
    folder: Path
    embedder: Embedder
    policy: DeliveryPolicy
    runs: int = 0

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")

    def run(self, assets: Collection[AssetKey] | None = UP_TO_ENRICHMENT, **changes: object) -> Run:
        """Look at the folder and run what it holds, as a run of its own; `changes` are settings of this run alone."""
        self.runs += 1
        done = Run(f"run-{self.runs}")
        with closing(self.resources(self.settings.model_copy(update=changes))) as resources:
            pipeline = Pipeline(resources, self.database)
            found = register(DirectorySource(self.folder), resources.registry, grace=timedelta(0))
            documents = [*found.to_run, *found.listed]
            done.events.extend(pipeline.run(documents, assets, RunOptions(run_id=done.id)))
        return done

    def resources(self, settings: Settings) -> Resources:
        return Resources(
            settings,
            Warehouse(settings.warehouse_root),
            Registry(self.database),
            lambda _: self.embedder,
            open_store,
            lambda settings, run_id: ClaudeEnricher(settings, self.database, run_id=run_id, policy=self.policy),
        )

    # -- what is left behind ------------------------------------------------------------------------------------------

    @property
    def document_ids(self) -> list[str]:
        return sorted(document.document_id for document in Registry(self.database).documents())

    def rows(self, key: AssetKey, document_id: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = Warehouse(self.settings.warehouse_root).read_table(key, document_id).to_pylist()
        return rows

    def unanswered(self, key: AssetKey, document_id: str) -> int:
        stamp = Batch([document_id], self.resources(self.settings)).table_stamp(key, document_id)
        assert stamp is not None
        return int(stamp.facts["unanswered"])

    def journalled(self, run_id: str) -> Usage:
        return run_total(Journal(self.database, run_id=run_id, budget=Budget()))

    # -- what must hold -----------------------------------------------------------------------------------------------

    def assert_accounts_agree(self, *runs: Run) -> None:
        """To the token: what the server billed, what the journal holds, what the runs reported; and nothing was billed twice."""
        for run in runs:
            journalled = self.journalled(run.id)
            assert run.reported == {name: getattr(journalled, name) for name in COUNTS}
            assert abs(run.dollars - journalled.cost_usd) < 1e-6
        total = Counter[str]()
        for run in runs:
            total.update(run.reported)
        billed = self.server.totals
        assert total == Counter(
            requests=billed["requests"],
            input_tokens=billed["input_tokens"],
            output_tokens=billed["output_tokens"],
            cache_read_tokens=billed["cache_read_input_tokens"],
            cache_write_tokens=billed["cache_creation_input_tokens"],
        )
        assert not [body for body, times in self.server.billed.items() if times > 1]

    def assert_nothing_is_lost(self) -> None:
        """Every chunk has its prefix and its questions, or is counted among the unanswered."""
        for document_id in self.document_ids:
            ids = {row["chunk_id"] for row in self.rows(chunks.KEY, document_id)}
            for key, name in ((context_prefixes.KEY, "chunk_id"), (quim_questions.KEY, "source_chunk_id")):
                answered = {row[name] for row in self.rows(key, document_id)}
                assert answered <= ids
                assert len(answered) + self.unanswered(key, document_id) == len(ids), (document_id, key)
