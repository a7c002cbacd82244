"""Numbers as they are printed: their letters and Latin words, and which number comes behind which."""

from __future__ import annotations

import itertools

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.recogniser.numbers import read_number
from legal_pipeline.parsing.registry import parse


@pytest.mark.parametrize(
    "numbers",
    [
        "12d 12e 12f 13",
        "1er 2e 3e 4",
        "5a 5b 5bbis 5c",
        "5bis 5ter 6",
        "I Ibis II",
        "III IIIbis IIIbis-1 IIIter",
        "I IerBIS II",
        "IV IVA IVB V",
        "43–48 49",
        "3 3-1 3-2 4",
        "5bis 5bis-1 5bis-2 5ter",
        "L3-1 L3-1-A L3-2",
        "R*3-1 R*.3-2 R.*3-3",
        "1o. 1o.-A 1o.-B 2o. 2o.-A",
        "54.o 54.o-A 55.o",
        "26-N 26-Ñ 26-O",
        "Ε΄ ΣΤ΄ Ζ΄ Η΄ Θ΄ Ι΄ ΙΑ΄",
    ],
)
def test_each_number_follows_the_one_before_without_a_gap(numbers: str) -> None:
    read = [read_number(text) for text in numbers.split()]
    assert all(number is not None for number in read)
    assert [after.follows(before) for before, after in itertools.pairwise(read) if before and after] == [0] * (
        len(read) - 1
    )


@pytest.mark.parametrize(
    ("before", "after", "missing"), [("3", "3-1", 0), ("3", "3-2", 1), ("L3", "R4", None), ("I", "2", None)]
)
def test_numbers_that_are_missing_between_two_are_counted_in_one_series(
    before: str, after: str, missing: int | None
) -> None:
    first, second = read_number(before), read_number(after)
    assert first is not None
    assert second is not None
    assert second.follows(first) == missing


def law(*labels: str) -> list[str | None]:
    text = "\n\n".join(f"{label}\n\nDie Behörde führt das Verzeichnis der Bienenstöcke." for label in labels)
    document = parse(SourceFile("gesetz.txt", text.encode(), hints={"doc_type": "act", "language": "de"}))
    return [node.num for node in document.provisions()]


def test_a_letter_and_a_latin_word_belong_to_the_number() -> None:
    labels = ["Art. 4", "Art. 5d", "Art. 5e", "Art. 5ebis", "Art. 6"]
    assert law(*labels) == ["4", "5d", "5e", "5ebis", "6"]


def test_a_latin_word_behind_the_full_stop_belongs_to_the_number() -> None:
    labels = ["Article 4. Fars", "Article 4. bis. Llums", "Article 4. ter. Boies", "Article 5. Vigilants"]
    text = "\n\n".join(f"##### {label}\n\nEl vigilant encén el far cada vespre." for label in labels)
    document = parse(SourceFile("llei.md", f"# Llei dels fars\n\n{text}".encode(), hints={"language": "ca"}))
    assert [node.num for node in document.provisions()] == ["4", "4 bis", "4 ter", "5"]


def test_two_articles_under_one_heading_are_one_provision_with_both_numbers() -> None:
    assert law("Art. 1", "Art. 2 und 3", "Art. 4", "Art. 5 bis 7", "Art. 8") == ["1", "2 und 3", "4", "5 bis 7", "8"]


def test_two_numbers_before_running_text_are_no_heading() -> None:
    assert law("Art. 1", "Art. 2", "Art. 3 und 4 gelten auch für Wespen.", "Art. 3") == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("printed", "text"),
    [("1o.-A", "1-A"), ("2º.-B", "2-B"), ("5o.-A BIS", "5-A BIS"), ("3o. Bis", "3 Bis"), ("7o.", "7")],
)
def test_a_number_has_no_mark_of_an_ordinal_before_its_letters(printed: str, text: str) -> None:
    number = read_number(printed)
    assert number is not None
    assert number.text == text


def test_letters_behind_an_ordinal_and_a_full_stop_belong_to_the_number_unless_they_begin_a_sentence() -> None:
    numbers = ("1o.-", "1o.-A.-", "1o.-A BIS.-", "2o.-", "2o.-A", "3o.-A falta de aceite,", "4o.-")
    text = "LEY DE FAROS\n\n" + "\n\n".join(f"Artículo {number} El guardián enciende la lámpara." for number in numbers)
    document = parse(SourceFile("ley.txt", text.encode()))
    assert [node.eid for node in document.walk() if node.type == "article"] == [
        "art_1", "art_1a", "art_1abis", "art_2", "art_2a", "art_3", "art_4",
    ]  # fmt: skip


def test_the_mark_of_an_ordinal_number_may_be_behind_a_space() -> None:
    articles = [
        f"Artigo {number}. o Lâmpadas\n\nO faroleiro acende a lâmpada {number} ao anoitecer." for number in range(1, 13)
    ]
    document = parse(SourceFile("lei.txt", "\n\n".join(["LEI DAS LÂMPADAS", *articles]).encode()))
    found = [(node.num, node.heading) for node in document.walk() if node.type == "article"]
    assert found == [(str(number), "Lâmpadas") for number in range(1, 13)]
