"""Headings in the line of the number: before a colon, as a short line above the text, and as a sentence above it; own text."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(text: str, **hints: str) -> Document:
    return parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act", **hints}))


def headings(document: Document) -> list[str | None]:
    return [node.heading for node in document.provisions() if node.type in ("article", "section")]


def test_a_heading_before_a_colon_is_apart_from_its_text() -> None:
    sections = [
        "1. Short title: (1) This Act may be called the Lamps Act.",
        "2. Keepers of lamps : Every lamp shall have a keeper.",
        "3. Duties of keepers : (1) A keeper shall light the lamp.",
        "4. The keeper shall have: A lamp, a wick and oil.",
        "5. Penalty : Whoever darkens a lamp shall pay a fine.",
    ]
    document = read("\n\n".join(["LAMPS ACT", *sections]), language="eng")
    assert headings(document) == ["Short title", "Keepers of lamps", "Duties of keepers", None, "Penalty"]


def test_a_short_line_with_the_label_is_above_the_text_of_the_next_lines() -> None:
    lines = []
    for number in range(1, 7):
        lines += [f"Статья {number}. Цели и задачи закона о лампах маяка",
                  "Целями закона являются установление обязанностей хранителя лампы, защита порта и",
                  "кораблей, которые входят в него ночью."]  # fmt: skip
    document = read("ЗАКОН О ЛАМПАХ\n" + "\n".join(lines) + "\n", language="rus")
    assert headings(document) == ["Цели и задачи закона о лампах маяка"] * 6
    first = next(node for node in document.provisions() if node.num == "1")
    assert document.text_of(first).endswith("защита порта и кораблей, которые входят в него ночью.")


def test_sentences_above_the_text_are_headings_although_some_provisions_have_none() -> None:
    rules = [
        f"Rule 410-1-.{number:02}. Lamps of Harbor {name}.\n\nThe keeper shall light the lamp of the harbor at dusk."
        for number, name in enumerate("ABCDEFGH", 1)
    ]
    repealed = [
        f"Rule 410-1-.{number:02}. A keeper who leaves the lamp while it burns shall pay a fine to the board."
        for number in (9, 10, 11)
    ]
    document = read("\n\n".join(["Chapter 410-1", "LAMPS", *rules, *repealed]))
    assert headings(document)[:8] == [f"Lamps of Harbor {name}" for name in "ABCDEFGH"]
    assert headings(document)[8:] == [None, None, None]
