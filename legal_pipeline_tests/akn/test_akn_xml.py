"""Akoma Ntoso XML of any hand: structure, eIds and every word are kept."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.akn.numbers import bare_number
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import detect, parse
from legal_pipeline_tests.parsing.invariants import check_invariants, parsed

AKN3 = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
AKN2 = "http://www.akomantoso.org/2.0"


def source(text: str) -> SourceFile:
    return SourceFile("canal.xml", text.encode())


def act(body: str, *, before: str = "", after: str = "", namespace: str = AKN3) -> Document:
    xml = f'<akomaNtoso xmlns="{namespace}"><act name="act">{before}<body>{body}</body>{after}</act></akomaNtoso>'
    document = akn_xml.FORMAT.parse(source(xml))
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
    assert any("sec_1 occurs more than once" in warning for warning in document.warnings)


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


def test_a_table_keeps_what_is_outside_its_rows_and_has_a_table_in_a_cell_once() -> None:
    table = "<table><title>Tolls</title><tr><td><p>Barge</p><table><tr><td>laden</td></tr></table></td></tr></table>"
    document = act(f'<section eId="sec_1"><num>1.</num><content>{table}</content></section>')
    assert document.text_of(nodes(document, "table")[0]) == "Tolls\nBarge laden"


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
    document = akn_xml.FORMAT.parse(source(xml))
    assert [(node.type, node.num) for node in document.provisions()] == [
        ("numbered_paragraph", "1"),
        ("numbered_paragraph", "2"),
    ]
    assert [node.type for node in document.nodes] == ["header", "background", "decision"]
    assert document.doc_type == "judgment"


def test_a_paragraph_inside_a_numbered_paragraph_is_not_cited_by_itself() -> None:
    xml = f"""<akomaNtoso xmlns="{AKN3}"><judgment name="j"><header><p>A v B</p></header><judgmentBody><background><paragraph eId="para_1">
    <num>[1]</num><intro><p>The barge carried</p></intro><paragraph eId="para_1__para_a"><num>(a)</num><content><p>coal.</p></content>
    </paragraph></paragraph></background></judgmentBody></judgment></akomaNtoso>"""
    document = akn_xml.FORMAT.parse(source(xml))
    assert [(node.type, node.num) for node in document.provisions()] == [("numbered_paragraph", "1")]
    assert [(node.type, node.num) for node in nodes(document, "paragraph")] == [("paragraph", "a")]


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
        akn_xml.FORMAT.parse(source(xml))


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


COMPONENTS = """<components><component eId="cmp_1"><doc name="annex"><meta/><mainBody><article eId="cmp_1__art_1">
<num>Article 1</num><content><p>Locks close at dusk.</p></content></article></mainBody></doc></component></components>"""


def with_components(body: str, components: str) -> Document:
    xml = f'<akomaNtoso xmlns="{AKN3}"><act name="act"><body>{body}</body></act>{components}</akomaNtoso>'
    return parse(source(xml))


def test_components_beside_the_act_are_schedules_of_it() -> None:
    document = with_components(SECTION, COMPONENTS)
    (schedule,) = nodes(document, "schedule")
    assert document.text_of(schedule) == "Article 1 Locks close at dusk."
    assert [node.eid for node in document.provisions()] == ["sec_1", "cmp_1__art_1"]
    assert not document.requires_manual_review


def test_an_unnumbered_article_of_a_component_is_no_provision() -> None:
    document = with_components(
        SECTION,
        '<components><component id="c"><doc name="schedule1"><mainBody><article id="schedule1"><heading>First Schedule</heading>'
        "<paragraph><content><p>Tolls.</p></content></paragraph></article></mainBody></doc></component></components>",
    )
    assert [node.eid for node in document.provisions()] == ["sec_1"]
    assert document.text.endswith("First Schedule\n\nTolls.")


def test_a_collection_of_documents_is_read_whole() -> None:
    xml = f"""<akomaNtoso xmlns="{AKN3}"><documentCollection name="c"><meta/><collectionBody><component eId="one"><interstitial>
    <p>First part.</p></interstitial></component></collectionBody><components><component eId="two"><act name="act">
    <body>{SECTION}</body></act></component></components></documentCollection></akomaNtoso>"""
    document = parse(source(xml))
    assert document.text.startswith("First part.\n\nI Tolls")
    assert document.text.endswith("before it enters.")


def test_a_section_of_articles_is_a_division() -> None:
    document = act(
        '<chapter eId="chap_1"><num>1. Kapitel</num><section eId="chap_1/sec_1"><num>1. Abschnitt: </num><heading>Schleusen</heading>'
        '<article eId="art_5_a"><num><b>Art. 5<i>a</i></b></num><heading>Zoll</heading><paragraph eId="art_5_a/para_1"><num>1</num>'
        "<content><p>Ein Kahn zahlt.</p></content></paragraph></article></section></chapter>"
    )
    assert [(node.type, node.num, node.eid) for node in document.walk() if node.num] == [
        ("chapter", "1", "chap_1"),
        ("division", "1", "chap_1__sec_1"),
        ("article", "5a", "art_5a"),
        ("paragraph", "1", "art_5a__para_1"),
    ]


@pytest.mark.parametrize(
    ("printed", "number"),
    [
        ("1 luku", "1"),
        ("2 a §", "2 a"),
        ("Art. 1er.", "1"),
        ("Chapitre Ier.", "I"),
        ("§ 1er.", "1"),
        ("2. Abschnitt:", "2"),
        ("Art. 12bis", "12bis"),
        ("Chapter 2", "2"),
        ("(a)", "a"),
        ("First Schedule", "First Schedule"),
    ],
)
def test_a_number_is_found_beside_one_word_of_any_language(printed: str, number: str) -> None:
    assert bare_number(printed) == number


def test_a_note_on_a_number_or_a_subheading_is_a_footnote() -> None:
    document = act(
        '<article eId="art_1"><num>Art. 1<authorialNote><p>In force since May.</p></authorialNote></num><heading>Tolls</heading>'
        "<subheading>Barges<authorialNote><p>New.</p></authorialNote></subheading><content><p>A barge pays.</p></content></article>"
        '<article eId="art_2"><num>Art. 2<authorialNote><p>Inserted.</p></authorialNote></num>'
        "<content><p>A raft pays.</p></content></article>"
    )
    article_1 = "Art. 1 Tolls\n\nBarges\n\nIn force since May.\n\nNew.\n\nA barge pays."
    assert document.text == f"{article_1}\n\nArt. 2 A raft pays.\n\nInserted."
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert [document.text_of(note) for note in nodes(document, "footnote")] == [
        "In force since May.",
        "New.",
        "Inserted.",
    ]


def test_what_the_source_says_of_the_time_of_a_provision_stands_in_its_node() -> None:
    meta = """<meta><lifecycle source="#x"><eventRef eId="e1" date="2001-02-03" source="#x"/><eventRef eId="e2" date="2004-05-06"
    source="#x"/></lifecycle><temporalData source="#x"><temporalGroup eId="t1"><timeInterval start="#e1" end="#e2" refersTo="#x"/>
    </temporalGroup></temporalData></meta>"""
    document = act(
        '<section eId="sec_1" period="#t1"><num>1</num><content><p>A barge pays.</p></content></section>'
        '<section eId="sec_2" status="removed"><num>2</num><content><p>…</p></content></section>',
        before=meta,
    )
    assert [(node.valid_from, node.valid_to, node.status) for node in document.provisions()] == [
        ("2001-02-03", "2004-05-06", "in_force"),
        (None, None, "omitted"),
    ]


def test_a_provision_keeps_its_name_when_its_publisher_counts_versions() -> None:
    document = act(
        '<section eId="chp_1__sec_2v20180817"><num>2 §</num><subsection eId="chp_1__sec_2v20180817__subsec_1v20180817"><content>'
        "<p>A barge pays.</p></content></subsection></section>"
    )
    assert [node.eid for node in document.walk()] == ["chp_1__sec_2", "chp_1__sec_2__subsec_1"]


def fedlex(language: str, date: str) -> str:
    uri = f"https://fedlex.data.admin.ch/eli/cc/2031/7/{date}"
    return f"""<akomaNtoso xmlns="{AKN3}" xmlns:f="http://fedlex.admin.ch/"><act name="publicLaw"><meta><identification source="#x">
    <FRBRWork><FRBRuri value="{uri}"/><FRBRdate date="2031-01-01" name="jolux:dateEntryInForce"/>
    <FRBRdate date="2030-05-02" name="jolux:dateDocument"/>
    <FRBRcountry value="CH"/><FRBRname xml:lang="de" value="Kanalgesetz" shortForm="KaG"/><FRBRname xml:lang="fr"
    value="Loi sur les canaux" shortForm="LCan"/></FRBRWork><FRBRExpression><FRBRuri value="{uri}/{language}"/>
    <FRBRdate date="2031-01-01" name="jolux:dateEntryInForce"/><FRBRdate date="2033-03-03" name="jolux:dateApplicability"/>
    <FRBRlanguage language="{language}"/></FRBRExpression></identification></meta><preface><p><docNumber>747.9 </docNumber></p></preface>
    <body><article eId="art_1"><num>Art. 1</num><paragraph eId="art_1/para"><content><p>Kanal.</p></content></paragraph></article></body>
    </act></akomaNtoso>"""


def test_one_act_in_two_languages_is_one_work() -> None:
    german, french = parse(source(fedlex("de", "20330303"))), parse(source(fedlex("fr", "20330303")))
    assert (german.document_id, german.language, german.title) == ("ch-act-2031-7", "deu", "Kanalgesetz")
    assert (french.document_id, french.language, french.title) == ("ch-act-2031-7-fra", "fra", "Loi sur les canaux")
    assert german.work_uri == french.work_uri == "/akn/ch/act/2031/7"
    assert (german.number, german.jurisdiction, german.as_of_date) == ("SR 747.9", "ch", "2033-03-03")
    assert (german.metadata["date_enacted"], german.metadata["in_force"]) == ("2030-05-02", "2031-01-01")
    assert french.metadata["abbreviation"] == "LCan"


def test_a_uri_of_no_known_shape_names_the_work_in_the_country_that_the_source_states() -> None:
    meta = """<meta><identification source="#x"><FRBRWork><FRBRuri value="https://law.example/eli/statute/2001/5"/><FRBRcountry
    value="http://publications.europa.eu/resource/authority/country/PRT"/></FRBRWork></identification></meta>"""
    document = act(SECTION, before=meta)
    assert (document.document_id, document.jurisdiction) == ("pt-act-eli-statute-2001-5", "pt")
    assert document.work_uri == "/akn/pt/act/eli/statute/2001/5"


def test_who_decided_a_judgment_is_read_from_its_marks() -> None:
    xml = f"""<akomaNtoso xmlns="{AKN3}" xmlns:uk="x"><judgment name="judgment"><meta><identification source="#x"><FRBRWork>
    <FRBRuri value="https://caselaw.nationalarchives.gov.uk/id/ewhc/ch/2031/9"/><FRBRdate date="2031-04-05" name="judgment"/>
    <FRBRcountry value="GB-UKM"/><FRBRname value="Barge v Lock"/></FRBRWork></identification><proprietary source="#x">
    <uk:cite>[2031] EWHC 9 (Ch)</uk:cite></proprietary></meta><header><p>Case No: <docketNumber>HC-1</docketNumber></p>
    <p><courtType>High Court</courtType></p><p><judge>Mr Justice Weir</judge></p><p><party>Barge</party> v <party>Lock</party></p></header>
    <judgmentBody><decision><paragraph eId="para_1"><num>1.</num><content><p>The claim fails.</p></content></paragraph></decision>
    </judgmentBody></judgment></akomaNtoso>"""
    document = parse(source(xml))
    assert (document.document_id, document.number) == ("gb-judgment-ewhc-ch-2031-9", "[2031] EWHC 9 (Ch)")
    assert document.title == "Barge v Lock"
    found = {name: document.metadata[name] for name in ("court", "judges", "parties", "case_number", "date_decided")}
    assert found == {
        "court": "High Court", "judges": ["Mr Justice Weir"], "parties": ["Barge", "Lock"], "case_number": "HC-1",
        "date_decided": "2031-04-05",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("eid", "printed", "num", "heading"),
    [
        ("art_4", "Artículo\xa04", "4", None),
        ("art_4_bis", "Artículo 4 bis. Peajes", "4 bis", "Peajes"),
        ("art_2", "Article 2 Tolls and fees", "2", "Tolls and fees"),
        ("art_7", "Artículo 7°", "7", None),
        ("sec_3", "§ 3 Boote", "3", "Boote"),
        ("art_9", "12 boats and more", "9", "12 boats and more"),
        ("da_1", "Disposición adicional primera", None, "Disposición adicional primera"),
    ],
)
def test_a_number_printed_in_the_heading_is_the_number_if_the_eid_confirms_it(
    eid: str, printed: str, num: str | None, heading: str | None
) -> None:
    document = act(
        f'<article eId="{eid}"><heading>{printed}</heading><content><p>A barge pays.</p></content></article>'
    )
    [node] = nodes(document, "article")
    assert (node.num, node.heading) == (num, heading)
    assert " ".join(document.text.split()) == " ".join(f"{printed} A barge pays.".split())


def published(work: str, part: str = "", kind: str = "act", *, title: str = "") -> Document:
    meta = (
        f'<meta><identification source="#x"><FRBRWork><FRBRthis value="{work}{part}"/><FRBRuri value="{work}"/>'
        '<FRBRcountry value="es"/></FRBRWork><FRBRExpression><FRBRlanguage language="esp"/></FRBRExpression></identification></meta>'
    )
    body = f"<{kind}>{meta}{title}<body><p>A barge pays a toll.</p></body></{kind}>"
    return akn_xml.FORMAT.parse(source(f'<akomaNtoso xmlns="{AKN3}">{body}</akomaNtoso>'))


def test_two_amendments_that_state_the_uri_of_one_act_are_two_documents() -> None:
    first, second = (published("/es/l/2002/34", f"/amendment-{n}", "amendment") for n in (1, 2))
    assert first.document_id != second.document_id
    assert published("/es/l/2002/34", "/original").document_id == published("/es/l/2002/34", "/final").document_id


def test_a_uri_that_names_nothing_is_not_an_identity() -> None:
    document = published("https://canals.example/id/")
    assert (document.work_uri, document.document_id) == (None, "es-act-canal")  # the path of the file


def test_old_and_bibliographic_codes_of_languages_are_understood() -> None:
    assert published("/es/l/2002/34").language == "spa"
    assert (iso_639_3("ger"), iso_639_3("fre"), iso_639_3("dut")) == ("deu", "fra", "nld")


def test_the_short_title_printed_above_an_act_is_its_title() -> None:
    front = "<preface><p><shortTitle>Canals Act 2014</shortTitle></p><longTitle><p>An Act about canals.</p></longTitle></preface>"
    assert published("/es/l/2014/7", title=front).title == "Canals Act 2014"


def test_a_short_title_in_brackets_behind_the_title_is_not_the_title() -> None:
    title = (
        "<preface><longTitle><p><docTitle>Gesetz über die Lampen</docTitle><shortTitle>(Lampengesetz - "
        '<inline refersTo="amtliche-abkuerzung" name="x">LampG</inline>)</shortTitle></p></longTitle></preface>'
    )
    document = published("/akn/de/act/2031/7", title=title)
    assert document.title == "Gesetz über die Lampen"
    assert document.metadata["abbreviation"] == "LampG"
