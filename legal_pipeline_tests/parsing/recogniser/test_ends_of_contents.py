"""A table of contents ends where the law begins, also if the law has the same headings again and again."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse

_TEXTS = (
    "The keeper of pier {} lights the lamp of the harbour at dusk, and puts it out at dawn when all ships have left.",
    "The keeper counts oil number {} of the lamp on Monday morning, and writes it down in the book of the harbour.",
)


@pytest.mark.parametrize("inner", [(), ("SECTION 1", "LAMPS AT SEA")])
@pytest.mark.parametrize("are_listed", [False, True])
@pytest.mark.parametrize("parts", [1, 2, 3])
def test_the_same_headings_above_many_articles_are_no_contents(
    inner: tuple[str, ...], are_listed: bool, parts: int
) -> None:
    body: list[str] = []
    for number in range(1, 4 * parts, 2):
        title = "I" if number % 4 == 1 else "II"
        body += [f"TITLE {title}", "OF HARBOURS AND PIERS", "CHAPTER 1", "LAMPS OF THE COAST", *inner]
        for article, text in enumerate(_TEXTS, number):
            body += [f"Article {article}", text.format(article)]
    listed = [line for line in body if line.isupper() or line in inner or line.startswith(("TITLE", "CHAPTER"))]
    if are_listed:
        listed = [line for line in body if len(line) < 40]
    lines = ["LAMPS CODE", "Table of contents", *listed, *body]
    page = "".join(f"<p>{line}</p>" for line in lines)
    document = parse(SourceFile("code.html", f"<html><body>{page}</body></html>".encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 4 * parts + 1)]
    for kind, numbers in (("title", ["I", "II"]), ("chapter", ["1", "1"])):
        assert [node.num for node in document.walk() if node.type == kind] == numbers * parts
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert document.text_of(contents).split("\n\n") == listed


def test_entries_with_pages_whose_headings_are_printed_otherwise_belong_to_the_table_above_them() -> None:
    headings = [f"{number}. Lamps of kind {number}" for number in range(1, 9)]
    listed = [
        "PART ONE: LAMPS 2",
        "CHAPTER ONE: OIL 2",
        *(f"{line} {number + 1}" for number, line in enumerate(headings, 1)),
    ]
    body = [line for heading in headings for line in (heading, _TEXTS[0].format(heading[0]))]
    lines = ["Lamps Act 2031", "Contents", *listed, "PART ONE LAMPS AND PIERS", *body]
    document = parse(SourceFile("lamps.txt", "\n\n".join(lines).encode(), hints={"doc_type": "act"}))
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert document.text_of(contents).split("\n\n") == listed
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 9)]
    assert document.title == "Lamps Act 2031"


def test_the_header_of_each_page_of_a_table_of_contents_does_not_end_it() -> None:
    headings = [f"{number}. Lamps of kind {number}" for number in range(1, 25)]
    pages = [headings[start : start + 8] for start in (0, 8, 16)]
    listed = [line for page in pages for line in ("Harbour Lamps", "PART OF PIERS", "Section", *page)]
    body = [line for heading in headings for line in (heading, _TEXTS[0].format(heading.split(".")[0]))]
    for place in (30, 20, 10):
        body.insert(place, "Harbour Lamps")
    lines = ["LAMPS ACT", *listed, *body]
    document = parse(SourceFile("lamps.txt", "\n\n".join(lines).encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 25)]


@pytest.mark.parametrize("per_section", [3, 2])
def test_sections_that_hold_numbers_which_go_on_are_divisions(per_section: int) -> None:
    """Below two numbers each they are provisions: the numbers may be those of their paragraphs."""
    words = ("ONE", "TWO", "ONE", "TWO")
    body: list[str] = []
    for place, word in enumerate(words):
        body += [*(["PART " + words[place // 2]] if word == "ONE" else []), f"SECTION {word}", "OF LAMPS"]
        for number in range(place * per_section + 1, (place + 1) * per_section + 1):
            body += [f"{number}. Lamp {number}", _TEXTS[1].format(number)]
    document = parse(SourceFile("lamps.txt", "\n\n".join(["LAMPS ACT", *body]).encode(), hints={"doc_type": "act"}))
    numbers = [str(number) for number in range(1, 4 * per_section + 1)]
    assert ([node.num for node in document.provisions()] == numbers) is (per_section == 3)
