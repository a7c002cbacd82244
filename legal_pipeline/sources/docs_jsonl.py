"""One `docs.jsonl` as a source: an item per document, so that a changed line affects only its document.

Not here: the content of a line (`parsing.docs_jsonl`). For `sources.directory` a `docs.jsonl` in a folder is a file like any other.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import DocumentError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.parsing import docs_jsonl
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.source import Listing, ListingError, SourceItem

NAME = "docs_jsonl"


class DocsJsonlSource:
    """The documents of `path`.

    Keys are `path#location`, stamps the hash of the line: a file that is rewritten with the same lines counts as unchanged.
    """

    name = NAME

    def __init__(self, path: Path, *, limits: Limits | None = None) -> None:
        self._path = Path(os.path.abspath(path))
        self._limits = limits or Limits()
        self._read: tuple[str, dict[str, SourceFile]] | None = None

    def list(self) -> Listing:
        """Return all documents. Raises `ListingError` for a missing, empty or invalid file: none of these means that documents are gone."""
        try:
            documents = self._documents()
        except DocumentError as error:
            raise ListingError(f"{self._path} cannot be listed: {error}") from error
        items = tuple(self._item(location, document) for location, document in sorted(documents.items()))
        return Listing(self.name, items, (f"{self._path}#",))

    def item(self, key: str) -> SourceItem:
        """Return the document at `key` in its present state. Raises `DocumentError`."""
        location = key.removeprefix(f"{self._path}#")
        return self._item(location, self._document(location))

    def fetch(self, item: SourceItem) -> SourceFile:
        """Return the document of the item. Raises `DocumentError`."""
        return self._document(item.key.removeprefix(f"{self._path}#"))

    def _document(self, location: str) -> SourceFile:
        try:
            return self._documents()[location]
        except ListingError as error:
            raise DocumentError(str(error), document=location) from error
        except KeyError:
            raise DocumentError("is not in its file any more", document=f"{self._path}#{location}") from None

    def _documents(self) -> dict[str, SourceFile]:
        """Return the documents by location. The file is read again only when its stamp changes: a run fetches many of its documents."""
        folder = DirectorySource(self._path, limits=self._limits)
        (item,) = folder.list().items
        if self._read is None or self._read[0] != item.stamp:
            file = folder.fetch(item)
            parts = {part.name.removeprefix(f"{file.name}#"): part for part in docs_jsonl.split(file)}
            self._read = item.stamp, parts
        return self._read[1]

    def _item(self, location: str, document: SourceFile) -> SourceItem:
        said = {name: value for name, value in document.hints.items() if name != "fetched_at"}
        stamp = document.sha256 + (f"+{sha256_hex(json.dumps(said, sort_keys=True, default=str))[:8]}" if said else "")
        return SourceItem(f"{self._path}#{location}", location, size=len(document.data), stamp=stamp)


def file_of(key: str) -> Path:
    """Return the file of the document at `key`."""
    return Path(key.rpartition("#")[0])
