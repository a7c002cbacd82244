"""The indexed documents that a text names by their titles or short names, whatever a search of it finds.

Not here: the rules by which words are a title (`retrieval.cited`), and Acts that a country's data name (`jurisdictions`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import Choice, Listed, Titled, indexed, state_of_counts, titles
from legal_pipeline.retrieval.act_names import first_words
from legal_pipeline.retrieval.citation_query import QueryCitations
from legal_pipeline.retrieval.cited import length_of_title
from legal_pipeline.retrieval.titles_by_language import has_rules

#: Maximum age of the titles: an erased document leaves them after this time at the latest.
_MAX_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Titles:
    """Each title with the first words of its names, the titles by these words, and those that the rules of a language compare."""

    words: Mapping[Titled, frozenset[str]]
    by_word: Mapping[str, Sequence[Titled]]
    by_rules: Sequence[Titled]

    @classmethod
    def of(cls, rows: Sequence[Titled], known: Mapping[Titled, frozenset[str]]) -> _Titles:
        words = {row: known[row] if row in known else _first_words(row) for row in rows}
        by_word: dict[str, list[Titled]] = {}
        for row, firsts in words.items():
            for word in firsts:
                by_word.setdefault(word, []).append(row)
        return cls(words, by_word, [row for row in rows if _has_rules(row.jurisdiction)])

    def candidates(self, words: Iterable[str]) -> list[Titled]:
        found = (row for word in dict.fromkeys(words) for row in self.by_word.get(word, ()))
        return list(dict.fromkeys((*found, *self.by_rules)))


def _first_words(row: Titled) -> frozenset[str]:
    return frozenset(first_words(row.title, row.number, jurisdiction(row.jurisdiction)))


def _has_rules(code: str) -> bool:
    return any(map(has_rules, jurisdiction(code).languages))


class IndexedTitles:
    """The titles of all indexed documents, read again after a publication, a change or a removal. Safe in several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mutex = threading.Lock()
        self._kept: tuple[tuple[Any, ...], float, _Titles] | None = None

    def named(self, citations: QueryCitations, hidden: Collection[str]) -> list[Listed]:
        """Return the documents, but for the `hidden`, whose title or short name the query contains, of those with the longest name in it;
        documents that their source has removed come last."""
        lengths = {
            row.document_id: length
            for row in self._titles().candidates(citations.words)
            if (length := _length(citations, row))
        }
        if not lengths:
            return []
        listed = indexed(self._database, Choice(ids=sorted(lengths), hidden=hidden))
        longest = max((lengths[document.document_id] for document in listed), default=0)
        named = [document for document in listed if lengths[document.document_id] == longest]
        return sorted(named, key=lambda document: document.tombstoned_at is not None)

    def _titles(self) -> _Titles:
        state, now = state_of_counts(self._database), time.monotonic()
        with self._mutex:
            kept = self._kept
        if kept is not None and kept[0] == state and now - kept[1] < _MAX_SECONDS:
            return kept[2]
        found = _Titles.of(titles(self._database), kept[2].words if kept is not None else {})
        with self._mutex:
            self._kept = state, now, found
        return found


def _length(citations: QueryCitations, row: Titled) -> int:
    languages = jurisdiction(row.jurisdiction).languages or ("",)
    return max(length_of_title(citations, row.title, row.number, row.jurisdiction, language) for language in languages)
