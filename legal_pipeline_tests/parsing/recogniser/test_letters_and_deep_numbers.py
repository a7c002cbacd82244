"""Provisions with letters, some of which are Roman numerals too, and sections with three numbers; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(text: str) -> Document:
    return parse(SourceFile("law.md", text.encode()))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type in ("section", "article")]


def test_letters_that_are_roman_numerals_too_are_letters_behind_the_letter_before_them() -> None:
    letters = "ABCDEFGHIJKLM"
    articles = "\n\n".join(f"## {letter}) cikk\nA {letter} lámpát az őr minden este meggyújtja." for letter in letters)
    roman = "\n\n".join(
        f"## {number}. cikk\nAz őr a {number} lámpát is eloltja." for number in ("I", "II", "III", "IV", "V")
    )
    document = read(f"# Törvény a lámpákról\n\n{articles}\n\n# Jogok\n\n{roman}\n")
    assert numbers(document) == [*letters, "I", "II", "III", "IV", "V"]
    assert not any("missing" in warning for warning in document.warnings)


def ordinance(first: str = "This Ordinance shall be known as the Lamp Ordinance of the Town of Moor.") -> str:
    parts = ["# Lamp Ordinance"]
    for part, divisions in ((1, 2), (2, 3)):
        parts.append(f"## {part}. LAMPS OF PIER {part}")
        for division in range(1, divisions + 1):
            parts.append(f"### {part}.{division} KEEPERS")
            parts += [
                f"#### {part}.{division}.{section} Duty {section}\n\nThe keeper trims lamp {section} every evening before sunset."
                for section in range(1, 4)
            ]
    text = "\n\n".join(parts)
    return text.replace("The keeper trims lamp 1 every evening before sunset.", first, 1)


def test_the_sections_of_an_ordinance_have_three_numbers() -> None:
    document = read(ordinance())
    sections = [
        f"{part}.{division}.{section}"
        for part, most in ((1, 2), (2, 3))
        for division in range(1, most + 1)
        for section in (1, 2, 3)
    ]
    assert numbers(document) == sections
    assert next(node.heading for node in document.walk() if node.num == "2.3.3") == "Duty 3"


@pytest.mark.parametrize(
    "text",
    [
        ordinance("The keeper of the first lamp is paid by the town."),  # a manual
        ordinance().replace(".3 Duty", ".7 Duty"),  # numbers that do not follow each other
    ],
)
def test_a_manual_with_three_numbers_and_numbers_without_order_are_no_sections(text: str) -> None:
    assert not any(number and number.count(".") == 2 for number in numbers(read(text)))


def test_the_user_may_state_that_a_text_with_three_numbers_is_a_law() -> None:
    text = ordinance("The keeper of the first lamp is paid by the town.")
    assert numbers(parse(SourceFile("law.md", text.encode(), hints={"doc_type": "regulation"})))[0] == "1.1.1"
