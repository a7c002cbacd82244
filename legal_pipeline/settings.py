"""The configuration: one object, read from the environment and `.env`.

Each field's description is its row in docs/reference/settings.md. Not here: decisions per document.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import Field, SecretStr, StringConstraints, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.checks import Cron, Device, FilePath, Folder, Owner, WebAddress, checked, comma_separated
from legal_pipeline.system.file_patterns import Patterns
from legal_pipeline.system.urls import check_database_url, render_url
from legal_pipeline.system.wrong_settings import verify_names, wrong_values

_PACKAGE = Path(__file__).resolve().parent
#: A wheel contains these files here; in a checkout they are in its root.
_SHIPPED = _PACKAGE / "shipped"

#: Allowed values of `enrich`.
ENRICHMENTS = frozenset({"prefixes", "summaries", "questions", "plans", "propositions"})
#: Allowed values of `stores`.
STORES = frozenset({"qdrant", "pgvector"})

VectorType = Literal["vector", "halfvec"]
Quantization = Literal["none", "int8"]
IterativeScan = Literal["off", "relaxed_order", "strict_order"]

NonEmpty = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def default_home() -> Path:
    """Return `data` in the checkout if there is a checkout (independent of the working directory), else in the working directory."""
    return (checkout_path() or Path.cwd()) / "data"


class Settings(BaseSettings):
    """All settings. Environment names are the field names with the prefix `LEGAL_PIPELINE_`, or the alias if the field has an alias."""

    model_config = SettingsConfigDict(
        env_prefix="LEGAL_PIPELINE_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    home: Folder = Field(
        default_factory=default_home,
        description="Folder of everything the pipeline writes: embedded database, warehouse, embedded vector store. Default: `data` of the "
        "checkout; without a checkout, `data` of the working folder.",
    )
    warehouse: NonEmpty | None = Field(
        None,
        description="Root of the tables: a folder or an fsspec URL. Default: `<home>/warehouse`. `s3://bucket/prefix` needs the package "
        "`s3fs` (extra `kubernetes`) and the usual AWS variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ENDPOINT_URL`.",
    )
    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL with pgvector, `postgresql://user:password@host/database`. Default: an embedded server.",
    )
    source_directory: Folder | None = Field(None, description="The folder that is watched. Default: `<home>/sources`.")
    source_exclude: Patterns = Field(
        "", description="Files that are left out of folders: patterns as in `.gitignore`, with commas between them."
    )
    docs_jsonl: FilePath | None = Field(
        None,
        description="File with a document in each line (`docs.jsonl`, docs/reference/schemas.md) that its sensor follows.",
    )
    sensor_interval_seconds: int = Field(30, ge=5, description="Least time between two polls of a source sensor.")
    removal_grace_seconds: int = Field(
        60, ge=0, description="A document must be missing for this long, at two polls, before it is tombstoned."
    )
    purge_removed: bool = Field(
        True,
        description="`true`: removed documents leave the index after their grace period; `false`: only by `legal-pipeline purge`.",
    )
    purge_grace_hours: float = Field(
        24, ge=0, description="A removed document stays in the index for this long, marked as removed in every hit."
    )
    purge_schedule: Cron = Field(
        "20 * * * *", description="When removed documents whose grace period is over leave the index, as cron (UTC)."
    )
    source_pass_hours: float = Field(
        24,
        gt=0,
        description="Time after which a source's API is listed in full again, which also detects removals.",
    )
    source_requests_per_second: float = Field(
        2, gt=0, le=100, description="Requests that are sent to one source's API in a second, at most."
    )
    source_timeout_seconds: float = Field(
        30, gt=0, description="Read timeout: the longest time without data within one answer of a source's API."
    )
    source_retry_after_seconds: float = Field(
        60, gt=0, description="Longest wait that a source's API may ask for; a longer one ends the poll."
    )
    source_user_agent: NonEmpty | None = Field(
        None, description="User agent sent to sources: the operator's name and an address."
    )
    riksdagen_url: WebAddress = Field("https://data.riksdagen.se", description="Address of the Riksdag's open data.")
    ecfr_url: WebAddress = Field(
        "https://www.ecfr.gov/api/versioner/v1", description="Address of the eCFR's versioner."
    )
    ecfr_parts: str = Field(
        "", description="Parts of the Code of Federal Regulations to follow, as `title/part`: `8/204,8/214`."
    )
    laws_africa_url: WebAddress = Field("https://api.laws.africa/v3", description="Address of the Laws.Africa API.")
    laws_africa_token: SecretStr | None = Field(None, description="Token of the Laws.Africa API.")
    laws_africa_places: str = Field("", description="Places whose legislation is followed: `zw,za-cpt`.")
    laws_africa_language: NonEmpty = Field(
        "eng", description="Language (ISO 639-3) in which works are taken from Laws.Africa, if it has them."
    )
    legislation_gov_uk_url: WebAddress = Field(
        "https://www.legislation.gov.uk", description="Address of legislation.gov.uk."
    )
    legislation_gov_uk_series: str = Field(
        "", description="Series of legislation.gov.uk to follow, of all years or of one: `ukpga,uksi/2024`."
    )
    legislation_gov_uk_days: str = Field(
        "",
        description="Days whose texts of each document are read in addition to the present text: `2020-01-01,2024-01-01`.",
    )
    eurlex_url: WebAddress = Field(
        "https://publications.europa.eu", description="Address of the Publications Office of the European Union."
    )
    eurlex_acts: str = Field("", description="Acts of the European Union to follow, by CELEX number: `32016R0679`.")
    eurlex_languages: NonEmpty = Field(
        "eng", description="Languages (ISO 639-3) in which acts of the European Union are read: `eng,fra`."
    )
    webhook_hosts: str = Field(
        "",
        description="Where webhooks may be sent, with commas between them: hosts (`hooks.example.org`, `*.example.org`), and addresses or "
        "networks that are not public (`10.1.0.0/16`). Default: nowhere.",
    )
    webhook_give_up_hours: float = Field(
        72, gt=0, description="A webhook that accepted no message for this many hours is disabled."
    )
    silence_days: dict[str, int] = Field(
        default_factory=lambda: {"ecfr": 45, "eurlex": 0, "laws_africa": 90, "legislation_gov_uk": 45, "riksdagen": 45},
        description='Days after which a source without a new or changed document counts as silent, as JSON: `{"riksdagen": 60}`. 0, or '
        "not named: not checked. Default: riksdagen, ecfr, legislation_gov_uk 45 (longer than a summer without sessions), laws_africa 90, "
        "eurlex 0.",
    )
    stale_days: int = Field(
        30,
        ge=0,
        description="Days after which a document that no poll of its source has found counts as stale; 0: never.",
    )
    reconcile_schedule: Cron = Field(
        "0 2 * * *", description="When registry, warehouse and stores are reconciled, as cron (UTC)."
    )
    check_schedule: Cron = Field("0 5 * * *", description="When the checks look at the whole corpus, as cron (UTC).")
    prune_schedule: Cron = Field(
        "0 4 * * *", description="When Dagster's event log is pruned of what no view needs, as cron (UTC)."
    )
    event_retention_days: int = Field(
        30,
        ge=0,
        description="Days after which logs and plans of ended runs, and materializations with two later ones, leave Dagster's event log.",
    )
    asset_owner: Owner = Field(
        "team:legal-pipeline",
        description="Owner of the assets in Dagster: an e-mail address, or `team:` and a name.",
    )
    partitions_per_run: int = Field(
        125,
        ge=1,
        le=1000,
        description="Documents that one run takes, also with `buckets`; only a backfill counts buckets. Before its first document a run "
        "needs half a second of processor time, and 0.4 s per 50,000 points to open Qdrant Edge: set it higher for a large corpus.",
    )
    run_wait_minutes: float = Field(
        60,
        gt=0,
        description="How long a run waits for documents that another live run has claimed. Then it ends with an error that names them.",
    )
    partitioning: Literal["documents", "buckets"] = Field(
        "documents",
        description="Partitions in Dagster: one per document, or, for more than some 50,000 documents, `buckets`: sets of documents of one "
        "source by a hash of their ids. `legal-pipeline partitioning` switches a home that has documents.",
    )
    buckets: int = Field(1024, ge=1, le=50_000, description="Number of buckets per source, with `buckets`.")
    buckets_per_run: int = Field(8, ge=1, le=1000, description="Buckets that one run of a backfill takes.")
    jurisdictions: Path | None = Field(
        None,
        description="Folder of countries of your own, one folder each, such as `ch/jurisdiction.toml`: names of Acts and how they are "
        "cited. They are added to those of the package and replace those of the same code.",
    )
    forced_strategy: NonEmpty | None = Field(
        None,
        description="Chunking strategy for every document, in place of the router's choice. `proposition` changes nothing.",
    )
    embedding_model: NonEmpty = Field(
        "eng=all-MiniLM-L6-v2,*=multilingual-e5-small",
        description="Embedding model of each language: LANGUAGE=MODEL (ISO 639-3) with commas between them, `*` for all other "
        "languages; or one model for all. A model is a packaged one, `all-MiniLM-L6-v2` or `multilingual-e5-small`, or a path or hub "
        "name (`BAAI/bge-m3`).",
    )
    embedding_backend: Literal["auto", "openvino", "torch", "http"] = Field(
        "auto",
        description="What runs the embedding model: `openvino` (processor), `torch` (processor or GPU), `http` (an embedding server). "
        "`auto`: the server where one is named, torch where it can use a GPU, else OpenVINO. The model's name and its collections are the "
        "same with each: a backend must agree with the model's reference vectors.",
    )
    embedding_device: Device = Field(
        "auto", description="Device of the embedding model: `cpu`, `cuda`, `cuda:1`, `mps`."
    )
    embedding_precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto",
        description="Precision of the embedding model: `float32`, `bfloat16`, `float16`. `auto`: half precision where device and "
        "processor have instructions for it.",
    )
    embedding_url: WebAddress | None = Field(
        None,
        description="Embedding server: address of Hugging Face's text-embeddings-inference, or of an OpenAI-compatible API up to `/v1`.",
    )
    embedding_key: SecretStr | None = Field(None, description="Key of the embedding server.")
    embedding_served_name: NonEmpty | None = Field(
        None,
        description="Name under which the embedding server serves the model. Default: that in `LEGAL_PIPELINE_EMBEDDING_MODEL`.",
    )
    embedding_revision: NonEmpty | None = Field(
        None,
        description="Revision of a model that only the embedding server has. A change builds new collections.",
    )
    embedding_max_tokens: int = Field(
        400,
        ge=16,
        le=100_000,
        description="Most tokens (o200k_base) of one text for a model that only the embedding server has; longer texts go in windows.",
    )
    embedding_batch: int = Field(
        32, ge=1, le=4096, description="Texts in one request to the embedding server, at most."
    )
    embedding_concurrency: int = Field(4, ge=1, le=64, description="Requests to the embedding server at the same time.")
    embedding_timeout_seconds: float = Field(
        60, gt=0, description="Read timeout: the longest time without data within one answer of the embedding server."
    )
    enrich: str | None = Field(
        None,
        description="Which enrichments are made, with commas between them: `prefixes`, `summaries`, `questions`, `plans` (of immigration "
        "documents) and `propositions` (of definitions that rules did not find); `none` for none. Default: all with `ANTHROPIC_API_KEY`; "
        "`prefixes` without it, because other texts of the extractive model did not help searches.",
    )
    passage_tokens: int = Field(
        512,
        ge=0,
        le=10_000,
        description="Most tokens of a passage: a hit with the provisions before and after it, shown as one answer. 0: hits alone.",
    )
    vector_weights: FilePath | None = Field(
        None,
        description="JSON file of `legal-pipeline evaluate --fit`: weights of vector ranks against BM25 ranks by model, kind of query and "
        "language. Its models replace those of the package.",
    )
    reranker: NonEmpty | None = Field(
        None,
        description="Cross-encoder that puts the best candidates of a search in its own order: a name or folder for sentence-transformers "
        "(`BAAI/bge-reranker-v2-m3`), or the address of a server up to `/rerank` (text-embeddings-inference, vLLM, Infinity, Jina). "
        "Default: none.",
    )
    reranker_key: SecretStr | None = Field(None, description="Key of the reranker's server.")
    reranker_timeout_seconds: float = Field(
        10, gt=0, description="Read timeout: the longest time without data within one answer of the reranker's server."
    )
    history: bool = Field(
        True,
        description="`true`: superseded wordings stay searchable for the days on which they were law (`search --as-of`). Can be changed "
        "at any time: the warehouse keeps every expression that was ever read.",
    )
    min_free_bytes: int = Field(
        256_000_000,
        ge=0,
        description="Space that must be free on the disk of `home` before documents are run; with less a run ends before it begins.",
    )
    max_document_bytes: int = Field(40_000_000, ge=1, description="A source file above this size is refused.")
    max_line_chars: int = Field(10_000_000, ge=1, description="A source file with a longer line is refused.")
    max_depth: int = Field(200, ge=1, description="A source file nested more deeply is refused.")
    max_pdf_memory_bytes: int = Field(
        1_000_000_000,
        ge=100_000_000,
        description="A PDF that takes more memory to read, in the process of its own that reads it, is refused.",
    )
    stores: str = Field(
        "qdrant,pgvector",
        description="Which stores documents are written to, with a comma between them: `qdrant`, `pgvector`.",
    )
    pgvector_type: VectorType = Field(
        "vector",
        description="Type of the vectors in PostgreSQL: `vector` (32 bits, to 2,000 dimensions), `halfvec` (16 bits, to 4,000).",
    )
    pgvector_iterative_scan: IterativeScan = Field(
        "strict_order",
        description="How pgvector searches further if the nearest rows do not match the filter: `strict_order`, `relaxed_order`, `off`.",
    )
    qdrant_url: WebAddress | None = Field(
        None,
        validation_alias="QDRANT_URL",
        description="Qdrant server or cluster. Default: embedded Qdrant Edge under `<home>`.",
    )
    qdrant_api_key: SecretStr | None = Field(
        None, validation_alias="QDRANT_API_KEY", description="Key of the Qdrant server."
    )
    qdrant_quantization: Quantization = Field(
        "none",
        description="`int8`: Qdrant and Qdrant Edge find candidates with one byte per dimension and score them with the full vectors. A "
        "change builds new collections.",
    )
    qdrant_shards: int | None = Field(
        None,
        ge=1,
        description="Shards of a collection on a Qdrant server; a multiple of the nodes spreads it evenly. Default: the server's. A change "
        "builds new collections.",
    )
    qdrant_replicas: int | None = Field(
        None, ge=1, description="Copies of each shard on a Qdrant cluster. A change builds new collections."
    )
    qdrant_payload_on_disk: bool | None = Field(
        None,
        description="Whether a Qdrant server reads payloads from the disk. A change moves them. Default: the server's.",
    )
    qdrant_vectors_on_disk: bool | None = Field(
        None,
        description="Whether a Qdrant server reads vectors from the disk; with `int8` candidates are still found in memory. A change moves "
        "them. Default: the server's.",
    )
    qdrant_timeout_seconds: int = Field(30, ge=1, description="Longest wait for one answer of the Qdrant server.")
    qdrant_attempts: int = Field(
        6,
        ge=1,
        le=20,
        description="How often a call is made, in all, to a Qdrant server that does not answer or answers with an error of its own. "
        "A document whose calls have all failed is reported as failed; its old version stays.",
    )
    qdrant_wait_seconds: float = Field(
        1, gt=0, le=60, description="Wait before the second attempt; it doubles with each further one, to 30 seconds."
    )
    anthropic_api_key: SecretStr | None = Field(
        None,
        validation_alias="ANTHROPIC_API_KEY",
        description="Turns Claude on for enrichment. Without it: the deterministic extractive model.",
    )
    anthropic_base_url: WebAddress | None = Field(
        None,
        validation_alias="ANTHROPIC_BASE_URL",
        description="Address of a gateway to the Anthropic API. Default: the API itself.",
    )
    llm_model: NonEmpty = Field("claude-haiku-5-5", description="Claude model for enrichment.")
    llm_plan_model: NonEmpty = Field(
        "claude-sonnet-5-5", description="Claude model, thinking, for chunk plans and their verification."
    )
    llm_models: dict[str, NonEmpty] = Field(
        default_factory=dict,
        description='Claude model of single tasks, as JSON: `{"questions": "claude-sonnet-5-5"}`. The tasks: `context_prefixes`, '
        "`summarise`, `questions`, `propositions`, `chunk_plan`, `verify_plan`, `classify_document`, `classify_practice_area`.",
    )
    llm_mode: Literal["auto", "interactive", "batch"] = Field(
        "auto",
        description="Claude gets single requests (`interactive`), Message Batches (`batch`), or batches for many documents only (`auto`).",
    )
    llm_batch_documents: int = Field(
        25, ge=1, description="From this many documents on, `auto` uses Message Batches (half price, up to 24 hours)."
    )
    llm_concurrency: int = Field(4, ge=1, le=64, description="Requests to Claude at the same time, per run.")
    llm_budget_usd: float | None = Field(
        None, ge=0, description="What one run may spend on Claude, in dollars. Default: no limit."
    )
    llm_budget_usd_per_day: float | None = Field(
        None, ge=0, description="What all runs of a day (UTC) may spend on Claude, in dollars. Default: no limit."
    )
    llm_timeout_seconds: float = Field(
        300, gt=0, description="Read timeout: the longest time without data within one answer of the Anthropic API."
    )
    llm_retry_after_seconds: float = Field(
        60, gt=0, description="Longest wait that the Anthropic API may ask for; a longer one ends the run's requests."
    )
    llm_batch_poll_seconds: float = Field(30, gt=0, description="Time between two polls of a Message Batch.")
    llm_batch_hold_seconds: float = Field(
        0,
        ge=0,
        description="How long a run waits for its Message Batch. Then it ends, and its documents are `waiting` until the sensor "
        "`message_batches`, or without Dagster's daemon the next `legal-pipeline ingest`, continues with them.",
    )
    llm_batch_wait_hours: float = Field(
        25,
        gt=0,
        description="A Message Batch that has not ended after this many hours is cancelled, and its missing answers are requested again. "
        "Also the longest time that a run waits for answers that another run has requested.",
    )

    @field_validator("home", "source_directory", "docs_jsonl", "vector_weights")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        # Dagster's processes do not share a working directory; a relative path would name a different folder in each
        return None if value is None else value.expanduser().absolute()

    @field_validator("database_url")
    @classmethod
    def _postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            checked(check_database_url, value.get_secret_value())
        return value

    @field_validator("enrich")
    @classmethod
    def _enrichments(cls, value: str | None) -> str | None:
        if value is None:
            return None
        named = comma_separated(value)
        if unknown := set(named) - ENRICHMENTS - {"none"}:
            raise ValueError(f"{', '.join(sorted(unknown))}: expected {', '.join(sorted(ENRICHMENTS))} or none")
        return ",".join(part for part in named if part != "none") or "none"

    @property
    def enrichments(self) -> frozenset[str]:
        if self.enrich is None:
            return ENRICHMENTS if self.anthropic_api_key is not None else frozenset({"prefixes"})
        return ENRICHMENTS & set(self.enrich.split(","))

    @field_validator("stores")
    @classmethod
    def _stores(cls, value: str) -> str:
        named = dict.fromkeys(comma_separated(value))
        if not named or set(named) - STORES:
            raise ValueError(f"expected one or more of {', '.join(sorted(STORES))}, with commas between them")
        return ",".join(named)

    @property
    def store_names(self) -> frozenset[str]:
        return frozenset(self.stores.split(","))

    @property
    def warehouse_root(self) -> str:
        return self.warehouse or str(self.home / "warehouse")

    @property
    def database_url_text(self) -> str:
        """Return the configured URL with its password, or "" if none is configured."""
        return self.database_url.get_secret_value() if self.database_url is not None else ""

    @property
    def watched_directory(self) -> Path:
        return self.source_directory or self.home / "sources"

    def __repr_args__(self) -> Iterator[tuple[str | None, object]]:
        """Hide credentials in addresses: an address may contain a user and a password."""
        for name, value in super().__repr_args__():
            yield name, render_url(value) if isinstance(value, str) and "://" in value else value

    @classmethod
    def environment_name(cls, field: str) -> str:
        """Return the name of the environment variable of `field`."""
        alias = cls.model_fields[field].validation_alias
        return alias if isinstance(alias, str) else f"LEGAL_PIPELINE_{field.upper()}"


def checkout_path() -> Path | None:
    """Return the checkout that this package runs from; None if it is installed from a wheel."""
    return None if _SHIPPED.is_dir() else _PACKAGE.parent


def shipped_path(name: str) -> Path:
    """Return the path of `dagster.yaml`, `workspace.yaml` or `data/sample`: in the checkout, else as installed by the wheel.

    Raises `ConfigurationError` if it is missing: a copy of the package folder alone has neither.
    """
    path = (checkout_path() or _SHIPPED) / name
    if not path.exists():
        raise ConfigurationError(f"{path} is missing: install the package from its wheel, or run it in a checkout")
    return path


def load_settings(**overrides: object) -> Settings:
    """Return the settings of this process; `overrides` take precedence over the environment.

    Raises `ConfigurationError` with the name of each invalid override, and of each invalid or mistyped variable.
    """
    verify_names(
        (*os.environ, *dotenv_values(".env")), map(Settings.environment_name, Settings.model_fields), "LEGAL_PIPELINE_"
    )
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        fields = Settings.model_fields.keys() - overrides.keys()
        variables = {name: Settings.environment_name(name) for name in fields}
        raise ConfigurationError(wrong_values(error, variables)) from None
    except SettingsError as error:
        named = map(Settings.environment_name, re.findall(r'field "(\w+)"', str(error)))
        raise ConfigurationError(f"{', '.join(named)}: expected a JSON object") from None
