"""Files with one provision each, whose front matter states its number and heading; own samples."""

from __future__ import annotations

import json

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

BODY = """<div class="statute-body">
  <p class="subsection">(1) The keeper lights the lamps at dusk:</p>
  <p class="proviso">Provided that no lamp is lit in fog.</p>
  <p class="subsection">(2) The board pays—</p>
  <p class="clause">(a) for the oil; and</p>
  <p class="clause">(b) for the wicks.</p>
</div>
"""


def read(front: str, body: str = BODY, path: str = "lamps/34.md", **hints: str) -> Document:
    return parse(SourceFile(path, f"---\n{front}\n---\n{body}".encode(), hints={"path": path, **hints}))


def provisions(document: Document) -> list[tuple[str, str | None, str | None]]:
    return [(node.type, node.num, node.heading) for node in document.walk() if node.type in ("section", "article")]


def test_a_section_with_its_chapter() -> None:
    document = read('section: "34"\ntitle: "Duties of keepers"\nchapter: "VII — Lamps"\ncurrent_as_of: 2031-04-01')
    assert provisions(document) == [("section", "34", "Duties of keepers")]
    chapter = document.nodes[0]
    assert (chapter.type, chapter.num, chapter.heading) == ("chapter", "VII", "Lamps")
    assert (document.title, document.doc_type) == ("Duties of keepers", "act")
    assert document.text.startswith("VII — Lamps\n\n34. Duties of keepers\n\n(1) The keeper")


def test_paragraphs_of_a_page_without_blank_lines_between_them_stay_apart() -> None:
    document = read('section: "34"\nact: Lamp Act')
    inner = [(node.type, node.num) for node in document.walk() if node.type in ("subsection", "paragraph", "proviso")]
    assert inner == [
        ("subsection", "1"),
        ("proviso", None),
        ("subsection", "2"),
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]


def test_a_number_beside_the_law_and_the_day_is_that_of_a_provision_and_not_of_the_law() -> None:
    document = read('parent: lamp-rules-2031\nnumber: "3A"\ntitle: Oil\nas_of: 2031-04-01', jurisdiction="xx")
    assert provisions(document) == [("section", "3A", "Oil")]
    assert document.number is None


def test_files_of_two_provisions_with_the_same_number_have_different_ids() -> None:
    front = 'parent: {}\nnumber: "8"\ntitle: Oil\nas_of: 2031-04-01'
    first = read(front.format("lamp-rules"), path="lamp-rules/8.md", jurisdiction="xa")
    second = read(front.format("pier-rules"), path="pier-rules/8.md", jurisdiction="xa")
    assert first.document_id != second.document_id


def test_an_article_with_a_number_and_a_heading_of_its_chapter() -> None:
    document = read("article: 12\nact: Lamp Code\nchapter: 3\nchapter_title: Oil", "The board pays for the oil.")
    assert provisions(document) == [("article", "12", None)]
    assert (document.nodes[0].num, document.nodes[0].heading) == ("3", "Oil")


def test_the_title_of_the_law_is_no_heading_of_the_provision() -> None:
    document = read("section: 12\nact: Lamp Code\ntitle: Lamp Code", "The board pays for the oil.")
    assert (provisions(document), document.title) == ([("section", "12", None)], "Lamp Code")


def test_a_stated_repeal_is_the_status_of_the_provision() -> None:
    document = read("section: 4\nact: Lamp Act\nstatus: repealed", "The keeper lights the lamps.")
    assert [node.status for node in document.walk() if node.type == "section"] == ["repealed"]


def test_a_heading_that_the_text_repeats_is_written_once() -> None:
    document = read("section: 4\nact: Lamp Act\ntitle: Oil", "## 4. Oil\n\nThe board pays for the oil.")
    assert document.text.count("Oil") == 1


@pytest.mark.parametrize(
    "front",
    [
        "section: News\ntitle: Lamps lit again\nhistory: none",
        "section: 3\nchapter: 2\ntitle: Lecture on lamps",
        "number: 812\nparent: 700\ntitle: Lamp does not light",
        "number: 8\ntitle: Lamp Act\nas_of: 2031-04-01",
    ],
)
def test_sections_of_other_texts_are_no_provisions(front: str) -> None:
    assert provisions(read(front, "The keeper lights the lamps.")) == []


def test_a_law_with_labels_of_its_own_keeps_them() -> None:
    text = "\n\n".join(f"## Section {number}\n\nThe keeper lights lamp {number} at dusk." for number in range(1, 8))
    assert len(provisions(read("section: 1\nact: Lamp Act", text))) == 7


@pytest.mark.parametrize(
    "text", ["The keeper lights the lamps at dusk. " * 20, f"<p>{'The keeper lights the lamps at dusk. ' * 20}</p>"]
)
def test_a_file_of_data_states_its_provision_alike(text: str) -> None:
    value = {
        "sectionNumber": "34",
        "title": "Duties of keepers",
        "actTitle": "Lamp Act, 2031",
        "chapter": "VII",
        "text": text,
    }
    document = parse(SourceFile("34.json", json.dumps(value).encode()))
    assert provisions(document) == [("section", "34", "Duties of keepers")]
    assert (document.title, document.doc_type) == ("Duties of keepers", "act")


def test_an_article_in_the_word_of_another_language_that_the_text_prints_first() -> None:
    front = "articulo: '52'\nlibro_num: 1\nlibro_nombre: Faros\nstatus: vigente"
    document = read(
        front, "## Art. 52 — Luces del puerto\n\nEl guarda enciende las luces al anochecer.\n", "faros/52.md"
    )
    assert provisions(document) == [("article", "52", "Luces del puerto")]
    assert [(node.type, node.num, node.heading) for node in document.nodes] == [("book", "1", "Faros")]
    assert document.title == "Luces del puerto"


def test_a_section_of_a_country_with_the_abbreviation_of_its_law_is_found_by_it_and_has_an_id_of_its_own() -> None:
    front = 'jurabk: LampG\ntype: paragraph\nnumber: "§ {}"\nheading: "{}"'
    first = read(
        front.format(12, "Lampen"),
        "# § 12 Lampen\n\n(1) Der Wärter zündet die Lampen an.\n\n(2) Er löscht sie.\n",
        "12.md",
    )
    second = read(front.format(13, ""), "# § 13\n\nDie Lampe ist ein Licht im Sinne dieses Gesetzes.\n", "13.md")
    assert [document.work_uri for document in (first, second)] == ["/akn/de/act/lampg"] * 2
    assert [document.document_id for document in (first, second)] == [
        "de-act-lampg-section-12",
        "de-act-lampg-section-13",
    ]
    assert [provisions(document) for document in (first, second)] == [
        [("section", "12", "Lampen")],
        [("section", "13", None)],
    ]
    assert [(node.type, node.num) for node in first.walk() if node.type == "subsection"] == [
        ("subsection", "1"),
        ("subsection", "2"),
    ]
    assert (first.title, second.title) == ("Lampen", "§ 13")


def test_a_number_that_the_text_does_not_print_is_no_provision_without_law_and_day() -> None:
    document = read("section: '4'\ntitle: Travel", "## 5 Tips for lighthouses\n\nWe went to the coast.\n", "blog/4.md")
    assert provisions(document) == []
