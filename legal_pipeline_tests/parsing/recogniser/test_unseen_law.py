"""Laws in the manner of publishers whose mark-up no profile knows: each provision has its own text, and only this."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import STATUTES
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.parsing.recogniser.marked import Marked, as_word, marked_laws, words_of

_LAWS = {law.name: law for law in marked_laws()}
_TEXTS = [name for name in _LAWS if name.endswith(".txt")]


def _assert_divided(law: Marked, document: Document) -> None:
    apart = ("schedule", "transitional")
    found = [
        node
        for node, parents in document.walk_with_ancestors()
        if node.type in ("article", "section") and not any(parent.type in apart for parent in parents)
    ]
    assert [node.num for node in found] == [number for number, _ in law.provisions]
    for node, (_, words) in zip(found, law.provisions, strict=True):
        assert words_of(document.text_of(node)) == words
    assert document.doc_type in STATUTES


@pytest.mark.parametrize("name", _LAWS)
def test_each_provision_has_the_text_that_is_printed_below_its_number(name: str) -> None:
    _assert_divided(_LAWS[name], parse(SourceFile(name, _LAWS[name].text.encode())))


@pytest.mark.parametrize("name", _TEXTS)
def test_a_text_without_blank_lines_is_divided_alike(name: str) -> None:
    text = _LAWS[name].text.replace("\n\n", "\n")
    _assert_divided(_LAWS[name], parse(SourceFile(name, text.encode())))


@pytest.mark.parametrize("name", _TEXTS)
def test_a_word_file_without_styles_is_divided_alike(name: str) -> None:
    _assert_divided(_LAWS[name], parse(SourceFile("law.docx", as_word(_LAWS[name]))))


def test_a_heading_in_brackets_is_above_the_article_that_follows_it() -> None:
    document = parse(SourceFile("act.txt", _LAWS["jp_act.txt"].text.encode()))
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert [text for text in headings if text.startswith("(")][:3] == [
        "(Purpose)",
        "(Definitions)",
        "(Responsibilities of the State)",
    ]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("gb_instrument.txt", "Jane Whitlock", "Department for Harbours"),
        ("br_law.txt", "Brasília, 4 de março de 2031", "143º da República."),
        ("dk_act.txt", "Givet på Amalienborg", "/ Jens Havn"),
        ("ph_act.txt", "Approved:", "2031."),
        ("es_decree.html", "Sevilla, 12 de marzo de 2031", "2031"),
    ],
)
def test_place_date_and_names_below_the_last_provision_are_a_signature(name: str, first: str, last: str) -> None:
    document = parse(SourceFile(name, _LAWS[name].text.encode()))
    (signature,) = (node for node in document.walk() if node.type == "signature")
    text = document.text_of(signature)
    assert text.startswith(first)
    assert text.endswith(last)


@pytest.mark.parametrize(
    "line", ["Amended 3 March 2032", "This Act comes into force on 1 April 2031", "It ends on\n\n1 April 2033"]
)
def test_a_date_that_belongs_to_the_last_provision_is_not_a_signature(line: str) -> None:
    text = "\n\n".join([*(f"Article {n}\n\nThe keeper lights lamp {n} at dusk." for n in (1, 2, 3, 4)), line])
    document = parse(SourceFile("act.txt", text.encode()))
    assert not any(node.type == "signature" for node in document.walk())
    assert document.text_of(list(document.provisions())[-1]).endswith(line)


def test_notes_below_an_act_whose_marks_lost_their_style_are_footnotes() -> None:
    document = parse(SourceFile("act.txt", _LAWS["in_state.txt"].text.encode()))
    notes = [document.text_of(node) for node in document.walk() if node.type == "footnote"]
    assert [note[:2] for note in notes] == ["1.", "2.", "3.", "4."]


@pytest.mark.parametrize(
    ("line", "is_law"),
    [
        ("R.S.O. 2031, CHAPTER L.7", True),
        ("S.C. 2031, c. 7", True),
        ("[RSBC 2031] CHAPTER 238", True),
        ("RSA 2031, c A-1", True),
        ("see R.S.O. 2031, c. 7", False),
    ],
)
def test_a_line_of_the_volume_and_chapter_of_an_act_is_that_of_an_act(line: str, is_law: bool) -> None:
    rules = "".join(
        f"<p><b>Lamp {number}</b></p><p><b>{number} </b>(1) The keeper lights lamp {number}.</p><p>(2) It burns.</p>"
        for number in range(1, 5)
    )
    page = f"<html><body><p><b>Lamps Act</b></p><p><b>{line}</b></p>{rules}</body></html>"
    document = parse(SourceFile("lamps.html", page.encode()))
    found = [(node.eid, node.heading) for node in document.walk() if node.type == "section"]
    assert found == ([(f"sec_{number}", f"Lamp {number}") for number in range(1, 5)] if is_law else [])
