"""Schedules and their paragraphs, names of works in front of a provision, words for the work named before, and shared abbreviations."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_EQUALITY = "gb/act/ukpga/2010/15"
_RIGHTS = "gb/act/ukpga/1998/42"
_FINANCE = "gb/act/ukpga/2009/10"


def cited(code: str, text: str, document: CitingDocument | None = None) -> list[tuple[str, str | None, str | None]]:
    """(words, work without `/akn/`, eid) of the references in `text`."""
    return [
        (each.raw, (each.work_uri or "").removeprefix("/akn/") or None, each.eid)
        for each in find(text, jurisdiction(code), document)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "See paragraph 3 of Schedule 55 to the Finance Act 2009 and paragraph 4(1)(b) of that Schedule.",
            [
                ("paragraph 3 of Schedule 55 to the Finance Act 2009", _FINANCE, "sched_55__para_3"),
                ("paragraph 4(1)(b) of that Schedule", _FINANCE, "sched_55__para_4__subsec_1__para_b"),
            ],
        ),
        (
            "See Part 2 of Schedule 9 to the Equality Act 2010; paragraph 7 of that Part and paragraph 20 of that Schedule.",
            [
                ("Part 2 of Schedule 9 to the Equality Act 2010", _EQUALITY, "sched_9__part_2"),
                ("paragraph 7 of that Part", _EQUALITY, "sched_9__part_2__para_7"),
                ("paragraph 20 of that Schedule", _EQUALITY, "sched_9__para_20"),
            ],
        ),
        (
            "Under Sch 8 para 2 EqA 2010 it was a duty, as paras 16(1) and 22(3) say.",
            [
                ("Sch 8 para 2 EqA 2010", _EQUALITY, "sched_8__para_2"),
                ("paras 16(1)", _EQUALITY, "sched_8__para_16__subsec_1"),
                ("22(3)", _EQUALITY, "sched_8__para_22__subsec_3"),
            ],
        ),
        (
            "See Schedule 1, paragraph 1(a) and (b) to the Equality Act 2010.",
            [
                ("Schedule 1, paragraph 1(a)", _EQUALITY, "sched_1__para_1__item_a"),
                ("(b) to the Equality Act 2010", _EQUALITY, "sched_1__para_1__item_b"),
            ],
        ),
    ],
)
def test_paragraphs_are_of_the_schedule_cited_before(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert cited("gb", text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Under Sch 8 para 2 EqA 2010 it was a duty. As paras 16(1) and 22(3) say, it was not kept.",
        "Under Sch 8 para 2 EqA 2010 it was a duty: [2031] UKSC 7, paras 16(1) and 22(3).",
        "Under Sch 8 para 2 EqA 2010 it was a duty, as paras 16 and 22 say.",
    ],
)
def test_a_paragraph_is_not_of_a_schedule_of_another_sentence_nor_of_a_case(text: str) -> None:
    assert [eid for _, _, eid in cited("gb", text) if eid] == ["sched_8__para_2"]


def test_in_an_act_a_bare_paragraph_is_not_of_a_schedule_of_another_act() -> None:
    text = "Sch 8 para 2 EqA 2010 applies with paragraph 3(1)."
    document = CitingDocument("/akn/gb/act/ukpga/2031/5", "act", (("sec_1", 0, len(text)),))
    assert [eid for _, _, eid in cited("gb", text, document)] == ["sched_8__para_2"]


@pytest.mark.parametrize(
    ("code", "text", "eids"),
    [
        (
            "gb",
            "He paid under Schedule 3 of the Lease, paragraph 2(1), and section 4 of the Share Purchase Agreement.",
            [],
        ),
        ("gb", "See section 3 of the Transfer of Lamps Act 2031.", ["sec_3"]),
        ("gb", "The references in section 2(1) to a report of the court stand.", ["sec_2__subsec_1"]),
        ("no", "Se ekteskapsloven § 58 tredje ledd og § 4 i leiekontrakten.", ["sec_58__subsec_3"]),
        ("de", "Siehe BGB § 826 und § 5 Satz 2 des Mietvertrags.", ["sec_826"]),
    ],
)
def test_a_contract_is_no_law(code: str, text: str, eids: list[str]) -> None:
    assert [eid for _, _, eid in cited(code, text)] == eids


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("gb", "See EqA 2010, s 13; ibid, s 19(3).", ("ibid, s 19(3)", _EQUALITY, "sec_19__subsec_3")),
        ("gb", "See EqA 2010, s 13 (ibid s 19).", ("ibid s 19", _EQUALITY, "sec_19")),
        ("gb", "See EqA 2010, s 13, and sections 19 and 20 thereof.", ("20 thereof", _EQUALITY, "sec_20")),
        (
            "eu",
            "See Article 24 GDPR, read with recitals 74 and 76 thereof.",
            ("76 thereof", "eu/act/regulation/2016/679", "rec_76"),
        ),
        (
            "eu",
            "Voir l'article 2 de la directive 2001/29/CE et le considérant 33 de celle-ci.",
            ("considérant 33 de celle-ci", "eu/act/directive/2001/29", "rec_33"),
        ),
        (
            "fr",
            "Voir l'article 1240 du code civil et l'article 1241 de celui-ci.",
            ("article 1241 de celui-ci", "fr/act/code/code-civil", "art_1241"),
        ),
        ("us", "See 28 U.S.C. § 1331(a); id. § 1331(b).", ("id. § 1331(b)", "us/act/usc/t28/s1331", "sec_1331__subsec_b")),
        (
            "gb",
            "See EqA 2010, ss 13 and 14 and s 3(1)(b) of the HRA 1998, ss 6 to 7.",
            ("ss 6 to 7", _RIGHTS, "sec_7"),
        ),
    ],
)  # fmt: skip
def test_words_for_the_work_named_before(code: str, text: str, expected: tuple[str, str, str]) -> None:
    assert cited(code, text)[-1] == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "no",
            "Se utlendingsloven § 68, jf. § 70 første ledd, Grunnloven § 104 annet ledd.",
            [("§ 70 første ledd", "no/act/lov/2008-05-15/35", "sec_70__subsec_1")],
        ),
        (
            "dk",
            "Se straffelovens § 244, jf. § 247, stk. 1, lampelovens § 762.",
            [("§ 247, stk. 1", "dk/act/lta/1930/126", "sec_247__subsec_1")],
        ),
        ("de", "Siehe § 823 Abs. 1, BGB § 826.", [("BGB § 826", "de/act/bgb", "sec_826")]),
    ],
)
def test_a_name_behind_a_comma_and_directly_before_a_provision_is_of_that_provision(
    code: str, text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert set(expected) <= set(cited(code, text))


def test_a_list_behind_the_name_of_an_act_ends_before_an_entry_with_another_act() -> None:
    assert [(work, eid) for _, work, eid in cited("gb", "See HRA 1998, s 6 and s 3 of the Theft Act 1968.")] == [
        (_RIGHTS, "sec_6"),
        ("gb/act/ukpga/1968/60", "sec_3"),
    ]


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("Zie artikel 2 van de Opiumwet en artikel 3 Ow.", "nl/act/bwbr0001941"),
        ("Zie artikel 5.1 van de Omgevingswet en artikel 5.40 Ow.", "nl/act/bwbr0037885"),
        ("Zie artikel 5.40 Ow.", "nl/act/bwbr0037885"),
        ("Zie artikel 10 van de Pensioenwet en artikel 12, eerste lid, PW.", "nl/act/bwbr0020809"),
        ("Zie artikel 12, eerste lid, PW.", "nl/act/bwbr0015703"),
    ],
)
def test_of_several_works_with_one_abbreviation_the_one_that_the_text_names_is_meant(text: str, work: str) -> None:
    assert cited("nl", text)[-1][1] == work


def test_an_article_that_is_counted_by_chapters_is_not_of_a_work_whose_articles_are_not() -> None:
    text = "Op grond van artikel 8:72 Awb (artikel 8:75, eerste lid, juncto artikel 1 van het Besluit proceskosten bestuursrecht)."
    assert [(work, eid) for _, work, eid in cited("nl", text)] == [
        ("nl/act/bwbr0005537", "art_8-72"),
        ("nl/act/bwbr0005537", "art_8-75__subsec_1"),
        ("nl/act/bwbr0006358", "art_1"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See Article 5(3) of retained Regulation (EC) No 261/2004.", ("gb/act/eur/2004/261", "art_5__subsec_3")),
        ("See Article 4 of assimilated Regulation (EU) 2016/1011.", ("gb/act/eur/2016/1011", "art_4")),
        ("See Article 5(3) of Regulation (EC) No 261/2004.", ("eu/act/regulation/2004/261", "art_5__subsec_3")),
        ("See Article 6(1)(c) or, failing that, (f) UK GDPR.", ("gb/act/eur/2016/679", "art_6__subsec_1__para_f")),
        ("See section 1 of the Lamps Act 2031 and CPR 52.6(1) and Part 36.", ("gb/act/cpr", "part_36")),
        ("See the Insolvency (England and Wales) Rules 2016, rr 14.3–14.5.", ("gb/act/uksi/2016/1024", "rule_14.4")),
    ],
)
def test_forms_of_the_united_kingdom(text: str, expected: tuple[str, str]) -> None:
    assert expected in [(work, eid) for _, work, eid in cited("gb", text)]


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("See section 1 of the Planning Act (Northern Ireland) 2011.", "gb-nir/act/nia/2011/25"),
        ("See section 1 of the Planning Act (NI) 2011.", "gb-nir/act/nia/2011/25"),
        ("See Article 126(1) of the Employment Rights (NI) Order 1996.", "gb-nir/act/nisi/1996/1919"),
        ("See section 72 of the Agricultural Holdings (Scotland) Act 2003.", "gb-sct/act/asp/2003/11"),
        ("See section 1 of the Agriculture (Wales) Act 2023.", "gb-wls/act/asc/2023/4"),
        ("See section 5 of the Finance (No 2) Act 2015.", "gb/act/ukpga/2015/33"),
        ("See section 1 of the Party Wall etc Act 1996.", "gb/act/ukpga/1996/40"),
        ("See s 2 of the Occupiers' Liability (Scotland) Act 1960.", "gb/act/ukpga/eliz2/8-9/30"),
    ],
)
def test_acts_of_the_united_kingdom_are_known_by_name(text: str, work: str) -> None:
    assert [each for _, each, _ in cited("gb", text)] == [work]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("eu", "L'article 5, sous a) à c), et l'article 6 du RGPD.", ["art_5__item_a", "art_5__item_b", "art_5__item_c", "art_6"]),
        ("eu", "Les articles 2, sous a), et 5, paragraphe 1, du RGPD.", ["art_2__item_a", "art_5__subsec_1"]),
        ("nl", "Zie art. 14 UAVG en art. 5, onder a tot en met b, AVG.", ["art_14", "art_5__item_a", "art_5__item_b"]),
        ("eu", "Article 3(1) of, and Annex II to, Directive 2011/92/EU.", ["art_3__subsec_1", "sched_ii"]),
        ("eu", "Art. 4 Abs. 2 Buchst. a Ziffer ii DSGVO.", ["art_4__subsec_2__item_a__item_ii"]),
        ("no", "Se lov om straff (straffeloven) § 321.", ["sec_321"]),
        ("ch", "Art. 5 des Bundesgesetzes über die Mehrwertsteuer.", ["art_5"]),
    ],
)  # fmt: skip
def test_forms_of_other_countries(code: str, text: str, expected: list[str]) -> None:
    found = cited(code, text)
    assert [eid for _, _, eid in found] == expected
    assert None not in [work for _, work, _ in found]


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("See Joined Cases C-203/15 and C-698/15.", "Joined Cases C-203/15"),
        ("Se de förenade målen C-203/15 och C-698/15.", "förenade målen C-203/15"),
        ("Voir les affaires jointes C-203/15 et C-698/15.", "affaires jointes C-203/15"),
    ],
)
def test_joined_cases_are_cited_with_the_word_that_joins_them(text: str, raw: str) -> None:
    assert cited("eu", text)[0][0] == raw


def test_an_act_named_alone_does_not_make_subsections_those_of_another_act() -> None:
    text = "Lamps within the meaning of the Equality Act 2010 are exempt.\n(2) The duty under subsection (1) goes on."
    eids = ("sec_1", "sec_1__subsec_1", "sec_1__subsec_2")
    document = CitingDocument("/akn/gb/act/ukpga/2031/5", "act", tuple((eid, 0, len(text)) for eid in eids))
    assert cited("gb", text, document)[-1] == ("subsection (1)", "gb/act/ukpga/2031/5", "sec_1__subsec_1")
