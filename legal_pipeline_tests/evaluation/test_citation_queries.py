"""Queries made of citations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.evaluation.citation_queries import BLANK, MOST_ANSWERS, PER_ANSWER, citation_dataset
from legal_pipeline.evaluation.dataset import Answer, Dataset
from legal_pipeline.evaluation.documents import read_corpus
from legal_pipeline.evaluation.names import Half
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.evaluation.laws import harbours, lighthouses


def document(text: str) -> Document:
    return parse(SourceFile("lag.txt", text.encode()))


def dataset(*documents: Document, citing: tuple[Document, ...] = ()) -> Dataset:
    return citation_dataset(documents, citing, per_document=40, per_group=400, seed=7)


def section(of: Document, num: str) -> Answer:
    (node,) = (node for node in of.provisions() if node.num == num)
    return Answer(of.document_id, node.start, node.end)


def test_a_sentence_asks_for_the_provision_that_it_cites_without_naming_it() -> None:
    law = document(lighthouses())
    queries = dataset(law).queries
    assert [query.answers for query in queries] == [(section(law, "1"),), (section(law, "2"),)]
    assert queries[1].text.startswith(f"25 § Ett åtal för olovlig släckning enligt {BLANK} får väckas")
    assert "1 §" not in queries[0].text


def test_a_neighbour_is_not_asked_for() -> None:
    law = document(lighthouses())
    assert all("lämnar fyren obevakad" not in query.text for query in dataset(law).queries)


def test_the_citing_provision_as_a_whole_is_where_a_query_comes_from() -> None:
    law = document(lighthouses())
    assert [query.origin for query in dataset(law).queries] == [section(law, "24"), section(law, "25")]


def test_an_act_that_is_cited_by_its_number_is_blanked_with_it() -> None:
    fyrar, hamnar = document(lighthouses()), document(harbours())
    (query,) = (query for query in dataset(fyrar, hamnar).queries if query.key == hamnar.document_id)
    assert query.answers == (section(fyrar, "1"),)
    assert "2099:10" not in query.text


def test_documents_that_only_ask_are_not_indexed() -> None:
    fyrar, hamnar = document(lighthouses()), document(harbours())
    made = dataset(fyrar, citing=(hamnar,))
    assert made.documents == (fyrar,)
    assert hamnar.document_id in {query.key for query in made.queries}


def test_what_is_cited_from_a_work_that_is_not_there_is_not_asked_for() -> None:
    assert dataset(document(harbours())).queries == ()


@pytest.fixture(scope="module")
def real(corpus: Path) -> Dataset:
    documents = read_corpus([corpus / "in" / "acts_json", corpus / "se" / "canonical_html"]).documents
    return dataset(*documents)


@pytest.mark.corpus
def test_real_queries_show_no_number_of_what_they_ask_for(real: Dataset) -> None:
    texts = {one.document_id: one for one in real.documents}
    assert len(real.queries) > 80
    for query in real.queries:
        assert BLANK in query.text
        assert 1 <= len(query.answers) <= MOST_ANSWERS
        assert query.origin is not None
        for answer in query.answers:
            assert texts[answer.document_id].text[answer.start : answer.end].strip()
            apart = max(answer.start - query.origin.end, query.origin.start - answer.end)
            assert answer.document_id != query.origin.document_id or apart > 0


@pytest.mark.corpus
def test_no_provision_is_asked_for_by_half_of_the_queries(real: Dataset) -> None:
    asked = Counter(answer for query in real.queries for answer in query.answers)
    assert max(asked.values()) <= PER_ANSWER


@pytest.mark.corpus
def test_the_same_seed_draws_the_same_queries_and_the_halves_share_no_document(real: Dataset) -> None:
    again = citation_dataset(real.documents, per_document=10, per_group=50, seed=3)
    assert again.queries == citation_dataset(real.documents, per_document=10, per_group=50, seed=3).queries
    assert again.queries != citation_dataset(real.documents, per_document=10, per_group=50, seed=4).queries
    dev, test = (real.half(half, seed=7).queries for half in Half)
    assert len(dev) + len(test) == len(real.queries)
    assert not {query.key for query in dev} & {query.key for query in test}
