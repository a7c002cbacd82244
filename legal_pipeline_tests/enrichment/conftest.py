"""The server that stands for the Anthropic API, and an engine that talks to it. Not here: sample documents (`acts`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.delivery import DeliveryPolicy
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.enrichment.anthropic_server import KEY, AnthropicServer
from legal_pipeline_tests.enrichment.claude_bench import ClaudeBench

#: The rules of the real policy, at a speed for tests.
PACE = DeliveryPolicy(
    attempts=4, first_delay=0.01, longest_delay=0.05, longest_wait=3.0, circuit=3, poll=0.02, batch_wait=3600.0
)

MakeClaude = Callable[..., ClaudeEnricher]


@pytest.fixture
def anthropic_server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as server:
        yield server


@pytest.fixture(scope="session")
def journal_settings(postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of one database for all tests of this folder: what they share of it is the journal, which each finds empty."""
    import psycopg

    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("create database enrichment strategy file_copy")
        # no test here kills the server, and waiting for the disk is half the time of these tests
        connection.execute("alter database enrichment set synchronous_commit = off")
    url = postgres.url.replace("@/postgres?", "@/enrichment?")
    return load_settings(home=tmp_path_factory.mktemp("enrichment"), database_url=url, _env_file=None)


@pytest.fixture(scope="session")
def opened_database(journal_settings: Settings) -> Iterator[Database]:
    with Database.open(journal_settings) as opened:
        yield opened


@pytest.fixture
def journal_database(opened_database: Database) -> Database:
    """A journal without entries."""
    with opened_database.connection() as connection:
        connection.execute("delete from llm_requests")
    return opened_database


@pytest.fixture
def make_claude(
    anthropic_server: AnthropicServer,
    journal_settings: Settings,
    journal_database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MakeClaude]:
    """`make_claude(policy=…, run_id=…, **settings)`: an engine of its own, as another worker would have."""
    for name in list(os.environ):
        if name.startswith(("LEGAL_PIPELINE_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    made: list[ClaudeEnricher] = []

    def make(*, policy: DeliveryPolicy = PACE, run_id: str | None = None, **changes: object) -> ClaudeEnricher:
        values = {"anthropic_api_key": KEY, "anthropic_base_url": anthropic_server.url, "llm_timeout_seconds": 5.0}
        configured = load_settings(**{**journal_settings.model_dump(), **values, **changes}, _env_file=None)
        made.append(ClaudeEnricher(configured, journal_database, run_id=run_id, policy=policy))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def bench(
    settings: Settings, database: Database, anthropic_server: AnthropicServer, model: Embedder, tmp_path: Path
) -> ClaudeBench:
    """Runs through the whole pipeline, with a database and a warehouse of their own."""
    folder = tmp_path / "laws"
    folder.mkdir()
    configured = settings.model_copy(
        update={
            "anthropic_api_key": SecretStr(KEY), "anthropic_base_url": anthropic_server.url, "llm_timeout_seconds": 5.0,
            "enrich": "prefixes,summaries,questions",
        }
    )  # fmt: skip
    return ClaudeBench(configured, anthropic_server, database, folder, model, PACE)


@pytest.fixture
def claude(make_claude: MakeClaude) -> ClaudeEnricher:
    return make_claude(run_id="run-1")
