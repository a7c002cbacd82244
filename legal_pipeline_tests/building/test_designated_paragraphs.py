"""Flat paragraphs of a section become the levels that their designators give."""

from __future__ import annotations

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction


def test_a_paragraph_of_the_third_level_is_an_item_that_knows_its_depth_and_its_place() -> None:
    texts = ("(a) Lamps burn oil.", "(1) Oil of fish.", "(i) Of cod.", "(ii) Of herring.", "(2) Oil of seeds.")
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        paragraphs = [Paragraph(text, offsets=[(0, 100 * place)]) for place, text in enumerate(texts)]
        add_paragraphs(builder, paragraphs, jurisdiction("us").drafting("regulation"))
    found = [(node.type, node.num, node.attributes.get("level")) for node in section.walk() if node is not section]
    assert found == [
        ("subsection", "a", None),
        ("paragraph", "1", None),
        ("item", "i", 3),
        ("item", "ii", 3),
        ("paragraph", "2", None),
    ]
    assert builder.offset_map == [(builder.text.index(text), 100 * place) for place, text in enumerate(texts)]


def test_a_mark_on_the_first_words_behind_a_designator_stays_on_them() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        paragraphs = [Paragraph("(a) Horns."), Paragraph("(1) Loud, of brass.", marks=[("remark", 4, 8)])]
        add_paragraphs(builder, paragraphs, jurisdiction("us").drafting("regulation"))
    assert [builder.text[node.start : node.end] for node in section.walk() if node.type == "remark"] == ["Loud"]
