"""Rewrites a query in the form of running text, which the grammars of citations can read.

Queries leave out accents ("articulo 6"), full stops ("art 6") and capitals ("bgb"), and have numbers in words ("article onze"). Other
forms are data of a country: a row of `citations.queries.written` has a pattern, and what is read `instead` of it. A row with `named = true`
is used only if the query names an act of the country, because queries about other countries may have the same sign. Not here: queries
without the word before a number (`retrieval.short_form`), and the citations in the result (`retrieval.citation_query`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.acts_in_data import any_of
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.languages.language import PROVISION_KINDS, language
from legal_pipeline.model.slug import plain_letters
from legal_pipeline.retrieval.act_names import NAMES, named_works, names_an_act

#: Entries of the data of a provision or a level that contain its words.
USES_OF_WORDS = ("before", "several", "after")
#: A shorter word without accents may be another word.
_LETTERS = 4
#: Abbreviations of one letter are left as they are: "s" and "f" are words of many languages.
_ABBREVIATION = re.compile(r"[^\W\d_]{2,}\.")


def as_written(plain: str, country: Jurisdiction) -> str:
    """Return the query in the form of a text; the space before it prevents a provision at a line start, which would be a heading."""
    accented, written = _accented(country)
    # without case, letters match whose lower case is another: "ſ" and "s"
    text = accented.sub(lambda word: written.get(word[0].lower(), word[0]), f" {plain}")
    text = _abbreviations(country).sub(r"\1. ", text)
    counted, numbers = _counted(country)
    text = counted.sub(lambda match: f"{match['word']} {numbers[match['number'].lower()]}", text)
    forms = country.section("citations").get("queries", {}).get("written", ())
    if any(form.get("named") for form in forms) and not (named_works(text, country) or names_an_act(text, country)):
        forms = [form for form in forms if not form.get("named")]
    for form in forms:
        text = re.sub(form["pattern"], functools.partial(_instead, form), text, flags=re.IGNORECASE)
    return text


@functools.cache
def _accented(country: Jurisdiction) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of the country's words for provisions and names of works as people write them without accents, and what each
    stands for. What is itself one of these words stands for itself."""
    words = {word for row in rows_with_words(country) for use in USES_OF_WORDS for word in row.get(use, ())}
    names = {name for work in country.section("works").values() for use in NAMES for name in work.get(use, ())}
    written = {word.lower(): word for word in sorted(words | names)}
    plain = {
        bare: word for word in written.values() if len(bare := plain_letters(word)) >= _LETTERS and bare not in written
    }
    return re.compile(rf"\b{any_of(plain)}\b", re.IGNORECASE), plain


@functools.cache
def _counted(country: Jurisdiction) -> tuple[re.Pattern[str], Mapping[str, int]]:
    """Return the pattern of a word for a provision or a division before a number in words ("chapter two"), and the value of each number.
    "One" is also an article in many languages: it counts only before "of" and at the end."""
    known = [language(code) for code in (*country.languages, *((country.language,) if country.language else ()))]
    numbers = {word: number for each in known for word, number in each.cardinals.items()}
    words = {word for row in rows_with_words(country) for use in USES_OF_WORDS[:2] for word in row.get(use, ())}
    words |= {word for each in known for kind in PROVISION_KINDS for word in each.provision_words(kind)}
    ones = any_of(word for word, number in numbers.items() if number == 1)
    others = any_of(word for word, number in numbers.items() if number > 1)
    counted = rf"\b(?P<word>{any_of(words)}) (?P<number>{ones}(?= of\b|\W*$)|{others})(?![\w-])"
    return re.compile(counted, re.IGNORECASE), numbers


def rows_with_words(country: Jurisdiction) -> list[Mapping[str, Any]]:
    """Return the rows of the country's data for provisions and levels; the fields `USES_OF_WORDS` of a row have the words for it."""
    return [*country.section("provisions").values(), *country.section("citations").get("levels", ())]


@functools.cache
def _abbreviations(country: Jurisdiction) -> re.Pattern[str]:
    """Return the pattern of the country's abbreviations for provisions and their parts before a number or a letter, with or without their
    full stop and space."""
    words = {word for row in rows_with_words(country) for use in ("before", "several") for word in row.get(use, ())}
    shorts = sorted(word[:-1] for word in words if _ABBREVIATION.fullmatch(word))
    return re.compile(rf"\b({any_of(shorts)})\.? ?(?=\d|[a-z]\b)", re.IGNORECASE)


def _instead(form: Mapping[str, Any], match: re.Match[str]) -> str:
    written = match.expand(form["instead"])
    return written.upper() if form.get("upper") else written
