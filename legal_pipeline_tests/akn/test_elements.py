"""Elements that the readers of publishers make: flat paragraphs, headings in a line, stated fields, quoted levels.

Not here: elements of Akoma Ntoso files (`test_akn_reader`).
"""

from __future__ import annotations

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.reader import DRAFTING, RUN_IN, Reader
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.model.document import Amendment


def test_flat_paragraphs_are_levels_and_their_notes_and_tables_stay_where_they_are() -> None:
    note = Element("authorialNote", attributes={"marker": "1"}, content=["In dollars."])
    table = Element("table", content=[Element("tr", content=[Element("td", content=["Barge"])])])
    content: list[Element | str] = [
        Element("num", content=["§ 1"]),
        Element("p", content=["(a) A barge", note, " pays:"]),
        table,
        Element("p", content=["(1) A toll."]),
        "(b) A raft pays nothing.",
    ]
    builder = DocumentBuilder()
    Reader(builder).read(Element("section", "sec_1", {DRAFTING: "us regulation"}, content))
    builder.close_to(0)
    assert builder.text.split("\n\n") == [
        "§ 1", "(a) A barge pays:", "In dollars.", "Barge", "(1) A toll.", "(b) A raft pays nothing.",
    ]  # fmt: skip
    (found,) = builder.nodes
    assert [(node.type, node.num) for node in found.walk()] == [
        ("section", "1"), ("subsection", "a"), ("footnote", "1"), ("table", None), ("paragraph", "1"), ("subsection", "b"),
    ]  # fmt: skip


def test_a_heading_that_is_printed_in_the_line_of_its_number_ends_before_the_first_subsection() -> None:
    builder = DocumentBuilder()
    subsection = Element(
        "subsection", content=[Element("num", content=["(1)"]), Element("p", content=["A barge pays."])]
    )
    heads: list[Element | str] = [Element("num", content=["1."]), Element("heading", content=["Tolls. –"])]
    Reader(builder).read(Element("section", "sec_1", {RUN_IN: "yes"}, [*heads, subsection]))
    assert builder.text == "1. Tolls. –\n\n(1) A barge pays."
    assert builder.nodes[0].heading == "Tolls"


def test_what_a_reader_states_of_a_remark_and_a_heading_counts_and_remarks_define_nothing() -> None:
    builder = DocumentBuilder()
    mark = Element("remark", content=["[repealed]"], fields={"amendments": (Amendment("Act 7 of 2005"),)})
    content: list[Element | str] = [
        Element("num", content=["1."]),
        Element("p", content=["A toll ", mark, "."]),
        Element("remarks", content=[Element("p", content=['"barge" means a boat;'])]),
    ]
    Reader(builder).read(Element("section", "sec_1", content=content, fields={"heading": "Tolls"}))
    (found,) = builder.nodes
    assert [(node.type, [item.by for item in node.amendments]) for node in found.walk()] == [
        ("section", []), ("remark", ["Act 7 of 2005"]), ("remark", []),
    ]  # fmt: skip
    assert found.heading == "Tolls"


def test_a_quoted_section_without_a_number_takes_none_from_its_id() -> None:
    builder = DocumentBuilder()
    heading = Element("heading", content=["Rafts"])
    quoted = Element("section", "sec_4", content=[heading, Element("p", content=["A raft pays."])])
    Reader(builder, quoted_levels=True).read(Element("quotedStructure", content=[quoted]))
    assert [(node.type, node.num) for node in builder.nodes[0].walk()][:2] == [("quotation", None), ("section", None)]
