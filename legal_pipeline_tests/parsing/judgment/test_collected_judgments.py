"""Judgments of Australian courts, as the collections of legal information institutes and of data sets print them; own text.

Not here: courts with covers of their own (`test_courts`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_TITLE = "Keeper v Harbour Board of the North Pier [2031] FCA 102 (16 February 2031)"
_CERTIFIED = "I certify that the preceding six (6) numbered paragraphs are a true copy of the Reasons for Judgment of Justice Moor."


def sentences(number: int) -> list[str]:
    return [
        f"{number} The keeper applied for lamp {number} of the pier under the Act.",
        "1. The Board agreed to the lamp.",
        "The Board says that it was never bound to agree.",
    ]


def numbers(document: Document) -> list[str | None]:
    return [node.num for node in document.walk() if node.type == "numbered_paragraph"]


def test_sentences_as_elements_are_a_judgment_with_numbers_that_have_no_sign() -> None:
    texts = [text for number in range(1, 7) for text in sentences(number)] + [_CERTIFIED]
    marked = "\n".join(f'<sentence id="s{place}">{text}</sentence>' for place, text in enumerate(texts))
    phrases = '<catchphrases><catchphrase "id=c0">lamps</catchphrase><catchphrase "id=c1">&nbsp;duty</catchphrase></catchphrases>'
    xml = (
        f'<?xml version="1.0"?>\n<case>\n<name>{_TITLE}</name>\n{phrases}\n<sentences>\n{marked}\n</sentences>\n</case>'
    )
    document = parse(SourceFile("06_102.xml", xml.encode()))
    assert (document.doc_type, document.document_id) == ("judgment", "au-judgment-fca-2031-102")
    assert numbers(document) == ["1", "2", "3", "4", "5", "6"]


def test_a_title_of_a_collection_that_goes_on_is_that_of_a_note() -> None:
    note = (
        f"{_TITLE} changes what boards owe\n\n1. Boards should write down what they agree to.\n\n2. Keepers should ask."
    )
    assert parse(SourceFile("note.txt", note.encode())).doc_type != "judgment"


@pytest.mark.parametrize(("court", "country"), [("NZHC", "nz"), ("SGCA", "sg"), ("HKCFI", "hk"), ("NSWSC", "au")])
def test_the_court_in_the_citation_shows_the_country(court: str, country: str) -> None:
    paragraphs = [f"[{number}] The keeper applied for lamp {number}." for number in range(1, 6)]
    text = "\n\n".join([f"Keeper v Harbour Board [2031] {court} 9 (16 February 2031)", *paragraphs])
    document = parse(SourceFile("case.txt", text.encode()))
    assert (document.jurisdiction, document.document_id) == (country, f"{country}-judgment-{court.lower()}-2031-9")


def test_a_numbered_heading_below_another_is_apart_from_the_paragraph() -> None:
    paragraphs = {
        number: f"  {number}.  The keeper says that lamp {number} of the pier burned until dawn."
        for number in range(1, 9)
    }
    lines = [*(paragraphs[number] for number in range(1, 5)), "B.  The proceedings at issue", "1.  The decision of the board",
             *(paragraphs[number] for number in range(5, 9))]  # fmt: skip
    cover = ["HARBOUR COURT", "", "Case No. 9 of 2031", "", "KEEPER v. BOARD", "", "JUDGMENT", ""]
    document = parse(SourceFile("case.txt", "\n".join([*cover, *lines, ""]).encode()))
    assert numbers(document) == [str(number) for number in range(1, 9)]
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert {"B. The proceedings at issue", "1. The decision of the board"} <= set(headings)
