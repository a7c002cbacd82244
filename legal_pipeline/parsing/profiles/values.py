"""Reads the values that a profile defines from a document: numbers, dates, titles.

Not here: their locations (the profiles), and the text of the document (`profiles.elements`).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from lxml import etree

from legal_pipeline.languages.language import language, lower_without_accents
from legal_pipeline.model.document import Amendment
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.parsing.profiles.paths import Path
from legal_pipeline.parsing.profiles.profile import AmendmentRule, Value
from legal_pipeline.text.dates import first_date
from legal_pipeline.text.normalise import one_line

#: The number in a printed head: `§ 53 a.` -> `53 a`, `Artikel 3:40` -> `3:40`, `KAPITEL II` -> `II`, `1. peatükk` -> `1`. Schedule A1
#: was inserted before Schedule 1, and Schedule ZA1 before Schedule A1.
_NUMBER = re.compile(
    r"(?<![^\W\d_])(\d+(?:[.:/–-]\d+)*(?:\s?(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies)\b|\s?[a-zA-ZåäöæøÅÄÖ]{1,2}(?![^\W_]))?"
    r"|[A-Z]{1,2}\d+[A-Z]{0,2}(?![^\W_])"
    r"|[IVXLCDM]+(?![^\W_]|-[^\W\d_]{6})(?:\s?[a-z](?![^\W_]))?|[a-zA-Z]{1,2}(?=[.):])|[a-zA-Z](?![^\W_])(?!\s\d))"
)

#: Results of paths from one element, as lines of text.
Known: TypeAlias = dict[Path, Sequence[str]]

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
#: Maximum number of words of a number: "a douăzeci și una".
_MOST_WORDS = 4


def found(at: Path, element: etree._Element) -> list[Any]:
    """Return the elements and texts that `at` selects from `element`; one text if it computes a string or number."""
    result: Any = at(element)
    return result if isinstance(result, list) else [str(result)]


def text_of(element: etree._Element) -> str:
    """Return all text inside `element`, unchanged."""
    return "".join(map(str, element.itertext())) if len(element) else element.text or ""


def lines_at(at: Path, element: etree._Element) -> list[str]:
    """Return the texts that `at` selects from `element`, each as one line, without empty texts."""
    lines = (one_line(text_of(item) if isinstance(item, etree._Element) else str(item)) for item in found(at, element))
    return [line for line in lines if line]


def text_at(element: etree._Element, value: Value, known: Known | None = None) -> str | None:
    """Return the text that the paths of `value` find from `element`, as one line; None if there is none."""
    known = {} if known is None else known
    for at in value.at:
        if at not in known:
            known[at] = lines_at(at, element)
        if texts := known[at]:
            return " ".join(texts) if value.joined else texts[0]
    return None


def value_of(
    element: etree._Element, value: Value, language: str = UNDETERMINED, known: Known | None = None
) -> str | None:
    """Return `value` as read from `element`, None if the element does not have it."""
    text = text_at(element, value, known)
    if text is not None and value.pattern is not None:
        match = value.pattern.search(text)
        if match is not None and value.form:
            text = value.form.format(*match.groups(default=""))
        else:
            text = match[min(match.re.groups, 1)] if match is not None else None
    if text is not None and value.is_date:
        text = first_date(text, language, "day first")
    if text is not None and value.is_last_day:
        text = (datetime.date.fromisoformat(text) + datetime.timedelta(days=1)).isoformat()
    if value.values and text is not None:
        text = value.values.get(text)
    if text is None and value.otherwise is not None:
        return value_of(element, value.otherwise, language, known)
    return value.default if text is None else text


def values_of(
    element: etree._Element, values: Mapping[str, Value], language: str = UNDETERMINED, known: Known | None = None
) -> dict[str, str]:
    """Return those of `values` that `element` has, by name. A path that several values share is evaluated once."""
    known = {} if known is None else known
    read = {name: value_of(element, value, language, known) for name, value in values.items()}
    return {name: text for name, text in read.items() if text is not None}


def amendments_of(element: etree._Element, rule: AmendmentRule, language: str = UNDETERMINED) -> tuple[Amendment, ...]:
    """Return the acts that the elements of `rule` name, in order, without duplicates."""
    acts: dict[Amendment, None] = {}
    for item in found(rule.each, element):
        by = value_of(item, rule.by)
        if by:
            date = value_of(item, rule.date, language) if rule.date else None
            action = value_of(item, rule.action) if rule.action else None
            acts[Amendment(by, date, action)] = None
    return tuple(acts)


def bare(printed: str, language_code: str = UNDETERMINED) -> str | None:
    """Return the number as it is cited, a number in words as a numeral; None if the text contains no number.

    >>> [bare(text) for text in ("§ 53 a.", "Artikel 3:40", "KAPITEL II", "(a)", "SCHEDULE ZA1", "Annex")]
    ['53 a', '3:40', 'II', 'a', 'ZA1', None]
    >>> bare("HLAVA DVACÁTÁ PRVNÍ", "ces"), bare("Article premier", "fra")
    ('21', '1')
    >>> bare("TITRE DIX-SEPTIÈME", "fra"), bare("Einundzwanzigster Abschnitt", "deu")
    ('17', '21')
    >>> bare("Secțiunea a 2-a", "ron")
    '2'
    """
    match = _NUMBER.search(printed)
    if match is not None:
        return one_line(match[1])
    ordinals = language(language_code).spelled_numbers
    words = _WORD.findall(lower_without_accents(printed))
    for first in range(len(words)):
        for last in range(min(first + _MOST_WORDS, len(words)), first, -1):
            if value := ordinals.get(" ".join(words[first:last])):
                return str(value)
    return None
