"""The indexed documents that a text names by their titles or short names, whatever a search of it finds.

Not here: the rules by which words are a title (`retrieval.cited`), and Acts that a country's data name (`jurisdictions`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import Choice, Listed, Titled, indexed, state_of_counts, titles
from legal_pipeline.retrieval.act_names import names_in_words, words_without_number
from legal_pipeline.retrieval.citation_query import QueryCitations
from legal_pipeline.retrieval.cited import length_of_title
from legal_pipeline.retrieval.titles_by_language import has_rules

#: Maximum age of the titles: an erased document leaves them after this time at the latest.
_MAX_SECONDS = 60.0

#: The names of an Act, each in words.
_Names = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Titles:
    """The titles of all documents at one time. `names`: the names of each in words; `by_name`: the titles with a name. `sizes`: the numbers
    of words that names have; `languages`: those of the titles. `by_rules`: titles that are compared by rules of their language, and
    `letters`: the letters in them that are not basic Latin."""

    names: Mapping[Titled, _Names]
    by_name: Mapping[tuple[str, ...], Sequence[Titled]]
    sizes: Sequence[int]
    languages: Sequence[str]
    by_rules: Sequence[Titled]
    letters: frozenset[str]

    @classmethod
    def of(cls, rows: Sequence[Titled], known: Mapping[Titled, _Names]) -> Titles:
        names = {row: known[row] if row in known else _names(row) for row in rows}
        by_name: dict[tuple[str, ...], list[Titled]] = {}
        for row, own in names.items():
            for name in own:
                by_name.setdefault(name, []).append(row)
        by_rules = [row for row in rows if any(map(has_rules, _languages(row)))]
        letters = frozenset(letter for row in by_rules for letter in _letters(row.title))
        languages = sorted({language for row in rows for language in _languages(row)})
        return cls(names, by_name, sorted({*map(len, by_name)}), languages, by_rules, letters)

    def lengths(self, citations: QueryCitations, *, of_all_words: bool = False) -> dict[str, int]:
        """Return the ids of the documents whose title or short name the query contains, with the length of the name in words.
        `of_all_words`: the query must be the name, and nothing else."""
        text = citations.text
        said = dict.fromkeys(words_without_number(text, language) for language in ("", *self.languages))
        runs = (
            words[at : at + size]
            for words in said
            for size in ([len(words)] if of_all_words else self.sizes)
            for at in range(len(words) - size + 1)
        )
        found = [row for run in dict.fromkeys(runs) for row in self.by_name.get(run, ())]
        if not of_all_words and not self.letters.isdisjoint(_letters(text)):
            found += self.by_rules
        return {row.document_id: length for row in dict.fromkeys(found) if (length := _length(citations, row))}


def _letters(text: str) -> set[str]:
    """Return the letters of a text but for the basic Latin ones: no title that is compared by rules is in these alone."""
    return {letter for letter in text.casefold() if letter.isalpha() and not letter.isascii()}


def _names(row: Titled) -> _Names:
    return frozenset(names_in_words(row.title, row.number, jurisdiction(row.jurisdiction), _languages(row)))


def _languages(row: Titled) -> Sequence[str]:
    return (row.language,) if row.language else jurisdiction(row.jurisdiction).languages


def _length(citations: QueryCitations, row: Titled) -> int:
    return max(
        length_of_title(citations, row.title, row.number, row.jurisdiction, language)
        for language in _languages(row) or ("",)
    )


class IndexedTitles:
    """The titles of all indexed documents, read again after a publication, a change or a removal. Safe in several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mutex = threading.Lock()
        self._kept: tuple[tuple[Any, ...], float, Titles] | None = None

    def named(
        self,
        citations: QueryCitations,
        hidden: Collection[str],
        titles: Titles | None = None,
        *,
        of_all_words: bool = False,
    ) -> list[Listed]:
        """Return the documents whose title or short name the query contains; if names of several lengths fit, those with the longest.

        Not returned are the documents `hidden`; those that their source has removed come last. `titles`: the result of `now`, if it is
        needed for several queries. `of_all_words`: the query must be the name, and nothing else."""
        lengths = (titles or self.now()).lengths(citations, of_all_words=of_all_words)
        if not lengths:
            return []
        listed = indexed(self._database, Choice(ids=sorted(lengths), hidden=hidden))
        longest = max((lengths[document.document_id] for document in listed), default=0)
        named = [document for document in listed if lengths[document.document_id] == longest]
        return sorted(named, key=lambda document: document.tombstoned_at is not None)

    def now(self) -> Titles:
        """Return the titles of the present documents."""
        state, now = state_of_counts(self._database), time.monotonic()
        with self._mutex:
            kept = self._kept
        if kept is not None and kept[0] == state and now - kept[1] < _MAX_SECONDS:
            return kept[2]
        found = Titles.of(titles(self._database), kept[2].names if kept is not None else {})
        with self._mutex:
            self._kept = state, now, found
        return found
