"""USLM: what an act says is law, what it would put into another act is a quotation."""

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline_tests.parsing.invariants import checked

LAW = """<pLaw xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:dc="http://purl.org/dc/elements/1.1/">
<meta><dc:title>Clock Act</dc:title><docNumber>7</docNumber><congress>120</congress><citableAs>Public Law 120–7</citableAs></meta>
<main><section><num value="1">SEC. 1. </num><heading>CLOCKS.</heading><chapeau>The Tower Act is amended—</chapeau>
<paragraph><num value="1">(1) </num><content>by adding at the end the following:
<quotedContent><section><num value="9">“SEC. 9. </num><heading>BELLS.</heading><content>A bell rings.”</content></section></quotedContent>
<inline role="after-quoted-block">; and</inline></content></paragraph>
<paragraph><num value="2">(2) </num><content>by striking <deletedText>gongs</deletedText>.</content></paragraph></section>
<section><num value="2">Sec. 2. </num><subsection><num value="a">(a)</num><paragraph><num value="1">(1) </num><content>Text.</content>
</paragraph></subsection></section></main></pLaw>"""


def parse(data: bytes, name: str = "law.xml") -> Document:
    return checked(SourceFile(name, data))


def test_a_quoted_section_is_no_provision() -> None:
    document = parse(LAW.encode())
    assert [node.num for node in document.provisions()] == ["1", "2"]
    quoted = next(node for node in document.walk() if node.type == "quotation")
    assert [(child.type, child.num, child.attributes["level"]) for child in quoted.children] == [
        ("item", "9", "section")
    ]


def test_what_follows_a_quotation_ends_its_line() -> None:
    assert "A bell rings.”; and\n\n(2)" in parse(LAW.encode()).text


def test_a_bare_number_shares_the_line_of_the_level_below() -> None:
    document = parse(LAW.encode())
    subsection = next(node for node in document.walk() if node.type == "subsection")
    assert document.text_of(subsection) == "(a)(1) Text."


def test_a_run_in_heading_begins_the_line_and_names_the_level() -> None:
    subsection = "<subsection><num>(b)</num><heading>Oil.—</heading><content>Oil burns.</content></subsection>"
    document = parse(LAW.replace("</subsection></section>", f"</subsection>{subsection}</section>").encode())
    node = next(node for node in document.walk() if node.eid == "sec_2__subsec_b")
    assert (node.heading, document.text_of(node)) == ("Oil", "(b) Oil.— Oil burns.")
    assert not node.children


def test_a_note_before_the_first_words_of_a_section_follows_it() -> None:
    noted = "<section><num>Sec. 3. </num><sidenote><p>1 U.S.C. 9.</p></sidenote><content>Bells are rung.</content></section>"
    document = parse(LAW.replace("</main>", f"{noted}</main>").encode())
    section = next(node for node in document.provisions() if node.num == "3")
    assert document.text_of(section) == "Sec. 3. Bells are rung.\n\n1 U.S.C. 9."
    assert [node.type for node in section.children] == ["remark"]


def test_deleted_text_is_a_remark_of_its_kind_inside_its_line() -> None:
    document = parse(LAW.encode())
    marks = [(document.text_of(node), node.attributes) for node in document.walk() if node.type == "remark"]
    assert marks == [("gongs", {"kind": "deleted"})]
    assert "(2) by striking gongs." in document.text


def test_soft_hyphens_and_references_to_footnotes_are_not_text() -> None:
    bell = (
        'Represen\u00adtatives<ref class="footnoteRef">1</ref> ring.<footnote><num>1</num><p>So in law.</p></footnote>'
    )
    document = parse(LAW.replace("<content>Text.</content>", f"<content>{bell}</content>").encode())
    assert "(1) Representatives ring.\n\n1 So in law." in document.text
    assert not document.requires_manual_review


def test_a_sidenote_between_provisos_follows_their_line() -> None:
    text = (
        "<content>Pay:<proviso> <i>Provided</i>, That<sidenote><p>Day.</p></sidenote> one: </proviso>"
        "<proviso>further.</proviso></content>"
    )
    document = parse(LAW.replace("<content>Text.</content>", text).encode())
    assert "(1) Pay: Provided, That one: further.\n\nDay." in document.text


def test_levels_of_quoted_law_keep_their_names() -> None:
    part = (
        "<quotedContent><division><num value='A'>A</num>"
        "<section><num value='9'>9</num><content>Bell.</content></section></division></quotedContent>"
    )
    document = parse(LAW.replace("<content>Text.</content>", f"<content>{part}</content>").encode())
    assert [node.eid for node in document.walk() if node.num == "A"] == ["sec_2__subsec_a__para_1__quote_1__dvs_a"]


def test_a_bill_without_citation_is_not_a_public_law() -> None:
    bill = LAW.replace("pLaw", "bill").replace(
        "<citableAs>Public Law 120–7</citableAs>", "<dc:type>House Bill</dc:type>"
    )
    assert (parse(bill.encode()).document_id, parse(bill.encode()).number) == ("us-bill-120-hr-7", "120 hr 7")
    with pytest.raises(ParseError, match="series"):
        parse(bill.replace("House Bill", "Bill").encode())


def test_a_bill_may_have_its_number_in_its_preface() -> None:
    number = "<docNumber>7</docNumber>"
    bill = LAW.replace("pLaw", "bill").replace(
        "<citableAs>Public Law 120–7</citableAs>", "<dc:type>House Bill</dc:type>"
    )
    later = bill.replace(number, "").replace("<main>", f"<preface>{number}</preface><main>", 1)
    assert later.count(number) == 1
    assert parse(later.encode()).document_id == "us-bill-120-hr-7"


def test_a_law_without_number_is_an_error() -> None:
    bare = LAW.replace("<docNumber>7</docNumber>", "").replace("<citableAs>Public Law 120–7</citableAs>", "")
    with pytest.raises(ParseError, match="the law of the work is not in the document"):
        parse(bare.encode())


def quoted(element: etree._Element) -> bool:
    return any(etree.QName(parent).localname in ("quotedContent", "quotedBlock") for parent in element.iterancestors())


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "document_id"),
    [
        ("115publ16-uslm.xml", "us-pl-115-16"),
        ("COMPS-1649.xml", "us-pl-95-604"),
        ("COMPS-1656.xml", "us-pl-89-304"),
        ("h1058_enr.XML", "us-bill-116-hr-1058"),
        ("BILLS-116sc10rs.xml", "us-resolution-116-sconres-10"),
    ],
)
def test_levels_are_as_many_as_in_the_xml(corpus: Path, name: str, document_id: str) -> None:
    path = corpus / "us" / "uslm" / name
    document = parse(path.read_bytes(), name)
    assert document.document_id == document_id
    names = Counter(
        etree.QName(element).localname
        for element in etree.fromstring(path.read_bytes()).iter(etree.Element)
        if not quoted(element)
    )
    found: Counter[str] = Counter()
    for node, ancestors in document.walk_with_ancestors():
        if not any(ancestor.type == "quotation" for ancestor in ancestors):
            found[str(node.attributes.get("level", node.type))] += 1
    for level in ("section", "subsection", "paragraph", "subparagraph", "clause"):
        assert found[level] == names[level], level
    assert found["title"] + found["recital"] + found["quotation"] == sum(
        1 for element in etree.fromstring(path.read_bytes()).iter("{*}title", "{*}recital", "{*}quotedContent")
        if "purl.org" not in element.tag
    )  # fmt: skip


@pytest.mark.corpus
def test_every_word_of_a_compilation_is_in_the_text(corpus: Path) -> None:
    path = corpus / "us" / "uslm" / "COMPS-1649.xml"
    document = parse(path.read_bytes(), path.name)
    text = document.text.replace(" ", "").replace("\n", "")
    for content in etree.fromstring(path.read_bytes()).iter("{*}content", "{*}chapeau", "{*}continuation"):
        if not content.xpath(".//*[local-name()='toc' or local-name()='footnote' or @class='footnoteRef']"):
            assert "".join("".join(content.itertext()).replace("\u00ad", "").split()) in text


@pytest.mark.corpus
def test_recitals_that_a_committee_struck_out_are_omitted(corpus: Path) -> None:
    path = corpus / "us" / "uslm" / "BILLS-116sc10rs.xml"
    document = parse(path.read_bytes(), path.name)
    recitals = [node for node in document.walk() if node.attributes.get("level") == "recital"]
    struck = etree.fromstring(path.read_bytes()).xpath("count(//*[local-name()='recital'][@changed='deleted'])")
    assert sum(node.status == "omitted" for node in recitals) == struck > 0


@pytest.mark.corpus
def test_a_repealed_section_inside_an_editorial_note_keeps_its_number(corpus: Path) -> None:
    path = corpus / "us" / "uslm" / "COMPS-1656.xml"
    document = parse(path.read_bytes(), path.name)
    assert [(node.num, node.status) for node in document.provisions() if node.num == "7"] == [("7", "repealed")]
    assert document.as_of_date == "2007-01-12"
