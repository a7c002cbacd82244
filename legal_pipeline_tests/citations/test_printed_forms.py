"""Forms of citations that print leaves short: numbers in digits for words, abbreviations without full stops, old volumes and dockets."""

from __future__ import annotations

import pytest

from legal_pipeline import citations
from legal_pipeline.citations import CitingDocument
from legal_pipeline.citations.acts_in_data import either_case
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_SFS = "/akn/se/act/sfs/"


def targets(text: str, country: str) -> list[tuple[str | None, str | None]]:
    judgment = CitingDocument(None, "judgment")
    return [(item.work_uri, item.eid) for item in citations.find(text, jurisdiction(country), judgment)]


@pytest.mark.parametrize(
    ("text", "work", "eids"),
    [
        ("enligt 7 § 2 st. brolagen (2031:55)", "2031/55", ["sec_7__subsec_2"]),
        ("enligt 7 § 1 och 3 st brolagen (2031:55)", "2031/55", ["sec_7__subsec_1", "sec_7__subsec_3"]),
        ("7 § andra stycket tredje punkten brolagen (2031:55)", "2031/55", ["sec_7__subsec_2__item_3"]),
        ("7 § 1 st. 6) brolagen (2031:55)", "2031/55", ["sec_7__subsec_1__item_6"]),
        ("5 kap. 7 § 4. brolagen (2031:55)", "2031/55", ["chp_5__sec_7__item_4"]),
        ("7 § 2 mom. brostadgan (1931:55)", "1931/55", ["sec_7"]),
        ("3 kap. 7 § brobalken (1731:0123 s. 2)", "1731/0123_2", ["chp_3__sec_7"]),
    ],
)
def test_swedish_levels_in_digits_and_old_statutes(text: str, work: str, eids: list[str]) -> None:
    assert targets(text, "se") == [(_SFS + work, eid) for eid in eids]


def test_the_name_of_an_act_may_begin_a_swedish_sentence() -> None:
    assert targets("Regeringsformen är en grundlag.", "se") == [(f"{_SFS}1974/152", None)]


def test_a_stycke_after_a_chapter_is_not_that_of_the_chapter() -> None:
    assert targets("Av 2 kap. regeringsformen följer inte annat än av första stycket.", "se") == [
        (f"{_SFS}1974/152", "chp_2")
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Prop.1931:30 s. 37", "1931/30"),
        ("prop. 2030/31: 65", "2030-31/65"),
        ("prop. 1938:B 6", "1938/b6"),
        ("Prop. 1932 nr 87", "1932/87"),
    ],
)
def test_swedish_bills_of_all_times(text: str, number: str) -> None:
    ((work, _),) = targets(text, "se")
    assert work is not None
    assert work.removeprefix("/akn/se/doc/prop/").replace("2030/31", "2030-31") == number


@pytest.mark.parametrize(
    ("text", "eid"),
    [("§ 13 Abs 3a S 1 SGB V", "sec_13__subsec_3a"), ("§ 11 Abs 1 Nr 4 SGB V", "sec_11__subsec_1__item_4")],
)
def test_german_levels_without_full_stops(text: str, eid: str) -> None:
    assert targets(text, "de") == [("/akn/de/act/sgb-v", eid)]


@pytest.mark.parametrize(
    "text",
    [
        "SG Berlin, Urteil vom 1.2.2031, S 3 KR 381/31",
        "LSG, Az. L 16 KR 154/31 B ER",
        "SozR 4-2500 § 13 Nr 33",
        "BayObLGZ 1931, 351",
    ],
)
def test_german_dockets_and_reporters_are_cases(text: str) -> None:
    found = citations.find(text, jurisdiction("de"), CitingDocument(None, "judgment"))
    assert [item.kind for item in found] == ["case"]


def test_the_first_word_of_a_phrase_alone_has_a_capital_at_the_start_of_a_sentence() -> None:
    phrases = ("the said section", "this")
    assert either_case(iter(phrases)) == (*phrases, "The said section", "This")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under the Lamps Act of 2031, § 5(b) and (c)", [(None, "sec_5__subsec_b"), (None, "sec_5__subsec_c")]),
        ("Lamps Act section 5", [(None, "sec_5")]),
        ("See Immigration and Nationality Act § 212(a).", [("/akn/us/act/usc/t8/s1182", "sec_1182__subsec_a")]),
        (
            "The Immigration and Nationality Act (the Act) applies. Under the Act, section 212(a), he pays.",
            [("/akn/us/act/usc/t8/s1182", "sec_1182__subsec_a")],
        ),
        ("They do not act. § 5 applies, and exact § 5 too.", []),
        ("the Act § 204.5 says", []),
    ],
)
def test_a_section_of_united_states_law_behind_its_act(text: str, expected: list[tuple[str | None, str]]) -> None:
    assert targets(text, "us") == expected


@pytest.mark.parametrize(
    ("text", "eid"),
    [
        ("l'article 4 M du code général des impôts", "art_4m"),
        ("l'article 17 D bis du code général des impôts", "art_17dbis"),
        ("l'article L. 13 AB du livre des procédures fiscales", "art_l13ab"),
        ("l'article R*. 45 F-3 du livre des procédures fiscales", "art_r-45f-3"),
        ("l'article 38 quindecies J du code général des impôts", "art_38quindeciesj"),
        ("l'article 4 M. Dupont le dit", "art_4"),
        ("l'article 39 II du code civil", "art_39__para_2"),
        ("l'article unique de la loi n° 2031-7", "art_unique"),
    ],
)
def test_french_articles_with_letters(text: str, eid: str) -> None:
    assert [found for _, found in targets(f" {text}", "fr")] == [eid]


@pytest.mark.parametrize(
    ("text", "eids"),
    [
        ("según el artículo 4-A, inciso a), de esta ley", ["art_4a"]),
        ("los artículos 1o.-A y 18-J de la presente ley", ["art_1a", "art_18j"]),
        ("el artículo 18-H BIS de esta ley", ["art_18hbis"]),
        ("el artículo 3o. Bis de esta ley", ["art_3bis"]),
        ("el artículo 12 A de esta ley", ["art_12a"]),
        ("el artículo 30 sexies de esta ley", ["art_30sexies"]),
        ("el artículo 26-Ñ de esta ley", ["art_26ny"]),
        ("el artículo 5 A falta de acuerdo", ["art_5"]),
    ],
)
@pytest.mark.parametrize("country", ["co", "pe"])
def test_letters_and_latin_words_belong_to_the_number_of_an_article_in_spanish(
    text: str, eids: list[str], country: str
) -> None:
    assert [eid for _, eid in targets(text, country)] == eids


@pytest.mark.parametrize(
    ("text", "eids"),
    [
        ("artículo 18-B del Reglamento (UE) 2016/679", ["art_18b"]),
        ("articolo 12-bis del regolamento (UE) 2016/679", ["art_12bis"]),
        ("l'article 12 bis du règlement (UE) 2016/679", ["art_12bis"]),
        ("Artikel 5 bis 7 DSGVO", ["art_5", "art_6", "art_7"]),
        ("Article 6a of the Regulation", ["art_6a"]),
    ],
)
def test_the_grammar_that_reads_other_languages_reads_letters_and_latin_words_too(text: str, eids: list[str]) -> None:
    assert [eid for _, eid in targets(text, "eu")] == eids


@pytest.mark.parametrize(
    ("text", "eids"),
    [
        ("as provided in ORS 838.010 (1) and 838.015", ["sec_838.010"]),
        ("under N.R.S. 432B.140, 432B.150 and chapter 5", ["sec_432b.140", "sec_432b.150"]),
        ("RCW 9A.36.011(1)(a) and (b)", ["sec_9a.36.011__subsec_1__para_a", "sec_9a.36.011__subsec_1__para_b"]),
        ("Fla. Stat. § 782.04", ["sec_782.04"]),
        ("C.R.S. 18-3-102", ["sec_18-3-102"]),
        ("the doors 9.36 and 18-3-102", []),
    ],
)
def test_sections_behind_the_abbreviation_of_the_code_of_an_american_state(text: str, eids: list[str]) -> None:
    assert [eid for _, eid in targets(text, "us")] == eids


def test_a_capital_before_a_full_stop_is_not_the_letter_of_an_article() -> None:
    assert [eid for _, eid in targets("CPR Art. 1° D.O. 24.10.2031", "cl")] == ["art_1"]


@pytest.mark.parametrize(("country", "act"), [("gb", "Human Rights Act 1998"), ("ie", "Companies Act 2014")])
def test_a_list_of_sections_goes_on_after_a_comma_and_or(country: str, act: str) -> None:
    found = targets(f"sections 5(2)(a), 5(4)(b), or 7(1)(c) of the {act}", country)
    assert [eid for _, eid in found] == [
        "sec_5__subsec_2__para_a",
        "sec_5__subsec_4__para_b",
        "sec_7__subsec_1__para_c",
    ]


def test_an_indian_series_of_a_subject_has_pages_of_its_own() -> None:
    assert [work for work, _ in targets("(2031) 1 SCC 5; (2031) 1 SCC (Cri) 5; (2031) 1 SCC (L&S) 5", "in")] == [
        "/akn/in/judgment/scc/2031/1/5",
        "/akn/in/judgment/scc-cri/2031/1/5",
        "/akn/in/judgment/scc-l-s/2031/1/5",
    ]
