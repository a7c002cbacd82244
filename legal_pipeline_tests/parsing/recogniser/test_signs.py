"""What tells an Act whose sections are numbers alone from a list, a contract and a note, without a hint of the user."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import STATUTES
from legal_pipeline.parsing.registry import parse

_BODIES = (
    "The Board keeps a register of mooring places and publishes it every year.",
    "A person who uses a mooring place pays the fee that the Board sets.",
    "The Board may close a mooring place where the water is too low.",
)


def read(text: str, name: str = "document.txt") -> Document:
    return parse(SourceFile(name, text.encode()))


def sections(first: str, count: int = 9) -> str:
    rest = (f"{number}. Matter {number}\n\n{_BODIES[number % 3]}" for number in range(2, count + 1))
    return "\n\n".join([first, *rest])


_CITED = "1. Short title\n\nThis Act may be cited as the Mooring Places Act, 2011."
_UNNAMED = "1. Register\n\nThe Board keeps a register of mooring places."
_ACTS = {
    "enacted": f"MOORING PLACES\n\nBE IT ENACTED by the Assembly of Sampleland as follows:\n\n{sections(_UNNAMED)}",
    "cited": f"MOORING PLACES\n\n{sections(_CITED)}",
    "cited at its end": f"{sections(_UNNAMED, 8)}\n\n9. Short title\n\nThis Act may be called the Mooring Places Act, 2011.",
    "numbered": f"Act No. 5 of 2011\n\n{sections('1. Short title and commencement')}",
    "in parts": "MOORING PLACES\n\nPART I\n\nPRELIMINARY\n\n" + sections("1. Short title"),
    "called": f"{sections(_UNNAMED, 8)}\n\n9. Short title\n\nThis Act is called the Mooring Places Act, 2011.",
    "assented to": f"MOORING PLACES ACT 5 OF 2011\n\n[ASSENTED TO 4 MAY 2011]\n\nACT\n\n{sections(_UNNAMED)}",
    "a constitution": "THE CONSTITUTION OF SAMPLELAND\n\nCHAPTER ONE—MOORING PLACES\n\n" + sections(_UNNAMED),
    "long title": "MOORING PLACES ACT 5 OF 2011\n\nTo provide for mooring places; and for matters connected therewith.\n\nPART ONE\n\n"
    + sections(_UNNAMED),
    "rules": "MOORING RULES\n\nIn exercise of the powers conferred by section 4 of the Canals Act, the Minister makes "
    "the following rules:\n\n" + sections("1. Register\n\nThe Board keeps a register."),
}


@pytest.mark.parametrize("kind", _ACTS)
@pytest.mark.parametrize("name", ["act.txt", "act.md"])
def test_an_act_that_says_so_is_read_with_its_numbers_alone(kind: str, name: str) -> None:
    document = read(_ACTS[kind], name)
    assert [node.num for node in document.provisions() if node.type == "section"] == [
        str(number) for number in range(1, 10)
    ]
    assert document.doc_type in STATUTES


_CONTRACT = "MOORING AGREEMENT\n\nThis Agreement is made between the Board and the Tenant.\n\n" + "\n\n".join(
    f"{number}. Matter {number}\n\n{body} Section {number} applies under the Mooring Places Act."
    for number, body in enumerate(_BODIES * 3, 1)
)
_NOTES = {
    "list": "Things to bring to the boat\n\n"
    + "\n\n".join(f"{number}. Rope of {number} metres" for number in range(1, 10)),
    "steps": "How to moor\n\n" + sections("1. Look for a place\n\nThe boat slows down."),
    "contract": _CONTRACT,
    "contract in parts": _CONTRACT.replace("1. Matter 1", "PART I\n\n1. Matter 1"),
    "note on an Act": "Mooring Places Act 2011\n\n"
    + sections("1. Register\n\nThe Board keeps a register, we are told."),
    "minutes": "MINUTES OF THE BOARD\n\n" + sections("1. Apologies\n\nThe chair had none."),
}


@pytest.mark.parametrize("kind", _NOTES)
@pytest.mark.parametrize("name", ["note.txt", "note.md"])
def test_a_numbered_list_a_contract_and_a_note_on_an_act_are_not_acts(kind: str, name: str) -> None:
    document = read(_NOTES[kind], name)
    assert [node.num for node in document.provisions() if node.type in ("section", "article")] == []
    assert document.doc_type != "act"


def test_a_report_that_ends_with_a_list_of_the_articles_it_applied_is_no_law() -> None:
    report = "\n\n".join(
        f"The keeper of pier {number} did not light the lamps, and the Board fined it." for number in range(90)
    )
    applied = "\n\n".join(f"Article {number} Lamp Code" for number in (1, 2, 3, 9, 10))
    document = read(f"Decision on lamps\n\n{report}\n\n{applied}")
    assert document.doc_type not in STATUTES
    assert [node for node in document.walk() if node.type == "article"] == []
