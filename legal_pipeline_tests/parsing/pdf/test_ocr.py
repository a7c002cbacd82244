"""Pages without a text layer: read with word confidences, or an error that names what is missing."""

import io
import shutil

import pypdfium2 as pdfium
import pytest
from PIL import Image, ImageDraw, ImageFont

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.pdf.ocr import page_of
from legal_pipeline_tests.parsing.pdf.test_pdf import minimal_pdf


@pytest.fixture(scope="module")
def scan() -> bytes:
    """A PDF of two pictures of text."""
    pages = []
    for words in ("The keeper shall ring the bell at noon.", "Nobody may stop the clock of the tower."):
        page = Image.new("L", (1240, 600), 255)
        ImageDraw.Draw(page).text((80, 200), words, fill=0, font=ImageFont.load_default(size=52))
        pages.append(page)
    out = io.BytesIO()
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=150)
    return out.getvalue()


def law_of_seven_articles() -> bytes:
    """A PDF with one page of text."""
    lines = [
        line
        for number in range(1, 8)
        for line in (f"Article {number}.", f"The keeper of tower {number} shall ring the bell of its harbour.")
    ]
    drawn = "".join(f"1 0 0 1 20 {280 - 18 * place} Tm ({line}) Tj " for place, line in enumerate(lines))
    return minimal_pdf(content=f"BT /F1 7 Tf {drawn}ET".encode())


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Debian's package tesseract-ocr")
def test_a_scan_is_read_page_by_page_with_its_confidence(scan: bytes) -> None:
    document = registry.parse(SourceFile("scan.pdf", scan))
    pages = [node for node in document.nodes if node.type == "page"]
    assert [node.num for node in pages] == ["1", "2"]
    assert "ring the bell at noon" in document.text_of(pages[0])
    assert all(0.8 < node.attributes["ocr_confidence"] <= 1 for node in pages)
    assert document.metadata["ocr_confidence"] > 0.8
    assert [row["words"] for row in document.metadata["ocr_pages"]] == [8, 8]
    assert not document.requires_manual_review


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Debian's package tesseract-ocr")
def test_the_provisions_of_a_scanned_law_can_be_cited() -> None:
    lines = ["Lighthouse Act", *(f"Section {num}. The keeper shall clean lamp {num}." for num in range(1, 7))]
    page = Image.new("L", (1240, 1500), 255)
    for at, words in enumerate(lines):
        ImageDraw.Draw(page).text((80, 100 + 180 * at), words, fill=0, font=ImageFont.load_default(size=44))
    out = io.BytesIO()
    page.save(out, "PDF", resolution=150)
    document = registry.parse(SourceFile("act.pdf", out.getvalue()))
    assert [node.num for node in document.provisions()] == list("123456")
    assert any("1 of 1 pages were read by OCR" in warning for warning in document.warnings), document.warnings


def test_without_tesseract_the_error_names_the_package(scan: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ParseError, match=r"page 1: .*no text layer.*tesseract-ocr"):
        registry.parse(SourceFile("scan.pdf", scan))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Debian's package tesseract-ocr")
def test_a_missing_language_model_is_named(scan: bytes) -> None:
    with pytest.raises(ParseError, match="tesseract-ocr-swa"):
        registry.parse(SourceFile("scan.pdf", scan, hints={"language": "swa"}))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs Debian's package tesseract-ocr")
def test_a_law_with_a_scanned_cover_is_read_as_a_law(scan: bytes) -> None:
    bound = pdfium.PdfDocument(scan)
    bound.import_pages(pdfium.PdfDocument(law_of_seven_articles()))
    out = io.BytesIO()
    bound.save(out)
    document = registry.parse(SourceFile("law.pdf", out.getvalue()))
    assert [node.num for node in document.nodes if node.type == "article"] == list("1234567")
    assert "ring the bell at noon" in document.text[: document.text.index("Article 1.")]
    assert [row["number"] for row in document.metadata["pages"]] == [1, 2, 3]
    assert any("2 of 3 pages were read by OCR" in warning for warning in document.warnings)


def test_an_empty_page_is_not_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # so a scan would be an error
    bound = pdfium.PdfDocument(law_of_seven_articles())
    bound.new_page(600, 800)
    out = io.BytesIO()
    bound.save(out)
    document = registry.parse(SourceFile("law.pdf", out.getvalue()))
    assert [node.num for node in document.nodes if node.type == "article"] == list("1234567")


def test_a_word_of_which_nothing_is_sure_is_a_word_and_a_row_without_a_word_is_none() -> None:
    rows = {
        "text": ["The", "lamp", "", " "],
        "conf": [96, 0, -1, 95],
        **dict.fromkeys(("block_num", "par_num", "line_num"), [1] * 4),
    }
    page = page_of(7, rows)
    assert (page.number, page.paragraphs, page.words, page.confidence) == (7, ("The lamp",), 2, 0.48)
