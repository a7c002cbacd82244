"""Lists of levels below a provision, levels before their provision inside a list, and abbreviations that a text defines.

The sentences are our own. Not here: levels alone before one provision (`test_levels_cited_before`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction


def eids(code: str, text: str) -> list[str | None]:
    return [found.eid for found in find(text, jurisdiction(code))]


@pytest.mark.parametrize("code", ["gb", "ie", "ca", "in", "zw"])
@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        ("(1)(b)(ii) and (iii)", ["subsec_1__para_b__item_ii", "subsec_1__para_b__item_iii"]),
        ("(1)(a) or (b)(ii)", ["subsec_1__para_a", "subsec_1__para_b__item_ii"]),
        ("(1)(a)(i), (b) and (c)(ii)", ["subsec_1__para_a__item_i", "subsec_1__para_b", "subsec_1__para_c__item_ii"]),
        ("(6)(c)(ii) and (d)", ["subsec_6__para_c__item_ii", "subsec_6__para_d"]),
        ("(1)(a) and (3)", ["subsec_1__para_a", "subsec_3"]),
        ("(1A)(b) and (3)", ["subsec_1a__para_b", "subsec_3"]),
        ("(3)(a) and (1)", ["subsec_3__para_a", "subsec_1"]),
        ("(1)(a), (2A) and (3)", ["subsec_1__para_a", "subsec_2a", "subsec_3"]),
    ],
)
def test_an_entry_goes_on_the_level_that_it_counts_on(code: str, pins: str, expected: list[str]) -> None:
    assert eids(code, f"Under section 12{pins} of the Lamps Act the keeper pays.") == [
        f"sec_12__{eid}" for eid in expected
    ]


@pytest.mark.parametrize(
    ("pins", "last"), [("(1)(a) and (b-a)", "subsec_1__para_b-a"), ("(1)(a) and (4-A)", "subsec_4a")]
)
def test_a_letter_with_a_hyphen_goes_on_a_list(pins: str, last: str) -> None:
    assert eids("in", f"Under section 12{pins} of the Lamps Act.")[-1] == f"sec_12__{last}"


@pytest.mark.parametrize("code", ["gb", "us"])
def test_a_raised_figure_in_brackets_is_no_number(code: str) -> None:
    assert eids(code, "Under section 12(1)(²) and (³) of the Lamps Act.")[0] is not None


@pytest.mark.parametrize("code", ["gb", "ie", "ca"])
def test_the_letter_i_after_h_is_no_numeral(code: str) -> None:
    found = eids(code, "Under section 12(1)(h) and (i) of the Lamps Act the keeper pays.")
    assert found == ["sec_12__subsec_1__para_h", "sec_12__subsec_1__para_i"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Under 8 U.S.C. § 1182(a)(9)(B)(i) and (ii) he waits.",
            ["sec_1182__subsec_a__para_9__item_b__item_i", "sec_1182__subsec_a__para_9__item_b__item_ii"],
        ),
        (
            "See INA § 212(a)(2)(A)(i), (B), and (C).",
            [f"sec_1182__subsec_a__para_2__item_{item}" for item in ("a__item_i", "b", "c")],
        ),
        (
            "Under section 9(a)(1) or (3) of the Lamps Act he pays.",
            ["sec_9__subsec_a__para_1", "sec_9__subsec_a__para_3"],
        ),
        (
            "See 8 CFR §§ 214.2(h)(1) and (l)(2), 248.1(a) and (b).",
            [
                "sec_214.2__subsec_h__para_1",
                "sec_214.2__subsec_l__para_2",
                "sec_248.1__subsec_a",
                "sec_248.1__subsec_b",
            ],
        ),
        # the points of the sentence itself
        ("He shows (1) a lamp under 8 CFR 204.5(k)(1), and (2) oil.", ["sec_204.5__subsec_k__para_1"]),
        ("A keeper under 8 CFR 204.5(k)(3) and (b) pays.", ["sec_204.5__subsec_k__para_3"]),
    ],
)
def test_lists_of_paragraphs_of_one_section_of_a_code(text: str, expected: list[str]) -> None:
    assert eids("us", text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "gb",
            "See sections 5 and 6 of, and paragraphs 2 and 3 of Schedule 1 to, the Equality Act 2010.",
            ["sec_5", "sec_6", "sched_1__para_2", "sched_1__para_3"],
        ),
        (
            "gb",
            "See paragraphs 1(a) and (b) of Schedule 3 to the Equality Act 2010.",
            ["sched_3__para_1__item_a", "sched_3__para_1__item_b"],
        ),
        ("gb", "See Chapter 2 of Part 5 of the Equality Act 2010.", ["part_5__chp_2"]),
        ("gb", "See Equality Act 2010, Part 5, Chapter 2.", ["part_5__chp_2"]),
        ("gb", "See paragraph 2 of article 8 of Schedule 1 to the Human Rights Act 1998.", ["sched_1__art_8__para_2"]),
        ("gb", "See sections 12 to 14 inclusive of the Equality Act 2010.", ["sec_12", "sec_13", "sec_14"]),
        (
            "eu",
            "Articles 5 and 6, and point (f) of Article 9(2) GDPR apply.",
            ["art_5", "art_6", "art_9__subsec_2__item_f"],
        ),
    ],
)
def test_levels_stand_before_their_provision_inside_a_list_too(code: str, text: str, expected: list[str]) -> None:
    found = find(text, jurisdiction(code))
    assert [each.eid for each in found] == expected
    assert len({each.work_uri for each in found}) == 1
    assert all(each.work_uri for each in found)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "de",
            "Nach § 7 Abs. 2 Nr. 3 Buchst. a) und b), Abs. 4 BGB.",
            ["subsec_2__item_3__item_a", "subsec_2__item_3__item_b", "subsec_4"],
        ),
        ("de", "Nach § 7 Abs. 3 Nrn. 1 und 2, Abs. 4 UWG.", ["subsec_3__item_1", "subsec_3__item_2", "subsec_4"]),
        ("de", "Nach § 7 Abs. 3 Nr. 1 und 8 Abs. 4 UWG.", ["subsec_3__item_1", "8"]),
        ("ch", "Selon l'art. 7 al. 2 let. a) et b) CO.", ["subsec_2__item_a", "subsec_2__item_b"]),
        (
            "pl",
            "o których mowa w art. 7 pkt 1, 2 lit. a, pkt 3, 5 i 16 lit. b i c",
            ["item_1", "item_2__item_a", "item_3", "item_5", "item_16__item_b", "item_16__item_c"],
        ),
        ("cz", "(podle § 7 odst. 2 písm. a) zákona č. 89/2012 Sb.)", ["subsec_2__item_a"]),
        ("be", "Selon l'article 7, § 2, alinéa 1er, 2° et 3°, de la loi.", ["subsec_2__item_2", "subsec_2__item_3"]),
        ("be", "Volgens artikel 7, § 2, eerste lid, a) en b), van de wet.", ["subsec_2__item_a", "subsec_2__item_b"]),
        ("be", "Selon l'article 7, alinéa 2, du Code civil.", ["subsec_2"]),
        (
            "cl",
            "Según el artículo 7 inciso segundo, letras a) y b) del Código Civil.",
            ["subsec_2__item_a", "subsec_2__item_b"],
        ),
        ("uy", "Según el artículo 7, literales A) y B), de la Ley 31.210.", ["item_a", "item_b"]),
        ("ee", "Põhiseaduse § 7 lõike 2 punktidele 1 ja 3.", ["subsec_2__item_1", "subsec_2__item_3"]),
        ("lv", "Civillikuma 7. panta otrās daļas 1. un 3. punktu.", ["subsec_2__item_1", "subsec_2__item_3"]),
        ("fr", "Selon l'article 7, I, 2°, b) du code civil.", ["para_1__item_2__item_b"]),
        ("fr", "Le b) du 2° de l'article 7 du code civil.", ["item_2__item_b"]),
    ],
)
def test_a_bracket_behind_a_letter_and_a_comma_before_the_next_level(code: str, text: str, expected: list[str]) -> None:
    found = [eid or "" for eid in eids(code, text)]
    assert [eid.split("__", 1)[1] if eid.startswith(("sec_7__", "art_7__")) else eid[4:5] for eid in found] == expected


def test_the_bracket_of_a_remark_is_not_that_of_a_letter() -> None:
    for before in ("Das ist zu zahlen (", "a) eins, b) das (wie 3) ist zu zahlen (vgl. "):
        (found,) = find(f"{before}§ 7 Abs. 2 Buchst. a).", jurisdiction("de"))
        assert found.raw == "§ 7 Abs. 2 Buchst. a"


@pytest.mark.parametrize(
    ("code", "text", "work"),
    [
        (
            "gb",
            "Section 230(3) of the Employment Rights Act 1996 (ERA) is wide, and s 231 ERA is not.",
            "/akn/gb/act/ukpga/1996/18",
        ),
        ("gb", "The Equality Act 2010 (“the EA”) applies: section 9 of the EA is clear.", "/akn/gb/act/ukpga/2010/15"),
        (
            "eu",
            "Regulation (EU) 2031/7 (the Lamp Regulation – LR) applies. Article 5 LR is clear.",
            "/akn/eu/act/regulation/2031/7",
        ),
    ],
)
def test_an_abbreviation_that_the_text_defines_names_its_act(code: str, text: str, work: str) -> None:
    assert find(text, jurisdiction(code))[-1].work_uri == work


def test_an_abbreviation_of_an_authority_names_no_act() -> None:
    text = "Lamps are listed by the Lamp Office (LO). An appeal under section 5 to the LO is free."
    (found,) = find(text, jurisdiction("gb"), CitingDocument("/akn/gb/act/ukpga/2031/7"))
    assert (found.raw, found.work_uri) == ("section 5", "/akn/gb/act/ukpga/2031/7")


def test_an_abbreviation_that_the_text_does_not_define_names_nothing() -> None:
    (found,) = find("Under s 231 LQA he works.", jurisdiction("gb"))
    assert (found.raw, found.work_uri) == ("s 231", None)
    (_, article) = find("Regulation (EU) 2031/7 applies. Under Article 23 EU trust marks are free.", jurisdiction("eu"))
    assert article.raw == "Article 23"


@pytest.mark.parametrize(
    ("code", "entry", "cited"),
    [("eu", "point (a) of Article 1(2) and ", 1), ("gb", "section 5 and paragraph 2 of Schedule 1 and ", 2)],
)
def test_a_list_may_be_long(code: str, entry: str, cited: int) -> None:
    text = f"Under {entry * 2_000}section 7 of Regulation (EU) 2016/679 it is free."
    assert len(eids(code, text)) >= cited * 2_000


def test_a_row_of_levels_is_a_table_and_takes_linear_time() -> None:
    assert eids("be", "§ 1er, alinéa 2, " * 2_000) == []


@pytest.mark.parametrize(
    ("text", "eid"),
    [
        ("Under Pub. L. No. 131-5, § 101(a)(2), the keeper pays.", "sec_101__subsec_a__para_2"),
        ("Under Public Law 131-5, section 101, the keeper pays.", "sec_101"),
        ("Under section 101 of Pub. L. 131-5 the keeper pays.", "sec_101"),
        ("Under Pub. L. 131-5, 144 Stat. 21, the keeper pays.", None),
    ],
)
def test_a_section_of_a_public_law_is_cited_with_its_number(text: str, eid: str | None) -> None:
    found = list(find(text, jurisdiction("us")))
    assert (found[0].work_uri, found[0].eid) == ("/akn/us/act/pl/131/5", eid)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the sections of a list need not grow
        ("§§ 823 Abs. 1, 249 ff. BGB", ["sec_823__subsec_1", "sec_249"]),
        (
            "§§ 437 Nr. 3, 280 Abs. 1, 3, 281 Abs. 1 BGB",
            ["sec_437__item_3", "sec_280__subsec_1", "sec_280__subsec_3", "sec_281__subsec_1"],
        ),
        (
            "§§ 224 Abs. 1 Nr. 2 und Nr. 5, 22, 23 Abs. 1, 52 StGB",
            ["sec_224__subsec_1__item_2", "sec_224__subsec_1__item_5", "sec_22", "sec_23__subsec_1", "sec_52"],
        ),
        ("§§ 3, 4 Nr. 3, 5 Abs. 1 S. 2 Nr. 1 UWG", ["sec_3", "sec_4__item_3", "sec_5__subsec_1__item_1"]),
        ("§§ 8 Abs. 1, 3 Abs. 1, 3a UWG", ["sec_8__subsec_1", "sec_3__subsec_1", "sec_3a"]),
        # and numbers near that of the last level are of it
        ("§§ 280 Abs. 1, 3 BGB", ["sec_280__subsec_1", "sec_280__subsec_3"]),
        (
            "§ 5 Abs. 1 Nr. 2, 3 und Abs. 4 EStG",
            ["sec_5__subsec_1__item_2", "sec_5__subsec_1__item_3", "sec_5__subsec_4"],
        ),
        # "and the next one" without a full stop; a letter where the list goes on with the next letter
        ("§§ 119 f BGB", ["sec_119", "sec_120"]),
        ("§§ 312 f und 312 g BGB", ["sec_312f", "sec_312g"]),
        ("§ 312 f BGB", ["sec_312f"]),
    ],
)
def test_a_german_list_of_sections_with_levels(text: str, expected: list[str]) -> None:
    assert eids("de", f"Nach {text} haftet er.") == expected


def test_a_swiss_list_behind_the_word_for_one_article_goes_on_with_its_levels() -> None:
    assert eids("ch", "Nach Art. 716a Abs. 1 Ziff. 1 und 5 OR gilt es.") == [
        "art_716a__subsec_1__item_1",
        "art_716a__subsec_1__item_5",
    ]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("at", "Nach §§ 30 f MRG gilt es.", ["sec_30", "sec_31"]),
        ("at", "Nach §§ 4 bis 6 ABGB gilt es.", ["sec_4", "sec_5", "sec_6"]),
        ("ch", "Nach Art. 4 bis 6 OR gilt es.", ["art_4", "art_5", "art_6"]),
        ("no", "Etter straffeloven §§ 4 til 6 gjelder det.", ["sec_4", "sec_5", "sec_6"]),
        ("nl", "Zie de artikelen 4 tot en met 6 BW.", ["art_4", "art_5", "art_6"]),
        ("fr", "Vu les articles 4 à 6 du code civil.", ["art_4", "art_5", "art_6"]),
        (
            "at",
            "Nach § 147 Abs 1 Z 1 erster Fall, Abs 3 StGB gilt es.",
            ["sec_147__subsec_1__item_1", "sec_147__subsec_3"],
        ),
        ("no", "Etter arbeidsmiljøloven § 2 A-4 første ledd gjelder det.", ["sec_2a-4__subsec_1"]),
        ("nl", "Zie artikel 3.6ba, eerste lid, van het Vb 2000.", ["art_3.6ba__subsec_1"]),
        ("be", "Zie art. 5:153, § 1, WVV en art. XX.225, § 1, WER.", ["art_5-153__subsec_1", "art_xx.225__subsec_1"]),
        ("us", "See 41 U.S.C. §§ 8101-8103, and 15 U.S.C. § 78u-4.", ["sec_8101", "sec_8102", "sec_8103", "sec_78u-4"]),
        (
            "us",
            "See 15 U.S.C. §§ 1-3, 12–13 and 18a(b).",
            ["sec_1", "sec_2", "sec_3", "sec_12", "sec_13", "sec_18a__subsec_b"],
        ),
        ("us", "See 5 U.S.C. §§ 552a-552b.", ["sec_552a", "sec_552b"]),
        ("us", "See 20 U.S.C. §§ 107-107b.", ["sec_107", "sec_107a", "sec_107b"]),
        ("us", "See 16 U.S.C. §§ 1a-5, 1a-7.", ["sec_1a-5", "sec_1a-7"]),
        ("us", "See 42 U.S.C. §§ 2000e-2, 2000e-3.", ["sec_2000e-2", "sec_2000e-3"]),
        ("in", "Notice under sec 106 T.P. Act and Sec 111 of it.", ["sec_106", "sec_111"]),
    ],
)
def test_a_number_is_read_whole(code: str, text: str, expected: list[str]) -> None:
    assert eids(code, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "8 C.F.R. § 204.5(h)(3)(i)-(iii)",
            [f"sec_204.5__subsec_h__para_3__item_{numeral}" for numeral in ("i", "ii", "iii")],
        ),
        ("5 USC 553(b)-(d)", ["sec_553__subsec_b", "sec_553__subsec_c", "sec_553__subsec_d"]),
        (
            "section 203(b)(1)(A) through (C) of the INA",
            [f"sec_1153__subsec_b__para_1__item_{letter}" for letter in "abc"],
        ),
        (
            "8 U.S.C. §§ 1227(a)(2)(A)(iii), (B)(i)",
            ["sec_1227__subsec_a__para_2__item_a__item_iii", "sec_1227__subsec_a__para_2__item_b__item_i"],
        ),
        (
            "sections 237(a)(2) and 240A(b)(1) of the INA",
            ["sec_1227__subsec_a__para_2", "sec_1229b__subsec_b__para_1"],
        ),
        ("42 U.S.C. §§ 405(g) to 407", ["sec_405__subsec_g"]),
        ("sections 5 and 6 of Public Law 95-604", ["sec_5", "sec_6"]),
        ("sections 203(b) and 5 years later", ["sec_203__subsec_b"]),
        ("8 U.S.C. § 1153(b)(1)(A), (B) of the order", ["sec_1153__subsec_b__para_1__item_a"]),
    ],
)
def test_american_lists_and_ranges(text: str, expected: list[str]) -> None:
    assert eids("us", f"Under {text}, the keeper files.") == expected
