"""Acts that amend other Acts in numbered items, without quotation marks around what they insert."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_TITLE = "Harbour Lamps Amendment Act 2032"
_OWN = (
    _TITLE, "1  Short title", f"This Act is the {_TITLE}.", "2  Commencement", "This Act commences on 1 May 2033.",
)  # fmt: skip
_THIRD = ("3  Schedules", "Each Act that is named in a Schedule to this Act is amended as set out in that Schedule.")
_ITEMS = (
    "Harbour Lamps Act 2031", "1  Section 4 (definition of lamp)", "Repeal the definition, substitute:", "lamp means a light on a pier.",
    "2  After section 6", "Insert:", "6A  Red lamps", "(1) A lamp at the end of a pier is red.", "(2) The Board may allow another colour.",
    "3  Burning of lamps", "A lamp burns from dusk to dawn.", "3  Section 9", "Repeal the section.",
)  # fmt: skip


def read(*parts: str) -> Document:
    return parse(SourceFile("lamps.txt", "\n\n".join(parts).encode()))


def quoted(document: Document) -> list[str]:
    return [document.text_of(node) for node in document.walk() if node.type == "quotation"]


def tree(document: Document, *types: str) -> list[tuple[str, str | None, str | None]]:
    return [(node.type, node.num, node.heading) for node in document.walk() if node.type in types]


@pytest.mark.parametrize("parts", [False, True])
def test_the_section_that_names_the_schedules_is_in_the_body_and_the_items_are_paragraphs(parts: bool) -> None:
    first, behind = (("Part 1—Lamps",), ("Part 2—Other matters",)) if parts else ((), ())
    last = ("4  Application", "The amendments apply to lamps that are lit after commencement.")
    document = read(*_OWN, *_THIRD, "Schedule 1—Amendments", *first, *_ITEMS, *behind, *last)
    assert tree(document, "section", "schedule", "paragraph") == [
        ("section", "1", "Short title"),
        ("section", "2", "Commencement"),
        ("section", "3", "Schedules"),
        ("schedule", "1", "Amendments"),
        ("paragraph", "1", "Section 4 (definition of lamp)"),
        ("paragraph", "2", "After section 6"),
        ("paragraph", "3", "Section 9"),
        ("paragraph", "4", "Application"),
    ]
    assert quoted(document) == [_ITEMS[3], "6A Red lamps", *_ITEMS[7:9], "3 Burning of lamps", _ITEMS[10]]


def test_sections_that_amend_another_act_have_what_they_insert_as_quoted_text() -> None:
    """The manner of New Zealand."""
    document = read(
        *_OWN, "3  Principal Act", "This Act amends the Harbour Lamps Act 2031.", "4  Section 4 amended (Lamps)",
        "In section 4, delete “red”.",
        "5  New section 6A inserted", "After section 6, insert:", "6A Red lamps", "A lamp at the end of a pier is red.",
        "6  Section 9 replaced (Fees)", "Replace section 9 with:", "9 Fees", "(1) The keeper pays a fee.", "(2) The Board sets it.",
        "7  Section 10 repealed", "Repeal section 10.",
    )  # fmt: skip
    assert [num for _, num, _ in tree(document, "section")] == ["1", "2", "3", "4", "5", "6", "7"]
    assert quoted(document) == [
        "6A Red lamps", "A lamp at the end of a pier is red.", "9 Fees", "(1) The keeper pays a fee.", "(2) The Board sets it.",
    ]  # fmt: skip


def test_a_word_for_schedules_behind_a_number_is_a_section_only_where_it_is_the_next_one() -> None:
    """The German word is not printed in this way either, but a number with a stop counts annexes where no section is before it."""
    rules = "\n\n".join(f"§ {number}\n\nDer Wärter zündet die Lampe {number} an." for number in range(1, 6))
    document = read(
        "Gesetz über Hafenlampen", rules, "1. Anlage", "Die Lampen sind rot.", "2. Anlage", "Die Lampen sind hoch."
    )
    assert [num for _, num, _ in tree(document, "schedule")] == ["1", "2"]


@pytest.mark.parametrize(
    "said",
    [
        ("The Board may keep a list and may add:", "names of keepers."),
        ("In section 4 of the Piers Act 2030, insert:", "“A pier has a lamp.”"),
    ],
)
def test_other_text_behind_such_words_is_not_quoted(said: tuple[str, str]) -> None:
    rules = [part for number in range(3, 8) for part in (f"{number}  Rule {number}", f"Lamp {number} is lit at dusk.")]
    assert quoted(read(*_OWN, *rules, "8  Lists", *said, "9  End", "The lamps are put out.")) == []


def test_the_heading_of_the_next_act_is_not_inserted_by_the_item_above_it() -> None:
    first = (
        "Harbour Lamps Act 2031",
        "1  After section 6",
        "Insert:",
        "6A  Red lamps",
        "A lamp at the end of a pier is red.",
    )
    second = (
        "Harbour Act 1985",
        "2  After section 9",
        "Insert:",
        "9A  Oil",
        "The keeper buys the oil of the lamp.",
        "3  Section 12",
        "Repeal the section.",
    )
    document = read(*_OWN, *_THIRD, "Schedule 1—Amendments", *first, *second)
    assert not any("Harbour Act 1985" in text for text in quoted(document))
    assert "9A Oil" in quoted(document)
