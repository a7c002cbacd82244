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


_LAMP = "燈塔管理員應於日落時點亮港口之燈，並於日出後熄滅之，且應將點燈時間記載於簿冊。"
_KEEPER = "The keeper lights lamp {} of the harbour at dusk and writes down in the book when it was lit."


def test_labels_and_texts_may_have_keys_of_the_publisher_alone_and_headings_may_be_entries() -> None:
    entries = [{"編章節": "第 一 章 總則"}, *({"條號": f"第 {number} 條", "條文內容": _LAMP} for number in (1, 2)),
               {"編章節": "第 二 章 罰則"}, *({"條號": f"第 {number} 條", "條文內容": _LAMP} for number in (3, 4))]  # fmt: skip
    document = read({"法規性質": "命令", "法規名稱": "港口燈塔管理規則", "法規內容": entries})
    assert (document.format, document.title) == ("law_as_data", "港口燈塔管理規則")
    assert articles(document) == [(str(number), f"第 {number} 條\n\n{_LAMP}") for number in (1, 2, 3, 4)]
    chapters = [(node.num, node.heading) for node in document.walk() if node.type == "chapter"]
    assert chapters == [("1", "總則"), ("2", "罰則")]


def test_a_list_of_references_is_no_list_of_provisions() -> None:
    changed = [{"act": "Piers Act", "place": f"section {number}", "from": "2031-05-04"} for number in range(1, 8)]
    document = read({
        "title": "Lamps Act 2031",
        "sections": [{"number": str(number), "text": _KEEPER.format(number)} for number in (1, 2, 3)],
        "amends": changed,
    })  # fmt: skip
    assert [node.num for node in document.walk() if node.type == "section"] == ["1", "2", "3"]


def test_a_label_may_be_under_any_key_and_the_divisions_in_a_path() -> None:
    sections = [
        {"section_id": f"k{chapter}-p{number}", "provision_ref": f"§ {number}", "heading": f"Lampe {number} i havnen",
         "path": [f"Kapittel {chapter}. Havner"], "text": f"Vokteren tenner lampe {number} når solen går ned, og slukker den."}
        for chapter, number in ((1, 1), (1, 2), (2, 3))
    ]  # fmt: skip
    annexed = {
        "section_id": "v1",
        "provision_ref": "a1#v1",
        "heading": "Virkeområde",
        "path": ["Vedlegg"],
        "text": "Forordningen gjelder lamper.",
    }
    document = read({"title": "Forskrift om lamper", "language": "nob", "sections": [*sections, annexed]})
    found = [(node.type, node.num, node.heading) for node in document.walk() if node.type in ("chapter", "section")]
    assert found == [
        ("chapter", "1", "Havner"), ("section", "1", "Lampe 1 i havnen"), ("section", "2", "Lampe 2 i havnen"),
        ("chapter", "2", "Havner"), ("section", "3", "Lampe 3 i havnen"),
    ]  # fmt: skip
    assert "§ 1 Lampe 1 i havnen" in document.text
    assert "Virkeområde" in document.text
    assert document.warnings == ()


def test_numbers_and_headings_may_be_under_two_words_of_the_language() -> None:
    def article(number: int) -> dict[str, Any]:
        text = f"[[p]]ARTICULO {number}° - El farero [[r id=x]]enciende[[/r]] la lámpara {number} al anochecer.[[/p]]"
        return {"numero-articulo": number, "titulo-articulo": f"Lámpara {number}.", "texto": text}

    parts = [
        {"titulo-particion": f"Título {roman} Puerto.", "articulo": [article(first), article(first + 1)]}
        for roman, first in (("I", 1), ("II", 3))
    ]
    words = ["faros", "puertos", "faros"]
    document = read({"content": {"titulo-norma": "REGIMEN DE FAROS", "descriptores": words, "segmento": parts}})
    assert [number for number, _ in articles(document)] == ["1", "2", "3", "4"]
    assert articles(document)[0][1] == "Lámpara 1.\n\nARTICULO 1° - El farero enciende la lámpara 1 al anochecer."
    assert [(node.num, node.heading) for node in document.walk() if node.type == "title"] == [
        ("I", "Puerto"),
        ("II", "Puerto"),
    ]
    assert (document.title, document.text.count("puertos")) == ("REGIMEN DE FAROS", 0)


def test_a_heading_that_its_text_repeats_is_no_lost_text() -> None:
    rules = [
        {"type": "rule", "number": str(number), "title": "Lamps of the harbour", "content": None,
         "children": [{"type": "subsection", "number": "(1)", "content": f"{number}. Lamps of the harbour.— (1) {_KEEPER.format(number)}"}]}
        for number in range(1, 9)
    ]  # fmt: skip
    document = read({"hierarchy": rules})
    assert document.warnings == ()
    assert document.text.count("Lamps of the harbour") == len(rules)


def test_entries_with_a_type_are_headings_and_sections_in_one_list() -> None:
    def section(number: str, body: str | None) -> dict[str, Any]:
        parent = {"type": "heading", "id": "h1"}
        return {
            "type": "article",
            "id": f"n{number}",
            "name": f"§ {number}",
            "title": f"Leuchten {number}a",
            "parent": parent,
            "body": body,
        }

    text = "<P>Der Wärter zündet die Lampe bei Einbruch der Nacht an.</P>"
    headings = [
        {"type": "heading", "id": "h", "name": f"{name} Teil", "title": "Hafen", "parent": None}
        for name in ("Erster", "Zweiter")
    ]
    contents = [headings[0], section("1", text), section("2", ""), headings[1], section("3", text), section("4", None)]
    document = read({"data": {"type": "law", "titleLong": "Leuchtengesetz", "contents": contents}})
    found = [(node.type, node.num) for node in document.walk() if node.type in ("part", "section")]
    assert found == [
        ("part", "1"),
        ("section", "1"),
        ("section", "2"),
        ("part", "2"),
        ("section", "3"),
        ("section", "4"),
    ]
    assert document.title == "Leuchtengesetz"
    assert document.text.startswith("Erster Teil Hafen\n\n§ 1 Leuchten 1a\n\nDer Wärter")


def test_a_remark_that_begins_with_the_label_of_a_division_is_not_its_heading() -> None:
    sections = [{"number": str(number), "text": _KEEPER.format(number)} for number in (1, 2, 3)]
    remark = "Chapter 2 “Piers” was left out by Act 7 of 2031."
    document = read({"title": "Lamps Act", "chapters": [{"title": "Lamps", "sections": sections, "info": remark}]})
    assert [node.heading for node in document.walk() if node.type == "chapter"] == ["Lamps"]


def test_a_chapter_with_a_long_text_under_an_unknown_key_is_no_heading_alone() -> None:
    sections = [{"number": str(number), "text": _KEEPER.format(number)} for number in range(1, 9)]
    intro = "Nobody may darken the harbour. " * 15
    document = read({"title": "Lamps Act", "sections": [{"title": "Chapter 1", "avsnitt_x": intro}, *sections]})
    counted = any("avsnitt_x" in warning for warning in document.warnings)
    assert counted or "Nobody may darken the harbour." in document.text
