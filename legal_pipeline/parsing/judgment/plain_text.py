"""Judgments as plain text, for courts of countries that have no format of their own.

Not here: joining lines to paragraphs (`text_blocks`), the role of the paragraphs (`structure`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import NEAR, NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import DOC_TYPES, JUDGMENTS
from legal_pipeline.parsing.front_matter import has_front_matter
from legal_pipeline.parsing.judgment.cause_title import country_of, judgment_document
from legal_pipeline.parsing.judgment.own_citation import own_citation
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.judgment.structure import write_judgment
from legal_pipeline.parsing.judgment.text_blocks import text_blocks
from legal_pipeline.text.markup import tags

NAME = "judgment_text"
VERSION = "11"

#: The cause title is in this many characters at the beginning.
_HEAD_CHARS = 4000
#: The name of a court on its own line; `_SIGNS` are other signs of a judgment.
_COURT = re.compile(
    r"^[^\w\n]*(?:(?:IN|BEFORE) THE |THE )?(?:[A-Z][\w.,'’&() -]{0,80})?\b(?:COURT|TRIBUNAL)\b[^\n.;]{0,80}$",
    re.I | re.M,
)
_PARTIES = re.compile(
    r"\b(?:appellants?|petitioners?|applicants?|plaintiffs?|claimants?)\b.{0,400}?\b(?:respondents?|defendants?)\b",
    re.I | re.S,
)
_SIGNS = (
    re.compile(
        r"^[^\w\n]*(?:J ?U ?D ?G ?E? ?M ?E ?N ?T|R ?U ?L ?I ?N ?G|O ?R ?D ?E ?R|D ?E ?C ?I ?S ?I ?O ?N)[^\w\n]*$", re.M
    ),
    re.compile(
        r"^[^\w\n]*(?:versus|vs?\.?|in the (?:matter|appeal|application) (?:between|of)\b.{0,40})[^\w\n]*$", re.I | re.M
    ),
    _PARTIES,
    re.compile(
        r"\b(?:case|application|appeal|petition)\s+n(?:o|umber|r)s?\b|^in (?:joined )?cases? [ctf][-‑–]\d"
        r"|\[(?:19|20)\d\d\]\s+[A-Z]{3,8}\s+\d+",
        re.I | re.M,
    ),
    re.compile(
        r"^[ \t]*(?:(?:before|between)[ \t]*(?::[ \t]*(?:$|\||(?-i:[A-Z]))|[ \t](?-i:[A-Z]))|"
        r"(?:coram|heard|delivered|handed down|date of (?:hearing|judgment))\b)",
        re.I | re.M,
    ),
)
#: "Keeper v Harbour Board [2031] LCA 9 (4 March 2031)"
_COLLECTED = re.compile(
    r"\A(?:[^\n]*\n){0,3}?[^\n]{3,250}\s\[(?:19|20)\d\d\]\s[A-Z][A-Za-z]{1,9}(?:\s[A-Z][a-z]+)?\s\d{1,5}"
    r"\s\(\d{1,2}\s[A-Z][a-z]+\s(?:19|20)\d\d\)[ \t]*$",
    re.M,
)
_NUMBERED = re.compile(r"^[ \t]*(?:[^\n\[\]]{0,90}?\S)?\[(\d{1,3})\]", re.M)
#: Lines that an Act prints above its sections; a judgment quotes sections, but not these lines.
_ACT = re.compile(
    r"^[ \t]*(?:(?:NOW,? )?(?:THEREFORE,? )?BE IT (?:HEREBY )?ENACTED|ENACTED by|An? Act to\b|ARRANGEMENT OF SECTIONS|\d+\.\s+Short title)",
    re.I | re.M,
)
#: Words of a cover whose lines are lost; so many of them show a judgment.
_COVER_WORDS = (
    re.compile(r"\bJ ?U ?D ?G ?E? ?M ?E ?N ?T\b"),
    re.compile(r"\b(?:versus|vs?\.?)\s", re.I),
    _PARTIES,
    re.compile(r"\b(?:case|appeal|application|petition)\s[^.;]{0,30}\b(?:no|number|nr)s?\b", re.I),
    re.compile(r"\b(?:coram|bench|judges?|heard|date of (?:hearing|judgment|decision)|decision date)\s?[:|]", re.I),
)
_LEAST_COVER_WORDS = 3
_MARKUP = re.compile(r"\s*(?:<|\{|\[\s*[{\"]|%PDF)")


def looks_like_a_judgment(head: str) -> bool:
    """Whether the beginning of a text is a cause title: a court or a neutral citation, two other signs, and no enacting line; or the title
    that a legal information institute gives a judgment.

    The other signs are parties, JUDGMENT alone on a line, a case number, the judges, and dates.
    A judgment that names "Act 17 of 1999" and quotes its sections is still a judgment.
    """
    start = head[:_HEAD_CHARS]
    if _ACT.search(start):
        return False
    if has_title_of_collection(head):
        return True
    is_named = _COURT.search(start) or own_citation([line for line in start.split("\n") if line.strip()])
    return is_named is not None and sum(sign.search(start) is not None for sign in _SIGNS) >= 2


def has_title_of_collection(head: str) -> bool:
    """Whether one of the first lines of a text is the title that a legal information institute gives a judgment."""
    return _COLLECTED.search(head[:_HEAD_CHARS]) is not None


def names_a_judgment(text: str) -> bool:
    """Whether the beginning of a text without lines names a court and has most of the other words of a cover."""
    start = text[:_HEAD_CHARS]
    is_court = re.search(r"\b(?:court|tribunal)\b", start, re.I) and not _ACT.search(start)
    return bool(is_court) and sum(word.search(start) is not None for word in _COVER_WORDS) >= _LEAST_COVER_WORDS


def is_stated_as_another(said: Mapping[str, Any]) -> bool:
    """Whether `said` (hints and front matter) states a known document type that is not one of a judgment."""
    return said.get("doc_type") in DOC_TYPES - JUDGMENTS


def sniff(source: SourceFile) -> float:
    """A little more than generic plain text, less than a country's own format."""
    head = source.head
    if (
        not head
        or is_stated_as_another(source.hints)
        or _MARKUP.match(head)
        or has_front_matter(head)
        or re.search(r"^#{1,3} ", head, re.M)
        or len(tags(head)) > 2
    ):
        return NO
    if not looks_like_a_judgment(head):
        return NO
    numbers = {int(number) for number in _NUMBERED.findall(head)}
    is_numbered = {1, 2, 3} <= numbers or re.search(
        r"^[ \t]*1[.)][ \t]*\S(?:.*\n){1,200}?[ \t]*2[.)][ \t]*\S", head, re.M
    )
    return POSSIBLE + 0.09 if is_numbered else NEAR


def parse(source: SourceFile) -> Document:
    texts = [" ".join(line.split()) for line in source.text.split("\n") if line.strip()]
    country = country_of(source, texts)
    builder = DocumentBuilder()
    outline = write_judgment(builder, text_blocks(source.text, load_phrases(country)), country)
    return judgment_document(builder, source, outline, texts, country=country)


FORMAT = Format(NAME, "Judgments as plain text", sniff, parse, VERSION)
