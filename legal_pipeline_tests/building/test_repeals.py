"""What publishers print in the place of a provision that is no longer law, in every language, and what living law says of repeals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.repeal_notes import note_form
from legal_pipeline.building.repeals import is_repeal, state_repeals
from legal_pipeline.languages.language import known_languages
from legal_pipeline.model.document import Document, Node

_FORMS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("repeal_forms.toml").read_text("utf-8"))
_SAID = [
    (code, status, said)
    for code, forms in _FORMS.items()
    for status in ("repealed", "omitted")
    for said in forms.get(status, ())
]
_LIVING = [(code, said) for code, forms in _FORMS.items() for said in forms["living"]]


def status_of(code: str, said: str, number: str = "5") -> str:
    """Return the status of provision `number` with the text `said`, between two others."""
    forms, text, nodes = _FORMS[code], "", []
    for num, words in (("4", forms["law"]), (number, said), ("6", forms["law"])):
        start = len(text)
        text += forms["label"].format(n=num) + words
        nodes.append(Node("section", start, len(text), num))
        text += "\n\n"
    document = Document("xx-lanterns", text, tuple(nodes), "Lanterns", "xx", "act", code, "plain_text", "1")
    state_repeals(document)
    assert [nodes[0].status, nodes[2].status] == ["in_force", "in_force"]
    return nodes[1].status


def test_every_language_has_forms() -> None:
    assert set(_FORMS) == set(known_languages())
    assert [code for code, forms in _FORMS.items() if len(forms["repealed"]) < 5] == []


@pytest.mark.parametrize(("code", "status", "said"), _SAID)
def test_a_provision_that_only_says_so_is_no_longer_law(code: str, status: str, said: str) -> None:
    assert status_of(code, said) == status


@pytest.mark.parametrize(("code", "said"), _LIVING)
def test_a_sentence_about_a_repeal_is_living_law(code: str, said: str) -> None:
    assert status_of(code, said) == "in_force"


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("3", "in_force"),
        ("4", "repealed"),
        ("6", "repealed"),
        ("7", "repealed"),
        ("8", "in_force"),
        ("4–7", "repealed"),
    ],
)
def test_a_note_on_a_range_of_provisions_speaks_of_its_first_and_its_last(number: str, status: str) -> None:
    form = note_form("eng")
    assert form is not None
    assert (form.status_in("Sections 4 to 7 (repealed by Act 5 of 2031)", number) or "in_force") == status


@pytest.mark.parametrize(
    "said",
    [
        "(1) (Repealed)\n(2) (Repealed)\n2031, c. 7, s. 11",
        "(1) (Repealed)\nF12 S. 5 repealed by Act 5 of 2031",
    ],
)
def test_a_provision_whose_parts_are_all_repealed_is_repealed_above_the_notes_on_it(said: str) -> None:
    assert status_of("eng", said) == "repealed"


def test_a_chapter_in_a_part_is_repealed_if_it_says_so_and_has_no_section_in_force() -> None:
    text = "Part 1\n\nChapter 1 (Repealed)\n\nChapter 2 (Repealed)\n\nSection 3"
    second, section = text.index("Chapter 2"), text.index("Section 3")
    chapters = [
        Node("chapter", 8, second - 2, "1", "(Repealed)"),
        Node("chapter", second, len(text), "2", "(Repealed)", children=[Node("section", section, len(text), "3")]),
    ]
    part = Node("part", 0, len(text), "1", children=chapters)
    state_repeals(Document("xx-lanterns", text, (part,), "Lanterns", "xx", "act", "eng", "plain_text", "1"))
    assert [node.status for node in (part, *chapters)] == ["in_force", "repealed", "in_force"]


@pytest.mark.parametrize(
    ("code", "label", "notes"),
    [
        ("eng", "Section {n} ", "[3] Repealed by Act 5 of 2031."),
        ("deu", "§ {n} ", "[3] Durch Gesetz vom 1. Juli 2031 aufgehoben."),
    ],
)
def test_each_provision_of_which_only_marks_of_notes_are_left_is_repealed_if_its_note_says_so(
    code: str, label: str, notes: str
) -> None:
    text, nodes = "", []
    for number, said in (("5", "[3]"), ("6", "[4]"), ("7", "[3]")):
        start = len(text)
        text += f"{label.format(n=number)}{said}"
        nodes.append(Node("section", start, len(text), number))
        text += "\n\n"
    text += f"{notes}\n\n[4] BGBl 2031"
    state_repeals(Document("xx-lanterns", text, tuple(nodes), "Lanterns", "xx", "act", code, "plain_text", "1"))
    assert [node.status for node in nodes] == ["repealed", "in_force", "repealed"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("(Repealed by Act\n5 of 2031)", "repealed"),
        ("(1) (Repealed)\n(2) A lamp burns in the harbour.", "in_force"),
        ("(Repealed) A lamp burns in the harbour.", "in_force"),
        ("[Repealed by Act 5 of 2031] A lamp burns in the harbour.", "in_force"),
        ("Section 5 is repealed.", "in_force"),
        ("Repealed by Act 5 of 2031, " + "s. 7, " * 80, "in_force"),
        ("(1) (Repealed)\nLit as of 1 May 2031", "in_force"),
    ],
)
def test_every_line_counts_and_all_of_each(said: str, status: str) -> None:
    assert status_of("eng", said) == status


def test_what_a_source_states_of_a_provision_is_kept() -> None:
    text = "Section 1 A lamp burns.\n\nSection 2 (Repealed)"
    nodes = [Node("section", 0, 23, "1", status="omitted"), Node("section", 25, len(text), "2", status="omitted")]
    state_repeals(Document("xx-lanterns", text, tuple(nodes), "Lanterns", "xx", "act", "eng", "plain_text", "1"))
    assert [node.status for node in nodes] == ["omitted", "omitted"]


def test_a_note_is_read_in_the_languages_that_are_asked_for() -> None:
    note = "(Repealed by Act 5 of 2031)"
    assert [is_repeal(note, codes) for codes in (None, ["eng"], ["deu"], ["deu", "eng"])] == [True, True, False, True]
    assert not is_repeal("(Repealed by Act 5 of 2031) A lamp burns.")
