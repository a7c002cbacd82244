"""Laws as data in the shapes of collections of many countries: texts stated twice, sections around articles, titles in two languages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import UnknownFormatError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

TEXTS = ("The keeper lights the lamp at dusk.", "The keeper counts the oil on Monday.", "The fee is ten crowns.")


def read(value: Any) -> Document:
    return parse(SourceFile("lamps.json", json.dumps(value).encode()))


@pytest.mark.parametrize("content", [f"{TEXTS[0]}\n{TEXTS[1]}", f"{TEXTS[0]}  {TEXTS[1]}"])
def test_a_text_that_is_also_listed_in_parts_is_in_the_document_once(content: str) -> None:
    parts = [{"number": number, "text": text, "role": "BODY"} for number, text in enumerate(TEXTS[:2], 1)]
    sections = [{"number": str(number), "content": content, "parts": parts} for number in (1, 2, 3)]
    document = read({"title": "Lamps Act", "sections": sections})
    assert [document.text.count(text) for text in TEXTS[:2]] == [3, 3]
    assert sum(node.type == "subsection" for node in document.walk()) == 6


def test_a_text_that_says_more_than_its_parts_stays() -> None:
    sections = [
        {"number": str(number), "content": f"{TEXTS[0]} {TEXTS[2]}", "items": [{"text": TEXTS[0]}]}
        for number in (1, 2, 3)
    ]
    document = read({"title": "Lamps Act", "sections": sections})
    assert [document.text.count(text) for text in (TEXTS[0], TEXTS[2])] == [6, 3]


def rows(count: int = 3) -> list[dict[str, str]]:
    return [
        {
            "document_id": "LAMPS",
            "provision_ref": str(number),
            "chapter": "Chapter 1: Harbours",
            "section": f"{(number + 1) // 2}. oddelek: Lamps and piers",
            "article": str(number),
            "title": f"Lamp {number}",
            "content": TEXTS[number % 3],
        }
        for number in range(1, count + 1)
    ]


def test_a_section_without_a_number_of_its_own_is_a_division_around_articles() -> None:
    """The keys are those of a Zimbabwean format, which names its works otherwise."""
    law = {"id": "LAMPS", "title": "Lamps Act", "url": "https://example.org/lamps"}
    document = read({"documents": [law], "provisions": rows()})
    assert document.title == "Lamps Act"
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    (chapter,) = document.nodes
    found = [(node.type, node.num, len(node.children)) for node in chapter.children if node.type == "division"]
    assert found == [("division", "1", 3), ("division", "2", 2)]
    assert document.text.count("1. oddelek: Lamps and piers") == 1
    assert not document.warnings


def test_rows_with_two_numbers_are_refused() -> None:
    with pytest.raises(UnknownFormatError):
        read([{**row, "section": str(number)} for number, row in enumerate(rows(), 7)])


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_title_is_that_in_the_language_of_the_text(language: str) -> None:
    texts = {
        "en": TEXTS,
        "sv": ("Fyrvakten tänder lyktan i skymningen.", "Fyrvakten räknar oljan på måndag.", "Avgiften är tio kronor."),
    }
    titles = {"sv": "Lag om lyktor", "en": "Lamps Act"}
    provisions = [{"section": str(number), "content": text} for number, text in enumerate(texts[language], 1)]
    document = read({**{f"title_{code}": title for code, title in titles.items()}, "provisions": provisions})
    assert document.title == titles[language]


def test_a_section_that_is_stated_before_the_chapter_is_around_it_and_an_empty_chapter_is_none() -> None:
    rows = [
        {
            "code": "lamps",
            "code_title": "Lamps Code",
            "article_display": f"Article {number}",
            "section": "I. Harbours",
            "chapter": "Chapter 1. Piers" if number < 3 else "",
            "text": text,
        }
        for number, text in enumerate(TEXTS, 1)
    ]
    document = read(rows)
    assert document.title == "Lamps Code"
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    (section,) = document.nodes
    assert (section.type, section.num) == ("division", "I")
    assert [node.type for node in section.children] == ["heading", "chapter", "article"]
