"""Every language's file has what the readers of documents ask of it, and says nothing twice."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from legal_pipeline.languages.language import PROVISION_KINDS, codes, known_languages, language, letters_of

_OFFICIAL_IN_THE_UNION = (
    "bul ces dan deu ell eng est fin fra gle hrv hun ita lav lit mlt nld pol por ron slk slv spa swe"
)
#: Kinds without which no tree of an Act can be made.
_NEEDED = ("article", "part", "chapter", "annex", "preamble", "transitional")
#: What stands beside the kinds in `[provisions]`.
_BESIDE_KINDS = {
    "also_section",
    "annexed",
    "announces",
    "amending",
    "explanation",
    "heading_label",
    "history",
    "inserts",
    "sign",
    "number_first",
    "cardinals",
    "ordinals",
    "ordinal_joins",
    "ordinal_stems",
    "ordinal_tens",
    "ordinal_units",
    "ordinal_units_first",
    "joins",
    "named",
    "number_words",
    "numbering",
    "number_prefix",
    "inserted",
    "range_ends",
    "continues",
    "index",
    "protocol",
    "lead",
    "raised_sign",
    "schedule_paragraphs",
    "letters_apart",
    "set_apart",
    "bracketed_numbers",
    "glued",
    "suffixes",
    "unnumbered",
}


def test_every_official_language_of_the_union_has_a_file() -> None:
    assert set(_OFFICIAL_IN_THE_UNION.split()) <= set(known_languages())


@pytest.mark.parametrize("code", known_languages())
def test_a_file_names_its_months_and_the_words_of_headings(code: str) -> None:
    known = language(code)
    assert known.name != code
    assert code in codes().values()
    assert len(known.section("dates")["months"]) == 12
    assert set(known.section("provisions")) - _BESIDE_KINDS == set(PROVISION_KINDS)
    assert known.section("provisions").get("numbering", "civil_law") in {"civil_law", "common_law"}
    assert all(known.provision_words(kind) for kind in _NEEDED)


@pytest.mark.parametrize("code", known_languages())
def test_words_of_headings_are_in_lower_case_and_stand_once_in_their_kind(code: str) -> None:
    for kind in PROVISION_KINDS:
        words = language(code).provision_words(kind)
        assert [word for word in words if word != word.lower().strip() or not word] == []
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("code", known_languages())
def test_an_ordinal_denotes_one_number_and_twenty_are_known(code: str) -> None:
    forms = language(code).section("provisions")["ordinals"]
    every = list(chain.from_iterable(forms))
    assert len(forms) == 20
    assert all(forms)
    assert len(set(every)) == len(every)
    assert [word for word in every if word != word.lower()] == []
    assert language(code).ordinals[forms[11][0]] == 12


@pytest.mark.parametrize("code", known_languages())
def test_kinds_whose_number_stands_first_are_kinds(code: str) -> None:
    assert set(language(code).section("provisions").get("number_first", ())) <= set(PROVISION_KINDS)


def test_the_written_forms_of_norwegian_share_one_file() -> None:
    assert language("nb").code == "nob"
    assert language("nob").provision_words("chapter") == language("nno").provision_words("chapter") != ()
    assert language("nno").section_sign == "§"


def test_a_language_without_a_file_has_no_words() -> None:
    assert language("xho").provision_words("article") == ()
    assert dict(language("xho").ordinals) == {}


@pytest.mark.parametrize("code", sorted({*known_languages(), *codes().values()}))
def test_the_months_of_a_language_are_in_its_letters(code: str) -> None:
    letters = letters_of(language(code).code)
    assert letters is not None or code not in codes().values()
    months = "".join(chain.from_iterable(language(code).section("dates").get("months", [[]])))
    assert not months or (letters and re.search(f"[{letters}]", months))
