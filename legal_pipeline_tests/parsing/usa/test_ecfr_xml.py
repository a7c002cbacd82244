"""eCFR XML: sections, hierarchy and remarks, by count against the XML itself."""

from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline_tests.parsing.invariants import checked

SECTION = """<?xml version="1.0"?>
<DIV8 N="204.9" NODE="8:1.0.1.2.14.0.1.5" TYPE="SECTION">
<HEAD>§ 204.9 Petitions for makers of clocks.</HEAD>
<P>(a) <I>Clockmakers</I>—(1) <I>General.</I> (i) A maker of clocks may file a petition.</P>
<P>(ii) The petition names:</P>
<P>(A) The clocks; and</P>
<P>(B) Their number, in case of</P>
<P>(<I>1</I>) Tower clocks; or</P>
<P>(<I>2</I>) Watches.</P>
<P>(2) <I>Definition.</I> As used in this section:</P>
<P/>
<P><I>Clock</I> means a device that shows the time.</P>
<P>(b) <I>Fees.</I> See paragraph (a)(1) of this section.</P>
<DIV width="100%"><TABLE><TR><TH>Clock</TH><TH>Fee</TH></TR><TR><TD>Tower</TD><TD>$5</TD></TR></TABLE></DIV>
<CITA TYPE="N">[40 FR 8061, Feb. 25, 1975, as amended at 55 FR 46037, Nov. 1, 1990]
</CITA>
</DIV8>"""


def parse(xml: str, name: str = "section.xml", **hints: str) -> Document:
    return checked(SourceFile(name, xml.encode(), hints=hints))


@pytest.fixture(scope="module")
def document() -> Document:
    return parse(SECTION)


def test_a_section_is_named_by_title_and_number(document: Document) -> None:
    assert (document.document_id, document.work_uri) == ("us-cfr-8-204.9", "us/cfr/t8/p204/s204.9")
    assert (document.format, document.doc_type, document.number) == ("ecfr_xml", "regulation", "8 CFR 204.9")


def test_an_appendix_is_a_document_of_its_own() -> None:
    xml = """<DIV9 N="Appendix A to Part 204" NODE="8:1.0.1.2.14.0.1.6.5" TYPE="APPENDIX">
<HEAD>Appendix A to Part 204—Form of the Clock Register</HEAD>
<P>(a) The register names each clock.</P><P>(b) It is kept for five years.</P></DIV9>"""
    appendix = parse(xml)
    assert (appendix.document_id, appendix.number) == (
        "us-cfr-8-appendix-a-to-part-204",
        "8 CFR Appendix A to Part 204",
    )
    assert [node.num for node in appendix.walk() if node.type == "schedule"] == ["Appendix A to Part 204"]
    assert [node.heading for node in appendix.walk() if node.type == "schedule"] == ["Form of the Clock Register"]
    assert "It is kept for five years." in appendix.text


def test_designators_nest_as_they_are_cited(document: Document) -> None:
    eids = {
        node.eid: document.text_of(node).split("\n\n")[0]
        for node in document.walk()
        if node.num and node.type != "section"
    }
    assert eids["sec_204.9__subsec_a__para_1__item_ii__item_b__item_2"] == "(2) Watches."
    assert eids["sec_204.9__subsec_b"].startswith("(b) Fees.")
    assert eids["sec_204.9__subsec_a__para_1"].startswith("(1) General. (i)")


def test_headings_stay_with_their_paragraphs(document: Document) -> None:
    headings = {node.eid: node.heading for node in document.walk() if node.heading}
    assert headings["sec_204.9__subsec_a"] == "Clockmakers"
    assert headings["sec_204.9__subsec_a__para_1"] == "General"


def test_a_definition_without_number_stays_in_the_paragraph_that_opens_it(document: Document) -> None:
    path = next(ancestors for node, ancestors in document.walk_with_ancestors() if node.type == "definition")
    assert [node.num for node in path] == ["204.9", "a", "2"]


def test_the_source_citation_is_a_remark_and_the_amendments_of_the_section(document: Document) -> None:
    section = next(document.provisions())
    assert [(item.by, item.date) for item in section.amendments] == [
        ("40 FR 8061", "1975-02-25"),
        ("55 FR 46037", "1990-11-01"),
    ]
    assert any(node.type == "remark" and "46037" in document.text_of(node) for node in document.walk())


def test_a_division_of_unknown_type_is_no_text_of_the_section_before_it() -> None:
    part = f'<DIV5 N="204" NODE="8:1" TYPE="PART"><HEAD>PART 204—CLOCKS</HEAD>{SECTION.partition("?>")[2]}{{}}</DIV5>'
    document = parse(part.format('<DIV7 N="9" TYPE="RIDER"><HEAD>Rider 9</HEAD><P>Bells.</P></DIV7>'))
    assert (document.document_id, document.number) == ("us-cfr-8-204", "8 CFR Part 204")
    assert [(node.type, node.num) for node in document.nodes[0].children[1:]] == [
        ("section", "204.9"),
        ("division", "9"),
    ]
    assert document.text_of(document.nodes[0].children[2]).endswith("Bells.")


def test_italics_inside_a_word_do_not_part_it() -> None:
    document = parse(SECTION.replace("Watches.", 'the x<E T="52">i</E>th watch.'))
    assert "(2) the xith watch." in document.text
    assert not document.requires_manual_review


def test_the_number_of_a_volume_is_not_that_of_its_title() -> None:
    volume = (
        '<DIV1 N="2" NODE="8:2" TYPE="TITLE"><HEAD>Title 8—Aliens--Volume 2</HEAD>'
        + SECTION.partition("?>")[2]
        + "</DIV1>"
    )
    document = parse(volume)
    assert (document.document_id, document.number, document.nodes[0].num) == ("us-cfr-title-8", "8 CFR", "8")


def test_the_first_act_of_a_source_citation_made_the_section_whatever_stands_before_it() -> None:
    section = next(parse(SECTION.replace("[40 FR 8061", "[T.D. 99, 2 FR 7, 40 FR 8061")).provisions())
    acts = [(item.by, item.action) for item in section.amendments]
    assert acts == [("2 FR 7", "inserted"), ("40 FR 8061", "amended"), ("55 FR 46037", "amended")]


def test_table_rows_are_lines(document: Document) -> None:
    table = next(node for node in document.walk() if node.type == "table")
    assert document.text_of(table) == "Clock | Fee\nTower | $5"


def test_a_section_without_title_number_takes_the_hint_or_says_what_is_missing() -> None:
    bare = SECTION.replace(' NODE="8:1.0.1.2.14.0.1.5"', "")
    assert parse(bare, cfr_title="8").document_id == "us-cfr-8-204.9"
    with pytest.raises(ParseError, match="the cfr_title of the work is not in the document") as missing:
        parse(bare)
    assert "in its name, or in `source_url` of a sidecar file" in str(missing.value)
    address = "https://law.example/title-8/section-204.9"
    assert registry.parse(SourceFile("x.xml", bare.encode(), url=address)).document_id == "us-cfr-8-204.9"


def test_an_unknown_division_is_an_error() -> None:
    unknown = SourceFile("x.xml", SECTION.replace('TYPE="SECTION"', 'TYPE="CLAUSE"').encode())
    with pytest.raises(ParseError, match="the part of the work is not in the document"):
        registry.parse(unknown, "ecfr_xml")


def test_a_cut_off_file_is_an_error() -> None:
    with pytest.raises(TruncatedDocumentError):
        parse(SECTION[:700])


@pytest.mark.corpus
def test_a_real_part_has_the_sections_of_its_xml(corpus: Path) -> None:
    path = corpus / "us" / "ecfr_xml" / "title-3-part-101-2024-05-17.xml"
    document = registry.parse(SourceFile(path.name, path.read_bytes()))
    root = etree.fromstring(path.read_bytes())
    assert [node.num for node in document.provisions()] == [item.get("N") for item in root.iter("DIV8")]
    for paragraph in root.iter("P"):
        assert " ".join("".join(paragraph.itertext()).split()) in document.text
    assert (document.document_id, document.work_uri, document.as_of_date) == (
        "us-cfr-3-101",
        "us/cfr/t3/p101",
        "2024-05-17",
    )
