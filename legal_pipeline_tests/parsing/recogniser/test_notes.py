"""Raised figures are marks of notes or parts of numbers, never digits of a number; the list of notes that ends a document is not law."""

from __future__ import annotations

import io

import docx
import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

#: Number, mark of its note, text.
_ARTICLES = (
    ("1", "1", "The harbour belongs to the town."),
    ("2", "", "The master of the harbour keeps the lamps."),
    ("3", "2", "A ship of more than 3 masts pays double."),
    ("3bis", "3", "A ship without masts pays half."),
    ("4", "4", "The fee is due on arrival."),
)
_NOTES = tuple(f"Art. {num} amended by the law of {1990 + int(mark)}." for num, mark, _ in _ARTICLES if mark)
_NUMBERS = [num for num, _, _ in _ARTICLES]


def _page(mark: str, note: str) -> bytes:
    """The law as a page; `mark` and `note` are the mark-up of a mark and of the number of a note, `{}` their number."""
    articles = "".join(
        f"<p>Art. {num}{mark.replace('{}', number) if number else ''}</p><p>{text}</p>"
        for num, number, text in _ARTICLES
    )
    notes = "".join(f"<div>{note.replace('{}', str(number))} {text}</div>" for number, text in enumerate(_NOTES, 1))
    return f"<!DOCTYPE html><html><body><h1>Harbour Law</h1>{articles}<hr>{notes}</body></html>".encode()


def _word() -> bytes:
    document = docx.Document()
    document.add_heading("Harbour Law")
    for num, mark, text in _ARTICLES:
        paragraph = document.add_paragraph(f"Art. {num}")
        if mark:
            paragraph.add_run(mark).font.superscript = True
        document.add_paragraph(text)
    for number, text in enumerate(_NOTES, 1):
        document.add_paragraph().add_run(str(number)).font.superscript = True
        document.paragraphs[-1].add_run(f" {text}")
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def _plain() -> bytes:
    raised = str.maketrans("1234", "¹²³⁴")
    articles = "".join(f"Art. {num}{mark.translate(raised)}\n\n{text}\n\n" for num, mark, text in _ARTICLES)
    notes = "".join(f"{number} {text}\n\n" for number, text in enumerate(_NOTES, 1))
    return f"Harbour Law\n\n{articles}{notes}".encode()


def _markdown() -> bytes:
    articles = "".join(
        f"Art. {num}{f'[<sup>{mark}</sup>](#n{mark})' if mark else ''}\n\n{text}\n\n" for num, mark, text in _ARTICLES
    )
    notes = "".join(f"[{number}](#m{number}) {text}\n\n" for number, text in enumerate(_NOTES, 1))
    return f"# Harbour Law\n\n{articles}---\n\n{notes}".encode()


def _read(name: str, data: bytes) -> Document:
    return parse(SourceFile(name, data, hints={"language": "en"}))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("law.html", _page('<a href="#n{}" id="m{}"><sup>{}</sup></a>', '<a href="#m{}" id="n{}">{}</a>')),
        ("law.html", _page('<sup><a href="#n{}">{}</a></sup>', "<sup>{}</sup>")),
        ("law.txt", _plain()),
        ("law.md", _markdown()),
        ("law.docx", _word()),
    ],
)
def test_marks_of_notes_are_no_digits_and_the_notes_no_law(name: str, data: bytes) -> None:
    document = _read(name, data)
    articles = [node for node in document.provisions() if node.type == "article"]
    assert [node.num for node in articles] == _NUMBERS
    for node, (_, _, text) in zip(articles, _ARTICLES, strict=True):
        assert text in document.text_of(node)
    notes = [node for node in document.nodes if node.type == "footnote"]
    assert [document.text_of(node).split(" ", 1)[1] for node in notes] == list(_NOTES)
    assert not document.warnings


def test_a_raised_figure_behind_its_number_is_part_of_the_next_number() -> None:
    numbers = ("1", "2", "2<sup>1</sup>", "2<sup>2</sup>", "3", "3<sup>1</sup>", "4")
    articles = "".join(f"<p>Article {num}. The lamp burns on day {index}.</p>" for index, num in enumerate(numbers))
    page = f"<html><body><h1>Lamp Law</h1>{articles}</body></html>".encode()
    document = _read("law.html", page)
    found = [node.num for node in document.provisions() if node.type == "article"]
    assert found == ["1", "2", "2¹", "2²", "3", "3¹", "4"]
    assert not document.warnings


def test_numbered_paragraphs_that_end_a_law_stay_law_where_nothing_marks_them() -> None:
    articles = "".join(f"Article {number}\n\nThe lamp of pier {number} burns at night.\n\n" for number in range(1, 6))
    document = _read("law.txt", f"Lamp Law\n\n{articles}1 This law is printed.\n\n2 This law is read.\n".encode())
    last = [node for node in document.provisions() if node.type == "article"][-1]
    assert document.text_of(last).endswith("2 This law is read.")


def test_a_heading_is_known_without_the_mark_of_its_note() -> None:
    chapters = "".join(
        f"<h2>Chapter {number} Of piers{mark}</h2><p>Article {number}</p><p>The pier is kept.</p>"
        for number, mark in ((1, ""), (2, "<sup>1</sup>"), (3, ""))
    )
    document = _read("law.html", f"<html><body><h1>Pier Law</h1>{chapters}</body></html>".encode())
    assert [node.heading for node in document.nodes if node.type == "chapter"] == ["Of piers"] * 3
    assert "Of piers¹" in document.text


def test_markdown_that_keeps_the_containers_of_a_page_is_markdown() -> None:
    articles = "".join(
        f'<div\nclass="article" id="a{number}">\n\nArt. {number}[¹](#n{number})\n\nThe lamp of pier {number} burns.\n\n</div>\n\n'
        for number in range(1, 7)
    )
    text = f'<div id="page" class="law">\n\n# Lamp Law\n\n{articles}</div>\n'
    document = _read("law.md", text.encode())
    assert document.format == "markdown"
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 7)]
    assert not document.warnings


@pytest.mark.parametrize(
    ("printed", "heading"),
    [
        ("Gebühren der Schiffe <sup>12</sup>", "Gebühren der Schiffe"),
        ("Gebühren<sup>12</sup> <sup>13</sup>", "Gebühren"),
        ("Gebühren**[^12]**", "Gebühren"),
        ("Flächen über 5 m²", "Flächen über 5 m²"),
        ("Anwendung von § 57⁶", "Anwendung von § 57⁶"),
    ],
)
def test_a_heading_does_not_have_the_marks_of_notes_behind_it(printed: str, heading: str) -> None:
    """Notes are renumbered by each amendment: with the mark, all chunks below the heading would have to be embedded again."""
    law = f"# Hafengesetz\n\n## 1. Abschnitt: {printed}\n\n### Art. 1\n\nDas Schiff zahlt.\n\n### Art. 2\n\nDer Hafen ist offen.\n"
    document = parse(SourceFile("gesetz.md", law.encode(), hints={"language": "de"}))
    assert [node.heading for node in document.walk() if node.type == "division"] == [heading]


@pytest.mark.parametrize("count", [1, 2])
def test_notes_with_brackets_below_a_rule_are_no_paragraphs_of_the_last_section(count: int) -> None:
    notes = ("1) Zákon č. 5/2031 Sb., o majácích.", "2) Zákon č. 6/2031 Sb., o lampách.")[:count]
    marks = ("majáků1)", "lamp2)" if count > 1 else "lamp")
    text = (
        f"Vyhláška\n\n§ 1\n\nUpravuje provoz {marks[0]}.\n\n§ 2\n\nUpravuje svit {marks[1]}.\n\n"
        "§ 3\n\nVyhláška stanoví\n\n1. maják,\n\n2. lampu.\n\n____________\n" + "\n".join(notes) + "\n"
    )
    document = parse(SourceFile("vyhlaska.txt", text.encode(), hints={"doc_type": "act", "language": "cs"}))
    assert [node.num for node in list(document.provisions())[-1].walk() if node.type == "paragraph"] == ["1", "2"]
    found = [document.text_of(node) for node in document.nodes if node.type == "footnote"]
    assert found == list(notes)


def test_a_list_below_a_rule_without_marks_is_text() -> None:
    text = "Act\n\n§ 1\n\nLamps burn.\n\n§ 2\n\nShips pay.\n\n§ 3\n\nThese are free:\n\n______\n\n1) boats.\n"
    document = parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act"}))
    assert not [node for node in document.walk() if node.type == "footnote"]


def test_the_sections_of_a_short_act_whose_marks_are_in_themselves_are_no_notes() -> None:
    """As many marks of notes as sections, all of them inside these."""
    sections = (
        "Short title\n1. (1) This Act may be called the Harbour Act, 2031.  (2) It extends to the whole of  1[Atlantis].",
        "Lamps\n2. The  2[Board] may, with the consent of the  3[Keeper], light the lamps of a pier.",
        "Penalty\n3. Any person who disobeys an order under this Act is liable to a fine of  4[seven] crowns.",
        "Protection\n4. No suit lies against any person for anything done in good faith under this Act.",
    )
    text = (
        "The Harbour Act, 2031\n\nAn Act to light the harbour.\n\nIt is hereby enacted as follows:-\n\n"
        + "\n\n".join(sections)
    )
    document = parse(SourceFile("act.txt", text.encode()))
    assert [node.num for node in document.walk() if node.type == "section"] == ["1", "2", "3", "4"]
