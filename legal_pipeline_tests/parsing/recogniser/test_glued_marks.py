"""Marks of notes that a text prints like the figures of the article before them: "Art. 14" is article 1 with note 4; own text."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_ARTICLE = "##### Art. {}{} {}\n\n1 Der Leuchtturmwärter zündet die Lampe bei Einbruch der Nacht an.\n\n2 Er löscht sie am Morgen."
_NOTE = "{} Fassung gemäss Ziff. I des BG vom 4. März 2031, in Kraft seit 1. Jan. 2032."
#: Numbers of articles, and the marks behind them; "" for none.
_MARKED = (
    ("1", "4"),
    ("2", "6"),
    ("3", "9"),
    ("3a", "11"),
    ("4", ""),
    ("5", "15"),
    ("6", "16"),
    ("6a", ""),
    ("7–9", "18"),
    ("10", "27"),
    ("11", "129"),
)


def read(articles: tuple[tuple[str, str], ...], note: str = _NOTE) -> Document:
    parts = []
    for number, mark in articles:
        parts.append(_ARTICLE.format(number, mark, "Lampen"))
        if mark:
            parts.append(note.format(mark))
    text = "\n\n".join(["# Bundesgesetz über die Lampen", *parts])
    return parse(SourceFile("lampen.md", text.encode(), hints={"jurisdiction": "ch"}))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type == "article"]


def test_the_mark_of_a_note_is_no_part_of_the_number_of_the_article() -> None:
    document = read(_MARKED)
    assert numbers(document) == [number for number, _ in _MARKED]
    articles = [node for node in document.walk() if node.type == "article"]
    assert [node.heading for node in articles] == ["Lampen"] * len(_MARKED)
    assert "Art. 1⁴ Lampen" in document.text


def test_raised_marks_lose_no_word() -> None:
    document = read(_MARKED)
    assert not [warning for warning in document.warnings if "lacks" in warning]


def test_without_the_notes_the_figures_stay() -> None:
    document = read(_MARKED, note="Der Hafen bleibt offen.")
    assert numbers(document) != [number for number, _ in _MARKED]
    assert "Art. 14 Lampen" in document.text


def test_articles_in_order_keep_their_figures_beside_numbered_paragraphs() -> None:
    document = read(tuple((str(number), "") for number in range(1, 31)))
    assert numbers(document) == [str(number) for number in range(1, 31)]


def test_a_raised_mark_may_be_before_a_label_alone() -> None:
    parts = [f"##### {mark}Art. {number}\n\nDer Wärter hält die Lampe {number} instand." for number, mark in
             (("1", ""), ("2", ""), ("3", "<sup>5</sup> "), ("3 a", "<sup>6</sup> "), ("4", ""))]  # fmt: skip
    parts[2:4] = [part.removeprefix("##### ") for part in parts[2:4]]
    text = "\n\n".join(["# Bundesgesetz über die Lampen", *parts])
    document = parse(SourceFile("lampen.md", text.encode(), hints={"jurisdiction": "ch"}))
    assert numbers(document) == ["1", "2", "3", "3 a", "4"]
