"""Footnotes of markdown: each is in the provision that refers to it, and none adds words to another provision."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

LAW = """# Harbour Act

## Chapter 1 Boats[^1]

##### Art. 1 Purpose

This Act keeps the harbour safe. [^3] It applies to every boat in it.

It binds the harbour office.

##### **Art. 2** Speed[^2]

A boat keeps below five knots.

##### Art. 3 Nets

³ Nets stay on board.

###### Notes

[^1]: Heading of 2031.

[^2]: Replaced by
    Act 7 of 2032, in force since 1 May 2032.

[^3]: Compare Act 5.
"""


def law(text: str) -> Document:
    return parse(SourceFile("harbour.md", text.encode(), hints={"jurisdiction": "xx", "doc_type": "act"}))


def article(document: Document, num: str) -> Node:
    return next(node for node in document.walk() if node.type == "article" and node.num == num)


def test_a_footnote_is_in_the_provision_that_refers_to_it() -> None:
    document = law(LAW)
    notes = {
        num: [document.text_of(node) for node in article(document, num).walk() if node.type == "footnote"]
        for num in "123"
    }
    assert notes == {
        "1": ["Compare Act 5."],
        "2": ["Replaced by Act 7 of 2032, in force since 1 May 2032."],
        "3": [],
    }
    assert document.text_of(article(document, "3")) == "Art. 3 Nets\n\n³ Nets stay on board."
    assert document.text.index("Heading of 2031.") < document.text.index("Art. 1")


def test_marks_of_footnotes_are_not_lost_words() -> None:
    document = law(LAW)
    assert not document.warnings
    assert not document.requires_manual_review


def test_footnotes_without_marks_follow_the_last_provision_under_their_heading_and_keep_their_labels() -> None:
    document = law(LAW.replace("[^1]\n", "\n").replace("Speed[^2]", "Speed").replace(" [^3]", ""))
    last = list(document.nodes)[-4:]
    assert [node.type for node in last] == ["heading", "footnote", "footnote", "footnote"]
    assert [document.text_of(node) for node in last[:2]] == ["Notes", "1 Heading of 2031."]
    assert document.text_of(article(document, "3")).endswith("on board.")
    assert not document.warnings


def test_the_line_below_an_empty_footnote_is_text_of_the_next_provision() -> None:
    text = LAW.replace("##### Art. 3", "[^9]:\n(see Article 8)\n\n##### Art. 3").replace(
        "five knots.", "five knots. [^9]"
    )
    document = law(text)
    assert "(see Article 8)" in document.text
    assert all("(see" not in document.text_of(node) for node in document.walk() if node.type == "footnote")


def test_footnotes_of_one_label_stay_where_they_are() -> None:
    document = law(LAW + "\n[^3]: Compare Act 6.\n")
    assert [document.text.count(note) for note in ("Compare Act 5.", "Compare Act 6.")] == [1, 1]
    assert all("Compare" not in document.text_of(article(document, num)) for num in "12")
