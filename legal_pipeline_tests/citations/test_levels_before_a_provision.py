"""Levels before their provision with a paragraph between them, and provisions that are cited with those after them.

The sentences are our own. Not here: lists of levels (`test_lists_of_levels`), levels without a provision (`test_levels_cited_before`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.citations import find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction


def eids(code: str, text: str) -> list[str | None]:
    return [found.eid for found in find(text, jurisdiction(code))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Point (a) of the first subparagraph of Article 6(1) of Directive 2031/5/EU", ["art_6__subsec_1__item_a"]),
        ("See point (a) of the second paragraph of Article 10.", ["art_10__subsec_2__item_a"]),
        (
            "See points (a) and (b) of the second paragraph of Article 10.",
            ["art_10__subsec_2__item_a", "art_10__subsec_2__item_b"],
        ),
        (
            "See points (a) and (b) of the first subparagraph of paragraph 1 of Article 6.",
            ["art_6__subsec_1__item_a", "art_6__subsec_1__item_b"],
        ),
        ("See the first and second subparagraphs of Article 9(3).", ["art_9__subsec_3"]),
        ("au point a), du deuxième alinéa de l'article 10 de la directive 2031/5/UE", ["art_10__subsec_2__item_a"]),
    ],
)
def test_a_subparagraph_stands_between_a_point_and_its_article(text: str, expected: list[str]) -> None:
    assert eids("eu", text) == expected


def test_a_citation_that_begins_a_line_with_its_levels_is_no_heading() -> None:
    assert eids("eu", "Point (i) of Article 5(1)(b) does not apply.") == ["art_5__subsec_1__para_b__item_i"]
    assert eids("eu", "Article 5(1)") == eids("eu", "Point (i) of Article 5(1)(b) |\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("au a du deuxième alinéa de l'article 6 du code civil", ["art_6__subsec_2__item_a"]),
        (
            "aux a et b du 2° du I de l'article 6 du code civil",
            ["art_6__para_1__item_2__item_a", "art_6__para_1__item_2__item_b"],
        ),
        ("Les a à c du 2° de l'article 6 du code civil", [f"art_6__item_2__item_{letter}" for letter in "abc"]),
        ("à l'article L. 121-1, I, 2°, a, du code de la consommation", ["art_l121-1__para_1__item_2__item_a"]),
        ("Il y a de l'article 6 du code civil une lecture", ["art_6"]),
        ("Il a du bien et a du courage au sens de l'article 6 du code civil", ["art_6"]),
    ],
)
def test_french_letters_need_no_bracket_where_a_level_must_stand(text: str, expected: list[str]) -> None:
    assert eids("fr", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zie onderdeel a van het eerste lid van artikel 6 van de Grondwet.", ["art_6__subsec_1__item_a"]),
        ("Zie artikel 3, derde lid, onderdeel b, onder 2°, van de Grondwet.", ["art_3__subsec_3__item_b__item_2"]),
        (
            "Zie artikel 2, aanhef en onder A, B en C, Opiumwet.",
            ["art_2__item_a", "art_2__item_b", "art_2__item_c"],
        ),
    ],
)
def test_dutch_levels_before_an_article_below_a_letter_and_in_capitals(text: str, expected: list[str]) -> None:
    assert eids("nl", text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "Siehe Art. 12 ff. DSGVO.", ["art_12"]),
        ("de", "Siehe Art. 101 f. AEUV.", ["art_101", "art_102"]),
        ("de", "Siehe § 1 ff BGB.", ["sec_1"]),
        ("eu", "enligt artikel 6 f. i dataskyddsförordningen", ["art_6", "art_7"]),
        ("eu", "enligt artikel 6.1 f. Den som", ["art_6__subsec_1__item_f"]),
        ("eu", "jf. artikel 6, f. eks. hvor en havn er lukket", ["art_6"]),
    ],
)
def test_provisions_that_follow_are_cited_in_every_grammar_that_has_german(
    code: str, text: str, expected: list[str]
) -> None:
    assert eids(code, text) == expected


@pytest.mark.parametrize("text", ["Siehe Anlage 2 zum BGB.", "Siehe Anlage 2 zur ZPO."])
def test_a_schedule_is_joined_to_its_act(text: str) -> None:
    assert eids("de", text) == ["sched_2"]
