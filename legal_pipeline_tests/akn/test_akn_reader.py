"""Akoma Ntoso from any publisher: definitions, remarks, notes, tables and hints, each in its place."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.akn import html as akn_html
from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.akn.numbers import bare_number
from legal_pipeline.building.format import CERTAIN, NEAR, NO
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline_tests.parsing.invariants import check_invariants

_AKN3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"


def act(body: str, *, before: str = "", **hints: Any) -> Document:
    xml = f'<akomaNtoso xmlns="{_AKN3}"><act name="act">{before}<body>{body}</body></act></akomaNtoso>'
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode(), hints=hints))
    check_invariants(document)
    return document


def page(html: str, name: str = "page.html", **hints: Any) -> Document:
    document = akn_html.FORMAT.parse(SourceFile(name, html.encode(), hints=hints))
    check_invariants(document)
    return document


def section(content: str) -> str:
    return f'<section eId="sec_1"><num>1.</num><content>{content}</content></section>'


def nodes(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


def terms(document: Document) -> list[str]:
    return [node.attributes["term"] for node in nodes(document, "definition")]


def test_what_the_file_does_not_state_comes_from_the_hints() -> None:
    document = act(section("<p>A barge pays.</p>"), language="swe", title="Lampelag", as_of_date="2031-02-03")
    assert (document.language, document.title, document.as_of_date) == ("swe", "Lampelag", "2031-02-03")


def test_what_a_page_does_not_state_comes_from_the_hints() -> None:
    html = '<span class="akn-act"><span class="akn-p">A barge pays.</span></span>'
    document = page(html, title="Lamps", language="swe", as_of_date="2031-02-03", jurisdiction="se")
    assert (document.language, document.title, document.as_of_date) == ("swe", "Lamps", "2031-02-03")
    assert document.jurisdiction == "se"


def test_a_cover_page_names_the_country_of_a_law_without_a_number() -> None:
    html = (
        '<div class="coverpage"><div class="place-name">Zambia</div><h1>Rules of the Canal</h1></div>'
        '<span class="akn-akomaNtoso"><span class="akn-act"><span class="akn-p">A barge pays.</span></span></span>'
    )
    assert page(html, jurisdiction="za").jurisdiction == "zm"


def test_rows_in_the_body_of_a_table_of_a_page_are_lines() -> None:
    html = (
        '<span class="akn-act"><table><caption>Tolls</caption><thead><tr><th>Vessel</th><th>Toll</th></tr></thead>'
        "<tbody><tr><td>Barge</td><td>2</td></tr><tr><td>Raft</td><td>1</td></tr></tbody></table></span>"
    )
    document = page(html)
    assert document.text_of(nodes(document, "table")[0]) == "Tolls\nVessel | Toll\nBarge | 2\nRaft | 1"


def test_a_cross_heading_keeps_its_eid() -> None:
    document = act(f'<crossHeading eId="cross_1">Tolls</crossHeading>{section("<p>A barge pays.</p>")}')
    assert [node.eid for node in nodes(document, "heading")] == ["cross_1"]


def test_a_remark_on_a_definition_credits_the_definition_and_not_what_stands_between_them() -> None:
    document = act(
        section(
            '<p>In this Act—</p><p>"barge" means a boat;</p><table><tr><td>Barge</td></tr></table>'
            '<p><remark status="editorial">[definition inserted by section 2 of Act 7 of 2005]</remark></p>'
        )
    )
    assert [node.type for node in document.walk() if node.amendments] == ["definition", "remark"]


@pytest.mark.parametrize(
    "content",
    [
        '<block name="quote"><quotedStructure><p>"barge" means a boat;</p></quotedStructure></block>',
        '<blockList><item eId="a"><num>(a)</num><p>"barge" means a boat;</p></item></blockList>',
    ],
)
def test_a_definition_in_quoted_law_or_behind_a_number_is_text(content: str) -> None:
    assert terms(act(section(f"<p>In this Act—</p>{content}"))) == []
    assert terms(act(section('<p>In this Act—</p><p>"barge" means a boat;</p>'))) == ["barge"]


def test_a_remark_on_a_definition_without_one_credits_the_section() -> None:
    document = act(
        section('<p><remark status="editorial">[definition inserted by section 2 of Act 7 of 2005]</remark></p>')
    )
    assert [node.type for node in document.walk() if node.amendments] == ["section", "remark"]


def test_remarks_in_italics_behind_a_note_and_behind_a_space_are_nodes_of_their_own() -> None:
    document = act(
        section(
            "<p>A <b>toll</b><authorialNote><p>In <remark>[dollars]</remark>.</p></authorialNote> is"
            '<i><remark status="repealed"> [a]</remark></i> due <remark status="removed">[b]</remark>.</p>'
        )
    )
    assert [(document.text_of(node), node.status) for node in nodes(document, "remark")] == [
        ("[a]", "repealed"),
        ("[b]", "omitted"),
    ]


_META = """<meta><identification source="#x"><FRBRWork><FRBRuri value="/akn/za/act/1991/4"/><FRBRdate date="{work}" name="G"/></FRBRWork>
<FRBRExpression><FRBRuri value="{uri}"/>{dates}</FRBRExpression></identification></meta>"""


def test_a_placeholder_is_no_date_and_the_next_one_counts() -> None:
    dates = '<FRBRdate date="0001-01-01" name="a"/><FRBRdate date="2031" name="b"/><FRBRdate date="2032-05-06+01:00" name="c"/>'
    document = act(
        section("<p>A.</p>"), before=_META.format(work="9999-12-31", uri="/akn/za/act/1991/4/eng", dates=dates)
    )
    assert (document.metadata.get("date_enacted"), document.as_of_date) == (None, "2032-05-06")


def test_what_the_file_states_comes_before_the_hints_and_the_stated_language_before_that_of_its_address() -> None:
    meta = _META.replace("</FRBRWork>", '<FRBRalias value="Canals Act" name="title"/></FRBRWork>')
    uri, hints = "/akn/za/act/1991/4/eng@2014-01-02", {"language": "swe", "title": "Lampelag"}
    dates = '<FRBRlanguage language="afr"/>'
    document = act(
        section("<p>A.</p>"),
        before=meta.format(work="1991-04-01", uri=uri, dates=dates),
        **hints, as_of_date="2031-02-03", jurisdiction="ke", work_uri="/akn/ke/act/2031/9",
    )  # fmt: skip
    assert (document.work_uri, document.jurisdiction) == ("/akn/za/act/1991/4", "za")
    assert (document.title, document.language, document.as_of_date) == ("Canals Act", "afr", "2014-01-02")


def test_the_work_that_a_user_states_comes_before_that_of_the_address_of_the_file() -> None:
    xml = f'<akomaNtoso xmlns="{_AKN3}"><act name="act"><body>{section("<p>A.</p>")}</body></act></akomaNtoso>'.encode()
    source = SourceFile("canal.xml", xml, url="https://law.example/akn/ke/act/2031/8")
    stated = source.with_hints(work_uri="/akn/ke/act/2031/9")
    assert [akn_xml.FORMAT.parse(file).work_uri for file in (source, stated)] == [
        "/akn/ke/act/2031/8",
        "/akn/ke/act/2031/9",
    ]


def test_the_date_in_the_uri_of_an_expression_is_that_of_its_text() -> None:
    uri = "/akn/za/act/1991/4/eng@2014-01-02"
    document = act(section("<p>A.</p>"), before=_META.format(work="1991-04-01", uri=uri, dates=""))
    assert (document.as_of_date, document.language) == ("2014-01-02", "eng")


def test_a_remark_on_a_definition_credits_the_last_one_before_it() -> None:
    defined = "".join(f'<p>"{term}" means a boat;</p>' for term in ("barge", "raft"))
    remark = '<p><remark status="editorial">[definition inserted by section 2 of Act 7 of 2005]</remark></p>'
    found = nodes(act(section(f"<p>In this Act—</p>{defined}{remark}")), "definition")
    assert [(node.attributes["term"], len(node.amendments)) for node in found] == [("barge", 0), ("raft", 1)]


def test_law_that_quoted_law_quotes_is_quoted_to_its_end_and_only_the_outer_quotation_keeps_its_eid() -> None:
    inner = '<quotedStructure eId="q_1__q_2" startQuote="‘" endQuote="’"><p>A raft pays.</p></quotedStructure>'
    quoted = '<section eId="s"><num>9.</num><content><p>A lamp burns.</p></content></section>'
    document = act(
        section(
            f'<quotedStructure eId="q_1" startQuote="“" endQuote="”"><p>For</p>{inner}{quoted}</quotedStructure>'
            '<p>This section "binds" the keeper.</p>'
        )
    )
    assert [node.num for node in document.provisions()] == ["1"]
    assert [node.eid for node in nodes(document, "quotation")] == ["q_1", "q_1__quote_1"]
    assert [document.text_of(node) for node in nodes(document, "quotation")] == [
        "“For\n\n‘A raft pays.’\n\n9. A lamp burns.”",
        "‘A raft pays.’",
    ]


def test_a_quotation_of_a_number_alone_is_closed_behind_it() -> None:
    document = act(section('<quotedStructure startQuote="“" endQuote="”"><num>4.</num></quotedStructure>'))
    assert document.text_of(nodes(document, "quotation")[0]) == "“4.”"


def test_a_list_that_defines_a_term_is_one_definition() -> None:
    document = act(
        section(
            '<p>In this Act—</p><blockList eId="l"><listIntroduction>"barge" means—</listIntroduction>'
            '<item eId="l_a"><num>(a)</num><p>a boat;</p></item><listWrapUp>that carries coal;</listWrapUp></blockList>'
        )
    )
    assert terms(document) == ["barge"]
    assert document.text_of(nodes(document, "definition")[0]).endswith("that carries coal;")


def test_an_empty_preface_is_no_node() -> None:
    assert [node.type for node in act(section("<p>A.</p>"), before="<preface><p> </p></preface>").nodes] == ["section"]


def test_a_work_of_no_known_country_has_no_uri_and_the_name_of_its_file() -> None:
    meta = _META.replace("/akn/za/act/1991/4", "https://law.example/x/9")
    document = act(
        section("<p>A.</p>"), before=meta.format(work="1991-04-01", uri="https://law.example/x/9/e", dates="")
    )
    assert (document.work_uri, document.document_id) == (None, "xx-act-canal")


def test_a_judgment_that_marks_no_judge_has_no_list_of_judges() -> None:
    xml = (
        f'<akomaNtoso xmlns="{_AKN3}"><judgment name="j"><header><p><courtType>High Court</courtType></p></header>'
        "<judgmentBody><decision><p>The claim fails.</p></decision></judgmentBody></judgment></akomaNtoso>"
    )
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode()))
    assert (document.metadata["court"], document.metadata.get("judges")) == ("High Court", None)


def test_paragraphs_of_a_judgment_may_be_items_with_their_numbers_in_brackets() -> None:
    point = "<blockList><item><num>(a)</num><p>coal.</p></item></blockList>"
    items = (
        f"<item><num>[1]</num><p>The barge carried</p>{point}</item><item><num>[2]</num><p>The claim fails.</p></item>"
    )
    xml = (
        f'<akomaNtoso xmlns="{_AKN3}"><judgment name="j"><header><p>A v B</p></header>'
        f"<judgmentBody><motivation><blockList>{items}</blockList></motivation></judgmentBody></judgment></akomaNtoso>"
    )
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode()))
    assert [(node.type, node.num) for node in document.walk() if node.num] == [
        ("numbered_paragraph", "1"), ("item", "a"), ("numbered_paragraph", "2"),
    ]  # fmt: skip


def test_an_empty_remark_is_no_node_and_takes_nothing_from_the_next_one() -> None:
    document = act(
        section('<p>A toll <remark status="repealed"> </remark>is due <remark status="removed">[b]</remark>.</p>')
    )
    assert [(document.text_of(node), node.status) for node in nodes(document, "remark")] == [("[b]", "omitted")]


def test_a_title_with_a_break_is_printed_once() -> None:
    html = (
        '<span class="akn-act"><section class="akn-chapter" data-eid="chp_2"><h2>Chapter 2<br>Tolls</h2>'
        '<span class="akn-p">A barge pays.</span></section></span>'
    )
    assert page(html).text == "Chapter 2 Tolls\n\nA barge pays."


def test_what_a_page_has_beside_the_act_in_its_document_is_read() -> None:
    html = (
        '<span class="akn-akomaNtoso"><span class="akn-act"><span class="akn-p">A barge pays.</span></span>'
        '<span class="akn-component"><span class="akn-doc"><span class="akn-p">Two dollars.</span></span></span></span>'
    )
    document = page(html)
    assert document.text == "A barge pays.\n\nTwo dollars."
    assert [document.text_of(node) for node in nodes(document, "schedule")] == ["Two dollars."]


def test_a_cover_page_outside_the_element_of_the_law_is_no_furniture() -> None:
    html = (
        '<nav>Gazettes</nav>As of 2031<div class="coverpage"><h1>Lamps Act</h1></div><la-akoma-ntoso><article class="akn-act">'
        '<span class="akn-p">A lamp burns.</span></article></la-akoma-ntoso>'
    )
    assert page(f"<html><body>{html}</body></html>").metadata["left_out"] == ["Gazettes", "As of 2031"]


@pytest.mark.parametrize(
    ("marked", "num"),
    [
        ('<section id="sec4"><heading>Lamps</heading>', "4"),
        ('<section id="sec4"><num>(1)</num><heading>Lamps</heading>', "4"),
        ('<section eId="part_1__sec_12a"><heading>Lamps</heading>', "12a"),
        ('<section id="part1-sec4"><heading>Lamps</heading>', "4"),
        ('<section eId="sec_9"><num value="7">VII.</num><heading>Lamps</heading>', "7"),
        ('<section id="sec4"><num>5.</num><heading>Lamps</heading>', "5"),
        ('<section id="lamps"><heading>Lamps</heading>', None),
        ('<section id="sec4-x"><heading>Lamps</heading>', None),
    ],
)
def test_a_section_without_a_printed_number_has_the_one_that_its_id_states(marked: str, num: str | None) -> None:
    [node] = nodes(act(f"{marked}<content><p>A barge pays.</p></content></section>"), "section")
    assert node.num == num


@pytest.mark.parametrize("name", ["eId", "id"])
def test_a_provision_with_two_intervals_holds_from_the_first_day_to_the_last(name: str) -> None:
    events = "".join(f'<eventRef {name}="e{number}" date="200{number}-02-03" source="#x"/>' for number in range(1, 5))
    meta = f"""<meta><lifecycle source="#x">{events}</lifecycle><temporalData source="#x"><temporalGroup {name}="t1">
    <timeInterval start="#e1" end="#e2" refersTo="#x"/><timeInterval start="#e3" end="#e4" refersTo="#x"/></temporalGroup>
    </temporalData></meta>"""
    document = act(
        '<section eId="sec_1" period="#t1"><num>1</num><content><p>A barge pays.</p></content></section>', before=meta
    )
    assert [(node.valid_from, node.valid_to) for node in document.provisions()] == [("2001-02-03", "2004-02-03")]


def test_the_day_of_an_amendment_is_that_on_which_its_act_took_effect() -> None:
    acts = "".join(
        f'<statuteReference><ref>{number}/2011</ref><inForce><dateEntryIntoForce date="2012-0{month}-01"/></inForce></statuteReference>'
        for month, number in ((1, 1112), (2, 1113))
    )
    meta = f'<meta><proprietary source="#x"><amendedBy>{acts}</amendedBy></proprietary></meta>'
    marked = "".join(
        f'<section eId="sec_{place}" originalVersionLabel="4.11.2011/{number}"><num>{place}</num><content><p>A.</p></content></section>'
        for place, number in ((1, "1113"), (2, "1114"))
    )
    found = [item for node in act(marked, before=meta).provisions() for item in node.amendments]
    assert [(item.by, item.date) for item in found] == [("1113/2011", "2012-02-01"), ("1114/2011", None)]


def test_a_judge_who_is_marked_twice_is_named_once() -> None:
    judges = "".join(f"<p><judge>{name}</judge></p>" for name in ("Banda J", "Phiri J", "Banda J"))
    xml = (
        f'<akomaNtoso xmlns="{_AKN3}"><judgment name="j"><header>{judges}</header>'
        "<judgmentBody><decision><p>The claim fails.</p></decision></judgmentBody></judgment></akomaNtoso>"
    )
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode()))
    assert document.metadata["judges"] == ["Banda J", "Phiri J"]


@pytest.mark.parametrize(
    ("html", "score"),
    [('<span class="x akn-act">', CERTAIN), ('<span class="akn-p">', NEAR), ('<span class="act">', NO)],
)
def test_a_page_is_of_this_format_if_it_marks_a_document(html: str, score: float) -> None:
    assert akn_html.FORMAT.sniff(SourceFile("page.html", html.encode())) == score


@pytest.mark.parametrize(
    ("eid", "heading", "num", "title"),
    [
        ("sec_5-2", "5. Lamps", "5", "Lamps"),
        ("sec_5", "5.", "5", None),
        ("art_5a", "ARTICLE 5A Lamps", "5A", "Lamps"),
        ("sec_5", "5. Lamps of <b>fish</b> oil", "5", "Lamps of fish oil"),
        ("sec_5", "<b>Note</b> 5. Lamps", "5", "Note 5. Lamps"),
        ("lamps", "5. Lamps", None, "5. Lamps"),
    ],
)
def test_a_heading_is_cut_behind_the_number_that_its_id_states(
    eid: str, heading: str, num: str | None, title: str | None
) -> None:
    marked = f'<section eId="{eid}"><heading>{heading}</heading><content><p>A barge pays.</p></content></section>'
    [node] = nodes(act(marked), "section")
    assert (node.num, node.heading) == (num, title)


def test_a_note_on_a_cross_heading_and_one_in_a_table_are_footnotes() -> None:
    note = '<authorialNote marker="{0}"><p>Note {0}.</p></authorialNote>'
    heading = f"<crossHeading>Tolls{note.format(1)}</crossHeading>"
    table = f"<table>{note.format(2)}<tr>Barge</tr><tr><td>Raft{note.format(3)}</td></tr></table>"
    document = act(heading + section(table))
    assert document.text.split("\n\n") == ["Tolls", "Note 1.", "1. Barge\nRaft", "Note 2.", "Note 3."]
    assert [node.num for node in nodes(document, "footnote")] == ["1", "2", "3"]


def _list_of(introduction: str) -> str:
    return (
        f"<blockList><listIntroduction>{introduction}</listIntroduction>"
        "<item><num>(a)</num><p>a boat;</p></item></blockList>"
    )


@pytest.mark.parametrize(
    ("content", "defined"),
    [
        (_list_of('<def refersTo="#b">barge</def> is—'), ["barge"]),
        (_list_of('“<def refersTo="#b">barge</def>” is—'), ["barge"]),
        (_list_of('the <def refersTo="#b">barge</def> is—'), []),
        (f"<quotedStructure>{_list_of('&quot;barge&quot; means—')}</quotedStructure>", []),
        (
            '<blockList><listIntroduction>"barge" means—</listIntroduction><item><num>(a)</num>'
            + _list_of('"raft" means—')
            + "</item></blockList>",
            ["barge", "raft"],
        ),
        (
            f'<blockList><listIntroduction>"barge" means—</listIntroduction>{_list_of("&quot;raft&quot; means—")}</blockList>',
            ["barge"],
        ),
    ],
)
def test_a_list_defines_the_term_at_its_beginning_in_law_that_is_not_quoted(content: str, defined: list[str]) -> None:
    assert terms(act(section(content))) == defined


def test_a_printed_title_of_many_words_is_cut() -> None:
    front = f"<preface><p><docTitle>{'Canals ' * 40}Act</docTitle></p></preface>"
    assert len(act(section("<p>A.</p>"), before=front).title) <= 200


def test_an_element_with_two_ids_has_the_first_of_the_standard_and_one_with_a_number_keeps_its_heading() -> None:
    marked = (
        '<section id="x9" eId="sec_5"><num>5.</num><heading>5 lamps</heading><content><p>A.</p></content></section>'
    )
    [node] = nodes(act(marked), "section")
    assert (node.eid, node.num, node.heading) == ("sec_5", "5", "5 lamps")


def test_a_section_that_quotes_an_article_is_a_provision() -> None:
    quoted = '<quotedStructure><article eId="q"><num>9</num><content><p>A lamp burns.</p></content></article></quotedStructure>'
    assert [(node.type, node.num) for node in act(section(quoted)).provisions()] == [("section", "1")]


@pytest.mark.parametrize(
    ("uri", "kind", "language", "hint", "found"),
    [
        ("/akn/za/act/1991-04-01/canals", "act", "http://lang.example/afr/", "eng", ("act", "afr", 1991)),
        ("/akn/za/judgment/1991/4", "doc", "Afrikaans", "eng", ("judgment", "eng", 1991)),
    ],
)
def test_type_year_and_language_are_read_from_addresses(
    uri: str, kind: str, language: str, hint: str, found: tuple[str, str, int]
) -> None:
    meta = (
        f'<meta><identification source="#x"><FRBRWork><FRBRuri value="{uri}"/><FRBRalias value="Canals\\nAct" name="title"/>'
        f'</FRBRWork><FRBRExpression><FRBRlanguage language="{language}"/></FRBRExpression></identification></meta>'
    )
    body = "<body><p>A.</p></body>" if kind == "act" else "<mainBody><p>A.</p></mainBody>"
    xml = f'<akomaNtoso xmlns="{_AKN3}"><{kind} name="x">{meta}{body}</{kind}></akomaNtoso>'
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode(), hints={"language": hint}))
    assert (document.doc_type, document.language, document.metadata["year_enacted"]) == found
    assert document.title == "Canals Act"


def test_struck_words_are_left_out_and_listed() -> None:
    document = act(section("<p>A barge <del>or raft</del> pays.</p>"))
    assert (document.text, document.metadata["struck"]) == ("1. A barge pays.", ["or raft"])


def test_words_around_a_quotation_in_a_line_are_printed_once_and_a_sign_behind_it_is_a_line() -> None:
    quoted = "<quotedStructure><p>A raft pays.</p></quotedStructure>"
    document = act(section(f"<p>For section 4 {quoted} is put.</p>{quoted}<p>;</p>"))
    assert document.text.split("\n\n") == ["1. For section 4", "A raft pays.", "is put.", "A raft pays.", ";"]


@pytest.mark.parametrize(("eid", "num", "found"), [("art_87_a", "87 a", "art_87a"), ("art_1er", "1er", "art_1")])
def test_an_id_with_its_number_in_another_form_has_the_form_of_the_standard(eid: str, num: str, found: str) -> None:
    marked = f'<article eId="{eid}"><num>Art. {num}</num><paragraph eId="{eid}/para_1"><content><p>A.</p></content></paragraph></article>'
    assert [node.eid for node in act(marked).walk()] == [found, f"{found}__para_1"]


@pytest.mark.parametrize(("printed", "number"), [("Schedule", None), ("—", "—"), ("", None), ("Part IV", "IV")])
def test_a_word_alone_is_no_number(printed: str, number: str | None) -> None:
    assert bare_number(printed) == number


def test_levels_are_named_by_their_place() -> None:
    content = "<content><p>A barge pays.</p></content>"
    document = act(
        f"<article><num>Art. 229</num><section><num>§ 1</num>{content}</section><division><num>1</num>{content}</division></article>"
        f"<section><num>1.</num></section><section><num>2.</num>{content}</section>"
        f"<part><num>PART I—</num><heading>Tolls</heading><proviso>{content}</proviso></part>"
    )
    assert [(node.type, node.num) for node in document.walk() if node.num] == [
        ("article", "229"), ("section", "1"), ("paragraph", "1"), ("section", "1"), ("section", "2"), ("part", "I"),
    ]  # fmt: skip
    assert [node.type for node in document.walk() if not node.num and node.type != "heading"] == ["transitional"]
    assert "\n\n1.\n\n2. A barge pays.\n\nPART I—Tolls\n\n" in document.text


def test_a_proviso_of_a_schedule_is_part_of_it() -> None:
    proviso = "<proviso><content><p>No toll.</p></content></proviso>"
    doc = f"<doc name='s'><meta/><mainBody>{proviso}</mainBody></doc>"
    schedule = f"<attachments><attachment><heading>Rates</heading>{doc}</attachment></attachments>"
    xml = (
        f'<akomaNtoso xmlns="{_AKN3}"><act name="act"><body>{section("<p>A.</p>")}</body>{schedule}</act></akomaNtoso>'
    )
    document = akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode()))
    assert [node.type for node in nodes(document, "schedule")[0].walk()] == ["schedule", "heading", "proviso"]


@pytest.mark.parametrize(
    ("kind", "uri", "this", "name"),
    [
        ("act", "/es/l/2002/34", "/es/l/2002/34/main", "es-act-es-l-2002-34"),
        ("act", "/es/l/2002/34/main", "/es/l/2002/34/main", "es-act-es-l-2002-34"),
        ("doc", "/es/l/2002/34", "/es/l/2002/34/anexo", "es-doc-es-l-2002-34-anexo"),
        ("doc", "/es/l/2002/34", "/es/texto/9", "es-doc-es-l-2002-34"),
    ],
)
def test_the_main_part_of_a_work_is_the_work_and_only_its_own_parts_name_another(
    kind: str, uri: str, this: str, name: str
) -> None:
    meta = (
        f'<meta><identification source="#x"><FRBRWork><FRBRuri value="{uri}"/><FRBRthis value="{this}"/>'
        '<FRBRcountry value="es"/></FRBRWork></identification></meta>'
    )
    xml = f'<akomaNtoso xmlns="{_AKN3}"><{kind}>{meta}<body><p>A barge pays.</p></body></{kind}></akomaNtoso>'
    assert akn_xml.FORMAT.parse(SourceFile("canal.xml", xml.encode())).document_id == name
