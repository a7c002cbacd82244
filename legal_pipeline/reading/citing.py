"""The places that cite a work: the tables `cross_references` of all documents, kept in memory by cited work.

Before each question the files are listed once, and those written since are read again. Not here: finding citations (`citations`), and
finding the cited provision (`law_reader`).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.slug import plain_letters
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.stages.cross_references import KEY

#: The key of places whose text gives no URI of the work.
_UNRESOLVED = ""
_COLUMNS = ("eid", "start", "end", "raw", "target_work_uri", "target_eid", "kind")


@dataclass(frozen=True, slots=True)
class Citing:
    """A row of the table: `document_id` cites `target_eid` (None: the whole work) in its provision `eid`, characters
    `start` to `end` of its text."""

    document_id: str
    eid: str | None
    start: int
    end: int
    raw: str
    target_eid: str | None
    kind: str


class CitingIndex:
    """Thread-safe. The first question reads the tables of all documents, some milliseconds each."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._mutex = threading.Lock()
        self._versions: dict[str, str] = {}
        self._by_work: dict[str, dict[str, tuple[Citing, ...]]] = {}
        self._works_of: dict[str, tuple[str, ...]] = {}
        #: The words of all unresolved places of a document, to look through them at once.
        self._unresolved_words: dict[str, str] = {}

    def unresolved(self, stems: Iterable[str]) -> list[Citing]:
        """Return the places that cite a provision of a work without a URI, such as an Act by its title, in words that contain one of
        `stems` (`plain_letters`)."""
        wanted = tuple(stems)
        with self._mutex:
            self._refresh()
            rows = self._by_work.get(_UNRESOLVED, {})
            found = [rows[id] for id, words in self._unresolved_words.items() if any(stem in words for stem in wanted)]
        return [row for places in found for row in places if any(stem in plain_letters(row.raw) for stem in wanted)]

    def places(self, works: Iterable[str]) -> list[Citing]:
        """Return all places that cite one of these work URIs, by document and in text order."""
        with self._mutex:
            self._refresh()
            found = [rows for work in dict.fromkeys(works) for rows in self._by_work.get(work, {}).values()]
        return sorted((row for rows in found for row in rows), key=lambda row: (row.document_id, row.start, row.end))

    def _refresh(self) -> None:
        now = self._warehouse.file_versions(KEY)
        for document_id in self._versions.keys() - now.keys():
            self._forget(document_id)
        for document_id, version in now.items():
            if self._versions.get(document_id) != version:
                self._forget(document_id)
                self._read(document_id)
                self._versions[document_id] = version

    def _forget(self, document_id: str) -> None:
        self._versions.pop(document_id, None)
        self._unresolved_words.pop(document_id, None)
        for work in self._works_of.pop(document_id, ()):
            del self._by_work[work][document_id]

    def _read(self, document_id: str) -> None:
        try:
            columns = self._warehouse.read_table(KEY, document_id, _COLUMNS).to_pydict()
        except DocumentError:
            return  # withdrawn since the listing, or damaged: `reconcile` reports it
        rows: dict[str, list[Citing]] = {}
        for eid, start, end, raw, work, target, kind in zip(*(columns[name] for name in _COLUMNS), strict=True):
            if work is not None or target is not None:
                place = Citing(document_id, eid, start, end, raw, target, kind)
                rows.setdefault(sys.intern(work or _UNRESOLVED), []).append(place)
        for work, cited in rows.items():
            self._by_work.setdefault(work, {})[document_id] = tuple(cited)
        self._works_of[document_id] = tuple(rows)
        if unresolved := rows.get(_UNRESOLVED):
            self._unresolved_words[document_id] = plain_letters("\n".join(dict.fromkeys(row.raw for row in unresolved)))
