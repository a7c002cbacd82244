"""HTML pages of any origin: a law that the recogniser finds, otherwise structure from headings. Tags never become text.

Not here: pages whose publisher marks provisions (`parsing.profiles` and the country formats).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import MAX_TITLE_CHARS, NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import read_work_uri
from legal_pipeline.building.xml import furniture_warning, is_one_element
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.jurisdictions.countries import country_of_address
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.parsing.front_matter import BESIDE_TEXT as FACTS
from legal_pipeline.parsing.front_matter import has_front_matter
from legal_pipeline.parsing.generic.identity import stated_language
from legal_pipeline.parsing.generic.judgment import recognise_judgment
from legal_pipeline.parsing.generic.kinds import type_of_title
from legal_pipeline.parsing.generic.law import law_document, recognise_law, text_document
from legal_pipeline.parsing.generic.markdown import keeps_containers
from legal_pipeline.parsing.generic.notes import write_notes
from legal_pipeline.parsing.generic.stated_provision import provision_document
from legal_pipeline.parsing.generic.titles import lacks_subject
from legal_pipeline.parsing.readers.furniture import REVIEW_SHARE, PageContent, without_furniture
from legal_pipeline.parsing.readers.html import (
    BESIDE_TEXT,
    PageBlock,
    page_addresses,
    page_as_read,
    page_blocks,
    page_title,
)
from legal_pipeline.parsing.recogniser.labels import FAIR, labels_of
from legal_pipeline.parsing.recogniser.recognise import VERSION as RECOGNISER
from legal_pipeline.parsing.recogniser.words import words_of
from legal_pipeline.text.language import detect_language
from legal_pipeline.text.markup import tags

NAME = "generic_html"
VERSION = f"6.{RECOGNISER}"

_PAGE = re.compile(
    r"<(?:!doctype\s+html|html|body|div|p|h[1-6]|table|article|section|main|center|pre)\b", re.IGNORECASE
)
_XML = re.compile(
    r"\s*<\?xml\b[^>]*>\s*(?:<!--.*?-->\s*)*(?:<!doctype[^>]*>\s*)?<(?!(?:html|body|div)\b|!doctype html)",
    re.IGNORECASE | re.DOTALL,
)
#: Minimum number of tags in a page that does not begin with a tag.
_MIN_TAGS = 10
_WORD = re.compile(r"\w+")
#: Scripts without spaces between words.
_HAN = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
#: A sign between the title and the name of the site.
_BETWEEN = re.compile(rf"\s(?:[|»–—-])\s|[|»]|(?<=[{_HAN}])[-－—](?=[{_HAN}])")
#: Number of blocks among which the title is printed; a menu may precede it.
_FIRST_BLOCKS = 300
#: Beginnings of JSON, PDF and ZIP files: they may contain HTML but are not pages.
_OTHER = re.compile(r"\{|\[\s*[\[{\"\]]|%PDF|PK\x03\x04")


def sniff(source: SourceFile) -> float:
    """Return at most `POSSIBLE`: a format written for these pages takes precedence."""
    head = source.head
    start = head.lstrip("\ufeff \t\n")
    if _XML.match(start) or _OTHER.match(start) or keeps_containers(source):
        return NO
    if is_one_element(source):
        return NO
    if not start.startswith("<"):
        # Some pages begin with their title as plain text and mark up only the lines.
        return POSSIBLE if len(tags(head)) >= _MIN_TAGS and not has_front_matter(head) else NO
    return POSSIBLE if _PAGE.search(head) else NO


def parse(source: SourceFile) -> Document:
    """Return a law, or text under headings. `metadata["left_out"]` and a warning list the text left out as page furniture;
    `metadata["beside_text"]` lists what only screen readers speak and the marks of notes.

    Raises `EmptyDocumentError` for a page without text, and the errors of `page_blocks`.
    """
    found = page_blocks(source)
    if not found:
        raise EmptyDocumentError("the page shows no text", expected="text in its body")
    title = page_title(source)
    addresses = page_addresses(source)
    work = next(filter(None, map(read_work_uri, addresses)), None)
    # Not the work itself: the page may show a part of it, or notes on it.
    said = {
        "title": _printed(title, found),
        "jurisdiction": work.place
        if work is not None
        else next(filter(None, map(country_of_address, addresses)), None),
        **{key: value for key, value in source.hints.items() if value},
    }
    shown = "\n".join(item.block.text for item in found)
    code = stated_language(said, shown)
    if code == UNDETERMINED:
        code = detect_language(shown).code or "eng"
    if lacks_subject(str(said["title"] or ""), code):
        said["title"] = source.hints.get("title")  # the subject is printed beside it
    words = words_of(code)
    content = without_furniture(
        page_as_read(source),
        found,
        lambda block: any(label.strength >= FAIR for label in labels_of(0, block, words) if label.kinds),
    )
    metadata, warnings = _left_out(content, source.memo[BESIDE_TEXT])
    review = content.share > REVIEW_SHARE
    printed = said["title"]
    judgment = recognise_judgment(
        source,
        content.blocks,
        {**said, "title": source.hints.get("title")},
        metadata,
        page_title=(title, str(printed or "")) if title is not None and len(title) <= MAX_TITLE_CHARS else None,
        warnings=warnings,
        requires_manual_review=review,
    )
    if judgment is not None:
        return judgment
    recognition = recognise_law(content.blocks, {**said, "page_title": title})
    provision = provision_document(
        source,
        source.memo.get(FACTS),
        content.blocks,
        recognition,
        said,
        metadata,
        warnings=warnings,
        requires_manual_review=review,
    )
    if provision is not None:
        return provision
    if recognition.builder is not None:
        return law_document(
            source, recognition, said, metadata, title, warnings=warnings, requires_manual_review=review
        )
    builder = DocumentBuilder()
    first = write_notes(builder, content.blocks)
    said["language"] = recognition.language
    return text_document(source, builder, said, recognition, title or first, metadata, warnings, review)


def _printed(title: str | None, found: Sequence[PageBlock]) -> str | None:
    """Return the longest part of the page's title that begins one of its first blocks; None if no part of it does.

    The rest names the site ("Fees Act | Laws of Atlantis"), and a title of which no part is printed names the site or a file.
    """
    if title is None or len(title) > MAX_TITLE_CHARS:
        return None
    texts = (
        re.split(r"\n| \| ", item.block.text) if item.block.kind == "table" else [item.block.text] for item in found
    )
    blocks = [
        f" {_folded_words(text)} " for text in itertools.chain.from_iterable(itertools.islice(texts, _FIRST_BLOCKS))
    ]

    def longest(parts: Iterator[str]) -> str | None:
        for part in sorted(parts, key=len, reverse=True):
            begins = f" {_folded_words(part)} "
            if any(block.startswith(begins) for block in blocks):
                return part
        return None

    part = longest(_parts(title))
    if part is not None and type_of_title(part):
        return part
    # the name of the site is printed too: "Lamps Act | Laws of Atlantis"
    between = (each for whole in _BETWEEN.split(title) for each in (whole, *_parts(whole)))
    return longest(each for each in between if type_of_title(each)) or part


def _parts(title: str) -> Iterator[str]:
    """Yield `title` without words at its beginning or at its end; nothing if it has no word without figures ("LPM187/2031")."""
    words = [match.span() for match in _WORD.finditer(title)]
    if any(title[start:end].isalpha() for start, end in words):
        yield title
        yield from (title[start:] for start, _ in words[1:-1])
        yield from (title[:end] for _, end in words[1:-1])


def _folded_words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _left_out(content: PageContent, beside: Sequence[str]) -> tuple[dict[str, object], tuple[str, ...]]:
    metadata: dict[str, object] = {"beside_text": list(beside)} if beside else {}
    if not content.left_out:
        return metadata, ()
    warning = furniture_warning(content.left_out, content.share)
    return {"left_out": list(content.left_out), **metadata}, (warning,)


FORMAT = Format(NAME, "HTML page without a known mark-up", sniff, parse, VERSION)
