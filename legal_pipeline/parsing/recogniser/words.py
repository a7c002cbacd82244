"""The words by which a language names articles, sections and divisions (`[provisions]` of its data), compiled.

Not here: what is done with a block that begins with such a word (`recogniser.labels`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from legal_pipeline.languages.language import language, without_accents
from legal_pipeline.parsing.recogniser.numbers import DIGITS, LETTER, ROMAN, SMALL_LETTER

#: What the provisions of a document can be called.
PROVISION_KINDS = ("article", "section")
#: From the outermost in, where a document itself does not say otherwise. A word that names several is the first of these.
DIVISION_KINDS = ("book", "part", "division", "title", "chapter", "subdivision")
#: Kinds that end what stands before them, whatever its level.
CLOSING_KINDS = ("schedule", "annex")
#: Kinds inside a provision: their labels are neither provisions nor divisions.
_INNER_KINDS = ("paragraph",)
#: Kinds that running text refers to by number.
_CITED_KINDS = ("article", "section", "paragraph", "subdivision")
_KINDS = (*PROVISION_KINDS, *DIVISION_KINDS, *CLOSING_KINDS, *_INNER_KINDS)
#: The sign that names a section in every language.
_SIGN = "§"


@dataclass(frozen=True)
class Words:
    """`kinds`: each word in lower case with its kinds; `spelled`: ordinals without accents; `before` and `behind` match a label whose
    word stands before or behind the number; `transitional` matches the words and number of a heading of transitional provisions with the
    `sign` behind them; `closing`: a schedule that is not numbered; `joined` matches behind a number where a second one ends the block ("86
    and 87"); `references`: a provision that running text names; `numbering`: the style in which lists are counted."""

    language: str
    kinds: Mapping[str, tuple[str, ...]]
    spelled: Mapping[str, int]
    ordinals: tuple[tuple[str, int], ...]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    transitional: re.Pattern[str]
    closing: re.Pattern[str]
    joined: re.Pattern[str]
    references: re.Pattern[str]
    numbering: str

    def kinds_of(self, word: str) -> tuple[str, ...]:
        return self.kinds.get(word.casefold().rstrip("."), ())


@functools.cache
def words_of(code: str) -> Words:
    """The words of the language `code` (ISO 639-3); of English where the language has none."""
    table = _table(code) or _table("eng")
    kinds: dict[str, tuple[str, ...]] = {_SIGN: ("section",)}
    for kind in _KINDS:
        for name in _spellings(word.casefold().rstrip(".") for word in table.get(kind, ())):
            kinds[name] = (*kinds.get(name, ()), kind)
    ordinals = (*_ordinals(table.get("ordinals", [])), *((word.casefold(), 0) for word in table.get("named", ())))
    names = "|".join(sorted((_pattern(name) for name in kinds), key=len, reverse=True))
    ordinal = "|".join(sorted((_pattern(word) for word, _ in ordinals), key=len, reverse=True))
    number = rf"{DIGITS}|{ROMAN}|{LETTER}" + (rf"|(?:{ordinal})(?![^\W\d])" if ordinal else "")
    # `§ 2 a` has its letter apart; `Article 2 a` begins a list.
    lettered = r"(?<=§ )\d{1,4} [a-z](?=\s*(?:[.:–—]|$|\s[^\W\d_]))(?![.:]?\))"
    before = rf"(?P<word>{names})(?:\.\s*|\s+|(?<=§))(?:n[or]?[.º°]\s*|a\s+(?=\d))?(?P<num>{lettered}|{number}|{SMALL_LETTER})"
    behind = rf"(?P<num>\d+\s[a-z](?=\s)|{number})(?P<dot>[.)]?)\s*(?P<word>{names})(?![^\W\d])"
    transitional = "|".join(map(_pattern, _spellings(table.get("transitional", ())))) or "(?!)"
    ends = "|".join(_pattern(name) for name in kinds if any(kind in CLOSING_KINDS for kind in kinds[name]))
    closing = rf"(?P<word>{ends or '(?!)'})(?=\s*[.:]?\s*$|\s*[.:–—(-]|\s+[^\W\d_a-z])"
    cited = "|".join(_pattern(name) for name in kinds if any(kind in _CITED_KINDS for kind in kinds[name]))
    return Words(
        code,
        kinds,
        language(code).spelled_ordinals,
        ordinals,
        re.compile(before),
        re.compile(behind),
        re.compile(rf"(?:{transitional})(?:\s+(?P<num>{number}))?(?P<sign>[\s.:–—-]*)"),
        re.compile(closing),
        re.compile(rf"\s+(?:{'|'.join(table.get('joins', ())) or '(?!)'})\s+(?P<num>{DIGITS})(?=\s*[.:]?\s*\Z)"),
        re.compile(rf"(?<![^\W\d_])(?:{cited})\.?\s?\(?\d"),
        table.get("numbering", "civil_law"),
    )


def _pattern(name: str) -> str:
    """`name` in any case of letters; numbers beside it keep theirs (`Part I`, not `part i`)."""
    return "".join(
        f"[{re.escape(letter.lower())}{re.escape(letter.upper())}]"
        if letter.isalpha() and len(letter.upper()) == 1 and letter.lower() != letter.upper()
        else r"\s+"
        if letter == " "
        else re.escape(letter)
        for letter in name
    )


def _ordinals(listed: Any) -> tuple[tuple[str, int], ...]:
    """Words with their values; the list counts from 1, and each entry is a word or a list of its forms."""
    found: list[tuple[str, int]] = []
    for value, forms in enumerate(listed, 1):
        found.extend((form.casefold(), value) for form in _spellings([forms] if isinstance(forms, str) else forms))
    return tuple(found)


def _spellings(words: Iterable[str]) -> list[str]:
    """Each of `words`, and without its accents, as capitals often stand."""
    return list(dict.fromkeys(form for word in words for form in (word, without_accents(word))))


def _table(code: str) -> Mapping[str, Any]:
    return language(code).section("provisions")
