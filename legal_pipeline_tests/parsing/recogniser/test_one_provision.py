"""Pages with one provision of a code: its label is the heading of the page, below the divisions that hold it; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

TEXT = "<p>The keeper of a pier lights its lamps at dusk, and the harbour board pays for the oil that they burn.</p>"
HISTORY = (
    "<p><b>Historical Data</b></p><p>Laws 2031, c. 7, § 3.</p><p><b>Summary of Documents Citing This Document</b></p>"
    "<table><tr><td>Cite</td><td>Name</td></tr><tr><td>2033 AT 4</td><td>Moor v. Harbour Board</td></tr></table>"
)


def page(*heads: str, text: str = TEXT, title: str = "Lamps of Piers") -> SourceFile:
    lines = "<br>".join(heads)
    html = (
        f"<html><head><title>{title}</title></head><body><p><strong>{lines}</strong></p>{text}{HISTORY}</body></html>"
    )
    return SourceFile("title_12_7.html", html.encode())


def sections(document: Document) -> list[Node]:
    return [node for node in document.walk() if node.type in ("section", "article")]


HEADS = ("Atlantis Statutes Annotated", "Title 12. Harbours", "Chapter 14 - Piers", "Section 927 - Lamps of Piers")


def test_the_label_below_the_divisions_of_a_code_is_the_provision_of_the_page() -> None:
    document = parse(page(*HEADS))
    (section,) = sections(document)
    assert (section.num, section.heading, section.status) == ("927", "Lamps of Piers", "in_force")
    held = [(node.type, node.num) for node, _ in document.walk_with_ancestors() if node.type in ("title", "chapter")]
    assert held == [("title", "12"), ("chapter", "14")]
    assert (document.doc_type, document.title) == ("act", "Section 927 - Lamps of Piers")
    assert not document.warnings


def test_notes_below_the_text_are_no_part_of_the_provision() -> None:
    document = parse(page(*HEADS))
    (section,) = sections(document)
    assert "harbour board pays" in document.text_of(section)
    assert "Historical Data" not in document.text_of(section)
    assert {node.type for node in document.nodes if node.start >= section.end} == {"heading", "block", "table"}


def test_a_line_that_says_how_to_cite_is_beside_the_text() -> None:
    document = parse(page(*HEADS, text="<p>Cite as: 12 A.S. § 927</p>" + TEXT))
    (section,) = sections(document)
    assert [document.text_of(node) for node in section.walk() if node.type == "running_header"] == [
        "Cite as: 12 A.S. § 927"
    ]


@pytest.mark.parametrize(
    ("heading", "text", "status"),
    [
        ("Repealed", "Repealed by Laws 2032, c. 9, § 1, eff. July 1, 2033", "repealed"),
        ("Blank", "", "omitted"),
        ("Renumbered as 43 A.S. § 7 by Laws 2032", "Renumbered as 43 A.S. § 7 by Laws 2032, c. 9, § 1", "omitted"),
    ],
)
def test_a_page_of_a_provision_without_force_says_so(heading: str, text: str, status: str) -> None:
    paragraph = f"<p>Cite as: A.S. §, __</p><p>{text}</p>"
    (section,) = sections(parse(page(*HEADS[:-1], f"Section 9 - {heading}", text=paragraph, title=heading)))
    assert (section.num, section.status) == ("9", status)


def test_items_in_the_text_are_no_provisions() -> None:
    items = "".join(f"<p>{number}. The keeper lights lamp {number} at dusk.</p>" for number in range(1, 6))
    assert [section.num for section in sections(parse(page(*HEADS, text=TEXT + items)))] == ["927"]


def test_the_outermost_division_may_be_printed_twice() -> None:
    document = parse(page("Title 12. Harbours", *HEADS))
    assert [node.num for node in document.walk() if node.type == "title"] == ["12"]


def test_a_section_below_an_article_of_a_constitution_is_the_provision() -> None:
    document = parse(page("Atlantis Constitution", "Article 5 - The Harbour Board", text=f"<p>§ 35. Lamps.</p>{TEXT}"))
    (section,) = sections(document)
    assert (section.num, document.doc_type) == ("35", "constitution")


def test_the_title_of_the_page_may_name_the_code() -> None:
    document = parse(
        page("Section 927 - Lamps of Piers", title="Section 927 - Lamps of Piers | Atlantis Statutes 2031")
    )
    assert [section.num for section in sections(document)] == ["927"]


def test_markdown_with_the_same_headings_is_read_alike() -> None:
    text = "# Lamp Code\n\n## Title 3. Piers\n\n### Section 12 - Oil\n\nThe board pays for the oil that the lamps burn at night.\n"
    document = parse(SourceFile("12.md", text.encode()))
    assert [section.num for section in sections(document)] == ["12"]


@pytest.mark.parametrize("number", ["5", "927"])
@pytest.mark.parametrize(
    "heads",
    [
        (),
        ("News of the harbour",),
        ("The keeper's trade", "Chapter 4 - Piers"),
        ("Notes on the Lamp Code", "Chapter 4 - Piers"),
    ],
)
def test_a_note_or_a_book_that_begins_with_the_number_of_a_section_is_no_law(
    heads: tuple[str, ...], number: str
) -> None:
    assert parse(page(*heads, f"Section {number} - Lamps of Piers")).doc_type == "other"


def test_a_list_of_sections_is_no_page_of_one() -> None:
    document = parse(page("Lamp Code", "Chapter 4 - Piers", "Section 5 - Lamps", "Section 6 - Oil"))
    assert [section.num for section in sections(document)] != ["6"]


@pytest.mark.parametrize("number", ["5", "927"])
@pytest.mark.parametrize("heading", ["## Section {}. Lamps of piers", "## Section {}"])
def test_a_provision_without_the_name_of_its_law_reads_as_law(heading: str, number: str) -> None:
    text = "The keeper of a pier shall light its lamps at dusk. In this section, dusk is the sixth hour."
    document = parse(SourceFile("927.md", f"{heading.format(number)}\n\n{text}\n".encode()))
    assert [section.num for section in sections(document)] == [number]


@pytest.mark.parametrize(
    "text",
    [
        "Under section 927 the keeper of a pier shall light its lamps at dusk, as the court found last year.",
        "The keeper of a pier has lit its lamps at dusk for many years, and the board thanks him for it.",
    ],
)
def test_a_text_that_cites_the_provision_or_does_not_command_is_a_note(text: str) -> None:
    document = parse(SourceFile("927.md", f"## Section 927. Lamps of piers\n\n{text}\n".encode()))
    assert (document.doc_type, sections(document)) == ("other", [])


def test_a_page_may_print_the_number_of_its_provision_twice() -> None:
    document = parse(page(*HEADS[:3], "Section 927", HEADS[3]))
    assert ([section.num for section in sections(document)], document.doc_type) == (["927"], "act")


def test_a_type_that_is_stated_comes_before_that_of_the_code() -> None:
    source = page(*HEADS)
    assert parse(source).doc_type == "act"
    assert parse(source.with_hints(doc_type="regulation")).doc_type == "regulation"
