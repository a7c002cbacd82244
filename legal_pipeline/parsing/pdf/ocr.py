"""OCR of pages without a text layer, by Tesseract if it is installed.

Not here: how pages with low confidence are handled (the router's `page_level`, `requires_manual_review`).
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import ParseError
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.text.normalise import unwrap

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_DPI = 300
#: Words below this confidence (0 to 1) are counted as doubtful in the quality report.
_DOUBTFUL = 0.6
_TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class OcrPage:
    """The paragraphs of one page; `confidence` is the mean of its words, 0 to 1 (None: no word found); `doubtful` counts words."""

    number: int
    paragraphs: tuple[str, ...]
    words: int
    confidence: float | None
    doubtful: int

    def report(self) -> dict[str, Any]:
        return {
            "page": self.number,
            "words": self.words,
            "confidence": self.confidence,
            "doubtful_words": self.doubtful,
        }


def read_scanned_page(document: pdfium.PdfDocument, number: int, language: str | None) -> OcrPage:
    """Return the text of page `number`. Raises `ParseError` if Tesseract fails, or names the package that is not installed."""
    try:
        import pytesseract
    except ImportError as error:
        raise _missing(number, "the Python package pytesseract") from error
    if shutil.which(pytesseract.pytesseract.tesseract_cmd) is None:
        raise _missing(number, "the program tesseract (Debian: apt-get install tesseract-ocr)")
    # Tesseract names the models of these languages by their ISO 639-3 codes.
    model = language if language and language_data(language).is_known else "eng"
    installed = set(pytesseract.get_languages())
    if model not in installed:
        raise _missing(number, f"the language model {model!r} (Debian: apt-get install tesseract-ocr-{model})")
    image = document[number - 1].render(scale=_DPI / 72, grayscale=True).to_pil()
    try:
        data = pytesseract.image_to_data(
            image, lang=model, output_type=pytesseract.Output.DICT, timeout=_TIMEOUT_SECONDS
        )
    except (RuntimeError, pytesseract.TesseractError) as error:
        raise ParseError(f"tesseract failed: {error}", position=f"page {number}", expected="a readable scan") from error
    return page_of(number, data)


def page_of(number: int, data: dict[str, Sequence[Any]]) -> OcrPage:
    """Return an `OcrPage` made from Tesseract's table, which lists words by block, paragraph and line."""
    paragraphs: dict[tuple[int, int], dict[int, list[str]]] = {}
    confidences: list[float] = []
    for index, word in enumerate(data["text"]):
        confidence = float(data["conf"][index])
        if not str(word).strip() or confidence < 0:
            continue
        confidences.append(confidence / 100)
        place = (int(data["block_num"][index]), int(data["par_num"][index]))
        paragraphs.setdefault(place, {}).setdefault(int(data["line_num"][index]), []).append(str(word))
    texts = tuple(unwrap([" ".join(words) for words in lines.values()])[0] for lines in paragraphs.values())
    mean = round(statistics.fmean(confidences), 4) if confidences else None
    return OcrPage(number, texts, len(confidences), mean, sum(value < _DOUBTFUL for value in confidences))


def _missing(number: int, what: str) -> ParseError:
    return ParseError(
        f"no text layer, and {what} is not installed",
        position=f"page {number}",
        expected="pytesseract with tesseract-ocr, or a PDF with a text layer",
    )
