"""Lists of contents in texts without mark-up are not the law: each provision is found once."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_HEADINGS = (
    "Name of this law",
    "Meaning of words",
    "Keeping of bees",
    "Duties of keepers",
    "Register",
    "Fees and fines",
    "Appeals",
    "End",
)
_BODY = "A keeper of bees in the district tells the Board where the hives stand, and the Board writes it down."


def read(text: str) -> Document:
    return parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act"}))


def act(contents: str, body: str) -> str:
    return f"BEES LAW 2014\n\nCONTENTS\n\n{contents}\n\nBEES LAW 2014\n\nA law to provide for the keeping of bees.\n\n{body}\n"


def in_parts(entry: str, provision: str, part: str) -> tuple[str, str]:
    """Contents and body of eight provisions in four parts; in the contents the heading of a part stands on a line of its own."""
    contents, body = [], []
    for number, heading in enumerate(_HEADINGS, 1):
        if number % 2:
            contents.append(f"PART {number // 2 + 1}\n\nOn the matter of {heading.lower()}")
            body.append(part.format(number=number // 2 + 1, heading=f"On the matter of {heading.lower()}"))
        contents.append(entry.format(number=number, heading=heading))
        body.append(provision.format(number=number, heading=heading, body=_BODY))
    return "\n\n".join(contents), "\n\n".join(body)


@pytest.mark.parametrize(
    ("entry", "provision"),
    [
        ("{number}. {heading}", "{number}. {heading}\n\n{body}"),
        ("{number}. {heading}", "{number}. {heading}\n\n(1) {body}\n\n(2) {body}"),
        ("Article {number}\n\n{heading}", "Article {number}\n\n{heading}\n\n{body}"),
        ("Article {number} {heading}", "Article {number}\n\n{heading}\n\n{body}"),
        ("{number}.\n\n{heading}.", "{number}. {heading}.\n\n—{body}"),
        ("{number}.\n\n{heading}", "{number}.\n\n{heading}\n\n{body}"),
        ("{number}. {heading}.", "{heading}.\n\n{number}.—(1) {body}\n\n(2) {body}"),
    ],
)
@pytest.mark.parametrize("part", ["PART {number} {heading}", "PART {number}\n\n{heading}"])
def test_a_list_of_contents_in_parts_is_not_the_text(entry: str, provision: str, part: str) -> None:
    document = read(act(*in_parts(entry, provision, part)))
    found = [node for node in document.provisions() if node.type in ("section", "article")]
    assert [node.num for node in found] == [str(number) for number in range(1, 9)]
    assert all(_BODY in document.text_of(node) for node in found)
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert _BODY not in document.text_of(contents)


def test_a_law_that_repeats_its_headings_is_not_a_list_of_contents() -> None:
    """Two laws of the same wording in one file: each line of one stands in the other."""
    law = "\n\n".join(f"Article {number}\n\nThe Board decides on matter {number}." for number in range(1, 9))
    document = read(f"FIRST LAW\n\n{law}\n\nANNEX\n\n{law}\n")
    assert [node.num for node in document.provisions() if node.type == "article"] == [
        str(number) for number in range(1, 9)
    ] * 2
