"""Provisions of the civil law: brackets tell lists apart, and their order of nesting differs from country to country."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.provision_body import write_body
from legal_pipeline.model.document import Node
from legal_pipeline.numbering.styles import style


def tree(*blocks: str) -> str:
    """Numbers of the nodes as they nest: `1[a b[i ii]]`."""
    builder = DocumentBuilder()
    with builder.node("article", "1"):
        write_body(builder, blocks, numbering=style("civil_law"))
    return " ".join(map(_shown, builder.nodes[0].children))


def _shown(node: Node) -> str:
    inside = " ".join(_shown(child) for child in node.children if child.num)
    return f"{node.num}[{inside}]" if inside else f"{node.num}"


@pytest.mark.parametrize(
    ("numbers", "nested"),
    [
        # German: Absatz, Nummer, Buchstabe, Doppelbuchstabe
        ("(1) 1. 2. a) aa) bb) b) (2) 1. 2.", "1[1 2[a[aa bb] b]] 2[1 2]"),
        # Polish: ustęp, punkt, litera
        ("1. 1) 2) a) b) 2. 1) 2)", "1[1 2[a b]] 2[1 2]"),
        # French: I, 1°, a)
        ("1° 2° a) b) 3°", "1 2[a b] 3"),
        # Greek and Bulgarian letters
        ("1. α) β) γ) 2.", "1[α β γ] 2"),
        ("(1) а) б) в) (2)", "1[а б в] 2"),
    ],
)
def test_lists_nest_as_their_brackets_say(numbers: str, nested: str) -> None:
    assert tree(*(f"{number} Words of a rule." for number in numbers.split())) == nested


def test_the_letter_i_and_the_numeral_are_told_apart_by_what_follows() -> None:
    letters = [f"{letter}) words;" for letter in "abcdefghij"]
    assert tree(*letters) == "a b c d e f g h i j"
    assert tree("a) words:", "i) one;", "ii) two;", "b) words.") == "a[i ii] b"


def test_a_paragraph_after_a_list_belongs_to_the_numbered_paragraph_that_holds_the_list() -> None:
    builder = DocumentBuilder()
    with builder.node("article", "1"):
        blocks = ["(1) The following count:", "1. a boat;", "2. a raft.", "They are listed.", "(2) Others do not."]
        write_body(builder, blocks, numbering=style("civil_law"))
    first, second = builder.nodes[0].children
    assert (first.type, second.type) == ("subsection", "subsection")
    assert builder.text[first.start : first.end].endswith("They are listed.")
    assert builder.text[first.children[-1].start : first.children[-1].end] == "2. a raft."


def test_an_inserted_number_stands_in_its_list() -> None:
    assert tree("1. One.", "2. Two.", "2 bis. Inserted.", "3. Three.") == "1 2 2 bis 3"


def test_an_abbreviation_at_the_start_is_not_a_number() -> None:
    assert tree("Z. B. Schiffe.", "S. 5 gilt nicht.") == ""
