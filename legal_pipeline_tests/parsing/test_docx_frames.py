"""Word files that a program made from a PDF: the lines are frames with a place on the page."""

from __future__ import annotations

from typing import Any

from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from legal_pipeline.parsing import docx as docx_format
from legal_pipeline.parsing.docx_text import word_paragraphs
from legal_pipeline_tests.parsing.test_docx import word


def _framed(document: Any, x: int, y: int, width: int, *lines: str) -> None:
    """Add a frame with these lines, at this place on the page."""
    for line in lines:
        properties = document.add_paragraph(line)._p.get_or_add_pPr()
        frame = OxmlElement("w:framePr")
        for name, value in (("x", x), ("y", y), ("w", width)):
            frame.set(qn(f"w:{name}"), str(value))
        properties.append(frame)


def in_frames(document: Any) -> None:
    """Two columns whose lines are in the order of their heights, as programs that convert PDF files write them."""
    _framed(document, 1000, 900, 10000, "Diário dos Portos, 7 de maio de 2031")
    _framed(document, 2900, 1500, 1000, "Artigo 1.o")
    _framed(document, 6100, 1500, 4900, "apagado pelo guarda do porto, e a luz do outro")
    _framed(document, 6100, 1720, 4900, "farol é vista do mar.")
    _framed(document, 1200, 1900, 100, "1")
    _framed(document, 1300, 1900, 4600, "— O farol do porto é aceso de noite pelo guar-")
    _framed(
        document,
        1000,
        2120,
        4900,
        "da do porto que o conselho nomeia, e o guarda",
        "escreve no livro a hora em que o farol é aceso,",
        "e de manhã, quando o sol nasce, o farol é",
    )
    for number in range(2, 6):
        y = 2400 + 1500 * number
        _framed(document, 8000, y - 2800, 1000, f"Artigo {number}.o")
        _framed(
            document,
            6100,
            y - 2400,
            4900,
            f"O farol número {number} é aceso de noite pelo guarda",
            "do porto que o conselho nomeia.",
        )
        _framed(document, 1000, y, 4900, "e ninguém o apaga de noite.")


def test_lines_in_frames_are_read_column_by_column() -> None:
    document = docx_format.FORMAT.parse(word(in_frames))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert document.text.startswith(
        "Diário dos Portos, 7 de maio de 2031\n\nArtigo 1.o\n\n1 — O farol do porto é aceso de noite pelo guarda do porto"
    )


def test_a_frame_beside_running_text_stays_where_it_is() -> None:
    def fill(document: Any) -> None:
        for number in range(1, 8):
            document.add_paragraph(f"Paragraph {number} of the note.")
        _framed(document, 900, 100, 2000, "A frame of the note.")

    assert [item.text for item in word_paragraphs(word(fill))][-1] == "A frame of the note."
