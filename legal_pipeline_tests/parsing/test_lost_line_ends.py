"""Plain texts in one line: a law, a judgment and notes, as pages and database columns hold them. Not here: texts with line ends."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.lost_line_ends import LINE_ENDS_LOST
from legal_pipeline.parsing.registry import parse

#: Makes each provision as long as those of real laws.
_MORE = (
    "The keeper writes down the hour, the wind and the state of the lamp, and signs the entry before the next watch begins. "
    * 4
)

_STATUTE = (
    "Lighthouse Act, 2031. An Act to provide for lighthouses. Be it enacted by Parliament as follows:\n"
    + "\n".join(
        f"{heading}\n{number}. (1) The keeper shall see to matter {number}. {_MORE}\n(2) This does not apply to section {number + 1}."
        for number, heading in enumerate(
            ("Short title", "Definitions", "Keepers", "Lamps", "Logs", "Duties of care", "Appeals"), start=1
        )
    )
)
_LOI = "Loi sur les phares\n" + "\n".join(
    f"Article {number}\nLe gardien tient le registre {number} visé à l'article {number + 1}. {_MORE}"
    for number in range(1, 9)
)
_LAG = "Lag (2031:7) om fyrar\n" + "\n".join(
    f"{number} § Fyrvaktaren ska sköta fyr nummer {number} enligt 3 § och hålla den tänd från skymning till gryning. {_MORE}"
    for number in range(1, 9)
)
_JUDGMENT = (
    "In the High Court of Northport Case No. 12 of 2031 Keeper vs Harbour Board Coram: Vale J. JUDGMENT Between the appellant Ann Keeper "
    "and the respondent Harbour Board. Vale J.:\n"
) + "\n".join(f"{number}. The appellant said that section {number + 1} applied. {_MORE}" for number in range(1, 9))


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def read(text: str) -> Document:
    return parse(SourceFile("x.txt", text.encode()))


def provisions(document: Document, *types: str) -> list[tuple[str | None, str]]:
    return [(node.num, document.text[node.start : node.end]) for node in document.walk() if node.type in types]


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [(_STATUTE, 7, "(1) The keeper"), (_LOI, 8, "Le gardien"), (_LAG, 8, "Fyrvaktaren ska")],
    ids=["en", "fr", "sv"],
)
def test_a_law_in_one_line_has_its_provisions(text: str, count: int, first: str) -> None:
    document = read(in_one_line(text))
    found = provisions(document, "section", "article")
    assert [number for number, _ in found] == [str(number) for number in range(1, count + 1)]
    assert all(f"{number} " in words or f"{number}." in words for number, words in found)
    assert first in found[2][1]
    assert document.requires_manual_review
    assert LINE_ENDS_LOST in document.warnings


def test_headings_between_a_sentence_and_a_number_belong_to_the_number() -> None:
    document = read(in_one_line(_STATUTE))
    (logs,) = [node for node in document.walk() if node.type == "section" and node.num == "5"]
    assert logs.heading == "Logs"
    assert "Duties of care" not in document.text[logs.start : logs.end]


def test_offsets_are_those_of_the_file() -> None:
    text = in_one_line(_LOI)
    document = read(text)
    place = document.text.index("registre 6")
    raw = document.raw_offset(place)
    assert raw is not None
    assert text[raw:].startswith("registre 6")


def test_a_judgment_in_one_line_is_a_judgment_and_no_act() -> None:
    document = read(in_one_line(_JUDGMENT))
    assert document.doc_type == "judgment"
    numbers = [number for number, _ in provisions(document, "numbered_paragraph")]
    assert numbers == [str(number) for number in range(1, 9)]
    assert provisions(document, "section") == []


@pytest.mark.parametrize(
    "text",
    [
        "A note on lamps. " + "The oil is bought in May, see section 12. The wick is cut twice. " * 80,
        "Minutes. " + "We met; (a) the lamp was lit; (b) the oil was paid. Section 3 applies, and section 9. " * 60,
    ],
    ids=["references", "items"],
)
def test_a_long_paragraph_of_a_note_stays_one(text: str) -> None:
    document = read(text)
    assert document.text == text.strip()
    assert LINE_ENDS_LOST not in document.warnings


def test_a_text_with_line_ends_is_not_changed() -> None:
    document = read(_LAG)
    assert LINE_ENDS_LOST not in document.warnings
    assert not document.requires_manual_review


def test_a_law_with_one_long_article_keeps_its_lines() -> None:
    text = _LOI.replace(_MORE, "Le gardien allume le phare. ").replace("registre 4 ", "registre 4 " + _MORE * 20)
    assert LINE_ENDS_LOST not in read(text).warnings
