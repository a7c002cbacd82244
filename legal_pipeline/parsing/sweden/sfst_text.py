"""A text file with a Swedish statute in the registers' plain layout; the title is in the first lines or in the hints.

Not here: the plain layout itself (`parsing.sweden.plain_text`).
"""

from __future__ import annotations

import re
from pathlib import PurePath

from legal_pipeline.building.format import LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.header import SFS_NUMBER, StatuteHeader, clean_title, number_in_title
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text

NAME = "sfst_text"
VERSION = "5"

_SECTION = re.compile(r"(?:\A|\n[ \t]*\n)(?:\d+ kap\.[^\n]*\n\s*\n)?[ \t]*\d+ ?[a-z]? § {1,3}\S")
_NUMBER = rf"\({SFS_NUMBER.pattern}\)"
#: A labelled line of the register's header, "Departement/myndighet: …"; a wrapped title ends before such a line.
_LABELLED = r"[A-ZÅÄÖ][^\n:(]{1,40}:[ \t]"
_TITLE = re.compile(
    rf"\A\s*((?:[^\n]+\n){{0,5}}?[^\n]*{_NUMBER}[^\n]*(?:\n(?!{_LABELLED})[^\n]+)*)\n(?:\s*\n|(?={_LABELLED}))"
)
_CHAPTER = re.compile(r"^\d+ ?[a-z]? [Kk]ap\.", re.MULTILINE)
_MARKUP = re.compile(r"<[a-zA-Z!?/][^>]*>|^#{1,6} |^---\s*$", re.MULTILINE)
#: Fewer §§ than this in the head of a file may be quotations, unless the text begins like a statute.
_ENOUGH = 2
_KIND = r"lag|balk|förordning|kungörelse|stadga|reglemente|tillkännagivande|föreskrifter|brev|resolution|skrivelsen?"
_NAME = rf"(?:/r\d/ )?(?:\S+ ){{0,2}}\w*(?i:{_KIND}) {_NUMBER}"
_STATUTE = re.compile(rf"\s*(?:SFS[ -]nr\b|{_NAME})")
_NAMED = re.compile(rf"\s*{_NAME}")
#: First words of a statute without §§ (one in five of a sample of 500). A text about a statute may have its title, not these words.
_ENACTED = re.compile(
    r"\s*(?:Regeringen\s+(?:föreskriver|fastställer|bemyndigar|förordnar|ger|tillkännager)|Kungl\.\s+Maj:t\s+(?:har|vill)|Härigenom\s|"
    r"Enligt\s+riksdagens\s+beslut\s+föreskriv|(?:Fullmäktige\s+i\s+)?[Rr]iksbanken\s+ger\s)"
)
_STEM = re.compile(r"(?:sfs)?[-_ ]?(\d{4})[-_: ](\d+)", re.IGNORECASE)


def sniff(source: SourceFile) -> float:
    head = source.head
    if not head or head.lstrip()[:1] in ("<", "{", "[") or _MARKUP.search(head):
        return NO
    title = _title(head)
    if title is not None and _is_statute_by_name(source, *title):
        return LIKELY
    sections = sum(1 for _ in zip(_SECTION.finditer(head), range(_ENOUGH), strict=False))
    if sections < _ENOUGH and not (sections and (source.hints.get("number") or _STATUTE.match(head))):
        return NO
    # The by-laws of a club have §§ too. Without a number there is no statute to identify, so the generic recogniser reads the text.
    return LIKELY if SFS_NUMBER.fullmatch(_number(source, title)) else NEAR


def _number(source: SourceFile, title: tuple[str, int] | None) -> str:
    """Return the number in the title above the text, else the number in the hints `number` or `title`, else ""."""
    said = source.hints.get("number") or number_in_title(str(source.hints.get("title") or ""))
    return str((number_in_title(title[0]) if title else said) or "").removeprefix("SFS ").strip()


def _is_statute_by_name(source: SourceFile, title: str, end: int) -> bool:
    """Whether a text without §§ under a statute's title is a statute: the file has its number, or the text begins like a statute."""
    if not _NAMED.match(title):
        return False
    stem = _STEM.fullmatch(PurePath(source.name).stem)
    said = source.hints.get("number") or (f"{stem[1]}:{stem[2]}" if stem else "")
    return number_in_title(title) == str(said).removeprefix("SFS ") or bool(_ENACTED.match(source.head, end))


def _title(text: str) -> tuple[str, int] | None:
    """Return the title above the text and its end. One title in twenty ends in "m.m." or "m.fl.", and some titles contain a §."""
    found = _TITLE.match(text)
    if found is None or _CHAPTER.search(found[1]):
        return None
    if ("§" in found[1] or found[1].rstrip().endswith(".")) and not _NAMED.match(found[1]):
        return None
    return found[1], found.end(1)


def parse(source: SourceFile) -> Document:
    """Parse the text. The number comes from its title, else from the hints `number` or `title`; raises `ParseError` without a number."""
    text = source.text
    start = 0
    title = str(source.hints.get("title") or "")
    found = _title(text)
    number = _number(source, found)
    if found:
        title, start = found
    if not SFS_NUMBER.fullmatch(number):
        raise ParseError(
            "no SFS number", position="first lines", expected='a title with a number, "Lag (1982:80) om …"'
        )
    if not text[start:].strip():
        raise EmptyDocumentError("the file holds a title only", expected="the text of a statute")
    # Spaces replace the title, so offsets stay those of the file.
    body = " " * start + text[start:] if start else text
    header = StatuteHeader(number=number, title=clean_title(title))
    return parse_statute_text(body, header, source)


FORMAT = Format(NAME, "Plain-text file with a Swedish statute", sniff, parse, VERSION)
