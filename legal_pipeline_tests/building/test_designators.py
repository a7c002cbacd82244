"""Designators at the beginning of paragraphs, and the headings, terms and separators between them."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.building.designators import designators_of
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction

_STYLE = jurisdiction("us").drafting("regulation")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(h) Title.—(1) General. (i) Text", ["h", "1", "i"]),
        ("(a)(2) Text", ["a", "2"]),
        ("(a) Lamps. (2) Text", ["a"]),
        ("(a) Lamps burn; (1) Text", ["a"]),
        ("(a) Lamps. Text (1)", ["a"]),
        ("(lamp) Text", []),
        ("Text (a)", []),
    ],
)
def test_the_designators_of_a_paragraph_are_those_at_its_beginning(text: str, found: list[str]) -> None:
    assert [designator.num for designator in designators_of(text, _STYLE)] == found


def test_a_designator_in_italics_begins_in_them() -> None:
    assert [found.italic for found in designators_of("(a)(1) Text", _STYLE, [(4, 5)])] == [False, True]
    assert [found.italic for found in designators_of("(a) Text", _STYLE)] == [None]


def written(*paragraphs: Paragraph) -> tuple[str, list[tuple[str | None, str | None, str | None]]]:
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        add_paragraphs(builder, paragraphs, _STYLE)
    nodes = [node for node in section.walk() if node is not section]
    return builder.text, [(node.num, node.heading, node.attributes.get("term")) for node in nodes]


@pytest.mark.parametrize(
    ("text", "italics", "nodes"),
    [
        ("(a) Oil.—(1) Fish oil burns.", None, [("a", "Oil", None), ("1", None, None)]),
        ("(a)  (1) Fish oil burns.", None, [("a", None, None), ("1", None, None)]),
        ("(a) Oil of fish. It burns.", [(4, 16)], [("a", "Oil of fish", None)]),
        ("(a) Oil of fish burns.", [(4, 15)], [("a", None, None)]),
        ("(a) It is oil. It burns.", [(10, 14)], [("a", None, None)]),
        ("(a) The term lamp means a light.", None, [("a", None, "lamp")]),
        ("(a) Lamp means a light.", None, [("a", None, "Lamp")]),
        ("(a) a Lamp means a light.", None, [("a", None, None)]),
        ("The term “lamp” means a light.", None, [(None, None, "lamp")]),
    ],
)
def test_a_designated_paragraph_has_its_heading_or_its_term(
    text: str, italics: list[tuple[int, int]] | None, nodes: list[tuple[str | None, str | None, str | None]]
) -> None:
    assert written(Paragraph(text, italics)) == (text, nodes)
