"""The sources by name: each is opened from the settings, once, and kept for as long as its user works.

A new source is one module and one line in `_REMOTE`. Not here: when a source is looked at (`defs.sensors`, the command line).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.settings import Settings
from legal_pipeline.sources import ecfr, laws_africa, riksdagen
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.docs_jsonl import DocsJsonlSource, file_of
from legal_pipeline.sources.following import RemoteSource
from legal_pipeline.sources.http import USER_AGENT, AnswerCache, HttpClient, Manners
from legal_pipeline.sources.licence import Licence
from legal_pipeline.sources.source import SourceItem

LICENCES: Mapping[str, Licence] = {
    riksdagen.NAME: riksdagen.LICENCE,
    ecfr.NAME: ecfr.LICENCE,
    laws_africa.NAME: laws_africa.LICENCE,
}


#: Sources whose texts must not be handed on. Files of the user's own are the user's to judge (`may_export` in a sidecar).
WITHHELD: tuple[str, ...] = tuple(name for name, licence in LICENCES.items() if not licence.may_export)


class Sources:
    """Opened sources; a context manager that closes their connections. One per process keeps the pace that a host is asked at."""

    def __init__(self, settings: Settings, *, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits
        self._cache: AnswerCache | None = None
        self._clients: list[HttpClient] = []
        self._opened: dict[str, RemoteSource] = {}
        self._files: dict[Path, DocsJsonlSource] = {}

    def __enter__(self) -> Sources:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.close()
        if self._cache is not None:
            self._cache.close()
        self._clients.clear()
        self._opened.clear()

    def remote(self, name: str) -> RemoteSource:
        """The source behind an API that is named `name`. Raises `ConfigurationError` for a name that is unknown or lacks its settings."""
        if name not in self._opened:
            if name not in _REMOTE:
                raise ConfigurationError(f"no source named {name!r}: expected {', '.join(sorted(_REMOTE))}")
            self._opened[name] = _REMOTE[name](self)
        return self._opened[name]

    def fetch(self, source: str, key: str) -> SourceFile:
        """What the item at `key` holds now. Raises `DocumentError`."""
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
        # by its key alone: what a listing says beside it would cost a request more for every document
        return remote.fetch(SourceItem(key, key))

    def _docs_jsonl(self, path: Path) -> DocsJsonlSource:
        # kept: it holds what it read of its file, and a run asks for many documents of one
        if path not in self._files:
            self._files[path] = DocsJsonlSource(path, limits=self._limits)
        return self._files[path]

    def _client(self, url: str, headers: Mapping[str, str] | None = None) -> HttpClient:
        settings = self._settings
        manners = Manners(
            requests_per_second=settings.source_requests_per_second,
            timeout_seconds=settings.source_timeout_seconds,
            longest_wait_seconds=settings.source_retry_after_seconds,
            max_bytes=settings.max_document_bytes,
            user_agent=settings.source_user_agent or USER_AGENT,
        )
        if self._cache is None:
            self._cache = AnswerCache(settings.home / "answers")
        client = HttpClient(url, manners=manners, headers=headers, cache=self._cache)
        self._clients.append(client)
        return client

    def _riksdagen(self) -> RemoteSource:
        return riksdagen.RiksdagenSource(self._client(self._settings.riksdagen_url), limits=self._limits)

    def _ecfr(self) -> RemoteSource:
        client = self._client(self._settings.ecfr_url)
        return ecfr.EcfrSource(client, ecfr.parts(self._settings.ecfr_parts), limits=self._limits)

    def _laws_africa(self) -> RemoteSource:
        settings = self._settings
        if settings.laws_africa_token is None:
            raise ConfigurationError("LEGAL_PIPELINE_LAWS_AFRICA_TOKEN is not set: Laws.Africa cannot be asked")
        return laws_africa.LawsAfricaSource(
            self._client(settings.laws_africa_url, laws_africa.authorization(settings.laws_africa_token)),
            laws_africa.places(settings.laws_africa_places),
            language=settings.laws_africa_language,
            limits=self._limits,
        )


_REMOTE: Mapping[str, Callable[[Sources], RemoteSource]] = {
    riksdagen.NAME: Sources._riksdagen,
    ecfr.NAME: Sources._ecfr,
    laws_africa.NAME: Sources._laws_africa,
}

REMOTE_NAMES: tuple[str, ...] = tuple(_REMOTE)
