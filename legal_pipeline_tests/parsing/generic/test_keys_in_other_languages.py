"""Laws as data whose keys are words of their own language, or of their publisher alone; own samples."""

from __future__ import annotations

import json
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(value: Any) -> Document:
    return parse(SourceFile("lamps.json", json.dumps(value).encode()))


def articles(document: Document) -> list[tuple[str | None, str]]:
    return [(node.num, document.text_of(node)) for node in document.walk() if node.type == "article"]


def test_keys_that_name_provisions_in_the_language_of_the_text_have_endings_and_further_words() -> None:
    text = "Fener bekçisi feneri her akşam gün batmadan önce yakar ve defterine yazar."
    document = read(
        {
            "baslik": "Fenerler Kanunu",
            "maddeler": [
                {"madde_numarasi": f"Madde {number}", "fikralar": [f"1) {text}", f"2) {number}. fener kırmızıdır."]}
                for number in (1, 2, 3)
            ],
        }
    )
    found = articles(document)
    assert [number for number, _ in found] == ["1", "2", "3"]
    assert all(text in words and f"{number}. fener kırmızıdır" in words for number, words in found)


def test_a_list_under_an_unknown_key_is_the_text_of_a_provision_without_another() -> None:
    duty = "The keeper shall light the lamp at dusk and shall watch it until the sun has risen."
    document = read(
        {
            "title": "Lamps Act 2031",
            "articles_count": 3,
            "article_start": 10,
            "articles": [
                {
                    "article_number": number,
                    "article_name": f"Lamp {number}",
                    "parsed": [
                        {
                            "type": "clause",
                            "clause_number": 1,
                            "text": duty,
                            "sub_clauses": [{"type": "sub_clause", "sub_clause_number": 1, "text": "a red lamp;"}],
                        },
                        {"type": "clause", "clause_number": 2, "text": f"Lamp {number} is white."},
                    ],
                }
                for number in (10, 11, 12)
            ],
        }
    )
    found = articles(document)
    assert [number for number, _ in found] == ["10", "11", "12"]
    for number, words in found:
        assert words.split("\n\n")[0] == f"Lamp {number}"
        assert f"(1) {duty}" in words
        assert "a red lamp;" in words
        assert f"(2) Lamp {number} is white." in words
    assert not any("left out" in warning for warning in document.warnings)


def test_a_list_beside_the_text_of_a_provision_is_not_its_text() -> None:
    document = read(
        [
            {
                "article": number,
                "text": f"The keeper shall light lamp {number} at dusk, and shall watch it.",
                "tags": ["lamp", "sea"],
            }
            for number in (1, 2, 3)
        ]
    )
    assert all("sea" not in words for _, words in articles(document))
    assert len(articles(document)) == 3
