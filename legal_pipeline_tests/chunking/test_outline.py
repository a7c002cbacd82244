"""Which nodes of a document are excluded and which are cut as provisions, on documents built node by node."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.outline import TEXT_DIVISIONS, excluded_nodes, open_holders, outermost
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline_tests.chunking.plain import Part, document

TEXT = "The keeper lights the lamp at dusk and puts it out at dawn, on each day of the year."


def section(number: str, *children: Part) -> Part:
    return Part("section", f"{number}. {TEXT}", number, children=children)


def notes(count: int) -> list[Part]:
    return [Part("footnote", f"{number} Inserted by Act {number} of 2031.") for number in range(1, count + 1)]


def excluded(made: Document) -> list[tuple[str, str]]:
    return [(made.text[item.start : item.end], item.reason) for item in excluded_nodes(made)]


@pytest.mark.parametrize(("count", "is_list"), [(4, False), (5, True)])
def test_notes_at_the_end_of_an_act_are_a_list_if_they_are_five(count: int, is_list: bool) -> None:
    made = document(section("1"), *notes(count))
    listed = "\n\n".join(part.text for part in notes(count))
    assert excluded(made) == ([(listed, "list of notes")] if is_list else [])


def test_only_the_notes_behind_the_last_other_text_are_the_list() -> None:
    made = document(section("1"), Part("footnote", "* See above."), Part("block", "Signed at sea."), *notes(5))
    assert [text.partition("\n")[0] for text, _ in excluded(made)] == ["1 Inserted by Act 1 of 2031."]
    assert excluded(document(section("1"), *notes(5), Part("block", "Signed at sea."))) == []


def test_the_notes_of_a_section_or_of_a_judgment_are_text() -> None:
    assert excluded(document(section("1", *notes(6)))) == []
    assert excluded(document(section("1"), *notes(6), doc_type="judgment")) == []


def test_what_is_no_text_of_the_law_is_excluded_with_its_reason_in_the_order_of_the_text() -> None:
    gone = Part("chapter", "Chapter 2 (repealed)", "2", children=(Part("remark", "Repealed by Act 3."),))
    made = document(Part("toc", "1. Lamps"), section("1", Part("remark", "Amended by Act 2.")), gone, *notes(5))
    made.nodes[2].status = "repealed"
    assert [(text.partition("\n")[0], reason) for text, reason in excluded(made)] == [
        ("1. Lamps", "table of contents"),
        ("Amended by Act 2.", "amendment mark"),
        ("Chapter 2 (repealed)", "repealed division"),
        ("1 Inserted by Act 1 of 2031.", "list of notes"),
    ]


def opened(*parts: Part) -> list[str]:
    made = document(*parts)
    types = (*PROVISIONS, "schedule", "heading")
    return [made.text_of(node) for node, _ in open_holders(outermost(made, types), types)]


@pytest.mark.parametrize(
    ("children", "is_opened"),
    [
        ([section("1"), section("2")], True),
        ([section("1")], False),
        ([Part("heading", "Form of a licence"), section("1")], False),
        ([section("1"), section("2"), Part("block", TEXT * 2)], False),
        ([Part("heading", "Convention on lights, done at sea. " * 10), section("1"), section("2")], True),
        ([section("1"), Part("schedule", children=(section("2"),), num="2")], True),
    ],
    ids=["two", "one", "a heading and one", "mostly other text", "a long heading", "one in a schedule of its own"],
)
def test_a_schedule_is_opened_if_two_provisions_hold_most_of_its_text(children: list[Part], is_opened: bool) -> None:
    before, schedule = section("9"), Part("schedule", num="1", children=children)
    made = document(before, schedule)
    first, *found = opened(before, schedule, section("8"))
    assert (first, found.pop()) == (f"9. {TEXT}", f"8. {TEXT}")
    assert (f"2. {TEXT}" in found) is is_opened
    assert (found == [made.text_of(made.nodes[1])]) is not is_opened


def test_an_article_of_sections_is_its_text_above_them_and_each_section() -> None:
    items = Part("item", "(a) a lamp", "a")
    article = Part(
        "article", "Article 2", "2", children=(items, section("1"), Part("block", "Text between."), section("2"))
    )
    head, *below = opened(article)
    assert head.split() == ["Article", "2", "(a)", "a", "lamp"]
    assert below == [f"1. {TEXT}", f"2. {TEXT}"]
    assert opened(Part("article", num="3", children=(section("1"), section("2")))) == below
    assert len(opened(Part("article", "Article 4", "4", children=(items,)))) == 1


@pytest.mark.parametrize(
    ("chapter", "is_text"),
    [
        (Part("chapter", "Chapter 1", "1", children=(Part("block", "Lamps are lit."),)), True),
        (Part("chapter", num="1", children=(Part("heading", "Chapter 1, of lamps"), Part("block", "Lamps."))), False),
        (Part("chapter", "Lamps are lit at sea", "1"), True),
        (Part("chapter", "Lamps are lit at se", "1"), False),
        (Part("chapter", TEXT), False),
        (Part("chapter", TEXT, "1", children=(section("1"),)), False),
        (Part("chapter", TEXT, "1", children=(Part("subchapter", TEXT, "A"),)), False),
        (Part("chapter", TEXT, "1", children=(Part("subchapter", TEXT),)), True),
        (Part("chapter", TEXT, "1", children=(Part("item", "(a) a lamp", "a"),)), True),
        (Part("chapter", TEXT, "1", children=(Part("schedule", TEXT, "1"),)), False),
    ],
    ids=[
        "text",
        "little text",
        "20 letters",
        "19 letters",
        "no number",
        "provisions",
        "numbered below",
        "no number below",
        "items",
        "a schedule",
    ],
)
def test_a_numbered_division_with_text_and_no_provisions_is_cut_as_one(chapter: Part, is_text: bool) -> None:
    made = document(section("1"), Part("part", children=(chapter, Part("block", "Signed at sea."))))
    found = [(node.type, above) for node, above in outermost(made, (TEXT_DIVISIONS,)) if node.type != "subchapter"]
    assert found == ([("chapter", (made.nodes[1],))] if is_text else [])


def test_the_provisions_of_an_opened_schedule_keep_all_levels_above_them() -> None:
    inner = Part("chapter", num="2", children=(section("1"), section("2")))
    made = document(Part("part", num="I", children=(Part("schedule", num="1", children=(inner,)),)))
    types = (*PROVISIONS, "schedule")
    found = open_holders(outermost(made, types), types)
    assert [[above.type for above in ancestors] for _, ancestors in found] == [["part", "schedule", "chapter"]] * 2
