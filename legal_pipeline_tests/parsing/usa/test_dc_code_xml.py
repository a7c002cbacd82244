"""D.C. Code: paras nest as in the XML, annotations are not law, an index is refused."""

from pathlib import Path

import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline_tests.parsing.invariants import checked
from legal_pipeline_tests.real_documents import existing


def parse(path: Path) -> Document:
    return checked(SourceFile(path.name, path.read_bytes()))


@pytest.mark.corpus
def test_every_version_of_the_history_is_the_same_work(corpus: Path) -> None:
    for path in existing(corpus / "histories" / "us_dc_code_51-101", "v*.xml"):
        document = parse(path)
        assert (document.document_id, document.format) == ("us-dc-code-51-101", "dc_code_xml")
        root = etree.fromstring(path.read_bytes())
        paras = sum(1 for element in root.iter("{*}para"))
        numbered_texts = sum(1 for element in root.iter("{*}text") if element.find("{*}num") is not None)
        section = next(document.provisions())
        levels = [node for node in section.walk() if node.type in ("subsection", "paragraph", "item")]
        assert len(levels) == paras + numbered_texts
        assert not any(node.type == "remark" for node in section.walk())


def test_a_heading_and_the_first_level_below_are_on_the_line_of_their_paragraph() -> None:
    data = """<section xmlns="https://code.dccouncil.us/schemas/dc-library"><num>28:9-3</num><heading>Lamps.</heading>
<para><num>(a)</num><heading>General rule.</heading><text>A lamp is lit.</text></para>
<para><num>(b)</num><para><num>(viii)</num><text>[Repealed].</text></para></para></section>"""
    document = checked(SourceFile("section.xml", data.encode()))
    assert document.text == "§ 28:9-3. Lamps.\n\n(a) General rule. A lamp is lit.\n\n(b)(viii) [Repealed]."
    assert document.work_uri == "/akn/us-dc/act/code/28-9-3"  # as citations name it
    nodes = [
        (node.num, node.heading, node.status) for node in document.walk() if node.type in ("subsection", "paragraph")
    ]
    assert nodes == [("a", "General rule", "in_force"), ("b", None, "in_force"), ("viii", None, "repealed")]


def test_the_reason_of_a_section_without_text_is_its_status() -> None:
    data = """<section xmlns="https://code.dccouncil.us/schemas/dc-library"><prefix>§</prefix><reason>Repealed</reason>
<num>1-2</num><heading>Lamps.</heading><text>Repealed.</text></section>"""
    document = checked(SourceFile("section.xml", data.encode()))
    assert document.text == "§ 1-2. Lamps.\n\nRepealed."
    assert [(node.status, node.attributes) for node in document.provisions()] == [("repealed", {"reason": "Repealed"})]


@pytest.mark.corpus
def test_annotations_follow_as_remarks_and_the_history_names_the_acts(corpus: Path) -> None:
    document = parse(corpus / "us" / "dc_xml" / "9-204.01.xml")
    section = next(document.provisions())
    assert section.end < min(node.start for node in document.nodes if node.type == "remark")
    assert "D.C. Law 13-275" in {item.by for item in section.amendments}
    assert [node.num for node in section.walk() if node.type == "paragraph"] == [str(number) for number in range(1, 8)]


@pytest.mark.corpus
def test_an_index_of_other_files_is_refused_and_nothing_is_fetched(corpus: Path) -> None:
    path = corpus / "us" / "dc_xml" / "title-51-index.xml"
    with pytest.raises(ParseError, match="index that includes the files of sections"):
        registry.parse(SourceFile(path.name, path.read_bytes()))
