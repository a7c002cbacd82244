"""Which blocks of an act are wordings of another law: by their quotation marks, by the page, or by the words above them."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.labels import Label, labels_of
from legal_pipeline.parsing.recogniser.quotations import quotations_of_pages, quoted_blocks, unmarked_wordings
from legal_pipeline.parsing.recogniser.words import words_of

_MEANING = "The keeper lights the lamp."


def labels(blocks: list[Block]) -> list[Label]:
    words = words_of("eng")
    return [label for index, block in enumerate(blocks) for label in labels_of(index, block, words)]


def quoted(*texts: str) -> str:
    """A sign per block: q for quoted, - for the act's own. A text that begins with "#" is a heading."""
    blocks = [Block(text.removeprefix("#"), level=2 if text.startswith("#") else 0) for text in texts]
    found = quoted_blocks(blocks, labels(blocks))
    return "".join("q" if index in found else "-" for index in range(len(blocks)))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("It reads:", "“Section 4", f"{_MEANING}”", "Section 2"), "-qq-"),
        (("It reads: “", "Section 4", f"{_MEANING}”", "Section 2"), "-qq-"),
        (("It reads:", "“Section 4.”", "Section 2"), "---"),
        (("It reads:", "“Section 4", _MEANING, "Section 2"), "----"),
        (("It reads:", '"Section 4', f'{_MEANING}"', "Section 2"), "-qq-"),
        (("It reads:", '"Section 4', f'"{_MEANING}', 'It burns."', "Section 2"), "-qqq-"),
        (("It reads:", '"Section 4', f"{_MEANING}”", "Section 2"), "-qq-"),
        (("It reads:", "“Section 4", 'A "lamp" burns.', f"{_MEANING}”", "Section 2"), "-qqq-"),
        (("It reads:", "“Section 4", "A “lamp” burns.", f"{_MEANING}”", "Section 2"), "-qqq-"),
        (("It reads:", "„Section 4", f"{_MEANING}“", "Section 2"), "-qq-"),
        (("It reads:", "«Section 4", f"{_MEANING}».", "Section 2"), "-qq-"),
        (("It reads:", '" ;', f'{_MEANING}"', "Section 2"), "----"),
        (("#Section 4", "“Section 4 burns", f"{_MEANING}”", "Section 5"), "----"),
        (("“lost mark", "It reads:", "“Section 4", f"{_MEANING}”", "Section 2"), "--qq-"),
    ],
)
def test_a_quotation_goes_from_its_mark_to_the_one_that_closes_it(texts: tuple[str, ...], expected: str) -> None:
    assert quoted(*texts) == expected


def test_a_mark_that_is_never_closed_ends_where_the_numbers_of_the_act_go_on() -> None:
    act = (
        "Section 1",
        _MEANING,
        "Section 2",
        "It reads:",
        "“Section 1",
        "A",
        "Section 2",
        "B",
        "Section 3",
        "C",
        "Section 4",
        "D",
    )
    assert quoted(*act) == "-" * 12
    assert quoted(*act[:8], "Section 3", "C") == "-" * 10
    back = ("Section 1", _MEANING, "Section 2", "It reads:", "“Section 1", "A", "Section 2", "B", "Article 9", "C")
    assert quoted(*back) == "-" * 10


def test_a_quotation_ends_before_an_article_of_the_act_that_its_numbers_need_or_that_quotes_again() -> None:
    def act(*inside: str) -> str:
        return quoted("#Article 1", "It reads:", "“Lamps burn", *inside, "#Article 4", "End.")

    assert act("at night.”") == "--qq--"
    assert act("#Article 2", "at night.”", "#Article 3", "Oil.") == "--q------"
    assert act("#Chapter 2", "#Article 2", "at night.”", "#Article 3", "Oil.") == "--q-------"
    assert act("at night", "#Article 2", "It reads:", "“Oil”, and", "more.”")[2:4] == "qq"


@pytest.mark.parametrize(
    ("above", "inside", "expected"), [(1, 10, "-"), (1, 9, "q"), (3, 14, "q"), (3, 15, "-"), (0, 10, "-")]
)
def test_a_law_that_a_decree_issues_in_quotation_marks_is_the_law(above: int, inside: int, expected: str) -> None:
    own = [text for number in range(1, above + 1) for text in (f"Article {number}", _MEANING)] + [
        "The law is issued: “"
    ]
    law = [text for number in range(1, inside + 1) for text in (f"Article {number}", _MEANING)]
    law[-1] = f"{law[-1]}”"
    found = quoted(*own, *law)
    assert found == "-" * len(own) + expected * len(law)


def test_a_page_that_marks_few_provisions_as_quotations_quotes_them_behind_a_colon() -> None:
    def marked(*rows: tuple[str, bool]) -> list[int]:
        blocks = [Block(text, is_quoted=is_quoted) for text, is_quoted in rows]
        return sorted(quotations_of_pages(blocks, labels(blocks)))

    own = [("Section 1", False), (_MEANING, False), ("Section 2", False), ("It reads:", False)]
    other = [("Section 9", True), (_MEANING, True), ("Section 3", False), ("Section 4", False)]
    assert marked(*own, *other) == [4, 5]
    assert marked(*own[:3], ("It reads", False), *other) == []
    assert marked(*own, *other[:3], ("Section 8", True), ("Section 7", True)) == []
    assert marked(("It reads:", False), *other, *own) == []


def test_a_wording_without_marks_goes_from_the_words_that_announce_it_to_the_next_provision() -> None:
    def announced(*texts: str) -> list[int]:
        blocks = [Block(text) for text in texts]
        return sorted(unmarked_wordings(blocks, labels(blocks), re.compile(r"as follows:\Z")))

    act = (
        "Section 1",
        "Article 4 is amended as follows:",
        "Article 4",
        _MEANING,
        "Section 2",
        "It ends.",
        "Section 3",
        "x",
    )
    assert announced(*act) == [2, 3]
    assert announced("Section 2", *act[1:4], "Section 3", "It ends.") == []
    assert announced(*act[:4], "Section 3", "It ends.") == []
    assert announced("Section 1", "as follows:", "Section 2", _MEANING, "Article 3", "It ends.") == []


@pytest.mark.parametrize(("between", "is_quoted"), [(29, True), (30, False)])
def test_a_quotation_with_two_forms_of_marks_has_at_most_thirty_blocks(between: int, is_quoted: bool) -> None:
    found = quoted("It reads:", '"Section 4', *[_MEANING] * between, f"{_MEANING}”", "Section 2")
    assert found == ("-" + "q" * (between + 2) + "-" if is_quoted else "-" * (between + 4))
