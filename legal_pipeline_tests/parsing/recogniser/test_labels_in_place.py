"""Labels that stand in quotation marks, in tables and at the end of long headings: which of them are provisions and divisions."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_BODY = "The keeper of the lamps lights them at dusk. The keeper writes down in a book when each of them was lit."


def read(text: str) -> Document:
    return parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act", "language": "en"}))


def articles(first: int, last: int) -> str:
    return "\n\n".join(f"Article {number}. {_BODY}" for number in range(first, last + 1))


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.provisions() if node.type == "article"]


def parts(document: Document) -> list[tuple[str | None, str | None]]:
    return [
        (node.num, parents[-1].num if parents else None)
        for node, parents in document.walk_with_ancestors()
        if node.type == "article"
    ]


def test_a_law_in_quotation_marks_has_its_first_article() -> None:
    document = read(f'The Assembly has adopted this law:\n\n"{articles(1, 6)}".\n')
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]
    first = next(node for node in document.provisions() if node.num == "1")
    assert document.text_of(first) == f'"Article 1. {_BODY}'


def test_a_quoted_article_of_another_law_is_not_a_provision() -> None:
    law = articles(1, 3).replace(_BODY, f'In the other law the following is put in:\n\n"Article 1. {_BODY}"', 1)
    assert numbers(read(law)) == ["1", "2", "3"]


@pytest.mark.parametrize("kept", ["Article {0}({1})\n\nArticle {1}", "Article {0}", "Article {0}({1}) |"])
def test_a_list_of_the_provisions_of_a_former_law_has_none(kept: str) -> None:
    rows = "\n\n".join(kept.format(number, number + 1) for number in range(1, 9))
    document = read(f"{articles(1, 6)}\n\nANNEX I\n\nCorrelation table\n\nThis law\n\n{rows}\n")
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]


def test_articles_of_an_annexed_convention_are_provisions() -> None:
    document = read(f"{articles(1, 6)}\n\nANNEX I\n\nConvention on lamps\n\n{articles(1, 6)}\n")
    assert parts(document) == [
        *((str(number), None) for number in range(1, 7)),
        *((str(number), "I") for number in range(1, 7)),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "Chapter {}. - Of the keepers of the lamps and of those who stand in for them.",
        "Chapter {} Keeping of lamps etc.",
        "Chapter {}: "
        + "Lamps that stand on the shore and lamps that stand on rocks in the sea and are lit every night " * 2,
    ],
)
def test_a_heading_of_a_division_may_be_long_and_end_with_a_stop(heading: str) -> None:
    note = "Put in by law 7 of 2031, in force from the first day of May of that year."
    text = "\n\n".join(f"{heading.format(n).strip()}\n\n{note}\n\n{articles(2 * n - 1, 2 * n)}" for n in range(1, 5))
    assert parts(read(text)) == [(str(number), str((number + 1) // 2)) for number in range(1, 9)]


def test_a_sentence_that_begins_with_the_next_chapter_is_not_a_heading() -> None:
    text = f"Chapter 1 Lamps\n\n{articles(1, 3)}\n\nChapter 2 Boats are not lit by the keeper.\n\n{articles(4, 6)}"
    assert {part for _, part in parts(read(text))} == {"1"}
