"""Citation gold that the grammars' writers did not write: what was reached stays reached, and the gold is what its README says."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline_tests import citation_gold
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.citation_gold import FOLDERS, LANGUAGES, codes_of
from legal_pipeline_tests.citations.gold_sentences import gold_sentences

#: The sets of a country one after the other: they ask about the same files, which are then indexed once.
SETS = sorted(((folder, code) for folder in FOLDERS for code in codes_of(folder)), key=lambda each: each[1])
GOLD = pytest.mark.parametrize(("folder", "code"), SETS, ids=[f"{folder.name}-{code}" for folder, code in SETS])


@pytest.fixture(scope="module")
def by_words() -> Embedder:
    """Which provision a citation means does not depend on vectors, and the model takes 20 s for all provisions of some countries."""
    return ByWords()


@GOLD
def test_sentences_are_read_at_least_as_well_as_before(folder: Path, code: str) -> None:
    least, score = citation_gold.reached(folder, code), citation_gold.score(folder, code)
    missed = [sentence.text for sentence, _ in score.wrong if not sentence.held]
    assert score.precision >= least["precision"], missed
    assert score.recall >= least["recall"], missed


@GOLD
def test_queries_are_read_at_least_as_well_as_before(folder: Path, code: str) -> None:
    unread = [query.text for query in citation_gold.queries(folder, code) if not citation_gold.reads_as_expected(query)]
    assert (
        len(citation_gold.queries(folder, code)) - len(unread) >= citation_gold.reached(folder, code)["queries_read"]
    ), unread


@pytest.mark.corpus
@pytest.mark.slow
@GOLD
def test_the_first_hits_are_the_cited_provisions_at_least_as_often_as_before(
    folder: Path, code: str, corpus: Path, by_words: Embedder
) -> None:
    failed = citation_gold.search_apart(folder, code, corpus, by_words)
    assert (
        len(citation_gold.queries(folder, code)) - len(failed) >= citation_gold.reached(folder, code)["first_hits"]
    ), failed


@pytest.mark.parametrize("code", codes_of(LANGUAGES))
def test_a_law_without_a_known_country_is_found_by_its_title_and_number(
    code: str, tmp_path: Path, by_words: Embedder
) -> None:
    failed = citation_gold.search_apart(LANGUAGES, code, tmp_path, by_words)
    assert (
        len(citation_gold.queries(LANGUAGES, code)) - len(failed)
        >= citation_gold.reached(LANGUAGES, code)["first_hits"]
    ), failed


@GOLD
def test_each_country_has_at_least_fifteen_sentences_and_eight_queries(folder: Path, code: str) -> None:
    sentences = list(gold_sentences(f"{folder}/{code}"))
    is_first = folder == FOLDERS[0]
    if folder == LANGUAGES:
        assert len(sentences) >= 6
        assert len(citation_gold.queries(folder, code)) >= 4
        assert sum(sentence.held for sentence in sentences) * 2 == len(sentences)
        return
    assert len(sentences) >= (60 if code == "eu" and is_first else 15)
    assert len(citation_gold.queries(folder, code)) == 8
    assert 0.4 <= sum(sentence.held for sentence in sentences) / len(sentences) <= 0.6
    assert sum(not sentence.targets for sentence in sentences) >= 2 or not is_first


def test_letters_below_a_paragraph_are_compared_by_what_they_are_and_levels_above_by_kind() -> None:
    comparable = citation_gold._comparable
    assert comparable((0, 1, "/w", "art_6__subsec_1__point_f")) == comparable((0, 1, "/w", "art_6__subsec_1__para_f"))
    assert comparable((0, 1, "/w", "art_6__subsec_1")) != comparable((0, 1, "/w", "art_6__item_1"))
