"""Akoma Ntoso XML of any hand: structure, eIds and every word are kept."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import detect
from legal_pipeline_tests.parsing.invariants import check_invariants, parsed

AKN3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
AKN2 = "http://www.akomantoso.org/2.0"


def source(text: str) -> SourceFile:
    return SourceFile("canal.xml", text.encode())


def act(body: str, *, before: str = "", after: str = "", namespace: str = AKN3) -> Document:
    xml = f'<akomaNtoso xmlns="{namespace}"><act name="act">{before}<body>{body}</body>{after}</act></akomaNtoso>'
    document = akn_xml.parse(source(xml))
    check_invariants(document)
    return document


def nodes(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


META = """<meta><identification source="#x"><FRBRWork><FRBRthis value="/akn/za-cpt/act/by-law/2013/canals/!main"/>
<FRBRuri value="/akn/za-cpt/act/by-law/2013/canals"/><FRBRalias value="Canals By-law" name="title"/><FRBRdate date="2013-05-07" name="G"/>
<FRBRauthor href=""/><FRBRcountry value="za"/></FRBRWork><FRBRExpression>
<FRBRthis value="/akn/za-cpt/act/by-law/2013/canals/afr@2014-01-02/!main"/>
<FRBRuri value="/akn/za-cpt/act/by-law/2013/canals/afr@2014-01-02"/><FRBRdate date="2014-01-02" name="G"/><FRBRauthor href=""/>
<FRBRlanguage language="afr"/></FRBRExpression></identification></meta>"""

SECTION = """<part eId="part_I"><num>I</num><heading>Tolls</heading><section eId="sec_1"><num>1.</num><heading>Barges</heading>
<subsection eId="sec_1__subsec_1"><num>(1)</num><intro><p>A barge pays—</p></intro><paragraph eId="sec_1__subsec_1__para_a"><num>(a)</num>
<content><p>a toll; and</p></content></paragraph><wrapUp><p>before it <b>enters</b>.</p></wrapUp></subsection></section></part>"""


def test_structure_numbers_headings_and_eids_are_kept() -> None:
    document = act(SECTION)
    assert [(node.type, node.num, node.heading, node.eid) for node in document.walk() if node.num] == [
        ("part", "I", "Tolls", "part_I"),
        ("section", "1", "Barges", "sec_1"),
        ("subsection", "1", None, "sec_1__subsec_1"),
        ("paragraph", "a", None, "sec_1__subsec_1__para_a"),
    ]
    assert document.text == "I Tolls\n\n1. Barges\n\n(1) A barge pays—\n\n(a) a toll; and\n\nbefore it enters."
    assert document.text_of(nodes(document, "paragraph")[0]) == "(a) a toll; and"


def test_version_2_names_its_elements_by_id() -> None:
    document = act(SECTION.replace("eId=", "id="), namespace=AKN2)
    assert [node.eid for node in document.provisions()] == ["sec_1"]


def test_an_eid_that_stands_twice_gets_a_suffix_and_a_warning() -> None:
    document = act('<section eId="sec_1"><num>1</num><content><p>A.</p></content></section>' * 2)
    assert [node.eid for node in document.provisions()] == ["sec_1", "sec_1-2"]
    assert any("sec_1 stands more than once" in warning for warning in document.warnings)


def test_an_element_without_eid_never_takes_one_that_stands_further_down() -> None:
    document = act(
        '<section><num>2</num><content><p>A.</p></content></section><section eId="sec_2"><num>2</num><content><p>B.</p></content></section>'
    )
    assert [node.eid for node in document.provisions()] == ["sec_2-2", "sec_2"]


def test_a_remark_in_a_sentence_keeps_its_place_and_names_the_amending_act() -> None:
    document = act(
        '<section eId="sec_1"><num>1.</num><content><p>A toll '
        '<remark status="editorial">[section amended by section 2 of Act 7 of 2005]</remark>'
        " is due.</p></content></section>"
    )
    (remark,) = nodes(document, "remark")
    assert document.text_of(remark) == "[section amended by section 2 of Act 7 of 2005]"
    assert [item.by for item in nodes(document, "section")[0].amendments] == ["Act 7 of 2005"]
    assert document.text == "1. A toll [section amended by section 2 of Act 7 of 2005] is due."


def test_table_rows_are_lines_with_bars() -> None:
    document = act(
        '<section eId="sec_1"><num>1.</num><content><table eId="t"><tr><th><p>Vessel</p></th><th><p>Toll</p></th></tr>'
        "<tr><td><p>Barge<br/>laden</p></td><td/></tr></table></content></section>"
    )
    assert document.text_of(nodes(document, "table")[0]) == "Vessel | Toll\nBarge laden |"


def test_a_footnote_stands_behind_its_paragraph() -> None:
    document = act(
        '<section eId="sec_1"><num>1.</num><content><p>A toll'
        '<authorialNote marker="1" eId="n"><p>In dollars.</p></authorialNote> is due.</p>'
        "</content></section>"
    )
    (note,) = nodes(document, "footnote")
    assert (document.text_of(note), note.num) == ("In dollars.", "1")
    assert document.text == "1. A toll is due.\n\nIn dollars."


def test_quoted_law_is_text_and_no_provision() -> None:
    document = act(
        '<section eId="sec_1"><num>1.</num><content><p>For section 4 is substituted:</p>'
        '<block name="quote"><embeddedStructure startQuote="“">'
        '<section eId="q"><num>4.</num><heading>Rafts</heading><content><p>A raft pays.”</p></content></section>'
        "</embeddedStructure></block>"
        "</content></section>"
    )
    assert [node.num for node in document.provisions()] == ["1"]
    (quotation,) = nodes(document, "quotation")
    assert document.text_of(quotation) == "“4. Rafts\n\nA raft pays.”"


def test_front_matter_preamble_and_attachments_stand_beside_the_provisions() -> None:
    attachment = """<attachments><attachment eId="att_1"><heading>Schedule</heading><subheading>Rates</subheading>
    <doc name="schedule"><meta/>
    <mainBody><p>One dollar.</p></mainBody></doc></attachment></attachments>"""
    before = "<preface><longTitle><p>To levy tolls.</p></longTitle></preface><preamble><p>Whereas canals are old;</p></preamble>"
    document = act(SECTION, before=before, after=attachment)
    assert [(node.type, node.heading) for node in document.nodes] == [
        ("header", None),
        ("preamble", None),
        ("part", "Tolls"),
        ("schedule", "Schedule"),
    ]
    assert [document.text_of(node) for node in nodes(document, "longtitle")] == ["To levy tolls."]
    assert document.text_of(nodes(document, "schedule")[0]) == "Schedule\n\nRates\n\nOne dollar."


def test_numbered_paragraphs_of_a_judgment_are_cited_by_themselves() -> None:
    xml = f"""<akomaNtoso xmlns="{AKN3}"><judgment name="j"><header><p>A v B</p></header><judgmentBody><background><paragraph eId="para_1">
    <num>[1]</num><content><p>The barge sank.</p></content></paragraph></background><decision>
    <paragraph eId="para_2"><num>[2]</num><content>
    <p>The claim fails.</p></content></paragraph></decision></judgmentBody></judgment></akomaNtoso>"""
    document = akn_xml.parse(source(xml))
    assert [(node.type, node.num) for node in document.provisions()] == [
        ("numbered_paragraph", "1"),
        ("numbered_paragraph", "2"),
    ]
    assert [node.type for node in document.nodes] == ["header", "background", "decision"]
    assert document.doc_type == "judgment"


def test_identity_language_and_version_come_from_the_metadata() -> None:
    document = act(SECTION, before=META)
    assert (document.document_id, document.work_uri) == (
        "za-cpt-act-by-law-2013-canals",
        "/akn/za-cpt/act/by-law/2013/canals",
    )
    assert (document.language, document.as_of_date, document.title, document.doc_type) == (
        "afr",
        "2014-01-02",
        "Canals By-law",
        "regulation",
    )
    assert (document.jurisdiction, document.metadata["locality"], document.metadata["date_enacted"]) == (
        "za",
        "cpt",
        "2013-05-07",
    )


def test_a_document_that_names_no_work_says_so() -> None:
    document = act(SECTION)
    assert document.work_uri is None
    assert any("which work" in warning for warning in document.warnings)


@pytest.mark.parametrize(
    ("uri", "identity", "kind"),
    [
        ("/akn/za/act/1979/70", "za-act-1979-70", "act"),
        ("/zw/act/si/1999/12", "zw-act-si-1999-12", "regulation"),
        ("https://zimlii.org/akn/zw/judgment/zwhhc/2025/304/eng@2025-05-14", "zw-judgment-zwhhc-2025-304", "judgment"),
        ("/akn/zw/act/2013/constitution", "zw-act-2013-constitution", "constitution"),
    ],
)
def test_an_frbr_uri_is_an_identity(uri: str, identity: str, kind: str) -> None:
    frbr = read_work_uri(uri)
    assert frbr is not None
    assert (frbr.document_id, frbr.doc_type) == (identity, kind)


@pytest.mark.parametrize(
    ("xml", "error"),
    [
        ("<akomaNtoso><act><body>", TruncatedDocumentError),
        ("<akomaNtoso/>", ParseError),
        ("<akomaNtoso><act><body/></act></akomaNtoso>", EmptyDocumentError),
        (
            "<akomaNtoso><act><body>" + "<part>" * 400 + "</part>" * 400 + "</body></act></akomaNtoso>",
            LimitExceededError,
        ),
        ('<!DOCTYPE a [<!ENTITY x "y">]><akomaNtoso><act><body><p>&x;</p></body></act></akomaNtoso>', ParseError),
    ],
)
def test_what_is_no_document_is_a_typed_error(xml: str, error: type[ParseError]) -> None:
    with pytest.raises(error):
        akn_xml.parse(source(xml))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["eids_edge", "unchanged_2", "tables", "wrap-annotations", "tz-swahili-act"])
def test_every_word_of_the_file_is_in_the_text(corpus: Path, name: str) -> None:
    path = corpus / "zw" / "akn_xml" / f"{name}.akn3.xml"
    document = parsed(path)
    root = etree.parse(path).getroot()
    for meta in root.iter(f"{{{AKN3}}}meta"):
        meta.clear()
    words = Counter(re.findall(r"\w+", " ".join(root.itertext())))
    assert not words - Counter(re.findall(r"\w+", document.text))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["eids_edge", "unchanged_2", "tables", "wrap-annotations", "tz-swahili-act"])
def test_every_eid_of_a_hierarchical_element_is_a_node(corpus: Path, name: str) -> None:
    """Elements inside a quotation are text of another law."""
    path = corpus / "zw" / "akn_xml" / f"{name}.akn3.xml"
    found = {node.eid for node in parsed(path).walk()}
    names = (
        "part",
        "chapter",
        "section",
        "subsection",
        "paragraph",
        "subparagraph",
        "division",
        "item",
        "article",
        "attachment",
    )
    for element in etree.parse(path).getroot().iter(*(f"{{{AKN3}}}{kind}" for kind in names)):
        if not any(str(parent.tag).endswith("embeddedStructure") for parent in element.iterancestors()):
            assert element.get("eId") in found, element.get("eId")


@pytest.mark.corpus
def test_the_swahili_constitution_has_its_sections(corpus: Path) -> None:
    path = corpus / "zw" / "akn_xml" / "tz-swahili-act.akn3.xml"
    document = parsed(path)
    assert detect(SourceFile("x", path.read_bytes())).name == "akn_xml"
    assert (len(nodes(document, "section")), len(nodes(document, "chapter")), len(nodes(document, "subsection"))) == (
        155,
        10,
        483,
    )
    assert (document.language, document.document_id, document.as_of_date) == ("swa", "tz-act-1977-1", "2002-07-31")
