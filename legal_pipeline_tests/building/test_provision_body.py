"""Rules of the body of a provision that is written from blocks without mark-up."""

from __future__ import annotations

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.provision_body import Heading, write_body


def test_headings_one_below_the_other_are_one_heading_of_the_number_below_or_a_heading_alone() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        write_body(
            builder,
            [
                *(Heading("Lamps"), Heading("at night"), "(1) The lamp is lit."),
                *(Heading("Lamps by day"), "(2) The lamp is out."),
                *(Heading("Horns"), Heading("and bells")),
            ],
        )
    assert [(node.num, node.heading) for node in section.children] == [("1", "Lamps at night"), ("2", "Lamps by day")]
    headings = [builder.text[node.start : node.end] for node in section.walk() if node.type == "heading"]
    assert headings == ["Lamps at night", "Lamps by day", "Horns and bells"]


def test_a_node_that_ends_closes_the_nodes_that_were_opened_in_it() -> None:
    builder = DocumentBuilder()
    with builder.node("chapter", "1") as chapter:
        builder.open("section", "1")
        builder.open("subsection", "1")
        builder.block("The lamp is lit.", "block")
    assert builder.depth == 0
    assert all((node.start, node.end) == (0, len(builder.text)) for node in chapter.walk())


def test_the_outermost_of_several_open_nodes_of_a_kind_is_closed() -> None:
    builder = DocumentBuilder()
    for kind in ("part", "chapter", "section", "chapter", "section"):
        builder.open(kind)
    builder.close_through("chapter", "section")
    assert [node.type for node in builder.open_nodes] == ["part"]
