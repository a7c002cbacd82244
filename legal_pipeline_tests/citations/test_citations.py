"""Rules of the citation grammars: gold sentences per jurisdiction, what relative forms mean, and what must not be a citation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline import citations
from legal_pipeline.citations import CitingDocument, EidIndex, Reference
from legal_pipeline.citations.provisions import bracketed, expand, join, segment
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Node
from legal_pipeline.model.identity import assign_eids, document_id, series_identity
from legal_pipeline_tests.citations.gold_sentences import gold_sentences
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.growth import at_most

CODES = ("se", "in", "zw", "us", "fr", "de")


def find(text: str, code: str, document: CitingDocument | None = None) -> list[Reference]:
    return citations.find(text, jurisdiction(code), document)


@pytest.mark.parametrize("code", CODES)
def test_precision_and_recall_on_gold_sentences_reach_0_95(code: str) -> None:
    found = missed = false = 0
    wrong = []
    for sentence in gold_sentences(code):
        cited = find(sentence.text, code, sentence.document)
        got = {(item.start, item.end, item.work_uri, item.eid) for item in cited if item.start >= sentence.start}
        found += len(got & sentence.targets)
        missed += len(sentence.targets - got)
        false += len(got - sentence.targets)
        if got != sentence.targets:
            wrong.append(sentence.text)
    assert found / (found + false) >= 0.95, wrong
    assert found / (found + missed) >= 0.95, wrong


@pytest.mark.parametrize(("code", "least"), [("se", 40), ("in", 40), ("zw", 40), ("us", 40), ("fr", 10), ("de", 10)])
def test_the_gold_files_are_large_enough_and_hold_sentences_without_citations(code: str, least: int) -> None:
    sentences = list(gold_sentences(code))
    assert len(sentences) >= least
    assert any(not sentence.targets for sentence in sentences)


def texts_of(citations: list[Reference]) -> list[tuple[str, str | None, str | None]]:
    return [(item.raw, item.work_uri, item.eid) for item in citations]


LAW = CitingDocument("/akn/se/act/sfs/2030/1", "act", (("sec_1", 0, 100), ("sec_2", 100, 5000)))


def test_the_number_of_a_provision_at_a_line_start_is_not_a_reference() -> None:
    text = "2 kap. Allmänna krav\n\n1 § Denna lag gäller.\n\n2 a § Har upphävts genom lag (2020:1).\n\nEnligt 3 § gäller mer."
    assert [item.raw for item in find(text, "se", LAW) if item.eid] == ["3 §"]


def test_a_reference_wrapped_behind_a_word_is_a_reference() -> None:
    assert texts_of(find("Detta gäller inte i fall som avses i 3 kap. 2 a §.", "se")) == [
        ("3 kap. 2 a §", None, "chp_3__sec_2a")
    ]


def test_a_list_belongs_to_the_act_that_its_first_line_names() -> None:
    text = (
        "Vid prövningen gäller inte dessa bestämmelser i förvaltningslagen (2017:900):\n\n– 5 § om legalitet,\n\n"
        "– 14 och 15 §§ om ombud.\n\nI övrigt gäller 1 §."
    )
    works = [(item.raw, item.work_uri) for item in find(text, "se", LAW) if item.eid]
    other = "/akn/se/act/sfs/2017/900"
    assert works == [("5 §", other), ("14", other), ("15 §§", other), ("1 §", LAW.work_uri)]


@pytest.mark.parametrize(
    ("text", "work"),
    [
        (
            "enligt 12 kap. 1 § första stycket 2 a, b eller d lagen (2015:1016) om resolution",
            "/akn/se/act/sfs/2015/1016",
        ),
        ("enligt 4 kap. 9 § andra–fjärde styckena årsredovisningslagen (1995:1554)", "/akn/se/act/sfs/1995/1554"),
        ("enligt 4 kap. 14 b § första stycket 4–6 årsredovisningslagen (1995:1554)", "/akn/se/act/sfs/1995/1554"),
        ("enligt 9 b § den upphävda hälso- och sjukvårdslagen (1982:763)", "/akn/se/act/sfs/1982/763"),
        ("enligt 2 § i den äldre regeringsformen", None),
        ("enligt 26 kap. 11, 12, eller 14–18 §§ lagen (2015:1016) om resolution", "/akn/se/act/sfs/2015/1016"),
    ],
)
def test_every_target_of_an_expression_belongs_to_the_act_behind_it(text: str, work: str | None) -> None:
    cited = find(text, "se", LAW)
    assert {item.work_uri for item in cited} == {work}
    assert cited[-1].end >= text.rindex("lagen") if work else True


def test_this_chapter_is_not_the_chapter_cited_before() -> None:
    law = CitingDocument("/w", "act", (("chp_5__sec_3", 0, 1), ("chp_7__sec_6", 1, 2), ("chp_7__sec_7", 2, 500)))
    text = "§ Enligt 5 kap. 3 § eller 6 § i detta kapitel gäller detta."
    assert [item.eid for item in find(text, "se", law)] == ["chp_5__sec_3", "chp_7__sec_6"]


def test_the_same_law_is_the_one_named_last() -> None:
    text = "Av 3 kap. 1 § miljöbalken och 2 § samma kapitel följer detta. Enligt 4 § samma lag gäller mer."
    assert [(item.work_uri, item.eid) for item in find(text, "se")] == [
        ("/akn/se/act/sfs/1998/808", "chp_3__sec_1"),
        ("/akn/se/act/sfs/1998/808", "chp_3__sec_2"),
        ("/akn/se/act/sfs/1998/808", "sec_4"),
    ]


def test_a_provision_of_an_unknown_act_is_never_given_to_another_one() -> None:
    swedish = find("Enligt 3 § lagen om okända ting gäller detta, liksom 4 § i den äldre lagen.", "se", LAW)
    assert [item.work_uri for item in swedish] == [None, None]
    document = CitingDocument("/akn/in/act/2030/1", "act", (("sec_1", 0, 1000),))
    indian = find(
        "Section 5 of the Bihar Fisheries Act, 1950 (30 of 1950) and section 6 of the Principal Act apply.",
        "in",
        document,
    )
    assert [item.work_uri for item in indian] == [None, None]
    assert [
        item.work_uri
        for item in find("as provided in the Bankers' Books Evidence Act, 1891 and Bihar Act 30 of 1950", "in")
    ] == [None, None]


def test_a_short_name_given_in_the_text_is_that_act_from_there_on() -> None:
    text = "Section 34 of the Act was cited. The Arms Act, 1959 (hereinafter 'the Act') applies; Section 25 of the Act is clear."
    cited = [(item.work_uri, item.eid) for item in find(text, "in") if item.eid]
    assert cited == [(None, "sec_34"), ("/akn/in/act/1959/54", "sec_25")]


def test_an_act_directly_before_a_section_governs_it() -> None:
    document = CitingDocument("/akn/in/act/2030/1", "act", (("sec_16", 0, 1), ("sec_20", 1, 500)))
    text = "1. Subs. by Act 21 of 2015, s. 16, for certain words. 2. Rep. by s. 65, ibid. 3. See section 16."
    assert [(item.work_uri, item.eid) for item in find(text, "in", document) if item.eid] == [
        ("/akn/in/act/2015/21", "sec_16"),
        ("/akn/in/act/2015/21", "sec_65"),
        ("/akn/in/act/2030/1", "sec_16"),
    ]


def test_ibid_behind_a_repeal_means_the_repealing_act() -> None:
    text = "Rep. by the Sale of Goods Act, 1930 (3 of 1930), s. 65.\n\n2. Ins. by Act 6 of 1899, s. 2.\n\nRep. by s. 66, ibid."
    assert find(text, "in")[-1].work_uri == "/akn/in/act/1930/3"


def test_a_part_of_the_gazette_is_no_section() -> None:
    assert (
        find("published in the Gazette of India, Extraordinary, Part II, sec. 3(ii), dated 1-4-2014", "in", None) == []
    )


def test_other_common_law_countries_are_read_without_names_of_acts() -> None:
    text = "Section 8(2)(a) of the Companies Act, 2008 (Act No. 71 of 2008) and section 4 of Act 108 of 1996 apply; [2019] ZACC 12."
    assert [(item.work_uri, item.eid) for item in find(text, "za")] == [
        ("/akn/za/act/2008/71", "sec_8__subsec_2__para_a"),
        ("/akn/za/act/1996/108", "sec_4"),
        ("/akn/za/judgment/zacc/2019/12", None),
    ]


def test_the_heading_of_a_section_is_not_a_reference_to_it() -> None:
    text = "Section 94 - Repealed\n\nSection 95. Title\n\nIn section 94 nothing stands."
    document = CitingDocument("/akn/in/act/2030/1", "act", (("sec_94", 0, 21), ("sec_95", 23, len(text))))
    for code in ("in", "zw"):
        assert [item.raw for item in find(text, code, document)] == ["section 94"]
        assert [item.raw for item in find(text, code)] == ["section 94"]


def test_a_bare_section_that_the_document_lacks_is_not_its_own() -> None:
    document = CitingDocument("/akn/in/act/1872/1", "act", (("chp_1__sec_4", 0, 500),))
    text = "In a prosecution for an offence under section 376 the court shall apply section 4."
    assert [(item.work_uri, item.eid) for item in find(text, "in", document)] == [
        (None, "sec_376"),
        ("/akn/in/act/1872/1", "chp_1__sec_4"),
    ]


def test_a_section_of_the_part_that_is_the_document_is_its_own() -> None:
    document = CitingDocument(
        "us/cfr/t3/p101", "regulation", (("part_101__sec_101.1", 0, 10), ("part_101__sec_101.2", 10, 500))
    )
    found = find("§ 101.1 This applies as 3 CFR 101.1 says and § 102.4 does not.", "us", document)
    assert [(item.work_uri, item.eid) for item in found] == [
        ("us/cfr/t3/p101", "part_101__sec_101.1"),
        ("us/cfr/t3/p102/s102.4", "sec_102.4"),
    ]


def test_this_act_in_a_judgment_is_not_the_judgment() -> None:
    judgment = CitingDocument("/akn/in/judgment/insc/2024/1", "judgment")
    assert find("We hold that section 4 and this Act must be read together.", "in", judgment)[0].work_uri is None


def test_id_means_the_case_cited_before_and_not_its_parallel_report() -> None:
    text = "See Doe v. Roe, 518 U.S. 81, 98, 116 S. Ct. 2035 (1996). Id. at 99."
    assert find(text, "us")[-1].work_uri == "/akn/us/judgment/u-s/518/81"


def test_ranges_reach_lettered_sections_that_the_document_has() -> None:
    law = CitingDocument(
        "/w", "act", (("sec_1", 0, 500), ("sec_2", 500, 501), ("sec_2a", 501, 502), ("sec_3", 502, 503))
    )
    assert [item.eid for item in find("Vad som sägs i 1–3 §§ gäller.", "se", law)] == [
        "sec_1",
        "sec_2",
        "sec_2a",
        "sec_3",
    ]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("4", "6", ["4", "5", "6"]),
        ("16 c", "16 e", ["16c", "16d", "16e"]),
        ("4", "6 a", ["4", "5", "6", "6a"]),
        ("9", "3", ["9", "3"]),
        ("1", "9999", ["1", "9999"]),
        ("i", "iii", ["i", "ii", "iii"]),
        ("i", "v", ["i", "ii", "iii", "iv", "v"]),
        ("i", "k", ["i", "j", "k"]),
        ("c", "d", ["c", "d"]),
    ],
)
def test_ranges_expand_as_print_counts(first: str, last: str, expected: list[str]) -> None:
    assert expand(first, last) == expected


def test_what_stands_beside_a_nested_article_is_in_the_outer_one() -> None:
    law = CitingDocument("/w", "act", (("art_1", 0, 100), ("art_1__quote_1__art_7", 20, 40), ("art_2", 100, 200)))
    assert [law.provision_at(offset) for offset in (10, 30, 50, 150, 200)] == [
        "art_1",
        "art_1__quote_1__art_7",
        "art_1",
        "art_2",
        None,
    ]


@pytest.mark.parametrize("items", [10, 300, 3000])
def test_text_behind_the_items_of_a_list_is_in_its_subsection_however_many_they_are(items: int) -> None:
    subsection = "sec_1__subsec_1"
    nodes = [("sec_1", 0, 10 * items + 100), (subsection, 0, 10 * items + 50)]
    nodes += [(f"{subsection}__item_{number}", 10 * number, 10 * number + 9) for number in range(items)]
    law = CitingDocument("/w", "act", tuple(nodes))
    assert law.node_at(10 * items + 20) == subsection
    assert law.node_at(10 * items + 60) == "sec_1"
    assert law.node_at(15) == f"{subsection}__item_1"


def test_eids_have_the_form_that_the_model_gives() -> None:
    tree = [Node("chapter", 0, 9, "2", children=[Node("section", 0, 9, "12A", children=[
        Node("subsection", 0, 9, "1", children=[Node("paragraph", 0, 9, "a")])])])]  # fmt: skip
    assign_eids(tree)
    deepest = list(tree[0].walk())[-1].eid
    assert deepest == join(segment("chp", "2"), segment("sec", "12A"), *bracketed("(1)(a)"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Þjóð", "thjod"),
        ("þjóð", "thjod"),
        ("Łódź", "lodz"),
        ("Đakovo", "dakovo"),
        ("Ærø", "aero"),
        ("Œuvre", "oeuvre"),
        ("Straße", "strasse"),
    ],
)
def test_a_letter_has_one_name_in_ids_and_in_uris_whatever_its_case(text: str, name: str) -> None:
    assert document_id(text) == name
    assert segment("art", f"1 {text}").endswith(name)


def test_an_agency_regulation_has_the_uri_of_its_document() -> None:
    for series, number in (("AFS", "2023:1"), ("ELSÄK-FS", "2016:3"), ("SFS", "1977:1160")):
        assert find(f"Se {series} {number}.", "se")[0].work_uri == series_identity("se", series, number)[1]


def test_a_regulation_is_a_section_of_an_instrument_that_has_no_regulations() -> None:
    eids = ["part_1__sec_3", "part_1__sec_3__subsec_2", "sched_1__para_1"]
    index = EidIndex(eids, is_named=True)
    assert index.resolve("reg_3__subsec_2") == "part_1__sec_3__subsec_2"
    assert index.resolve("rule_3") == index.resolve("art_3") == "part_1__sec_3"
    assert EidIndex(["sec_3", "sched_1__art_4"], is_named=True).resolve("art_3") == "art_3"
    assert EidIndex(eids).resolve("reg_3") == "reg_3", "of another work, where none is named"


def test_a_cited_provision_is_found_under_the_containers_that_nobody_cites() -> None:
    index = EidIndex(["chp_1__sec_1", "chp_1__sec_2", "chp_2__sec_2", "chp_2__sec_3", "chp_2__sec_3__subsec_1__item_4"])
    assert index.resolve("sec_3") == "chp_2__sec_3"
    assert index.resolve("sec_3__item_4") == "chp_2__sec_3__subsec_1__item_4"
    assert index.resolve("sec_3__subsec_9") == "chp_2__sec_3__subsec_9"
    assert index.resolve("sec_2") == "sec_2"
    assert index.resolve("sec_2", near="chp_2__sec_3") == "chp_2__sec_2"
    assert index.resolve("sec_77") == "sec_77"


def test_the_numbered_paragraphs_of_an_article_are_found_by_either_name() -> None:
    index = EidIndex(["art_62", "art_62__para_4", "art_62__para_4__lbl_d", "art_63", "art_63__subsec_2"])
    assert index.resolve("art_62__subsec_4") == "art_62__para_4"
    assert index.resolve("art_62__subsec_4__item_d") == "art_62__para_4__lbl_d"
    assert index.resolve("art_63__para_2") == "art_63__subsec_2"
    assert index.resolve("art_62__subsec_5") == "art_62__subsec_5"


def test_a_numbered_citation_never_means_a_node_that_has_no_number() -> None:
    index = EidIndex(["sec_3", "sec_3__hdg_1", "sec_3__para_1", "sec_3__subsec_2", "sec_3__subsec_2__item_a"])
    assert index.resolve("sec_3__subsec_1") == "sec_3__subsec_1"
    assert index.resolve("sec_3__subsec_2__para_a") == "sec_3__subsec_2__item_a"


def test_a_subsection_is_cited_with_its_paragraph() -> None:
    document = CitingDocument(
        "/w", "act", (("sec_5", 0, 90), ("sec_5__subsec_2", 0, 90), ("sec_5__subsec_2__para_b", 0, 90))
    )
    found = find("as referred to in subsection (2)(b), or in paragraphs (a) and (b) of subsection (2)", "zw", document)
    assert [(item.raw, item.eid) for item in found] == [
        ("subsection (2)(b)", "sec_5__subsec_2__para_b"),
        ("paragraphs (a)", "sec_5__subsec_2__para_a"),
        ("(b) of subsection (2)", "sec_5__subsec_2__para_b"),
    ]


def test_cross_references_name_the_citing_provision() -> None:
    text = "1 § Första.\n\n2 § Vad som sägs i 1 § gäller, om inte annat följer av miljöbalken."
    law = CitingDocument("/akn/se/act/sfs/2030/1", "act", (("sec_1", 0, 11), ("sec_2", 13, len(text))))
    rows = [tuple(reference.row("se-sfs-2030-1").values()) for reference in find(text, "se", law)]
    assert [(eid, *cited) for _, eid, _, _, *cited in rows] == [
        ("sec_2", "1 §", "/akn/se/act/sfs/2030/1", "sec_1", "provision"),
        ("sec_2", "miljöbalken", "/akn/se/act/sfs/1998/808", None, "act"),
    ]


def test_a_jurisdiction_without_a_grammar_gives_nothing() -> None:
    assert find("Artículo 12 de la Ley 27444", "xx") == []


PIECES = [
    "2 kap. ", "3 § ", "§§ ", "första stycket ", "section 12", "(1)(a) ", " of the ", "Act", ", 1950 ", "8 CFR § 204.5", "(h)",
    "[2025] ZWHHC 3 ", "Art. 5 ", "AIR 1950 SC 27 ", " and ", "–", "12", "\n", "code civil ", "Id. at 5 ", "(", ")",
    "lagen (1977:1160) ", " read with ",
]  # fmt: skip


@examples(150)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.sampled_from(CODES))
def test_raw_is_the_text_of_the_span_and_spans_ascend(text: str, code: str) -> None:
    document = CitingDocument("/akn/xx/act/2030/1", "act", (("sec_1", 0, len(text)),))
    position = 0
    for citation in find(text, code, document):
        assert citation.raw == text[citation.start : citation.end] != ""
        assert citation.raw == citation.raw.strip()
        assert citation.start >= position
        position = citation.start


@pytest.mark.parametrize("code", CODES)
def test_long_runs_of_numbers_and_brackets_do_not_hang(code: str) -> None:
    texts = (
        "1, " * 20000,
        "(a)" * 20000,
        "2 kap. 3 § och " * 3000,
        "Section 1, " * 5000,
        "A B of the " * 6000,
        "12 A. B. C. " * 4000,
    )
    # Two seconds per 100 KB are the bound for the whole parse; a quadratic pattern takes minutes here.
    with at_most(20):
        for text in texts:
            find(text, code)


def test_a_year_behind_the_sign_for_a_number_is_read_as_the_year() -> None:
    (citation,) = find("Europaparlamentets och rådets förordning (EU) nr 2016/425 om skyddsutrustning", "se")
    assert citation.work_uri == "/akn/eu/act/regulation/2016/425"


@pytest.mark.parametrize(
    ("year", "work"),
    [("1859", "/akn/in/act/1860/45"), ("1861", "/akn/in/act/1860/45"), ("1858", None), ("1870", None)],
)
def test_an_act_with_a_year_beside_its_own_is_that_act_and_with_another_year_none(year: str, work: str | None) -> None:
    (found,) = citations.find(f"under section 302 of the Indian Penal Code, {year}", jurisdiction("in"))
    assert (found.work_uri, found.eid) == (work, "sec_302")


@pytest.mark.parametrize(("two_digits", "year"), [("79", "2079"), ("80", "1980"), ("81", "1981")])
def test_the_year_of_a_zimbabwean_judgment_with_two_figures_is_1980_or_later(two_digits: str, year: str) -> None:
    (cited,) = find(f"HH-12-{two_digits}", "zw")
    assert cited.work_uri == f"/akn/zw/judgment/hh/{year}/12"
