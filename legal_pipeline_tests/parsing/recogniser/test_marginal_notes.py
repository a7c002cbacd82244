"""Notes in a column to the left of the sections of a plain text are their headings."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.readers.marginal_notes import with_notes_above
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.text_lines import text_lines

_LAW = """Harbour Lamps Law, 5791-2031

Part One: Lamps

Purpose        1.  The purpose of this Law is to keep the harbour safe at night and on
                   days of fog.

Keepers of     2.  (a) The Board appoints a keeper for each lamp.
lamps and          (b) A keeper lights the lamp at dusk.
of piers
               3.  (Repealed).

Part Two: Fees

Fees           4.  A keeper pays the fee that the Board sets.

Beginning      5.  This Law begins on 1 May 2032."""


def read(text: str) -> Document:
    return parse(SourceFile("lamps.txt", text.encode()))


@pytest.mark.parametrize("blank", [True, False])
def test_a_note_beside_a_section_is_its_heading_and_the_text_is_whole(blank: bool) -> None:
    document = read(_LAW if blank else _LAW.replace("\n\nBeginning", "\nBeginning"))
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("1", "Purpose"), ("2", "Keepers of lamps and of piers"), ("3", None), ("4", "Fees"), ("5", "Beginning"),
    ]  # fmt: skip
    first, second, *_ = document.provisions()
    assert "The purpose of this Law is to keep the harbour safe at night and on days of fog." in document.text_of(first)
    assert [child.num for child in second.children if child.type == "paragraph"] == ["a", "b"]
    assert [node.heading for node in document.walk() if node.type == "part"] == ["Lamps", "Fees"]


def test_offsets_lead_from_the_note_and_the_text_to_the_source() -> None:
    document = read(_LAW)
    for words in ("of piers", "A keeper lights", "days of fog", "Beginning"):
        assert document.raw_offset(document.text.index(words)) == _LAW.index(words)


@pytest.mark.parametrize(
    "text",
    [
        "Article 1.  A keeper lights the lamp.\nArticle 2.  The Board pays.\nArticle 3.  The Law begins.",
        "Purpose    1.  Lamps are lit.\nKeepers    2.  A keeper lights them.",  # too few
        "Purpose    1.  Lamps are lit.\nKeepers    4.  A keeper lights them.\nFees       9.  None.",  # no sequence
        "Purpose    1.  Lamps are lit.\na line that crosses the column\nKeepers    2.  A keeper.\nFees       3.  None.",
    ],
)
def test_other_lines_stay_as_they_are(text: str) -> None:
    lines = list(text_lines(text))
    assert with_notes_above(lines) == (lines, frozenset())


_INDENTED = """HARBOUR LAMPS ACT, 2031

                ARRANGEMENT OF SECTIONS

     1.       Short title.
     2.       Application.
     3.       Keepers.
     4.       Offences.

Short title     1.-(1) This Act may be cited as the Harbour Lamps Act,
and          2031.
beginning          (2) This Act begins on the day that the Minister
             appoints.

Application     2. This Act applies to each harbour of the Republic and
             to its piers.

Keepers         3. The Board appoints a keeper for each lamp, who lights it
             at dusk.

Offences        4.-(1) A person who covers a lamp commits an offence.
"""


def test_the_first_line_of_a_section_beside_a_note_may_be_indented() -> None:
    assert [(node.num, node.heading) for node in read(_INDENTED).provisions()] == [
        ("1", "Short title and beginning"), ("2", "Application"), ("3", "Keepers"), ("4", "Offences"),
    ]  # fmt: skip


_LABELLED = """Legge
sulle lampade del porto

Scopo                Art. 1    1
                                La presente legge disciplina le lampade del porto e dei
                     suoi moli.
                     2
                      Essa protegge la notte.

Campo                Art. 2 La legge si applica a tutti i moli pubblici e a quelli privati,
d’applicazione       salvo i moli di legno.

Custode              Art. 3[1] 1Il Consiglio nomina un custode. 2
                     Il custode accende le lampade al tramonto.

Registro             Art. 3a Il custode tiene un registro secondo
                     l’art. 3 della presente legge.
"""


def test_a_note_may_be_beside_the_word_and_the_number_of_an_article() -> None:
    document = read(_LABELLED)
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("1", "Scopo"), ("2", "Campo d’applicazione"), ("3", "Custode"), ("3a", "Registro"),
    ]  # fmt: skip
    assert "secondo l’art. 3 della presente legge." in document.text


def test_the_raised_number_of_a_paragraph_is_before_its_text() -> None:
    document = read(_LABELLED)
    first, _, third, _ = document.provisions()
    assert "1 La presente legge disciplina le lampade del porto e dei suoi moli." in document.text_of(first)
    assert "2 Essa protegge la notte." in document.text_of(first)
    assert "1 Il Consiglio nomina un custode." in document.text_of(third)
    for words in ("Il Consiglio", "La presente", "Essa"):
        assert document.raw_offset(document.text.index(words)) == _LABELLED.index(words)


_NOTED = [
    ("1. This Act may be cited as the Harbour Lamps Act, No. 7 of 2031, and is in force from the first day of May.", "Short title."),
    ("2. (1) The Board keeps each lamp in a fit state.\n(2) The Board may—\n(a) hire keepers ; and\n(b) buy oil.", "Duty to keep lamps."),
    ("3. A keeper lights the lamp at dusk, and puts it out at dawn on each day of the year.", "Keepers.\n[§ 2, 5 of 2033]"),
    ("3A. A keeper writes down the oil that the lamp has used, in the book of the harbour.", "Book of oil."),
    ("4. [Repealed by § 3 of Act, No. 5 of 2033.]", ""),
]  # fmt: skip


def _word(rows: list[tuple[str, str]]) -> SourceFile:
    document = docx.Document()
    document.add_paragraph("HARBOUR LAMPS ACT, No. 7 OF 2031")
    for part in (rows[:1], rows[1:]):
        table = document.add_table(len(part), 2)
        for row, cells in zip(table.rows, part, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                first, *others = text.split("\n")
                cell.paragraphs[0].text = first
                for line in others:
                    cell.add_paragraph(line)
    stream = io.BytesIO()
    document.save(stream)
    return SourceFile("lamps.docx", stream.getvalue())


def _page(rows: list[tuple[str, str]]) -> SourceFile:
    cells = "".join(
        "<tr><td>{}</td><td>{}</td></tr>".format(note, "".join(f"<p>{line}</p>" for line in text.split("\n")))
        for text, note in ((text, note.partition("\n")[0]) for text, note in rows)
    )
    return SourceFile(
        "lamps.html", f"<html><body><h1>HARBOUR LAMPS ACT</h1><table>{cells}</table></body></html>".encode()
    )


@pytest.mark.parametrize("made", [_word, _page])
def test_a_table_with_numbered_provisions_and_marginal_notes_is_text_with_headings(
    made: Callable[[list[tuple[str, str]]], SourceFile],
) -> None:
    document = parse(made(_NOTED))
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("1", "Short title."), ("2", "Duty to keep lamps."), ("3", "Keepers."), ("3A", "Book of oil."), ("4", None),
    ]  # fmt: skip
    assert [node.num for node in document.provisions() if node.status == "repealed"] == ["4"]
    assert [node.num for node in document.walk() if node.type == "subsection"] == ["1", "2"]


def test_a_table_of_short_rows_and_values_is_no_text_with_notes() -> None:
    rows = [(f"{number}. Lamp {number} of the harbour", f"{number} litres") for number in range(1, 5)]
    assert [node.type for node in parse(_word(rows)).walk()].count("table") == 2
