"""The indexed documents that a citation in a text names by their title: in its own words, or directly before them.

The word before a title must not begin with a capital: in "Harbour Lights Act" the title is not "Lights Act". Not here: the provision that
is meant (`resolution`), and names in queries (`unresolved`, `retrieval.cited`), which are read more freely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.cited_text import CitationInText
from legal_pipeline.reading.titles import Titles
from legal_pipeline.registry.listing import Listed
from legal_pipeline.retrieval.act_names import is_title
from legal_pipeline.retrieval.citation_query import QueryCitations

_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"[.;:!?](?=\s|$)|\n")
#: What may be between a title and the citation behind it: a year, a number in brackets, a comma.
_BETWEEN = re.compile(r"[\s\d,:/()\[\]-]*")
_MOST_WORDS = 12


def named_beside(
    access: Access, citation: CitationInText, text: str, titles: Titles, jurisdictions: Sequence[str]
) -> list[Listed]:
    """Return the documents with the longest title or short name that is in the words of the citation, or directly before them ("Lamps Act
    2096, s. 4"). If the citation names an Act that is in a country's data, the title must be exactly this name, with its year."""
    reference = citation.reference
    hidden = access.visibility.hidden
    if citation.country.language:  # its titles are compared by rules of the language, within other words
        return _of_country(
            access.titles.named(QueryCitations((), text=reference.raw), hidden, titles), citation, jurisdictions
        )
    before = _SENTENCE.split(text[max(0, reference.start - 200) : reference.start])[-1]
    for words in (*_windows(reference.raw, at_end=False), *_windows(before, at_end=True)):
        found = [
            document
            for document in access.titles.named(QueryCitations((), text=words), hidden, titles, of_all_words=True)
            if reference.work_uri is None or is_title(words, document.title or "")
        ]
        if found := _of_country(found, citation, jurisdictions):
            return found
    return []


def _windows(text: str, *, at_end: bool) -> Iterator[str]:
    """Yield the runs of words of a text that may be a title, the longest first, each with the numbers behind it. With `at_end`, only
    numbers may follow a run."""
    words = list(_WORD.finditer(text))
    if at_end and not (words and _BETWEEN.fullmatch(text, words[-1].end())):
        return
    ends = [len(words)] if at_end else range(1, len(words) + 1)
    runs = [(first, end) for end in ends for first in range(max(0, end - _MOST_WORDS), end)]
    for first, end in sorted(runs, key=lambda run: run[0] - run[1]):
        if first < 2 or not words[first - 1][0][0].isupper():  # the first word of a sentence may be any
            yield text[words[first].start() : words[end].start() if end < len(words) else len(text)]


def _of_country(documents: Sequence[Listed], citation: CitationInText, jurisdictions: Sequence[str]) -> list[Listed]:
    """Return those documents whose country cites in the form of the citation, and is among `jurisdictions` if any are given."""
    codes = {code.partition("-")[0] for code in jurisdictions}
    country = citation.country
    return [
        document
        for document in documents
        if (not codes or document.jurisdiction in codes)
        and (
            bool(country.language)
            or document.jurisdiction == country.code
            or not (country.has_own_form or jurisdiction(document.jurisdiction or "").has_own_form)
        )
    ]
