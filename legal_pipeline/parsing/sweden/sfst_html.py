"""Pages of the old SFST database (before 2012): header and text in one preformatted block, separated by a ruler.

Not here: the plain layout itself (`parsing.sweden.plain_text`), the later pages (`parsing.sweden.rkrattsbaser_html`).
"""

from __future__ import annotations

import html
import re

from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.header import header_of_labels
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline.text.normalise import one_line, prepare

NAME = "sfst_html"
VERSION = "3"

_TITLE = re.compile(r"<title>\s*SFST\s*</title>", re.IGNORECASE)
_PRE = re.compile(r"<pre>(?:\s*<pre>)?", re.IGNORECASE)
_NUMBER = re.compile(r"SFS[ -]?nr:\s*<[bB]>\s*([^<]+?)\s*</[bB]>")
_RULER = re.compile(r"<hr\s*/?>", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]*([A-ZÅÄÖ][^<>:]*?(?:/\s*\n[^<>:]*?)?)\s*:\s*<b>(.*?)</b>", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def sniff(source: SourceFile) -> float:
    head = source.head
    if _TITLE.search(head):
        return CERTAIN
    return NEAR if _NUMBER.search(head) else NO


def parse(source: SourceFile) -> Document:
    """Parse the page. Raises `TruncatedDocumentError` for a truncated page, `EmptyDocumentError` for a page without text."""
    text = source.text
    opened = _PRE.search(text)
    if opened is None or "</pre>" not in text[opened.end() :].lower() or "</html>" not in text.lower():
        raise TruncatedDocumentError(
            "the page is not closed", position=f"character {len(text):,}", expected="</pre> and </html>"
        )
    end = text.lower().find("</pre>", opened.end())
    printed, *rest = _RULER.split(text[opened.end() : end], maxsplit=1)
    head = html.unescape(printed)
    labels = {one_line(match[1]): one_line(_TAG.sub(" ", match[2])) for match in _LABEL.finditer(head)}
    found = _NUMBER.search(head)
    if found is None:
        raise ParseError("the page names no SFS number", position="page header", expected="SFS nr: 1977:1160")
    body = prepare(html.unescape(_TAG.sub("", "".join(rest))))
    if not body.strip():
        raise EmptyDocumentError("the page holds no text of a statute", expected="text under the ruler")
    title = labels.pop("Rubrik", "")
    labels.pop("SFS nr", None)
    header = header_of_labels(one_line(found[1]), title, labels)
    return parse_statute_text(body, header, source)


FORMAT = Format(NAME, "Statute page of the SFST database before 2012 (Sweden)", sniff, parse, VERSION)
