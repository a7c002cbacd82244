"""Ordinals in words above twenty: each language makes them in its own way."""

from __future__ import annotations

import pytest

from legal_pipeline.languages.language import known_languages, language, lower_without_accents

FORMS = {
    "bul": {"двадесет и първа": 21, "тридесета": 30},
    "cat": {"vint-i-unena": 21, "trenta-dosena": 32},
    "ces": {"čtyřicátá devátá": 49},
    "dan": {"enogtyvende": 21, "tredivte": 30},
    "deu": {"einundzwanzigster": 21, "dreißigster": 30, "neununddreißigste": 39},
    "ell": {"εικοστό πρώτο": 21},
    "eng": {"twenty-first": 21, "forty second": 42},
    "est": {"kahekümne esimene": 21},
    "fra": {"vingt et unième": 21, "trente-deuxième": 32},
    "hrv": {"dvadeset prva": 21},
    "hun": {"huszonegyedik": 21},
    "ita": {"ventunesimo": 21, "ventottesima": 28},
    "lav": {"divdesmit pirmā": 21},
    "lit": {"dvidešimt pirmas": 21},
    "nld": {"eenentwintigste": 21, "tweeëndertigste": 32},
    "nor": {"tjueførste": 21},
    "pol": {"dwudziesty pierwszy": 21},
    "por": {"vigésimo primeiro": 21},
    "ron": {"a douăzeci și una": 21, "al treizeci şi doilea": 32},
    "rus": {"двадцать первый": 21},
    "slk": {"dvadsiata prvá": 21},
    "slv": {"enaindvajseti": 21},
    "spa": {"vigésimo primero": 21},
    "swe": {"tjugoförsta": 21},
    "tur": {"yirmi birinci": 21},
    "ukr": {"двадцять перший": 21},
}

#: Ordinals up to twenty that have two words, of which laws print either.
TWICE = {
    "dan": {"anden": 2, "andet": 2},
    "deu": {"siebter": 7, "siebenter": 7},
    "fra": {"deuxième": 2, "second": 2},
    "nor": {"syvende": 7, "sjuende": 7},
    "por": {"décimo primeiro": 11, "undécimo": 11, "décimo segundo": 12, "duodécimo": 12},
    "ron": {"întâi": 1, "prima": 1},
    "spa": {"décimo primero": 11, "decimoprimero": 11, "undécimo": 11, "decimosegunda": 12},
}


@pytest.mark.parametrize("code", TWICE)
def test_both_words_of_an_ordinal_are_known(code: str) -> None:
    assert {word: language(code).all_ordinals.get(word) for word in TWICE[code]} == TWICE[code]


@pytest.mark.parametrize("code", FORMS)
def test_an_ordinal_above_twenty_has_its_value(code: str) -> None:
    assert {word: language(code).all_ordinals.get(word) for word in FORMS[code]} == FORMS[code]
    assert language(code).spelled_numbers[lower_without_accents(next(iter(FORMS[code])))] == next(
        iter(FORMS[code].values())
    )


@pytest.mark.parametrize("code", known_languages())
def test_the_tenth_and_the_twentieth_are_those_of_the_first_twenty(code: str) -> None:
    words = language(code).section("provisions")
    if tens := words.get("ordinal_tens"):
        assert (tens[0], tens[1]) == (words["ordinals"][9], words["ordinals"][19])
    assert language(code).ordinals.items() <= language(code).all_ordinals.items()


def test_a_spanish_ordinal_in_one_word_has_no_accent() -> None:
    assert language("spa").spelled_numbers["vigesimosegunda"] == 22
