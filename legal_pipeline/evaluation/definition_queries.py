"""Queries from definitions: the query is a term, the answers are the places that define it.

Not here: finding definitions (`chunking.definitions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from legal_pipeline.chunking.definitions import HEADED, defining, find_definitions
from legal_pipeline.chunking.outline import outermost
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query, numbered, sample
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline.model.identity import collapse

#: Maximum documents that define a term: a term with more definitions ("Minister") has no answer that a searcher could want.
MOST_DOCUMENTS = 3


def definition_dataset(documents: Sequence[Document], *, per_document: int, per_group: int, seed: int) -> Dataset:
    """Return the defined terms of `documents`, each as one query per language; every definition of the term is an answer."""
    found: dict[tuple[str, str], list[tuple[str, Answer]]] = defaultdict(list)
    for document in documents:
        for term, answer in sample(_definitions(document), document.document_id, per_document, seed):
            found[document.language, collapse(term).casefold()].append((term, answer))
    by_language: dict[str, list[Query]] = defaultdict(list)
    for (language, _), places in found.items():
        answers = tuple(dict.fromkeys(answer for _, answer in places))
        if len({answer.document_id for answer in answers}) <= MOST_DOCUMENTS:
            # a language without a question form uses the bare term
            form = str(language_data(language).section("queries").get("definition", "{term}"))
            text = form.format(term=collapse(places[0][0]))
            by_language[language].append(Query("", text, language, answers[0].document_id, answers))
    kept = [
        query for group, queries in sorted(by_language.items()) for query in sample(queries, group, per_group, seed)
    ]
    note = f"at most {per_document} terms of one document and {per_group} of one language, seed {seed}"
    return Dataset("definitions", tuple(documents), tuple(numbered(kept)), notes=(note,))


def _definitions(document: Document) -> Iterator[tuple[str, Answer]]:
    for section, reason in defining(document, outermost(document, (*PROVISIONS, "heading", "schedule"))):
        for item in find_definitions(document, section, reason == HEADED):
            yield item.terms[0], Answer(document.document_id, item.start, item.end)
