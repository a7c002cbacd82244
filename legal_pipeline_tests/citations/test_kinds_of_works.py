"""Works by the nouns of their kinds, kinds in short, works said behind the next provision, paragraphs without numbers, dockets, books.

The sentences are our own. Not here: lists and ranges (`test_lists_and_back_references`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

GDPR, TFEU, ECHR = "/akn/eu/act/regulation/2016/679", "/akn/eu/act/tfeu", "/akn/coe/act/echr"
BGB, KSCHG = "/akn/de/act/bgb", "/akn/de/act/kschg"
SALES = "/akn/eu/act/directive/2019/771"


def cited(code: str, text: str, document: CitingDocument | None = None) -> list[tuple[str, str | None, str | None]]:
    return [(found.raw, found.work_uri, found.eid) for found in find(text, jurisdiction(code), document)]


@pytest.mark.parametrize(
    ("code", "text", "raw", "work", "eid"),
    [
        ("eu", "Vgl. Art. 7 Abs. 1 RL 2019/771.", "Art. 7 Abs. 1 RL 2019/771", SALES, "art_7__subsec_1"),
        ("eu", "Vgl. Art. 5 VO (EU) 2016/679.", "Art. 5 VO (EU) 2016/679", GDPR, "art_5"),
        ("eu", "Vgl. Art. 2 DelVO (EU) 2019/815.", "Art. 2 DelVO (EU) 2019/815", "/akn/eu/act/regulation/2019/815", "art_2"),
        ("eu", "Zie art. 7 Rl. 2019/771/EU.", "art. 7 Rl. 2019/771/EU", SALES, "art_7"),
        ("eu", "Cfr. l'art. 7 dir. 2019/771/UE.", "art. 7 dir. 2019/771/UE", SALES, "art_7"),
        ("eu", "See Art 7 Dir 2019/771.", "Art 7 Dir 2019/771", SALES, "art_7"),
        ("eu", "Por art. 7 ust. 1 dyrektywy (UE) 2019/771.", "art. 7 ust. 1 dyrektywy (UE) 2019/771", SALES, "art_7__subsec_1"),
        ("eu", "Podle čl. 7 odst. 1 směrnice (EU) 2019/771.", "čl. 7 odst. 1 směrnice (EU) 2019/771", SALES, "art_7__subsec_1"),
        ("eu", "Direktiivin (EU) 2019/771 7 artiklan 1 kohta.", "Direktiivin (EU) 2019/771 7 artiklan 1 kohta", SALES, "art_7__subsec_1"),
        ("eu", "Az (EU) 2019/771 irányelv 7. cikke.", "Az (EU) 2019/771 irányelv 7. cikke", SALES, "art_7"),
        ("eu", "Segundo o artigo 7.º da Diretiva (UE) 2019/771.", "artigo 7.º da Diretiva (UE) 2019/771", SALES, "art_7"),
        ("eu", "Κατά το άρθρο 7 της οδηγίας (ΕΕ) 2019/771.", "άρθρο 7 της οδηγίας (ΕΕ) 2019/771", SALES, "art_7"),
        ("fr", "L'article 7 de la directive 2019/771/CEE vaut.", "article 7 de la directive 2019/771/CEE", SALES, "art_7"),
    ],
)  # fmt: skip
def test_kinds_of_eu_acts_are_read_in_every_language_and_in_short(
    code: str, text: str, raw: str, work: str, eid: str
) -> None:
    assert cited(code, text) == [(raw, work, eid)]


@pytest.mark.parametrize(
    ("code", "first", "then", "work"),
    [
        ("eu", "Art. 3 RL 2019/771 gilt.", "Art. 9 der Richtlinie auch.", SALES),
        ("eu", "Article 3 of Directive (EU) 2019/771 applies.", "So does Article 9 of that Directive.", SALES),
        ("eu", "L'article 3 de la directive 2019/771 vaut.", "L'article 9 de cette directive aussi.", SALES),
        ("de", "Art. 3 der Richtlinie 2019/771 gilt.", "Nach § 433 BGB und Art. 9 dieser Richtlinie haftet er.", SALES),
        ("gb", "Article 3 of Directive 2019/771 applies.", "Section 9 of the Bail Act 1976 and Article 9 of the Directive.", SALES),
        ("se", "Artikel 3 i direktiv 2019/771 gäller.", "Artikel 9 i direktivet likaså.", SALES),
        ("fr", "L'article 3 de la directive 2019/771 vaut.", "L'article 9 de cette directive aussi.", SALES),
        ("de", "§ 1 KSchG gilt.", "§ 9 dieses Gesetzes auch.", KSCHG),
        ("nl", "Artikel 3 Awb geldt.", "Artikel 9 van de wet ook.", "/akn/nl/act/bwbr0005537"),
        ("no", "Straffeloven § 3 gjelder.", "§ 9 i den loven også.", "/akn/no/act/lov/2005-05-20/28"),
        ("dk", "Straffelovens § 3 gælder.", "§ 9 i den lov også.", "/akn/dk/act/lta/1930/126"),
        ("dk", "Se § 3 i lovbekendtgørelse nr. 994 af 1. maj 2024.", "Lovens § 9 gælder også.", "/akn/dk/act/lta/2024/994"),
        ("ch", "L'art. 3 CO vaut.", "L'art. 9 de ce code aussi.", "/akn/ch/act/27/317-321-377"),
        ("be", "L'article 3 du Code civil vaut.", "L'article 9 de ce code aussi.", "/akn/be/act/loi/1804-03-21/1804032150"),
        ("fr", "L'article 3 du code civil vaut.", "L'article 9 du même code aussi.", "/akn/fr/act/code/code-civil"),
        ("pl", "Art. 3 k.c. obowiązuje.", "Tak samo art. 9 tego kodeksu.", "/akn/pl/act/du/1964/93"),
        ("at", "§ 3 ABGB gilt.", "§ 9 dieses Gesetzbuches auch.", "/akn/at/act/10001622"),
    ],
)  # fmt: skip
def test_a_noun_means_the_work_of_its_kind_that_was_named_last(code: str, first: str, then: str, work: str) -> None:
    raw, uri, eid = cited(code, f"{first} {then}")[-1]
    assert (uri, (eid or "").endswith("_9")) == (work, True), raw


def test_a_noun_of_another_kind_is_not_of_the_work_named_last() -> None:
    text = "By section 3 of the Bail Act 1976, rule 4 of those Rules and Article 5 of that Directive follow."
    assert [work for _, work, _ in cited("gb", text)] == ["/akn/gb/act/ukpga/1976/63", None, None]


def test_a_noun_that_begins_a_name_is_not_the_work_named_before() -> None:
    text = "L'art. 3 CO vaut, et l'art. 9 de la loi sur le travail aussi."
    assert cited("ch", text)[-1][1] is None


def test_this_directive_in_an_act_that_is_none_means_the_directive_named_before() -> None:
    document = CitingDocument(GDPR, "act", (("art_1", 0, 400), ("art_9", 400, 500)))
    text = "Verarbeitungen nach der Richtlinie 2019/771 richten sich nach Art. 9 dieser Richtlinie und Art. 9 dieser Verordnung."
    assert [work for *_, work, _ in cited("eu", text, document)] == [SALES, SALES, GDPR]


def test_the_convention_is_that_on_human_rights_unless_another_is_named() -> None:
    assert cited("gb", "It engages Article 6(1) of the Convention.")[0][1:] == (ECHR, "art_6__subsec_1")
    other = "He relied on the Refugee Convention; it engages Article 33 of the Convention."
    assert cited("gb", other)[0][1:] == (None, "art_33")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By CPR 3.4 and, later, r. 24.2(1).", [("/akn/gb/act/cpr", "rule_3.4"), ("/akn/gb/act/cpr", "rule_24.2__subsec_1")]),
        ("By FPR 9.1, and under rule 9.2.", [("/akn/gb/act/uksi/2010/2955", "rule_9.1"), ("/akn/gb/act/uksi/2010/2955", "rule_9.2")]),
        ("Rules exist; rule 4 of thumb is no law.", []),
    ],
)  # fmt: skip
def test_a_rule_of_no_named_work_is_of_the_rules_named_last(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(work, eid) for _, work, eid in cited("gb", text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Neben § 280 Abs. 1 kommt § 823 BGB in Betracht.", [BGB, BGB]),
        ("Neben § 280 der Satzung kommt § 823 BGB in Betracht.", [BGB]),
        ("Nach § 1 KSchG und hier § 280 gilt § 823 BGB.", [KSCHG, KSCHG, BGB]),
        ("Es gilt § 280. Daneben gilt § 823 BGB.", [None, BGB]),
        ("Es gilt § 280 neben Art. 1 GG.", [None, "/akn/de/act/gg"]),
    ],
)
def test_a_section_without_an_act_is_of_the_act_behind_the_next_one(text: str, expected: list[str | None]) -> None:
    assert [work for _, work, _ in cited("de", text)] == expected


@pytest.mark.parametrize(
    ("text", "eid"),
    [
        ("L'article 263, quatrième alinéa, TFUE.", "art_263__subsec_4"),
        ("Le quatrième alinéa de l'article 263 TFUE.", "art_263__subsec_4"),
        ("The fourth paragraph of Article 263 TFEU.", "art_263__subsec_4"),
        ("Artikel 263 fjärde stycket FEUF.", "art_263__subsec_4"),
        ("Artikel 263, vierde alinea, VWEU.", "art_263__subsec_4"),
        ("Artículo 263, párrafo cuarto, TFUE.", "art_263__subsec_4"),
        ("Articolo 263, quarto comma, TFUE.", "art_263__subsec_4"),
        ("The second subparagraph of Article 108(3) TFEU.", "art_108__subsec_3"),
        ("L'article 108, paragraphe 3, premier alinéa, TFUE.", "art_108__subsec_3"),
    ],
)
def test_a_paragraph_without_a_number_counts_where_no_paragraph_is_above_it(text: str, eid: str) -> None:
    assert [(work, found) for _, work, found in cited("eu", f"Voir: {text}")] == [(TFEU, eid)]


@pytest.mark.parametrize(
    ("docket", "work"),
    [
        ("II ZR 9/21", "bgh/2021/ii-zr-9"),
        ("3 StR 80/98", "bgh/1998/3-str-80"),
        ("2 BvR 859/15", "bverfg/2015/2-bvr-859"),
        ("1 BvL 11/94", "bverfg/1994/1-bvl-11"),
        ("5 AZR 12/24", "bag/2024/5-azr-12"),
        ("B 4 AS 9/20 R", "bsg/2020/b-4-as-9-r"),
        ("X R 3/19", "bfh/2019/x-r-3"),
        ("8 C 10.19", "bverwg/2019/8-c-10"),
        ("ECLI:DE:BGH:2021:100221UIIZR9.21.0", "bgh/2021/ii-zr-9"),
        ("12 O 44/20", None),
    ],
)
def test_the_register_of_a_docket_says_which_federal_court_it_is_of(docket: str, work: str | None) -> None:
    raw, uri, _ = cited("de", f"So das Urteil {docket}, dort.")[0]
    assert (raw, uri) == (docket, f"/akn/de/judgment/{work}" if work else None)


@pytest.mark.parametrize("words", ["artikel 3:12 van dat wetboek", "art. 3:12", "artikel 3:12 BW"])
def test_an_article_of_a_book_has_one_name_however_its_code_is_named(words: str) -> None:
    assert cited("nl", f"Naast art. 3:11 BW geldt {words}.")[-1][1:] == ("/akn/nl/act/bwbr0005291", "art_12")


def test_an_article_of_the_citing_act_keeps_the_number_that_looks_like_a_book() -> None:
    document = CitingDocument("/akn/nl/act/bwbr0005537", "act", (("art_3-12", 0, 400),))
    assert cited("nl", "Naast art. 3:11 BW geldt artikel 3:12 onverkort.", document)[-1][1:] == (
        "/akn/nl/act/bwbr0005537",
        "art_3-12",
    )


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "de",
            "Nach § 3 Abs. 2 Nr. 4 oder zumindest Nr. 5 UWG.",
            ["sec_3__subsec_2__item_4", "sec_3__subsec_2__item_5"],
        ),
        ("gb", "By section 3 and in particular section 4(2) of the Bail Act 1976.", ["sec_3", "sec_4__subsec_2"]),
        ("nl", "Zie art. 4:8 lid 1 en met name lid 2 Awb.", ["art_4-8__subsec_1", "art_4-8__subsec_2"]),
    ],
)
def test_an_adverb_may_stand_between_entries_of_a_list(code: str, text: str, expected: list[str]) -> None:
    found = cited(code, text)
    assert [eid for *_, eid in found] == expected
    assert len({work for _, work, _ in found}) == 1


def test_the_day_and_the_month_of_an_act_have_two_digits() -> None:
    (found,) = find("Etter lov 5. mai 2003 nr. 9 § 3 er fyret tent.", jurisdiction("no"))
    assert found.work_uri == "/akn/no/act/lov/2003-05-05/9"


@pytest.mark.parametrize(
    ("code", "other", "own", "work"),
    [
        ("eu", "Artikel 51 der Charta der Vereinten Nationen", "Artikel 51 der Charta", "/akn/eu/act/charter"),
        ("eu", "article 51 de la Charte des Nations unies", "article 51 de la Charte", "/akn/eu/act/charter"),
        ("eu", "article 11 de la Charte sociale européenne", "article 11 de la Charte", "/akn/eu/act/charter"),
        ("ca", "article 51 of the UN Charter", "section 7 of the Charter", "/akn/ca/act/constitution/1982"),
    ],
)
def test_a_short_name_in_the_name_of_another_work_is_not_the_country_s_own(
    code: str, other: str, own: str, work: str
) -> None:
    assert [uri for _, uri, _ in cited(code, f" {other} et/und/and")] == [None]
    assert [uri for _, uri, _ in cited(code, f" {own}.")] == [work]


@pytest.mark.parametrize(
    ("text", "work", "eid"),
    [
        ("Potrivit art. 5 din Legea nr. 31/1990.", "lege/1990/31", "art_5"),
        ("Potrivit art. 3 din O.U.G. nr. 34/2014.", "ordonanta-de-urgenta/2014/34", "art_3"),
        ("Potrivit art. 3 din OUG 34/2014.", "ordonanta-de-urgenta/2014/34", "art_3"),
        (
            "Potrivit art. 2 lit. a) din Ordonanța de urgență a Guvernului nr. 57/2019.",
            "ordonanta-de-urgenta/2019/57",
            "art_2__item_a",
        ),
        ("Potrivit art. I din Ordonanța nr. 3 din 18 ianuarie 2024.", "ordonanta/2024/3", "art_i"),
        ("Potrivit art. 4 din Hotărârea Guvernului nr. 1.590/2022.", "hotarare/2022/1590", "art_4"),
        ("Potrivit art. unic din HOTĂRÂRE nr. 1590 din 28 decembrie 2022.", "hotarare/2022/1590", "art_unic"),
        ("Potrivit art. 2 din Decretul nr. 17 din 3 mai 2024.", "decret/2024/17", "art_2"),
    ],
)
def test_romanian_acts_of_each_kind_have_one_work_in_every_form(text: str, work: str, eid: str) -> None:
    assert [(uri, found) for _, uri, found in cited("ro", text)] == [(f"/akn/ro/act/{work}", eid)]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (
            "se",
            "Se BrB 3:5 och 3:6, 4:19 2 st. JB, 10:1 ÄB och 7:3 samma balk.",
            [
                ("1962/700", "chp_3__sec_5"),
                ("1962/700", "chp_3__sec_6"),
                ("1970/994", "chp_4__sec_19__subsec_2"),
                ("1958/637", "chp_10__sec_1"),
                ("1958/637", "chp_7__sec_3"),
            ],
        ),
        # a section alone is of the chapter cited last, where the work counts its sections by chapters
        (
            "se",
            "Enligt 12 kap. 42 § jordabalken och inom fristen i 44 §.",
            [("1970/994", "chp_12__sec_42"), ("1970/994", "chp_12__sec_44")],
        ),
        ("se", "Enligt 5 § LAS och inom fristen i 7 §.", [("1982/80", "sec_5"), ("1982/80", "sec_7")]),
        # rules of an agency, by their number or their title
        ("se", "Följ 9 § AFS 2015:4.", [("/afs/2015/4", "sec_9")]),
        ("se", "Följ 5 kap. 2 § Lampverkets föreskrifter (LFS 2099:1) om ljus.", [("/lfs/2099/1", "chp_5__sec_2")]),
        ("se", "Då får 19 § tillämpas enligt sin lydelse (AFS 2014:5).", [(None, "sec_19"), ("/afs/2014/5", None)]),
        # an abbreviation that the data do not have is another work
        ("se", "Enligt AFS 2015:4 och 6 kap. 4 b § XYL gäller det.", [("/afs/2015/4", None), (None, "chp_6__sec_4b")]),
        (
            "eu",
            "Article 5(4) TEU as well as Article 5 of Protocol (No 2).",
            [("/teu", "art_5__subsec_4"), (None, "art_5")],
        ),
        (
            "eu",
            "Article 4(1) of the Rome I Regulation and Article 6(1) of that regulation.",
            [("/2008/593", "art_4__subsec_1"), ("/2008/593", "art_6__subsec_1")],
        ),
        (
            "be",
            "Les articles 10 et 11 de la Constitution, lus avec l'article 6.1 de la C.E.D.H.",
            [("/1994-02-17", "art_10"), ("/1994-02-17", "art_11"), ("/echr", "art_6__subsec_1")],
        ),
    ],
)
def test_a_provision_is_of_the_work_beside_it(
    code: str, text: str, expected: list[tuple[str | None, str | None]]
) -> None:
    found = cited(code, text)
    assert [eid for *_, eid in found] == [eid for _, eid in expected]
    for (_, work, _), (end, _) in zip(found, expected, strict=True):
        assert work is None if end is None else (work or "").endswith(end)
