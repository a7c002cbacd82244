"""The vector of a question moves toward the words of the law for what it says; nothing else does."""

from __future__ import annotations

import numpy as np
import pytest

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.retrieval.centring import centred
from legal_pipeline.retrieval.dense_lists import nearest
from legal_pipeline.retrieval.vocabulary import MOST_ENTRIES, legal_terms, toward_the_law
from legal_pipeline.system.data_files import data_file
from legal_pipeline_tests.embedding.named import Named

LANGUAGES = ("eng", "swe", "deu", "fra")
QUESTION = "Can my landlord throw me out of the flat?"
MINILM = Named("all-MiniLM-L6-v2@1/float32", 384, {"eviction,": 0})
E5 = Named("multilingual-e5-small@1/float32", 384, {"eviction,": 0})


@pytest.mark.parametrize(
    ("question", "language", "term"),
    [
        (QUESTION, "eng", "eviction"),
        ("Får värden kasta ut mig ur lägenheten?", "swe", "avhysning"),
        ("Ich wurde gefeuert, was nun?", "deu", "Kündigungsschutz"),
        ("Mon patron m'a viré hier", "fra", "licenciement"),
        # another inflection, and a word that begins like the phrase's
        ("They were sacking people", "eng", "dismissal"),
        ("Vem får ta över hyreskontraktet?", "swe", "hyresavtal"),
    ],
)
def test_a_phrase_of_everyday_speech_gives_the_term_of_the_law(question: str, language: str, term: str) -> None:
    assert term in legal_terms(question, language)


def test_the_words_of_a_phrase_must_be_near_to_each_other() -> None:
    between = "then we went home and had a long dinner with all our friends"
    assert "dismissal" in legal_terms("was it fair to lose a job like that?", "eng")
    assert "dismissal" not in legal_terms(f"was it fair to lose a game, {between}, before a job?", "eng")


@pytest.mark.parametrize("language", [None, "fin", "../eng", ""])
def test_a_language_without_a_vocabulary_has_no_terms(language: str | None) -> None:
    assert legal_terms(QUESTION, language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_phrases_and_terms_each_once(language: str) -> None:
    entries = data_file("legal_pipeline.languages.vocabularies", f"{language}.toml")
    for name, entry in entries.items():
        for kind in ("asked", "law"):
            assert entry[kind], name
            assert len(set(entry[kind])) == len(entry[kind]), name
    assert len(entries) >= 250 > MOST_ENTRIES


def moved(query: str, language: str) -> set[str]:
    """The vectors, by model, that are not the centred vector of the query alone."""
    lists = nearest(query, Embedders({"eng": MINILM}, E5), language)
    models = {using: embedder.name for using, embedder in Embedders({"eng": MINILM}, E5).by_vector.items()}
    return {
        models[dense.using].partition("@")[0]
        for dense in lists
        if not np.array_equal(dense.vector, centred(dense.plain, models[dense.using]))
    }


def test_only_the_model_of_the_language_of_the_question_is_asked_with_its_terms() -> None:
    assert moved(QUESTION, "eng") == {"all-MiniLM-L6-v2"}
    assert moved("Får värden kasta ut mig?", "swe") == {"multilingual-e5-small"}


@pytest.mark.parametrize("query", ["landlord kick out flat", "s. 12 Housing Act", "2 kap. 3 §", "eviction"])
def test_a_query_that_is_not_a_question_keeps_its_vector(query: str) -> None:
    assert moved(query, "eng") == set()


def test_a_question_without_a_known_phrase_keeps_its_vector() -> None:
    assert moved("Xyzzy plugh?", "eng") == set()


def test_a_vector_moves_toward_the_terms_and_stays_of_unit_length() -> None:
    plain = MINILM.embed_queries(["lamp"]).vectors[0]
    terms = MINILM.embed_passages([", ".join(legal_terms(QUESTION, "eng"))]).vectors[0]
    moved = toward_the_law(plain, QUESTION, "eng", MINILM)
    assert moved @ terms > plain @ terms
    assert np.linalg.norm(moved) == pytest.approx(1)


def test_a_model_of_which_nothing_was_measured_keeps_its_vector() -> None:
    plain = np.eye(1, 384, dtype=np.float32)[0]
    assert toward_the_law(plain, QUESTION, "eng", Named("BAAI/bge-m3@1", 384, {})) is plain
