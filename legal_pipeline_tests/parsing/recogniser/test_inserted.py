"""Numbers of several parts, "2.1.", among sections without a word: inserted sections, or paragraphs of the section before them."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_TEXT = "The keeper lights the lamp of pier {} at dusk."


def read(sections: dict[str, str]) -> Document:
    text = "\n\n".join(f"{number} {words}" for number, words in sections.items())
    return parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act", "language": "en"}))


def law(**changes: str) -> dict[str, str]:
    """Sections 1 to 6; `changes` are the texts of numbers: `_2_1` is "2.1."."""
    sections = {(number,): _TEXT.format(number) for number in range(1, 7)}
    for name, text in changes.items():
        sections[tuple(map(int, name.strip("_").split("_")))] = text
    return {".".join(map(str, number)) + ".": sections[number] for number in sorted(sections)}


def sections(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type == "section"]


_PARAGRAPHS = {"_2_1": "The flame is white and burns all night.", "_2_2": "The glass is clear and has no cracks."}


def test_an_inserted_section_has_its_own_text() -> None:
    document = read(law(_2_1="A lamp of glass is kept clean.", _2_1_1="A lamp of horn is kept dry.", _5_0_1=_TEXT))
    assert sections(document) == ["1", "2", "2.1", "2.1.1", "3", "4", "5", "5.0.1", "6"]
    second = next(node for node in document.provisions() if node.num == "2")
    assert document.text_of(second).endswith("the lamp of pier 2 at dusk.")
    assert document.warnings == ()


@pytest.mark.parametrize("second", ["Lamps", "Lamps and glasses", "A lamp of a pier has these properties:", "Lamps."])
def test_paragraphs_below_a_heading_or_an_announcement_belong_to_their_section(second: str) -> None:
    document = read(law(_2=second, **_PARAGRAPHS))
    assert sections(document) == ["1", "2", "3", "4", "5", "6"]
    assert document.warnings == ()


def test_numbers_that_may_be_either_stay_in_the_text_and_are_named() -> None:
    every = {f"_{number}_1": "The glass is clear and has no cracks." for number in (1, 2, 4, 5)}
    document = read(law(**every))
    assert sections(document) == ["1", "2", "3", "4", "5", "6"]
    (warning,) = document.warnings
    assert warning.endswith("in the text of the section before them: 1.1, 2.1, 4.1, 5.1")


def test_numbers_below_a_heading_and_below_a_sentence_are_named() -> None:
    document = read(law(_2="Lamps", _5_1="The glass is clear and has no cracks.", **_PARAGRAPHS))
    assert sections(document) == ["1", "2", "3", "4", "5", "6"]
    assert document.warnings[0].startswith("3 numbers may be sections")


@pytest.mark.parametrize("number", ["2.1", "2.1)"])
def test_numbers_with_another_sign_count_paragraphs(number: str) -> None:
    text = {**law(), "2.": f"{_TEXT}\n\n{number} The flame is white.\n\n2.2 The glass is clear."}
    document = read(text)
    assert sections(document) == ["1", "2", "3", "4", "5", "6"]
    assert document.warnings == ()


def test_the_letter_o_behind_n_is_not_the_mark_of_an_ordinal_number() -> None:
    numbers = ["1", "2", *(f"2{letter}" for letter in "abcdefghijklmnop"), "3"]
    text = "\n\n".join(f"## § {number} Lampen\n\nDer Wärter zündet die Lampe {number} an." for number in numbers)
    document = parse(SourceFile("gesetz.md", f"# Lampengesetz\n\n{text}".encode()))
    assert sections(document) == numbers
    assert not document.warnings


def test_an_o_without_an_n_before_it_is_the_mark_of_an_ordinal_number() -> None:
    text = "\n\n".join(f"Artículo {number}o. El guarda enciende la lámpara." for number in range(1, 20))
    document = parse(SourceFile("ley.txt", f"LEY DEL PUERTO\n\n{text}".encode()))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 20)]


def test_half_of_the_sections_may_have_inserted_ones_behind_them() -> None:
    text = "A lamp of glass is kept clean."
    document = read(law(_1_1=text, _2_1=text, _5_1=text))
    assert sections(document) == ["1", "1.1", "2", "2.1", "3", "4", "5", "5.1", "6"]
    assert document.warnings == ()


def test_a_dash_with_spaces_may_be_in_the_number_of_an_inserted_article() -> None:
    numbers = ["1", "2", "3", "3 - 2", "3 -3", "4", "4 - bis", "5", "6", "7"]
    remark = "(Ajouté par la loi n° 96-62 du 15 juillet 2031).-"
    articles = [
        f"Article {number} {remark}\n\nLe gardien allume la lampe du quai {number} au crépuscule." for number in numbers
    ]
    document = parse(
        SourceFile("code.txt", "\n\n".join(["CODE DES LAMPES", *articles]).encode(), hints={"doc_type": "act"})
    )
    found = [node.num for node in document.provisions() if node.type == "article"]
    assert found == ["1", "2", "3", "3-2", "3-3", "4", "4 bis", "5", "6", "7"]


def test_figures_behind_a_dash_are_text_if_they_continue_no_series() -> None:
    articles = [
        f"Article {number} - {number + 20} lampes brûlent au quai du gardien toute la nuit." for number in range(1, 8)
    ]
    document = parse(
        SourceFile("code.txt", "\n\n".join(["CODE DES LAMPES", *articles]).encode(), hints={"doc_type": "act"})
    )
    assert [node.num for node in document.provisions() if node.type == "article"] == [str(n) for n in range(1, 8)]
