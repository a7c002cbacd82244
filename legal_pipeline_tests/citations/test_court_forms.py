"""Forms that judgments and opinions of single countries print: rules of court, short Acts, sections of a constitution.

The sentences are our own. Not here: whole gold sets (`test_citation_gold`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction


def cited(code: str, text: str) -> list[tuple[str, str | None, str | None]]:
    uris = f"/akn/{code}/"
    return [(i.raw, i.work_uri and i.work_uri.removeprefix(uris), i.eid) for i in find(text, jurisdiction(code))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The motion under O. 19, r. 28(1) RSC failed; Order 99, rules 2 and 3 of the Rules of the Superior Courts govern costs.",
            [
                ("O. 19, r. 28(1) RSC", "act/rsc", "order_19__rule_28__subsec_1"),
                ("Order 99, rules 2", "act/rsc", "order_99__rule_2"),
                ("3 of the Rules of the Superior Courts", "act/rsc", "order_99__rule_3"),
            ],
        ),
        (
            "It came under Order 30 of the Circuit Court Rules 2001.",
            [("Order 30 of the Circuit Court Rules 2001", None, "order_30")],
        ),
        (
            "See Article 40.3.1° and Article 38.1 of the Constitution.",
            [
                ("Article 40.3.1°", "act/1937/constitution", "art_40__subsec_3__para_1"),
                ("Article 38.1 of the Constitution", "act/1937/constitution", "art_38__subsec_1"),
            ],
        ),
        (
            "The Bail Act 1997 applies. By s. 2 of the Act of 1997, and ss 3 and 4 of the 1997 Act, it failed.",
            [
                ("Bail Act 1997", "act/1997/16", None),
                ("s. 2 of the Act of 1997", "act/1997/16", "sec_2"),
                ("ss 3", "act/1997/16", "sec_3"),
                ("4 of the 1997 Act", "act/1997/16", "sec_4"),
            ],
        ),
        (
            "By section 3(1) of the Fisheries (Eels) Act 1999 (No. 22 of 1999), "
            "reg. 4 of the Eel (Size) Regulations 2011 (S.I. No. 7 of 2011).",
            [
                ("section 3(1) of the Fisheries (Eels) Act 1999 (No. 22 of 1999)", "act/1999/22", "sec_3__subsec_1"),
                ("reg. 4 of the Eel (Size) Regulations 2011 (S.I. No. 7 of 2011)", "act/si/2011/7", "reg_4"),
            ],
        ),
        (
            "See S.I. 15/1986 and SI No 335 of 2011.",
            [("S.I. 15/1986", "act/si/1986/15", None), ("SI No 335 of 2011", "act/si/2011/335", None)],
        ),
        (
            "[1999] 4 I.R. 343 and [1965] IR 294",
            [("[1999] 4 I.R. 343", "judgment/ir/1999/4/343", None), ("[1965] IR 294", "judgment/ir/1965/294", None)],
        ),
        ("The defendant's 12 witnesses and the plaintiffs’ 3 were heard.", []),
    ],
)
def test_ireland(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert cited("ie", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "He applied under Order XXXIX Rules 1 and 2 CPC and under Order VII Rule 11(a) and (d).",
            [
                ("Order XXXIX Rules 1", "act/1908/5", "order_xxxix__rule_1"),
                ("2 CPC", "act/1908/5", "order_xxxix__rule_2"),
                ("Order VII Rule 11(a)", "act/1908/5", "order_vii__rule_11__para_a"),
                ("(d)", "act/1908/5", "order_vii__rule_11__para_d"),
            ],
        ),
        ("See Rule 97 of Order XXI CPC.", [("Rule 97 of Order XXI CPC", "act/1908/5", "order_xxi__rule_97")]),
        (
            "Charged under Section 420, 467 and 471 of the IPC.",
            [
                ("Section 420", "act/1860/45", "sec_420"),
                ("467", "act/1860/45", "sec_467"),
                ("471 of the IPC", "act/1860/45", "sec_471"),
            ],
        ),
        ("Under Section 34, 2 persons were charged.", [("Section 34", None, "sec_34")]),
        (
            "Convicted under Section 302 r/w 34 IPC and Section 143(3) r.w.s. 147 of the Income Tax Act.",
            [
                ("Section 302", "act/1860/45", "sec_302"),
                ("34 IPC", "act/1860/45", "sec_34"),
                ("Section 143(3)", "act/1961/43", "sec_143__subsec_3"),
                ("147 of the Income Tax Act", "act/1961/43", "sec_147"),
            ],
        ),
        (
            "The Arbitration and Conciliation Act, 1996 governs. Section 34(3) of the 1996 Act and s. 5 of the Act of 1996 differ.",
            [
                ("Arbitration and Conciliation Act, 1996", "act/1996/26", None),
                ("Section 34(3) of the 1996 Act", "act/1996/26", "sec_34__subsec_3"),
                ("s. 5 of the Act of 1996", "act/1996/26", "sec_5"),
            ],
        ),
        (
            "See (2010) 2 Supreme Court Cases 141.",
            [("(2010) 2 Supreme Court Cases 141", "judgment/scc/2010/2/141", None)],
        ),
    ],
)
def test_india(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert cited("in", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Selon l'article 1649 quater B du CGI.", [("article 1649 quater B du CGI", "cgi", "art_1649quaterb")]),
        (
            "Selon l'article 199 terdecies-0 A du CGI.",
            [("article 199 terdecies-0 A du CGI", "cgi", "art_199terdecies-0a")],
        ),
        ("Selon l'article 1147 ancien du code civil.", [("article 1147 ancien du code civil", "civil", "art_1147")]),
        (
            "Vu le 2e alinéa de l'article 9 du code civil.",
            [("2e alinéa de l'article 9 du code civil", "civil", "art_9__subsec_2")],
        ),
        (
            "Les 1° et 2° de l'article 5 du code civil.",
            [("1°", "civil", "art_5__item_1"), ("2° de l'article 5 du code civil", "civil", "art_5__item_2")],
        ),
        (
            "Selon l'article L. 442-1, II, 3° du code civil.",
            [("article L. 442-1, II, 3° du code civil", "civil", "art_l442-1__para_2__item_3")],
        ),
        ("Au II de l'article 16 du code civil.", [("II de l'article 16 du code civil", "civil", "art_16__para_2")]),
    ],
)
def test_france(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    codes = {"act/code/code-general-des-impots": "cgi", "act/code/code-civil": "civil"}
    assert [(raw, codes.get(work or ""), eid) for raw, work, eid in cited("fr", text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Se 12:46 JB och RF 2 kap. 12 §.",
            [
                ("12:46 JB", "act/sfs/1970/994", "chp_12__sec_46"),
                ("RF 2 kap. 12 §", "act/sfs/1974/152", "chp_2__sec_12"),
            ],
        ),
        (
            "Se 12 kap. 2 § första stycket b jordabalken och 1 § 3 p. ÄktB.",
            [
                ("12 kap. 2 § första stycket b jordabalken", "act/sfs/1970/994", "chp_12__sec_2__subsec_1__item_b"),
                ("1 § 3 p. ÄktB", "act/sfs/1987/230", "sec_1__item_3"),
            ],
        ),
        (
            "Se 2 § 1 och 2 styckena LAS.",
            [
                ("2 § 1", "act/sfs/1982/80", "sec_2__subsec_1"),
                ("2 styckena LAS", "act/sfs/1982/80", "sec_2__subsec_2"),
            ],
        ),
        (
            "Se artikel 6.1 i Europakonventionen, artikel 101 FEUF och artikel 6.1 f i dataskyddsförordningen.",
            [
                ("artikel 6.1 i Europakonventionen", "/akn/coe/act/echr", "art_6__subsec_1"),
                ("artikel 101 FEUF", "/akn/eu/act/tfeu", "art_101"),
                (
                    "artikel 6.1 f i dataskyddsförordningen",
                    "/akn/eu/act/regulation/2016/679",
                    "art_6__subsec_1__item_f",
                ),
            ],
        ),
        ("Se HFD 2013 not. 30.", [("HFD 2013 not. 30", "judgment/hfd/2013/not-30", None)]),
    ],
)
def test_sweden(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert cited("se", text) == expected


def test_an_act_of_a_year_is_the_act_named_before() -> None:
    text = "The Limitation Act 1980 applies. See s 33 of the Act of 1980 and s 11 of the 1980 Act."
    assert [(raw, eid) for raw, work, eid in cited("gb", text) if work == "act/ukpga/1980/58"][1:] == [
        ("s 33 of the Act of 1980", "sec_33"),
        ("s 11 of the 1980 Act", "sec_11"),
    ]


def test_scottish_reports_print_the_year_without_brackets() -> None:
    text = "Compare 1932 SC (HL) 31 and 2012 SLT 1061 at 1070 with 2007 GWD 14-286; the fee in 2012 SC was 31."
    assert [(raw, work) for raw, work, _ in cited("gb", text)] == [
        ("1932 SC (HL) 31", "judgment/sc-hl/1932/31"),
        ("2012 SLT 1061", "judgment/slt/2012/1061"),
        ("2007 GWD 14-286", "judgment/gwd/2007/14-286"),
    ]


@pytest.mark.parametrize(
    ("text", "section", "eid"),
    [
        ("Treas. Reg. § 1.482-1(b)(1)", "p1/s1.482-1", "sec_1.482-1__subsec_b__para_1"),
        ("Treasury Regulation section 301.7701-3(a)", "p301/s301.7701-3", "sec_301.7701-3__subsec_a"),
        ("Temp. Treas. Reg. § 1.469-5T(a)(3)", "p1/s1.469-5t", "sec_1.469-5t__subsec_a__para_3"),
        ("26 C.F.R. § 1.401(k)-1(a)(2)", "p1/s1.401-k-1", "sec_1.401-k-1__subsec_a__para_2"),
    ],
)
def test_treasury_regulations_are_of_title_26(text: str, section: str, eid: str) -> None:
    (found,) = find(f"The fee is not income ({text}).", jurisdiction("us"))
    assert (found.work_uri, found.eid) == (f"us/cfr/t26/{section}", eid)


_PROTOCOL = "/akn/coe/act/echr/protocol-"


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("gb", "It is a right under Article 2 of Protocol No 4 to the European Convention on Human Rights.", [("4", "art_2")]),
        ("gb", "Their quiet use of the pier is within Article 1 of the First Protocol to the ECHR.", [("1", "art_1")]),
        ("gb", "It was said to be in breach of Article 1, Protocol 1.", [("1", "art_1")]),
        ("de", "Das folgt aus Art. 4 des 7. Zusatzprotokolls zur EMRK und aus Art. 1 ZP 1 EMRK.", [("7", "art_4"), ("1", "art_1")]),
        ("de", "Das folgt aus Art. 1 des Ersten Zusatzprotokolls zur EMRK.", [("1", "art_1")]),
        ("fr", "Il invoque l'article 1er du premier protocole additionnel à la CEDH.", [("1", "art_1")]),
        ("fr", "Selon le protocole n° 7 à la Convention européenne des droits de l'homme, article 4", [("7", "art_4")]),
        ("coe", "Il y a eu violation de l’article 1 du Protocole n° 1.", [("1", "art_1")]),
        ("nl", "Dat volgt uit artikel 1 van het Eerste Protocol bij het EVRM.", [("1", "art_1")]),
        ("eu", "Det följer av artikel 1 i första tilläggsprotokollet till Europakonventionen.", [("1", "art_1")]),
    ],
)  # fmt: skip
def test_an_article_of_a_protocol_is_not_one_of_the_convention(
    code: str, text: str, expected: list[tuple[str, str]]
) -> None:
    found = find(text, jurisdiction(code))
    assert [(item.work_uri, item.eid) for item in found] == [(_PROTOCOL + number, eid) for number, eid in expected]


@pytest.mark.parametrize("code", ["coe", "gb"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "There was a breach of Articles 8 and 14 and of Article 1 of Protocol No. 1.",
            [("", "art_8"), ("", "art_14"), ("1", "art_1")],
        ),
        (
            "He relies on Articles 2 and 3 of Protocol No. 4 and Article 8.",
            [("4", "art_2"), ("4", "art_3"), ("", "art_8")],
        ),
        (
            "He relies on Protocol No. 4, Article 2 and Article 3.",
            [("4", "art_2"), ("4", "art_3")],
        ),
        (
            "He relies on Article 6 § 3 (c) and (d) of the Convention.",
            [("", "art_6__subsec_3__para_c"), ("", "art_6__subsec_3__para_d")],
        ),
    ],
)
def test_beside_a_protocol_articles_are_those_of_the_convention(
    code: str, text: str, expected: list[tuple[str, str]]
) -> None:
    found = find(text, jurisdiction(code))
    uris = [f"{_PROTOCOL}{number}" if number else "/akn/coe/act/echr" for number, _ in expected]
    assert [(item.work_uri, item.eid) for item in found] == list(zip(uris, [eid for _, eid in expected], strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A keeper shall act as section 2-102(a) of this code says.", [("section 2-102(a)", "sec_2-102__subsec_a")]),
        (
            "A permit under §§ 9.04.030 and 9.04.040 is void.",
            [("§§ 9.04.030", "sec_9.04.030"), ("9.04.040", "sec_9.04.040")],
        ),
        (
            "It is subject to sections 1-101, 1-102(a) and (b), and 1-103 of the Lamp Code.",
            [
                ("sections 1-101", "sec_1-101"),
                ("1-102(a)", "sec_1-102__subsec_a"),
                ("(b)", "sec_1-102__subsec_b"),
                ("1-103 of the Lamp Code", "sec_1-103"),
            ],
        ),
        (
            "See Sec. 17.10A.010 and § 9-204.03a.",
            [("Sec. 17.10A.010", "sec_17.10a.010"), ("9-204.03a", "sec_9-204.03a")],
        ),
        ("It was formerly (1981 Ed., § 46-101; Code 1964, § 5-1) elsewhere; see sections 10-12.", []),
    ],
)
def test_a_section_of_the_code_of_a_state_or_city_has_a_number_of_several_parts(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(raw, eid) for raw, _, eid in cited("us", text)] == expected


def test_a_section_of_a_code_whose_sections_are_documents_is_the_document_with_its_number() -> None:
    citing = CitingDocument("/akn/us-dc/act/code/51-101", "act", [("sec_51-101", 0, 60)])
    found = find("The fee of § 51-104(i) is due as § 51-101(b) says.", jurisdiction("us"), citing)
    assert [(item.work_uri, item.eid) for item in found] == [
        ("/akn/us-dc/act/code/51-104", "sec_51-104__subsec_i"),
        ("/akn/us-dc/act/code/51-101", "sec_51-101__subsec_b"),
    ]
