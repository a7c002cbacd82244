"""Chapters, headings, pages and values in each format of Indian Acts. The Acts are our own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.invariants import check_invariants

_TITLE = "This Act may be called the Quays Act, 1930."


def rows(*entries: tuple[Any, ...], **hints: Any) -> Document:
    names = ("chapter", "chapter_title", "section", "section_title", "section_desc")
    data = json.dumps([dict(zip(names, entry, strict=True)) for entry in entries])
    document = parse(SourceFile("quays.json", data.encode(), hints=hints))
    check_invariants(document)
    return document


def text(printed: str) -> Document:
    document = parse(SourceFile("act.txt", printed.encode()), "india_act_text")
    check_invariants(document)
    return document


def headed(document: Document) -> list[tuple[str, str | None, str | None]]:
    return [(node.type, node.num, node.heading) for node in document.walk() if node.num or node.heading]


def test_sections_of_one_chapter_of_a_json_act_lie_in_one_chapter() -> None:
    document = rows(
        ("1", "Start", "1", "Title", _TITLE), ("1", "Start", "2", "Quay", "A quay is stone."), ("2", None, "3", "", "A pier is wood."),
    )  # fmt: skip
    assert headed(document) == [
        ("chapter", "1", "Start"), ("section", "1", "Title"), ("section", "2", "Quay"), ("chapter", "2", None), ("section", "3", None),
    ]  # fmt: skip
    assert "Chapter 1: Start\n\nSection 1: Title\n\n" in document.text
    assert "Chapter 2\n\nSection 3\n\nA pier is wood." in document.text


def test_a_json_act_that_does_not_name_itself_has_the_title_of_its_hints() -> None:
    entry = ("1", "Start", "1", "Quay", "A quay is stone.")
    assert rows(entry, title="The Quays Act, 1931", number="7").document_id == "in-act-1931-7"
    with pytest.raises(ParseError, match="does not name its Act"):
        parse(SourceFile("x.json", json.dumps([{"section": "1", "section_desc": "A quay."}]).encode()), "acts_json")


def test_a_mark_on_a_line_of_its_own_ends_the_line_above_it() -> None:
    document = rows(("1", "Start", "1", "Title", f"{_TITLE}\n(a) stone\n;\n(b) wood\n.\nNo"))
    assert document.text.endswith("(a) stone;\n\n(b) wood.\n\nNo")


_LINO = """root:
  law root_law
root_law:
  title `The Cranes Act, 1911`
  actNumber (07)
  enactmentDate {date}
  translations {translations}
  sections root_sections
hin:
  title `Kren`
root_translations:
  hin
root_sections:
  root_s1
root_s1:
  sectionNo (1)
  title {title}
  content {content}
  footnotes {notes}
root_s1_content:
  string
  line `Cranes ^1[lift].`
root_s1_footnotes:
  string
  line `1. Ins. by Act 4 of 1962.`
"""


def lino(**values: str) -> Document:
    stated = {
        "date": "1911-03-02",
        "translations": "null",
        "title": "'Cranes.'",
        "content": "root_s1_content",
        "notes": "null",
    }
    return parse(SourceFile("cranes.lino", _LINO.format(**{**stated, **values}).encode()))


def test_an_act_in_links_has_its_values_in_every_kind_of_quotation_mark() -> None:
    document = lino()
    assert (document.nodes[0].num, document.nodes[0].heading) == ("1", "Cranes")
    assert document.text == "Section 1 - Cranes.\n\nCranes lift."
    assert "translations" not in document.metadata
    assert lino(title="null").text == "Section 1\n\nCranes lift."
    assert lino(title='"Cranes."', translations="root_translations").metadata["translations"] == ["hin"]
    assert lino(title="undefined").nodes[0].heading is None


def test_the_footnotes_of_an_act_in_links_amend_their_sections() -> None:
    document = lino(notes="root_s1_footnotes")
    assert [item.by for item in document.nodes[0].amendments] == ["Act 4 of 1962"]
    assert [document.text_of(node) for node in document.walk() if node.type == "footnote"] == [
        "1. Ins. by Act 4 of 1962."
    ]
    assert lino(notes="root_s1_notes_that_are_missing").nodes[0].amendments == ()


def test_a_day_that_is_none_is_not_the_day_of_enactment() -> None:
    assert lino().metadata["date_enacted"] == "1911-03-02"
    assert lino(date="(on 1911-03-02)").metadata.get("date_enacted") is None


@pytest.mark.parametrize("content", ["undefined", "null", "root_s1_content_"])
def test_a_section_in_links_without_its_content_was_cut_off(content: str) -> None:
    missing = _LINO.format(
        date="1911", translations="null", title="null", content=content.rstrip("_"), notes="null"
    ).replace("root_s1_content:" if content.endswith("_") else "\0", "other:")
    with pytest.raises(TruncatedDocumentError):
        parse(SourceFile("cranes.lino", missing.encode()))


_PRINT = """THE PIERS ACT, 1931

ARRANGEMENT OF SECTIONS
1. Short title.
2. Dues.

{again}
An Act to provide for piers.
[4th March, 1931]
WHEREAS piers are old
and weak;
BE it enacted as follows:—

PART I
{heading}
1. Short title.—This Act may be called the Piers Act, 1931.
{middle}
2. Dues.—The master shall pay dues.

THE SECOND SCHEDULE
Bombay   2
"""


def printed(again: str = "THE PIERS ACT, 1931", heading: str = "PIERS", middle: str = "") -> Document:
    return text(_PRINT.format(again=again, heading=heading, middle=middle))


def test_the_front_of_a_printed_act_is_its_title_long_title_day_and_enacting_words() -> None:
    document = printed()
    assert [(node.type, document.text_of(node)) for node in document.nodes[:7]] == [
        ("preamble", "THE PIERS ACT, 1931"),
        ("toc", "ARRANGEMENT OF SECTIONS\n1. Short title.\n2. Dues."),
        ("preamble", "THE PIERS ACT, 1931"),
        ("longtitle", "An Act to provide for piers."),
        ("preamble", "[4th March, 1931]"),
        ("preamble", "WHEREAS piers are old and weak;"),
        ("preamble", "BE it enacted as follows:—"),
    ]
    assert [(node.type, node.num, node.heading) for node in document.nodes[7:]] == [
        ("part", "I", "PIERS"),
        ("schedule", "2", "The Second Schedule"),
    ]
    assert document.text_of(document.nodes[-1]) == "THE SECOND SCHEDULE\n\nBombay 2"


def test_the_arrangement_of_sections_ends_where_the_body_begins_although_the_title_is_not_repeated() -> None:
    document = printed(again="ACT NO. 9 OF 1931")
    assert document.text_of(document.nodes[1]) == "ARRANGEMENT OF SECTIONS\n1. Short title.\n2. Dues."
    assert [node.num for node in document.provisions()] == ["1", "2"]


def test_the_line_below_a_part_is_its_heading_unless_a_section_or_a_chapter_begins_there() -> None:
    assert headed(printed(heading="CHAPTER I\nDues of ships"))[:2] == [
        ("part", "I", None), ("chapter", "I", "Dues of ships"),
    ]  # fmt: skip
    assert headed(printed(heading="1. Name.—This is the Act."))[0] == ("part", "I", None)
    assert headed(printed(heading="lamps " * 30))[0] == ("part", "I", None)


def test_a_section_with_a_word_has_its_line_as_heading_unless_text_follows_or_it_goes_on() -> None:
    sections = (
        "Section 1. Definitions.—In this Act, tide means water.\n\nSection 2. Dues\nThe master pays.\n\n"
        "Section 3. The keeper, whoever he is,\nlights the lamp.\n\nSection 4. Lamps burn.\n"
    )
    document = text(f"This Act may be called the Tides Act, 1950, and extends to India.\n\n{sections}")
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("1", "Definitions"), ("2", "Dues"), ("3", None), ("4", None),
    ]  # fmt: skip
    assert [document.text_of(node) for node in document.provisions()] == [
        "Section 1. Definitions.—\n\nIn this Act, tide means water.", "Section 2. Dues\n\nThe master pays.",
        "Section 3.\n\nThe keeper, whoever he is, lights the lamp.", "Section 4.\n\nLamps burn.",
    ]  # fmt: skip
