"""The questions keep what their package promises."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from legal_pipeline.evaluation.question_queries import read_documents, read_questions
from legal_pipeline.model.document import Document, Node
from legal_pipeline.stores import bm25
from legal_pipeline_tests.questions import KINDS, Question, questions, sets

#: The least number of questions of each set.
LEAST = {
    "everyday": {"swe": 40, "eng": 50, "eng_over_swe": 24, "deu": 30, "fra": 30},
    "reworded": {"swe": 100, "eng": 100, "eng_over_swe": 60, "deu": 60, "fra": 60},
    "fresh": {"swe": 10, "eng": 10, "deu": 10, "fra": 10},
    "blind": {"swe": 20, "eng": 25, "eng_over_swe": 15, "deu": 20, "fra": 20},
    "later": {"swe": 40, "eng": 40, "eng_over_swe": 40, "deu": 40, "fra": 40},
}

#: At most this share of a question's stems stands in its provision. Among them are words that search does not leave out and that say
#: nothing ("our", "must", "make"): a short question may have a third, few have more than a fifth.
MOST_SHARED, USUALLY_SHARED = 0.34, 0.2
#: Share of the questions that may have more than a fifth.
MAY_SHARE_MORE = {"everyday": 0.2, "reworded": 0.03, "fresh": 0.1, "blind": 0.1, "later": 0.1}

EACH_SET = [(kind, name) for kind in KINDS for name in sets(kind)]


def shared(question: Question, document: Document, nodes: Mapping[str, Node]) -> float:
    """The share of the stems of a question, without stop words, that stand in one of its provisions; the largest."""
    asked = bm25.query_terms(question.text, [question.language])
    provisions = [nodes[eid] for eid in question.provisions]
    held = [
        set(bm25.document_vector(f"{node.heading or ''} {document.text_of(node)}", question.language))
        for node in provisions
    ]
    return max(len(asked & terms) / len(asked) for terms in held)


@pytest.mark.parametrize(("kind", "name"), EACH_SET)
def test_both_halves_are_asked_and_no_act_is_in_two(kind: str, name: str) -> None:
    asked = questions(kind, name)
    assert len(asked) >= LEAST[kind][name]
    assert len({question.text for question in asked}) == len(asked)
    tuning, held = ({question.document for question in asked if question.half == half} for half in ("tuning", "held"))
    assert not tuning & held
    assert {question.half for question in asked} == (
        {"held"} if kind in ("fresh", "blind", "later") else {"tuning", "held"}
    )


@pytest.mark.parametrize(("kind", "name"), EACH_SET)
def test_the_command_line_reads_the_same_questions(kind: str, name: str) -> None:
    read_by_command = read_questions(Path(__file__).parent / kind / f"{name}.toml")
    assert [(asked.text, asked.file, asked.provisions, asked.half) for asked in read_by_command] == [
        (asked.text, asked.file, asked.provisions, asked.half) for asked in questions(kind, name)
    ]


@pytest.mark.corpus
@pytest.mark.heavy
def test_every_provision_exists_and_shares_few_words_with_its_question(corpus: Path) -> None:
    asked = {kind: [question for name in sets(kind) for question in questions(kind, name)] for kind in KINDS}
    everything = [question for each in asked.values() for question in each]
    documents = read_documents(corpus, (question.file for question in everything))
    nodes = {
        file: {node.eid: node for node in document.walk() if node.eid is not None}
        for file, document in documents.items()
    }
    missing = [
        (question.text, eid)
        for question in everything
        for eid in question.provisions
        if eid not in nodes[question.file]
    ]
    assert missing == []
    for kind, each in asked.items():
        shares = {question.text: shared(question, documents[question.file], nodes[question.file]) for question in each}
        assert [(text, share) for text, share in shares.items() if share > MOST_SHARED] == []
        assert sum(share > USUALLY_SHARED for share in shares.values()) <= MAY_SHARE_MORE[kind] * len(shares), kind


@pytest.mark.corpus
@pytest.mark.heavy
def test_no_training_question_is_about_an_act_that_is_measured(corpus: Path) -> None:
    from legal_pipeline_tests.questions import (
        fitting,  # it imports torch, which costs each process that collects tests seconds
    )

    asked = fitting.training_questions()
    assert len(asked) > 4000
    assert len({question.text for question in asked}) > 0.99 * len(asked)
    of_corpus = {question.source for question in asked if question.source.startswith("corpus/")}
    eids = {
        source: {node.eid for node in document.walk()}
        for source, document in fitting.read_documents(corpus, Path("none"), of_corpus)
    }
    assert eids.keys() == of_corpus
    assert [
        question.text for question in asked if question.source in eids and question.eid not in eids[question.source]
    ] == []
