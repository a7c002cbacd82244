"""Letters of another alphabet inside Greek and Cyrillic words."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.look_alikes import in_one_alphabet


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Άρθρo", "Άρθρο"), ("NOMOΣ", "ΝΟΜΟΣ"), ("∆ήµος", "Δήμος"), ("ΑΥΤΟ∆ΙΟΙΚΗΣΗ", "ΑΥΤΟΔΙΟΙΚΗΣΗ"),
        ("Cтаття", "Стаття"), ("закoнy", "закону"), ("τoν", "τον"),
    ],
)  # fmt: skip
def test_a_word_is_in_one_alphabet(written: str, read: str) -> None:
    assert in_one_alphabet(f"x {written}, 5.") == f"x {read}, 5."


@pytest.mark.parametrize(
    "text", ["5 µm", "∆ = 2", "kΩ", "Γ2B", "τo", "IP-адреса", "USBκαλώδιο", "Malmö § 4", "ЗАКОН", "Law 5"]
)
def test_signs_designations_and_words_of_two_alphabets_stay(text: str) -> None:
    assert in_one_alphabet(text) == text


def test_an_article_whose_word_has_a_foreign_letter_is_found() -> None:
    text = "\n\n".join(
        f"{'Άρθρo' if number == 4 else 'Άρθρο'} {number}\n\nΟ φύλακας ανάβει το φανάρι {number} κάθε βράδυ."
        for number in range(1, 9)
    )
    document = parse(SourceFile("nomos.txt", text.encode()))
    assert [node.num for node in document.walk() if node.type == "article"] == [str(number) for number in range(1, 9)]
