"""The sources by name: each is opened from the settings once, and stays open while it is in use.

A source behind an API is a module of this package with `NAME`, `LICENCE` and `opened`; new modules are found automatically.
Not here: when a source is polled (`defs.sensors`, the command line).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource, file_of
from legal_pipeline.sources.following import RemoteSource
from legal_pipeline.sources.http import USER_AGENT, AnswerCache, HttpClient, RequestPolicy
from legal_pipeline.sources.source import SourceItem


def _modules() -> dict[str, Any]:
    """Return name of a source -> its module."""
    names = [found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = [importlib.import_module(f"{__package__}.{name}") for name in names if name != Path(__file__).stem]
    return {module.NAME: module for module in modules if hasattr(module, "opened")}


_REMOTE = _modules()

REMOTE_NAMES: tuple[str, ...] = tuple(_REMOTE)

#: Sources whose texts must not be redistributed. For their own files users decide (`may_export` in a sidecar).
WITHHELD: tuple[str, ...] = tuple(name for name, module in _REMOTE.items() if not module.LICENCE.may_export)


def answers_folder(settings: Settings) -> Path:
    """Return the folder of cached answers of sources, which are validated before use."""
    return settings.home / "answers"


class Sources:
    """Opened sources; a context manager that closes their connections. Use one per process, so that it keeps to a host's rate limit."""

    def __init__(self, settings: Settings, *, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._cache: AnswerCache | None = None
        self._clients: list[HttpClient] = []
        self._opened: dict[str, RemoteSource] = {}
        self._files: dict[Path, DocsJsonlSource] = {}

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()
        if self._cache is not None:
            self._cache.close()
        self._clients.clear()
        self._opened.clear()

    def remote(self, name: str) -> RemoteSource:
        """Return the source behind an API named `name`. Raises `ConfigurationError` for an unknown name or missing settings."""
        if name not in self._opened:
            if name not in _REMOTE:
                raise ConfigurationError(f"no source named {name!r}: expected {', '.join(sorted(_REMOTE))}")
            self._opened[name] = _REMOTE[name].opened(self._settings, self._client, self._limits)
        return self._opened[name]

    def fetch(self, source: str, key: str) -> SourceFile:
        """Return the present content of the item at `key`. Raises `DocumentError`."""
        if source == DirectorySource.name:
            # the folder, not the file: a link in the file's place must not lead out of it
            directory = DirectorySource(Path(key).parent, limits=self._limits)
            return directory.fetch(directory.item(key))
        if source == DocsJsonlSource.name:
            return self._docs_jsonl(file_of(key)).fetch(SourceItem(key, key))
        try:
            remote = self.remote(source)
        except ConfigurationError as error:
            raise DocumentError(str(error), document=key) from error
        # by its key alone: the other facts of a listing would cost one more request for every document
        return remote.fetch(SourceItem(key, key))

    def _docs_jsonl(self, path: Path) -> DocsJsonlSource:
        # kept: it caches the content of its file, and a run fetches many documents of one file
        if path not in self._files:
            self._files[path] = DocsJsonlSource(path, limits=self._limits)
        return self._files[path]

    def _client(self, url: str, headers: Mapping[str, str] | None = None) -> HttpClient:
        settings = self._settings
        policy = RequestPolicy(
            requests_per_second=settings.source_requests_per_second,
            timeout_seconds=settings.source_timeout_seconds,
            longest_wait_seconds=settings.source_retry_after_seconds,
            max_bytes=settings.max_document_bytes,
            user_agent=settings.source_user_agent or USER_AGENT,
        )
        if self._cache is None:
            self._cache = AnswerCache(answers_folder(settings))
        client = HttpClient(url, policy=policy, headers=headers, cache=self._cache)
        self._clients.append(client)
        return client
