"""Texts of scripts without spaces between words are found by their words."""

from __future__ import annotations

import unicodedata

import pytest

from legal_pipeline.stores.bm25 import document_vector, matching_words, query_terms

_TEXTS = (
    ("zho", "第五条　看守人在黄昏点灯，在黎明熄灯。", "黎明熄灯", "港口"),
    ("jpn", "番人は、夕暮れに灯をともし、夜明けに消す。", "夜明け", "港湾"),
    ("kor", "등대의 관리인은 해 질 녘에 불을 켜고 새벽에 끈다.", "관리인", "항만"),
    ("tha", "ผู้เฝ้าประภาคารจุดไฟเวลาพลบค่ำและดับไฟเวลารุ่งอรุณ", "ประภาคาร", "ท่าเรือ"),
    ("ara", "يشعل حارس المنارة النور عند الغسق", "حارس المنارة", "الميناء"),
)


@pytest.mark.parametrize(("language", "text", "phrase", "other"), _TEXTS)
def test_a_phrase_inside_a_sentence_is_found(language: str, text: str, phrase: str, other: str) -> None:
    indexed = set(document_vector(text, language))
    terms = query_terms(phrase, [language])
    assert terms <= indexed
    assert not query_terms(other, [language]) <= indexed
    shown = [text[start:end] for start, end in matching_words(text, language, terms)]
    assert phrase in " ".join(shown)


def test_spans_of_matching_words_ascend_and_do_not_overlap() -> None:
    text = "看守人在黄昏点灯。Lamp 看守人 keeper"
    spans = list(matching_words(text, "zho", query_terms("看守人 keeper", ["zho"])))
    assert [text[start:end] for start, end in spans] == ["看守人", "看守人", "keeper"]


def test_a_single_character_of_such_a_script_is_a_word() -> None:
    terms = query_terms("灯", ["zho"])
    assert terms
    assert terms <= set(document_vector("第五条　灯。", "zho"))
    assert list(matching_words("第五条　灯。", "zho", terms)) == [(4, 5)]


def test_a_letter_that_is_written_as_two_characters_is_the_same_word() -> None:
    together, apart = (unicodedata.normalize(form, "Fyrvaktaren är vaken på ön.") for form in ("NFC", "NFD"))
    assert together != apart
    assert document_vector(apart, "swe") == document_vector(together, "swe")
    assert query_terms("ön", ["swe"]) == query_terms(unicodedata.normalize("NFD", "ön"), ["swe"])
    assert query_terms("ön", ["swe"]) <= set(document_vector(apart, "swe"))


def test_a_word_beside_such_a_script_is_a_match_of_its_own() -> None:
    text = "灯Lamp"
    assert list(matching_words(text, "zho", query_terms("灯 lamp", ["zho"]))) == [(0, 1), (1, 5)]


def test_a_word_that_occurs_once_weighs_one_in_a_text_of_a_hundred_words_and_more_in_a_shorter_one() -> None:
    words = [f"word{number}" for number in range(100)]
    average = document_vector(" ".join(words), "lav")
    assert list(average) == sorted(average)
    assert list(average.values()) == pytest.approx([1.0] * 100)
    assert min(document_vector(words[0], "lav").values()) > 1.5


def test_a_language_without_a_stemmer_has_no_stop_words_of_another_one() -> None:
    """English ones are words of Latvian."""
    assert len(document_vector("no to an", "lav")) == 3
    assert query_terms("to", ["lav"]) <= document_vector("no to an", "lav").keys()
    assert document_vector("no to an", "eng") == {}
