"""Pages of the Government Offices' legal databases (rkrattsbaser.gov.se, 2012 on): one div of plain text under a header of labels.

Not here: the plain layout itself (`parsing.sweden.plain_text`), the older pages of the same register (`parsing.sweden.sfst_html`).
"""

from __future__ import annotations

import html
import re

from legal_pipeline.building.format import CERTAIN, LIKELY, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.header import SFS_NUMBER, StatuteHeader, header_of_labels, number_in_title
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline.text.normalise import one_line, prepare

NAME = "rkrattsbaser_html"
VERSION = "3"

_PAGE_TITLE = re.compile(r"<title>\s*Regeringskansliets rättsdatabaser", re.IGNORECASE)
_BODY = re.compile(r"<div\s+class=\"result-box-text body-text\"\s*>", re.IGNORECASE)
_BOX = re.compile(r"<div class=\"result-inner-box(?: bold)?\">(.*?)</div>", re.DOTALL)
_LABEL = re.compile(r"\s*<span class=\"bold\">([^<]*?):</span>(.*)", re.DOTALL)
_TITLE = re.compile(r"\s*<span class=\"bold\">(.*?)</span>", re.DOTALL)
_NUMBER = re.compile(r"SFS-nummer\s*·\s*([^·<]+?)\s*(?:·|<)", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_LINE_BREAK = re.compile(r"<br\s*/?>|</p\s*>", re.IGNORECASE)


def sniff(source: SourceFile) -> float:
    head = source.head
    if not head.lstrip().startswith("<"):
        return NO
    if _BODY.search(head):
        return CERTAIN
    return LIKELY if _PAGE_TITLE.search(head) else NO


def parse(source: SourceFile) -> Document:
    """Parse the page. Raises `TruncatedDocumentError` for a truncated page, `EmptyDocumentError` for a page without statute text."""
    text = source.text
    body = _body(text)
    return parse_statute_text(body, _header(text, source), source)


def _body(text: str) -> str:
    opened = _BODY.search(text)
    page_end = text.lower().rfind("</html>")
    if opened is None:
        if "<html" in text.lower() and page_end < 0:
            raise TruncatedDocumentError(
                "the page ends before the text begins", position=f"character {len(text):,}", expected="</html>"
            )
        raise EmptyDocumentError(
            "the page holds no text of a statute", expected='<div class="result-box-text body-text">'
        )
    end = text.find("</div>", opened.end())
    if end < 0 or page_end < 0:
        raise TruncatedDocumentError(
            f"{'the text' if end < 0 else 'the page'} is not closed",
            position=f"character {len(text):,}",
            expected="</div>" if end < 0 else "</html>",
        )
    raw = text[opened.end() : end]
    if "<" in raw:
        raw = _TAG.sub("", _LINE_BREAK.sub("\n", raw))
    body = prepare(html.unescape(raw))
    if not body.strip():
        raise EmptyDocumentError(
            "the text of the statute is empty", position=f"character {opened.end():,}", expected="the text of a statute"
        )
    return body


def _plain(markup: str) -> str:
    return one_line(html.unescape(_TAG.sub(" ", markup)))


def _header(text: str, source: SourceFile) -> StatuteHeader:
    opened = _BODY.search(text)
    top = text[: opened.start()] if opened else text
    labels: dict[str, str] = {}
    title = ""
    for box in _BOX.finditer(top):
        if match := _LABEL.match(box[1]):
            labels[_plain(match[1])] = _plain(match[2])
        elif not title and (match := _TITLE.match(box[1])):
            title = _plain(match[1])
    found = _NUMBER.search(top)
    number = (
        (one_line(html.unescape(found[1])) if found else None) or number_in_title(title) or source.hints.get("number")
    )
    if not number or not SFS_NUMBER.match(str(number)):
        raise ParseError("the page names no SFS number", position="page header", expected="SFS-nummer · 1977:1160 ·")
    return header_of_labels(str(number), title, labels)


FORMAT = Format(NAME, "Statute page of rkrattsbaser.gov.se (Sweden)", sniff, parse, VERSION)
