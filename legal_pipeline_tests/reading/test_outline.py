"""The outline of a text, on documents built node by node. Not here: the choice of the text (`test_law_reader`)."""

from __future__ import annotations

from legal_pipeline.reading.answers import OutlineNode
from legal_pipeline.reading.outline import outline_of
from legal_pipeline_tests.chunking.plain import Part, document


def shape(nodes: list[OutlineNode]) -> list[tuple[str, str | None, list[object]]]:
    return [(node.type, node.num, [*shape(node.children)]) for node in nodes]


def test_an_outline_has_divisions_and_provisions_and_not_the_levels_below_them() -> None:
    section = Part("section", "The lamp is lit.", "1", children=[Part("subsection", "It is trimmed.", "1")])
    chapter = Part("chapter", "Of lamps", "1", children=[section])
    made = document(chapter, Part("schedule", "Forms", "1", children=[Part("article", "Form.", "2")]))
    assert shape(outline_of(made)) == [
        ("chapter", "1", [("section", "1", [])]),
        ("schedule", "1", [("article", "2", [])]),
    ]
    assert [node.id for node in outline_of(made)[0].children] == [f"{made.document_id}~chp_1__sec_1"]


def test_a_provision_inside_something_that_an_outline_leaves_out_is_in_the_outline() -> None:
    quoted = Part("quotation", "In the Act:", children=[Part("section", "The horn sounds.", "7")])
    made = document(Part("section", "It is amended.", "1", children=[quoted]))
    assert shape(outline_of(made)) == [("section", "1", [("section", "7", [])])]
