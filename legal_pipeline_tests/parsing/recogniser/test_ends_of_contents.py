"""A table of contents ends where the law begins, also if the law has the same headings again and again."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse

_TEXTS = (
    "The keeper of pier {} lights the lamp of the harbour at dusk, and puts it out at dawn when all ships have left.",
    "The keeper counts oil number {} of the lamp on Monday morning, and writes it down in the book of the harbour.",
)


@pytest.mark.parametrize("inner", [(), ("SECTION 1", "LAMPS AT SEA")])
@pytest.mark.parametrize("are_listed", [False, True])
@pytest.mark.parametrize("parts", [1, 2, 3])
def test_the_same_headings_above_many_articles_are_no_contents(
    inner: tuple[str, ...], are_listed: bool, parts: int
) -> None:
    body: list[str] = []
    for number in range(1, 4 * parts, 2):
        title = "I" if number % 4 == 1 else "II"
        body += [f"TITLE {title}", "OF HARBOURS AND PIERS", "CHAPTER 1", "LAMPS OF THE COAST", *inner]
        for article, text in enumerate(_TEXTS, number):
            body += [f"Article {article}", text.format(article)]
    listed = [line for line in body if line.isupper() or line in inner or line.startswith(("TITLE", "CHAPTER"))]
    if are_listed:
        listed = [line for line in body if len(line) < 40]
    lines = ["LAMPS CODE", "Table of contents", *listed, *body]
    page = "".join(f"<p>{line}</p>" for line in lines)
    document = parse(SourceFile("code.html", f"<html><body>{page}</body></html>".encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 4 * parts + 1)]
    for kind, numbers in (("title", ["I", "II"]), ("chapter", ["1", "1"])):
        assert [node.num for node in document.walk() if node.type == kind] == numbers * parts
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert document.text_of(contents).split("\n\n") == listed
