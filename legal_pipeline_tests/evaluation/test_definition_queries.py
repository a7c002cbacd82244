"""Queries made of definitions. Not here: finding the definitions (`chunking`)."""

from __future__ import annotations

from legal_pipeline.evaluation.dataset import Dataset
from legal_pipeline.evaluation.definition_queries import MOST_DOCUMENTS, definition_dataset
from legal_pipeline.model.document import Document
from legal_pipeline_tests.chunking.plain import Part, document


def defines(name: str, *terms: str, language: str = "eng") -> Document:
    entries = [Part("definition", f"“{term}” means a thing of the {name};") for term in terms]
    section = Part("section", "", "2", "Definitions", entries)
    return document(section, document_id=name, language=language)


def made(*documents: Document, per_document: int = 9) -> Dataset:
    return definition_dataset(documents, per_document=per_document, per_group=9, seed=1)


def answered(found: Dataset) -> dict[str, list[str]]:
    texts = {each.document_id: each.text for each in found.documents}
    return {
        query.text: sorted(texts[answer.document_id][answer.start : answer.end] for answer in query.answers)
        for query in found.queries
    }


def test_a_term_is_one_query_and_each_place_that_defines_it_an_answer() -> None:
    found = answered(made(defines("rock", "lamp", "horn"), defines("pier", "Lamp")))
    (lamp,) = (query for query in found if "lamp" in query.casefold())
    assert found.pop(lamp) == ["“Lamp” means a thing of the pier;", "“lamp” means a thing of the rock;"]
    assert list(found.values()) == [["“horn” means a thing of the rock;"]]


def test_a_term_of_more_documents_than_a_searcher_could_mean_is_no_query() -> None:
    several = [defines(f"act-{number}", "lamp") for number in range(MOST_DOCUMENTS + 1)]
    assert len(answered(made(*several[1:]))) == 1
    assert answered(made(*several)) == {}


def test_no_document_has_more_queries_than_are_asked_for() -> None:
    found = made(defines("rock", "lamp", "horn", "bell"), defines("pier", "rope", "sail", "mast"), per_document=2)
    assert [query.key for query in found.queries].count("rock") == 2
    assert len(found.queries) == 4
