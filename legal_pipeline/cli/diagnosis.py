"""`doctor`: checks of what is configured, reachable, and missing, one finding per part.

Not here: repairs.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from legal_pipeline.embedding.admission import probe_texts
from legal_pipeline.embedding.choice import choices
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.registry import configured_embedders, languages_of, options_of
from legal_pipeline.embedding.torch_backend import verify_device
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.jurisdiction import verified_codes
from legal_pipeline.languages.language import language
from legal_pipeline.pipeline import verify_settings
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import languages
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource
from legal_pipeline.sources.registry import REMOTE_NAMES, Sources
from legal_pipeline.stages import pgvector_chunks
from legal_pipeline.stages.qdrant_chunks import COLLECTION
from legal_pipeline.stages.raw_documents import limits
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.registry import open_store
from legal_pipeline.system.urls import render_url
from legal_pipeline.text.tokens import ENCODING, count_tokens


@dataclass(frozen=True)
class Finding:
    """The result of one check. `detail` describes what was found, or what to do; `warning`: what works, but probably not as intended."""

    part: str
    ok: bool
    detail: str
    warning: str = ""


def diagnose(settings: Settings, measure: bool = False) -> list[Finding]:
    """Check every part once. Starts the embedded database; loads a model only if `measure` is set."""
    return [
        _try("settings", lambda: _settings(settings)),
        *_jurisdictions(settings),
        _try("database", lambda: _database(settings)),
        _try("warehouse", lambda: _warehouse(settings)),
        _try("vector store", lambda: _store(settings)),
        _try("pgvector", lambda: _pgvector(settings)),
        _with_languages(settings, _try("embedding model", lambda: _embedding(settings, measure))),
        _try(
            "token counts",
            lambda: f"{ENCODING}, {count_tokens('2 kap. 3 § arbetsmiljölagen')} tokens in a test sentence",
        ),
        Finding(
            "language model",
            True,
            "Claude (ANTHROPIC_API_KEY is set)"
            if settings.anthropic_api_key
            else "extractive (ANTHROPIC_API_KEY is not set)",
        ),
        *_sources(settings),
    ]


def _try(part: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(part, True, look())
    except Exception as error:  # every error is a finding here
        return Finding(part, False, f"{type(error).__name__}: {error}")


def _settings(settings: Settings) -> str:
    verify_settings(settings)
    own = sorted(map(Settings.environment_name, settings.model_fields_set))
    return f"set here: {', '.join(own)}" if own else "the defaults"


def _jurisdictions(settings: Settings) -> Iterator[Finding]:
    """Check the countries of LEGAL_PIPELINE_JURISDICTIONS, with their grammars."""
    if (folder := settings.jurisdictions) is not None:
        yield _try("jurisdictions", lambda: f"{folder}, {', '.join(verified_codes(folder)) or 'no country'}")


def _sources(settings: Settings) -> Iterator[Finding]:
    """Check what the sensors follow: the watched folder, `docs.jsonl`, and the APIs that have a setting. Sends nothing."""
    yield _try("source directory", lambda: _watched(settings))
    if (path := settings.docs_jsonl) is not None:
        yield _try(
            "source docs_jsonl",
            lambda: f"{path}, {len(DocsJsonlSource(path, limits=limits(settings)).list().items)} documents",
        )
    with Sources(settings, limits=limits(settings)) as sources:
        for name in REMOTE_NAMES:
            own = sorted(field for field in settings.model_fields_set if field.startswith(f"{name}_"))
            if own:
                yield _try(f"source {name}", functools.partial(_remote, sources, name, own))


def _watched(settings: Settings) -> str:
    folder = settings.watched_directory
    if settings.source_directory is not None and not folder.is_dir():
        raise ConfigurationError(f"{Settings.environment_name('source_directory')}: {folder} is not a folder")
    return f"{folder}{'' if folder.is_dir() else ' (it does not exist yet: nothing is watched)'}"


def _remote(sources: Sources, name: str, own: list[str]) -> str:
    sources.remote(name)
    return f"configured by {', '.join(map(Settings.environment_name, own))}; its sensor is switched on in the UI"


def _embedding(settings: Settings, measure: bool) -> str:
    """Return the backend that would run each model, and the reason; with `measure` the backend that runs it, and its speed."""
    embedders = configured_embedders(settings)
    found = []
    for embedder in embedders.by_vector.values():
        languages = [*embedders.named(embedder), *(["all others"] if embedder.name == embedders.other.name else [])]
        read = f" for {', '.join(languages)}" if embedders.by_language else ""
        found.append(f"{_backend(settings, embedder, measure)}{read}")
    return "; ".join(found)


def _with_languages(settings: Settings, finding: Finding) -> Finding:
    """Add a warning to the finding of the models if one of them is not for the languages that it embeds."""
    return replace(finding, warning=_language_warning(settings, _languages(settings))) if finding.ok else finding


def _languages(settings: Settings) -> dict[str, int]:
    try:
        with Database.open(settings) as database:
            return languages(database)
    except Exception:  # the database has a finding of its own
        return {}


def _language_warning(settings: Settings, indexed: Mapping[str, int]) -> str:
    """Return which models are for fewer languages than they embed. `indexed`: language -> number of documents; where nothing is indexed,
    the languages are those of the setting."""
    embedders = configured_embedders(settings)
    found = []
    for embedder in embedders.by_vector.values():
        served = languages_of(embedder.name)
        if served is None:
            continue
        only = (
            f"{embedder.name.partition('@')[0]} is for {', '.join(language(code).name for code in sorted(served))} only"
        )
        embedded = [code for code in indexed if embedders.of(code).name == embedder.name]
        others = sorted({*(embedded if indexed else embedders.named(embedder))} - served)
        if others:
            names = [_named(code, indexed.get(code)) for code in others]
            found.append(f"{only}, and it embeds {', '.join(names)}")
        elif not indexed and embedder.name == embedders.other.name:
            found.append(only)
    if not found:
        return ""
    variable, default = Settings.environment_name("embedding_model"), Settings.model_fields["embedding_model"].default
    return (
        f"{'; '.join(found)}: for law in other languages name a model that reads them, such as {variable}='{default}'"
    )


def _named(code: str, documents: int | None) -> str:
    """Return the name of a language, with its number of documents if that is known."""
    number = "" if documents is None else f" ({documents:,} document{'' if documents == 1 else 's'})"
    return f"{language(code).name}{number}"


def _backend(settings: Settings, embedder: Embedder, measure: bool) -> str:
    assert isinstance(embedder, ModelEmbedder)
    if settings.embedding_device not in ("auto", "cpu"):
        verify_device(settings.embedding_device)
    if not measure:
        return f"{embedder.name} by {choices(options_of(settings))[0]}"
    texts = probe_texts()
    embedder.embed_passages(texts)  # loads the model; the first time also converts it
    begin = time.perf_counter()
    tokens = sum(embedder.embed_passages(texts).embedded_tokens)
    seconds = time.perf_counter() - begin
    return (
        f"{embedder.name} by {embedder.backend.description}: {len(texts) / seconds:.0f} texts/s "
        f"of {tokens / len(texts):.0f} tokens on average"
    )


def _database(settings: Settings) -> str:
    with Database.open(settings) as database, database.connection() as connection:
        row = connection.execute("select current_setting('server_version') as version").fetchone()
        return f"PostgreSQL {row['version'] if row else '?'} at {database.place}"


def _store(settings: Settings) -> str:
    if "qdrant" not in settings.store_names:
        return "left out by LEGAL_PIPELINE_STORES"
    place = render_url(settings.qdrant_url) if settings.qdrant_url else f"Qdrant Edge under {settings.home / 'qdrant'}"
    store = open_store(settings)
    try:
        found = store.generations(COLLECTION)
        if not any(generation.live for generation in found):
            return f"{place}, nothing was indexed yet"
        each = [
            f"{store.count(generation.name)} points with {generation.model.name}{'' if generation.live else ' (not searched yet)'}"
            for generation in found
        ]
        return f"{place}, {', '.join(each)}"
    finally:
        store.close()


def _pgvector(settings: Settings) -> str:
    if "pgvector" not in settings.store_names:
        return "left out by LEGAL_PIPELINE_STORES"
    with Database.open(settings) as database:
        tables = PgvectorStore(database)
        if not tables.exists(pgvector_chunks.COLLECTION):
            return "no table yet: nothing was ingested"
        return f"the table {pgvector_chunks.COLLECTION}, {tables.count(pgvector_chunks.COLLECTION)} rows"


def _warehouse(settings: Settings) -> str:
    warehouse = Warehouse(settings.warehouse_root)
    return f"{warehouse.place}, {len(warehouse.file_versions(('chunks',)))} documents with chunks"
