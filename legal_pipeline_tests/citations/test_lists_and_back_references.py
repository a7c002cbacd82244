"""Drafting habits that several countries share: lists below a provision, ranges, words for the Act named before, bare numbers.

The sentences are our own. Not here: whole gold sets (`test_citation_gold`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

ZPO, UWG = "/akn/de/act/zpo", "/akn/de/act/uwg"
CPC = "/akn/in/act/1908/5"
GDPR, ECHR = "/akn/eu/act/regulation/2016/679", "/akn/coe/act/echr"


def cited(code: str, text: str) -> list[tuple[str, str | None, str | None]]:
    return [(found.raw, found.work_uri, found.eid) for found in find(text, jurisdiction(code))]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        # a word for several numbers of a level: the list stays on it, however far its numbers are apart
        (
            "eu",
            "See Article 2, points 17 and 22, of Regulation (EU) 2019/2088.",
            [("Article 2, points 17", "art_2__item_17"), ("22, of Regulation (EU) 2019/2088", "art_2__item_22")],
        ),
        (
            "eu",
            "Article 4, points (1) and (16), GDPR define both.",
            [("Article 4, points (1)", "art_4__item_1"), ("(16), GDPR", "art_4__item_16")],
        ),
        ("eu", "Art. 4 Nrn. 1 und 16 DSGVO", [("Art. 4 Nrn. 1", "art_4__item_1"), ("16 DSGVO", "art_4__item_16")]),
        # an article that holds sections, a half sentence, a remark between a section and the next, schedules
        ("de", "Nach Art. 229 § 5 Satz 1 EGBGB.", [("Art. 229 § 5 Satz 1 EGBGB", "art_229__sec_5")]),
        ("de", "Nach § 2 Abs. 1 S. 1, 2. Hs. UWG.", [("§ 2 Abs. 1 S. 1, 2. Hs. UWG", "sec_2__subsec_1")]),
        (
            "de",
            "Aus §§ 1004 Abs. 1 analog, 823 Abs. 1 BGB folgt das.",
            [("§§ 1004 Abs. 1 analog", "sec_1004__subsec_1"), ("823 Abs. 1 BGB", "sec_823__subsec_1")],
        ),
        (
            "de",
            "Stoffe der Anlagen I bis III BtMG.",
            [("Anlagen I bis III BtMG", eid) for eid in ("sched_i", "sched_ii", "sched_iii")],
        ),
        # a list goes on after the sentence of a paragraph, and numbers of articles grow
        (
            "ch",
            "Nach Art. 36 Abs. 1 erster Satz, 2 zweiter Satz und 3 BV.",
            [
                ("Art. 36 Abs. 1 erster Satz", "art_36__subsec_1"),
                ("2 zweiter Satz", "art_36__subsec_2"),
                ("3 BV", "art_36__subsec_3"),
            ],
        ),
        # titles with a part in brackets, the articles of a treaty in a schedule
        (
            "gb",
            "Under section 3 of the Harbour Dues (Scotland) Act 2007 it lapsed.",
            [("section 3 of the Harbour Dues (Scotland) Act 2007", "sec_3")],
        ),
        (
            "gb",
            "Under section 2 of the Harbour Dues Act (Northern Ireland) 1967 it is owed.",
            [("section 2 of the Harbour Dues Act (Northern Ireland) 1967", "sec_2")],
        ),
        (
            "gb",
            "As Part 2 of the Harbours (No. 2) Act 2015 says.",
            [("Part 2 of the Harbours (No. 2) Act 2015", "part_2")],
        ),
        # Acts that nothing is known of, named by their numbers: not provisions of the citing Act
        (
            "cl",
            "Según el artículo 4 de la ley Nº 18.701, y los artículos 5 y 6 del decreto supremo N° 12, de 2005.",
            [
                ("artículo 4 de la ley Nº 18.701", "art_4"),
                ("artículos 5", "art_5"),
                ("6 del decreto supremo N° 12, de 2005", "art_6"),
            ],
        ),
        ("ie", "Under section 21 of the No. 2 Act of 2013.", [("section 21 of the No. 2 Act of 2013", "sec_21")]),
        (
            "eu",
            "As Article 2 of the Annex to Recommendation 2003/999/EC says.",
            [("Article 2 of the Annex to Recommendation 2003/999/EC", "sched_1__art_2")],
        ),
        ("dk", "Jf. § 9, stk. 1, i lov om fyr og båker.", [("§ 9, stk. 1, i lov", "sec_9__subsec_1")]),
        ("ch", "Eingefügt durch Art. 3 der V des EFD vom 1. Mai 2031.", [("Art. 3 der V", "art_3")]),
        (
            "lu",
            "Selon l’article 2 de la loi modifiée du 25 mars 2031 fixant les phares.",
            [("article 2 de la loi modifiée du 25 mars 2031", "art_2")],
        ),
        (
            "be",
            "Vu l'article 5, 8° du décret du 7 mai 2031 relatif aux phares.",
            [("article 5, 8° du décret du 7 mai 2031", "art_5__item_8")],
        ),
        (
            "ie",
            "By section 4 of the Trespass against Lighthouses Acts 1867 to 1914.",
            [("section 4 of the Trespass against Lighthouses Acts 1867 to 1914", "sec_4")],
        ),
        (
            "gb",
            "Sch 1, Pt I, Art 8(2) of the Human Rights Act 1998",
            [("Sch 1, Pt I, Art 8(2) of the Human Rights Act 1998", "sched_1__part_i__art_8__item_2")],
        ),
        # a number behind a subsection is one more subsection, unless a level of its own follows it or the sign says that provisions do
        (
            "de",
            "Er haftet aus § 280 Abs. 1 und 3 BGB.",
            [("§ 280 Abs. 1", "sec_280__subsec_1"), ("3 BGB", "sec_280__subsec_3")],
        ),
        (
            "de",
            "Vgl. §§ 280 Abs. 1 und 3, 281 BGB.",
            [("§§ 280 Abs. 1", "sec_280__subsec_1"), ("3", "sec_280__subsec_3"), ("281 BGB", "sec_281")],
        ),
        (
            "de",
            "Vgl. Art. 9 Abs. 1 und 14 Abs. 1 GG.",
            [("Art. 9 Abs. 1", "art_9__subsec_1"), ("14 Abs. 1 GG", "art_14__subsec_1")],
        ),
        (
            "de",
            "Nach § 3 Abs. 1 Nr. 2 und 4 Nr. 1 UWG.",
            [("§ 3 Abs. 1 Nr. 2", "sec_3__subsec_1__item_2"), ("4 Nr. 1 UWG", "sec_3__subsec_4__item_1")],
        ),
        (
            "de",
            "Nach § 3 Nr. 7 Buchst. a und b UWG.",
            [("§ 3 Nr. 7 Buchst. a", "sec_3__item_7__item_a"), ("b UWG", "sec_3__item_7__item_b")],
        ),
        ("de", "Nach § 611 II 1 BGB schon nicht.", [("§ 611 II 1 BGB", "sec_611__subsec_2")]),
        # a numeral that ends like the abbreviation of an act
        ("de", "Wie Art. 28 IV GG zeigt.", [("Art. 28 IV GG", "art_28__subsec_4")]),
        (
            "se",
            "Enligt 3 § första stycket 1, andra eller tredje stycket semesterlagen.",
            [
                ("3 § första stycket 1", "sec_3__subsec_1__item_1"),
                ("andra", "sec_3__subsec_2"),
                ("tredje stycket semesterlagen", "sec_3__subsec_3"),
            ],
        ),
        (
            "se",
            "Se 8 § andra stycket a), b eller e–f semesterlagen.",
            [
                ("8 § andra stycket a), b eller e–f semesterlagen", f"sec_8__subsec_2__item_{letter}")
                for letter in "abef"
            ],
        ),
        ("se", "Se JB 4:19 och ÄB 7 a:2.", [("JB 4:19", "chp_4__sec_19"), ("ÄB 7 a:2", "chp_7a__sec_2")]),
        (
            "nl",
            "Vgl. art. 24 e.v. Rv en art. 332 (oud) Rv.",
            [("art. 24 e.v. Rv", "art_24"), ("art. 332 (oud) Rv", "art_332")],
        ),
        (
            "eu",
            "Selon les articles 13, paragraphe 2, et 14, paragraphe 2, du RGPD.",
            [("articles 13, paragraphe 2", "art_13__subsec_2"), ("14, paragraphe 2, du RGPD", "art_14__subsec_2")],
        ),
        (
            "lu",
            "Selon l'article 9, paragraphe 1er, points 2° et 3°, de la Constitution.",
            [
                ("article 9, paragraphe 1er, points 2°", "art_9__subsec_1__item_2"),
                ("3°, de la Constitution", "art_9__subsec_1__item_3"),
            ],
        ),
        ("ie", "Under s. 117 of the Succession Act, 1965.", [("s. 117 of the Succession Act, 1965", "sec_117")]),
        (
            "nl",
            "Zie art. 350 en 352 lid 1 onder 2° Sr.",
            [("art. 350", "art_350"), ("352 lid 1 onder 2° Sr", "art_352__subsec_1__item_2")],
        ),
        (
            "ch",
            "Vgl. Art. 59 Abs. 2 lit. a und c ZPO.",
            [("Art. 59 Abs. 2 lit. a", "art_59__subsec_2__item_a"), ("c ZPO", "art_59__subsec_2__item_c")],
        ),
        (
            "ch",
            "Giusta l'art. 319 lett. a e b CPP.",
            [("art. 319 lett. a", "art_319__item_a"), ("b CPP", "art_319__item_b")],
        ),
        (
            "no",
            "Jf. straffeloven § 77 bokstav a og bokstav c.",
            [("straffeloven § 77 bokstav a", "sec_77__item_a"), ("bokstav c", "sec_77__item_c")],
        ),
        (
            "eu",
            "Enligt artikel 9.2 g och j i GDPR.",
            [("artikel 9.2 g", "art_9__subsec_2__item_g"), ("j i GDPR", "art_9__subsec_2__item_j")],
        ),
        (
            "eu",
            "Points (b) and (d) of Article 5(1) GDPR.",
            [("Points (b)", "art_5__subsec_1__item_b"), ("(d) of Article 5(1) GDPR", "art_5__subsec_1__item_d")],
        ),
    ],
)
def test_each_entry_of_a_list_is_of_its_level(code: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert [(raw, eid) for raw, _, eid in cited(code, text)] == expected


@pytest.mark.parametrize(
    ("code", "text", "eids"),
    [
        ("gb", "By section 12(1) to (3) of the Bail Act 1976.", ["sec_12__subsec_1", "sec_12__subsec_2", "sec_12__subsec_3"]),
        ("gb", "See s 8(1)(a)–(c) of the Bail Act 1976.", [f"sec_8__subsec_1__para_{letter}" for letter in "abc"]),
        ("eu", "Points (d) to (f) of Article 9(2) GDPR.", [f"art_9__subsec_2__item_{letter}" for letter in "def"]),
        ("de", "Nach § 651 Abs. 2 bis 4 BGB.", ["sec_651__subsec_2", "sec_651__subsec_3", "sec_651__subsec_4"]),
        ("no", "Jf. straffeloven § 80 bokstav b til d.", [f"sec_80__item_{letter}" for letter in "bcd"]),
    ],
)  # fmt: skip
def test_a_range_is_one_stretch_with_all_that_it_names(code: str, text: str, eids: list[str]) -> None:
    found = cited(code, text)
    assert [eid for *_, eid in found] == eids
    assert len({raw for raw, *_ in found}) == 1


@pytest.mark.parametrize(
    ("code", "first", "then", "work", "eid"),
    [
        ("de", "§ 12 UWG gilt.", "Nach § 13 desselben Gesetzes nicht.", UWG, "sec_13"),
        ("ch", "Art. 641 ZGB gilt.", "Nach Art. 642 des genannten Gesetzes nicht.", "/akn/ch/act/24/233-245-233", "art_642"),
        ("ch", "L'art. 11 CO s'applique.", "L'art. 12 du même code aussi.", "/akn/ch/act/27/317-321-377", "art_12"),
        ("nl", "Artikel 4:8 Awb geldt.", "Artikel 4:9 van diezelfde wet niet.", "/akn/nl/act/bwbr0005537", "art_4-9"),
        ("no", "Tvisteloven § 20-2 gjelder.", "Lovens § 20-4 gjør ikke.", "/akn/no/act/lov/2005-06-17/90", "sec_20-4"),
        ("no", "Grannelova § 2 gjeld.", "§ 3 i same lov gjer ikkje.", "/akn/no/act/lov/1961-06-16/15", "sec_3"),
        ("gb", "The Bail Act 1976 applies.", "Section 4 of the 1976 Act is clear.", "/akn/gb/act/ukpga/1976/63", "sec_4"),
        ("gb", "Section 3 of the Bail Act 1976 applies.", "So does section 4 of that Act.", "/akn/gb/act/ukpga/1976/63", "sec_4"),
        ("eu", "L'article 4 du RGPD s'applique.", "L'article 5 du même règlement aussi.", GDPR, "art_5"),
        ("eu", "Artikel 4 AVG geldt.", "Artikel 5 van dezelfde verordening niet.", GDPR, "art_5"),
    ],
)  # fmt: skip
def test_words_for_the_act_named_before_mean_it_in_a_later_sentence(
    code: str, first: str, then: str, work: str, eid: str
) -> None:
    # a line does not begin with a provision's own number here
    found = cited(code, f"Hm. {first} Hm. {then}")
    assert found[-1][1:] == (work, eid)


@pytest.mark.parametrize(
    ("code", "text", "work"),
    [
        ("gb", "Time runs from damage (Limitation Act 1980, s 5); contrast s 11(4).", "/akn/gb/act/ukpga/1980/58"),
        ("gb", "Article 10(1) ECHR is engaged; so much for Art 10(2).", ECHR),
        ("de", "Nach § 3 UWG unlauter; vgl. auch § 4 Nr. 4.", UWG),
        ("de", "Nach § 3 UWG unlauter und laut M. Leuchter auch nach § 4 Nr. 4.", UWG),  # an initial
        ("nl", "Zie art. 23 WOR; over het beroep art. 26 lid 2.", "/akn/nl/act/bwbr0002747"),
        ("no", "Tvl. § 20-2 gjelder, jf. også § 20-8.", "/akn/no/act/lov/2005-06-17/90"),
        (
            "in",
            "Notice under Section 80 of the Code of Civil Procedure was waived, and Section 79 was not pleaded.",
            CPC,
        ),
        (
            "in",
            "Relief under S. 31 of the Specific Relief Act was refused, none under S. 34 being asked.",
            "/akn/in/act/1963/47",
        ),
        ("se", "Av 36 § avtalslagen följer inget annat, jfr även 33 §.", "/akn/se/act/sfs/1915/218"),
    ],
)
def test_a_bare_number_is_of_the_act_that_the_sentence_has_named(code: str, text: str, work: str) -> None:
    assert [found[1] for found in cited(code, text) if found[2]] == [work] * 2


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Nach § 97 ZPO ist zu entscheiden. Der Kläger beruft sich auf § 4."),  # another sentence
        ("de", "Nach § 97 ZPO und § 4 VOB/B ist zu entscheiden."),  # an abbreviation that is not known
        ("de", "Nach § 97 ZPO und Art. 4 ist zu entscheiden."),  # of an Act with articles
        ("ch", "Nach Art. 8 ZGB und Art. 4 des Reglementes ist zu entscheiden."),
        # an Act that no table has, named between
        (
            "in",
            "Under Section 31 of the Specific Relief Act the deed fell, the Village Wells Act notwithstanding, and Section 9 too.",
        ),
        ("in", "Section 31 of the Specific Relief Act was pleaded. The tenant relied on Section 9."),
        # an Act whose sections are counted by chapters
        ("se", "Av 36 § avtalslagen följer detta, jfr 3 kap. 2 §."),
        ("se", "Enligt 36 § avtalslagen och 4 § brunnslagen gäller detta, jfr 7 §."),
    ],
)
def test_a_bare_number_is_not_of_an_act_that_it_cannot_be_of(code: str, text: str) -> None:
    assert cited(code, text)[-1][1] is None or len(cited(code, text)) == 1


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Nach § 3 der Hausordnung und § 9 Abs. 2 unseres Vertrags schuldet er 3,50 € bis 14.30 Uhr."),
        ("nl", "Artikel 4 van de algemene voorwaarden geldt; hij betaalde € 1.250,- aan de Kerkstraat 12 om 8.30 uur."),
        ("no", "Etter § 4 i leiekontrakten betalte hun 1 250,50 kroner kl. 10.30 i Storgata 12."),
        ("gb", "He paid £3.20 at 3.15 pm under clause 4.2 and schedule 3 to the lease of 12 Section Street."),
        ("ch", "Selon l'art. 6 du contrat, le loyer de 1'250 fr. est dû à 14 h 15, rue du Lac 5."),
    ],
)
def test_contracts_prices_times_and_addresses_are_not_cited(code: str, text: str) -> None:
    assert cited(code, f"Hm. {text}") == []


def test_the_convention_counts_paragraphs_with_the_words_for_points() -> None:
    assert cited("ch", "Vgl. Art. 5 Ziff. 3 EMRK.") == [("Art. 5 Ziff. 3 EMRK", ECHR, "art_5__subsec_3")]
    assert cited("no", "Jf. EMK art. 5 nr. 3.") == [("EMK art. 5 nr. 3", ECHR, "art_5__subsec_3")]
    assert cited("no", "Jf. GDPR art. 5 nr. 1 bokstav c.") == [
        ("GDPR art. 5 nr. 1 bokstav c", GDPR, "art_5__subsec_1__item_c")
    ]
    assert cited("de", "Vgl. Art. 4 Nr. 7 DSGVO.") == [("Art. 4 Nr. 7 DSGVO", GDPR, "art_4__item_7")]


def test_an_unknown_act_is_what_the_text_then_calls_the_same() -> None:
    text = "Etter straffeloven § 1 og etter rømlingsloven §§ 2 og 3 gjelder § 4 og samme lov § 5."
    assert [work for _, work, _ in cited("no", text)] == ["/akn/no/act/lov/2005-05-20/28", None, None, None, None]


def test_in_an_act_a_bare_number_is_its_own() -> None:
    text = "Hm. Nach § 97 ZPO und § 2 ist zu verfahren."
    law = CitingDocument("/akn/de/act/xyz", "act", (("sec_1", 0, len(text)), ("sec_2", len(text), len(text))))
    found = find(text, jurisdiction("de"), law)
    assert [(one.work_uri, one.eid) for one in found] == [(ZPO, "sec_97"), ("/akn/de/act/xyz", "sec_2")]


def within(code: str, text: str, kind: str = "art") -> list[tuple[str, str]]:
    """What `text` cites of its own provision, which has four subsections, the second with letters a to c."""
    eids = [f"{kind}_4", *(f"{kind}_4__subsec_{number}" for number in range(1, 5))]
    eids[3:3] = [f"{kind}_4__subsec_2__para_{letter}" for letter in "abc"]
    law = CitingDocument("/akn/xx/act/own", "act", tuple((eid, 0, len(text)) for eid in eids))
    found = find(text, jurisdiction(code), law)
    return [(one.raw, str(one.eid)) for one in found if one.work_uri == "/akn/xx/act/own"]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "de",
            "Der Antrag nach Absatz 1 und die Unterlagen nach Absatz 2 Buchstabe b sind vorzulegen.",
            [("Absatz 1", "subsec_1"), ("Absatz 2 Buchstabe b", "subsec_2__para_b")],
        ),
        ("de", "Die Absätze 2 und 3 gelten nicht.", [("Absätze 2", "subsec_2"), ("3", "subsec_3")]),
        ("nl", "In afwijking van het eerste lid beslist de raad.", [("eerste lid", "subsec_1")]),
        ("no", "Kongen kan gi regler om annet ledd.", [("annet ledd", "subsec_2")]),
        ("ch", "Sous réserve de l'alinéa 3, le canton statue.", [("alinéa 3", "subsec_3")]),
        ("eu", "The list in paragraph 2(a) shall be public.", [("paragraph 2(a)", "subsec_2__para_a")]),
        (
            "eu",
            "Nach Absatz 2 Buchstabe c dieses Artikels.",
            [("Absatz 2 Buchstabe c dieses Artikels", "subsec_2__para_c")],
        ),
    ],
)
def test_a_level_without_a_provision_is_of_the_provision_that_contains_it(
    code: str, text: str, expected: list[tuple[str, str]]
) -> None:
    assert within(code, f"Hm. {text}") == [(raw, f"art_4__{below}") for raw, below in expected]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Nach Absatz 9 ist nichts geregelt."),
        ("de", "Nach Absatz 2 des Mietvertrags und § 280 Absatz 1 BGB haftet er."),
        ("nl", "Volgens het tweede lid van de overeenkomst betaalt hij."),
        ("no", "Etter annet ledd i avtalen betaler han."),
        ("eu", "Paragraph 2 of the Protocol applies."),
    ],
)
def test_a_level_of_something_else_or_one_that_is_not_there_is_not_of_that_provision(code: str, text: str) -> None:
    assert within(code, f"Hm. {text}") == []


def test_outside_documents_a_level_without_a_provision_is_not_cited() -> None:
    assert cited("de", "Vgl. Absatz 2 Satz 1.") == []


def test_a_smaller_number_with_a_paragraph_after_a_point_is_an_article() -> None:
    found = cited("eu", "Vgl. Art. 4 Nr. 7, 6 Abs. 1 und 9 DSGVO.")
    assert [eid for _, _, eid in found] == ["art_4__item_7", "art_6__subsec_1", "art_9"]
    assert {work for _, work, _ in found} == {GDPR}


def test_dutch_leden_are_paragraphs_and_swedish_leden_are_points() -> None:
    assert [eid for _, _, eid in cited("eu", "Zie artikel 12, leden 3 en 4, AVG.")] == [
        "art_12__subsec_3",
        "art_12__subsec_4",
    ]
    assert [eid for _, _, eid in cited("eu", "Se artikel 6.1 leden a och b i dataskyddsförordningen.")][:1] == [
        "art_6__subsec_1__item_a"
    ]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "in",
            "Leave under S. 31 of the Specific Relief Act was sought; clause (a) thereof and the said section were read out.",
            [("clause (a) thereof", "sec_31__para_a"), ("the said section", "sec_31")],
        ),
        (
            "in",
            "Section 79(1) of the Code of Civil Procedure applies. Sub-section (2) thereof does not, nor does Section 80(4) thereof.",
            [("Sub-section (2) thereof", "sec_79__subsec_2"), ("Section 80(4) thereof", "sec_80__subsec_4")],
        ),
        (
            "se",
            "Avtalet strider mot 33 § första stycket avtalslagen. Andra stycket i samma paragraf och nämnda lagrum är tydliga.",
            [("Andra stycket i samma paragraf", "sec_33__subsec_2"), ("nämnda lagrum", "sec_33")],
        ),
        (
            "se",
            "Han döms enligt skadeståndslagens 2 kap. 1 §. Se även lagens 3 kap. 5 § och 6 kap. 1 § i sagda lag.",
            [("lagens 3 kap. 5 §", "chp_3__sec_5"), ("6 kap. 1 § i sagda lag", "chp_6__sec_1")],
        ),
    ],
)
def test_words_for_the_provision_or_act_cited_before_mean_it(
    code: str, text: str, expected: list[tuple[str, str]]
) -> None:
    first, *found = cited(code, text)
    assert [(raw, eid) for raw, _, eid in found] == expected
    assert {work for _, work, _ in found} == {first[1]}


@pytest.mark.parametrize(
    ("code", "text", "raw", "eid"),
    [
        (
            "in",
            "Leave under S. 31 of the Specific Relief Act was refused in (1950) 2 SCC 12; the said section was read out.",
            "the said section",
            "sec_31",
        ),
        (
            "se",
            "Avtalet strider mot 33 § avtalslagen (se NJA 1999 s. 12). Andra stycket i samma paragraf är tydligt.",
            "Andra stycket i samma paragraf",
            "sec_33__subsec_2",
        ),
    ],
)
def test_a_case_cited_between_them_does_not_part_these_words_from_their_provision(
    code: str, text: str, raw: str, eid: str
) -> None:
    (_, work, _), _, last = cited(code, text)
    assert last == (raw, work, eid)


def test_the_provision_cited_before_is_of_the_same_paragraph_and_no_work_is_named_after_it() -> None:
    assert [eid for *_, eid in cited("se", "Enligt 33 § avtalslagen.\nAndra stycket gäller.")] == ["sec_33"]
    assert [eid for *_, eid in cited("se", "Av 33 § avtalslagen och köplagen. Andra stycket.")] == ["sec_33", None]


def test_a_swedish_text_gives_an_act_a_short_name_and_the_noun_alone_means_the_act_named_last() -> None:
    text = "Enligt lagen (2031:7) om brunnar (brunnslagen) krävs lov. Se 3 § brunnslagen, 4 § lagen och 5 § lagen om stegar."
    assert [work for _, work, _ in cited("se", text)] == [*["/akn/se/act/sfs/2031/7"] * 3, None]
    text = "Av brunnslagen (2031:7) följer detta. Se 3 § brunnslagen, 2 § stegförordningen (2031:8) och 4 § stegförordningen."
    assert [work for _, work, _ in cited("se", text)] == [
        *["/akn/se/act/sfs/2031/7"] * 2,
        *["/akn/se/act/sfs/2031/8"] * 2,
    ]


def test_each_entry_of_a_list_is_of_the_act_after_the_list() -> None:
    text = "He relied on Section 80 of the Code of Civil Procedure, and on Section 31 or Section 34 of the Specific Relief Act."
    assert [work for _, work, _ in cited("in", text)] == [CPC, *["/akn/in/act/1963/47"] * 2]
    text = (
        "Contrary to s. 4 of the Bail Act 1997, and to s. 3 or, in the alternative, s. 2 of the Defamation Act, 2009."
    )
    works = [work for _, work, _ in cited("ie", text)]
    assert works == ["/akn/ie/act/1997/16", *["/akn/ie/act/2009/31"] * 2]


def test_a_judgment_names_a_provision_with_its_act_once() -> None:
    text = "Notice under Section 80 of the Code of Civil Procedure was given.\nThe court below held Section 80 to be mandatory."
    judgment = CitingDocument("/akn/in/judgment/insc/2031/4", "judgment")
    assert [found.work_uri for found in find(text, jurisdiction("in"), judgment)] == [CPC] * 2
    # named with two Acts: neither is certain
    text = f"Section 80 of the Companies Act, 2013 differs. {text}"
    assert find(text, jurisdiction("in"), judgment)[-1].work_uri is None
