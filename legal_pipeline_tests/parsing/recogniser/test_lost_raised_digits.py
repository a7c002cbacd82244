"""Raised digits of inserted provisions that a text prints like other digits: 671 between 67 and 68 is 67¹."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_RUSSIAN = "Статья {}. Содержание колодца\n\nВладелец колодца хранит воду чистой и отвечает за неё."
_ESTONIAN = "§ {}. Kaevu hoidmine\n\nKaevu omanik hoiab vee puhtana ja vastutab selle eest."
_POLISH = "Art. {}. Właściciel studni utrzymuje wodę w czystości i odpowiada za jej stan."
_ENGLISH = "Section {}. Care of the well\n\nThe owner of the well keeps its water clean."
_AZERBAIJANI = "Maddə {}. Quyunun saxlanması\n\nQuyunun sahibi suyu təmiz saxlayır və buna cavabdehdir."
_WARNING = "numbers are read with raised digits that the text prints like others"


def read(provision: str, numbers: Sequence[int], language: str) -> Document:
    text = "\n\n".join(provision.format(number) for number in numbers)
    return parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act", "language": language}))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type in ("article", "section")]


def inserted(last: int, **behind: Sequence[int]) -> list[int]:
    """Numbers 1 to `last`; `_12=[121]` are those behind 12."""
    return [each for number in range(1, last + 1) for each in (number, *behind.get(f"_{number}", ()))]


@pytest.mark.parametrize(
    ("provision", "language", "inserted_numbers"),
    [
        (_RUSSIAN, "rus", ["12.1", "12.2", "12.10"]),
        (_ESTONIAN, "est", ["12¹", "12²", "12¹⁰"]),
        (_POLISH, "pol", ["12¹", "12²", "12¹⁰"]),
        (_AZERBAIJANI, "aze", ["12-1", "12-2", "12-10"]),
    ],
    ids=["rus", "est", "pol", "aze"],
)
def test_an_inserted_provision_has_its_number_and_its_own_text(
    provision: str, language: str, inserted_numbers: list[str]
) -> None:
    document = read(provision, inserted(20, _12=[121, 122, 1210]), language)
    assert numbers(document)[11:16] == ["12", *inserted_numbers, "13"]
    assert [warning for warning in document.warnings if _WARNING in warning] == [
        f"3 {_WARNING}: {', '.join(inserted_numbers)}"
    ]
    twelfth, first = (node for node in document.provisions() if node.num in ("12", inserted_numbers[0]))
    assert "121" not in document.text_of(twelfth)
    assert document.text_of(first).startswith(provision.format(121).splitlines()[0][:5])


def test_a_number_that_is_in_its_own_place_too_is_inserted_where_it_is_printed_first() -> None:
    found = numbers(read(_RUSSIAN, inserted(130, _12=[121]), "rus"))
    assert found[11:14] == ["12", "12.1", "13"]
    assert found[-11:-8] == ["120", "121", "122"]


def test_behind_numbers_of_one_digit_a_single_case_may_be_an_article_of_another_act() -> None:
    assert numbers(read(_RUSSIAN, inserted(9, _5=[51]), "rus")) == [str(number) for number in range(1, 10)]
    twice = numbers(read(_RUSSIAN, inserted(9, _5=[51], _7=[71]), "rus"))
    assert twice == ["1", "2", "3", "4", "5", "5.1", "6", "7", "7.1", "8", "9"]


@pytest.mark.parametrize(
    ("behind", "language"),
    [
        ({"_12": [125]}, "rus"),  # the first inserted article is 1 or 2
        ({"_12": [120]}, "rus"),
        ({"_12": [121, 300]}, "rus"),  # 13 does not follow
        ({"_12": [121]}, "eng"),  # English laws raise no digits
    ],
)
def test_other_numbers_between_two_provisions_are_references(behind: dict[str, list[int]], language: str) -> None:
    document = read(_ENGLISH if language == "eng" else _RUSSIAN, inserted(20, **behind), language)
    assert numbers(document) == [str(number) for number in range(1, 21)]
    assert not any(_WARNING in warning for warning in document.warnings)


def test_a_letter_or_a_sign_that_the_text_prints_is_not_lost() -> None:
    text = "\n\n".join(
        _RUSSIAN.format(number) for number in ("1", "2", "2.1", "3", "3-1", "4", "5", "5¹", "6", "7а", "8")
    )
    document = parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act", "language": "rus"}))
    assert {"2.1", "3-1", "5¹"} <= set(numbers(document))
    assert not any(_WARNING in warning for warning in document.warnings)


def test_a_capital_apart_with_a_stop_belongs_to_the_number_behind_that_article() -> None:
    heads = [
        "14. A los guardas",
        "15. Hay faros",
        "15 A. Hay luces",
        "15 B.- Hay aceite",
        "16. A ninguna luz",
        "17 A. Hay mechas",
    ]
    text = "\n\n".join(f"Artículo {head} en el puerto." for head in ["1. Hay puertos", *heads])
    document = parse(SourceFile("ley.txt", f"LEY DE FAROS\n\n{text}\n".encode()))
    found = [node.num for node in document.walk() if node.type == "article"]
    assert found == ["1", "14", "15", "15 A", "15 B", "16", "17"], "no article 17 is above the item A"


def test_paragraphs_with_labels_and_letters_behind_the_digits_hide_no_article() -> None:
    printed = [
        "1",
        "2",
        "3",
        "31",
        "4",
        "5",
        "6",
        "61",
        "62",
        "7",
        "8",
        "81",
        "9",
        "10",
        "101",
        "11",
        "12",
        "121",
        "122",
        "123",
        "123a",
        "13",
    ]
    later = [str(number) for number in range(17, 22)] + ["211", "22", "23", "24"]
    paragraphs = "§ 1. Właściciel studni utrzymuje wodę w czystości.\n\n§ 2. Właściciel odpowiada za jej stan."
    texts = [f"Art. {number}. {paragraphs}" for number in (*printed, *later)]
    text = "\n\n".join(["USTAWA o studniach", *texts])
    document = parse(SourceFile("ustawa.txt", text.encode(), hints={"doc_type": "act", "language": "pol"}))
    expected = "1,2,3,3¹,4,5,6,6¹,6²,7,8,8¹,9,10,10¹,11,12,12¹,12²,12³,12³a,13"
    assert numbers(document) == [*expected.split(","), "17", "18", "19", "20", "21", "21¹", "22", "23", "24"]


def test_a_number_of_five_figures_is_one_with_raised_digits() -> None:
    printed = [*range(231, 236), 2351, 2352, 236, 2361, 237, *range(2371, 2380), *range(23710, 23714), 238]
    document = read(_POLISH, printed, "pol")
    behind = [
        str(number)
        for number in (
            ["237¹", "237²", "237³", "237⁴", "237⁵", "237⁶", "237⁷", "237⁸", "237⁹", "237¹⁰", "237¹¹", "237¹²", "237¹³"]
        )
    ]
    assert numbers(document)[-14:] == [*behind, "238"]
