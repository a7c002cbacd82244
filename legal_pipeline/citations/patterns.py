"""The compiled patterns of a data-driven grammar: a country's `provisions`, `citations` and `works` as regular expressions.

Not here: reading a text with them (`from_data`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.citations.acts_in_data import (
    NEVER,
    NumberedWork,
    any_of,
    either_case,
    in_group,
    numbered_works,
    without_groups,
)
from legal_pipeline.citations.country import Country
from legal_pipeline.citations.entries import Form
from legal_pipeline.citations.levels import Levels, compile_levels, spelled
from legal_pipeline.citations.nouns import Nouns, compile_nouns
from legal_pipeline.citations.sentences import SentenceRules, abbreviations
from legal_pipeline.citations.works import names, shared_names
from legal_pipeline.numbering.numerals import LATIN_SUFFIXES
from legal_pipeline.text.deferred_pattern import DeferredPattern

_NUMBER = r"\d{1,4}(?:[ -]?[A-Za-z](?![^\W_]))?"
#: What makes a name the beginning of a longer one: "LV-DFV" is not the LV.
_LONGER = r"\w|-[A-ZÄÖÜ]{2}"
#: Where a citation may begin, in languages that print words apart; the s of a genitive is not a section ("the keeper's 3 lamps").
_BEGINS = r"(?<!\w)(?<!\w['’](?=s\b))"
#: An abbreviation of an Act, known or not: it has two capitals.
ABBREVIATION = r"[A-ZÄÖÜ][\w./-]*[A-ZÄÖÜ]"
_NAME = rf"{ABBREVIATION}(?: (?:(?:19|20)\d\d|[IVX]{{1,4}}))?"
_ABBREVIATED = rf"(?P<name>{_NAME})(?!\w)"
#: The abbreviation that a text gives to the work that it names before: `(PLA)`, `("the PLA 2031")`, `(Hafengesetz – HafG)`, but not that
#: of the legislator in the number of a work: `Regulation (EU) 2031/7`.
DEFINED = re.compile(
    rf"\s\((?:[^()\n]{{2,80}} [–-] )?[“„\"‘'«]?(?:the )?{_ABBREVIATED}[”“\"’'»]?[,;)](?! (?:No\.? )?\d)"
)


@dataclass(frozen=True, slots=True)
class Patterns:
    """`anchor` finds where a citation may begin; the others match from there."""

    anchor: re.Pattern[str]
    forms: Sequence[Form]
    levels: Levels
    #: The separator of two entries of an expression: a range or a list.
    between: DeferredPattern
    act: DeferredPattern
    #: An Act with the words that join it to the provision before it; the words that join an Act to the provision after it.
    act_behind: DeferredPattern
    joins_behind: DeferredPattern
    #: The number of an Act behind its name: " (SI 2031/7)".
    number_behind: DeferredPattern
    #: An abbreviation, or a title without its year, with the words that join it to the provision before it; such a title.
    abbreviated_behind: DeferredPattern
    undated: DeferredPattern
    #: The words that join levels to the provision after them ("point (f) of Article 6"), and the words for the citing provision.
    joins_before: DeferredPattern
    this: DeferredPattern
    #: Words of a provision that amends another work.
    amends: DeferredPattern
    #: Words before a level, and after it, for the provision cited before: "bestemmelsens annet ledd", " of that section".
    said_before: DeferredPattern
    said: DeferredPattern
    #: An unknown Act, with the words that join it to the provision after it.
    unknown_before: DeferredPattern
    #: What is between the name of an Act and the provision directly behind it.
    in_front: DeferredPattern
    #: A known Act, in the same way.
    known_before: DeferredPattern
    #: Words after a provision of something that is not law: "of the lease".
    not_law: DeferredPattern
    works: Mapping[str, str]
    #: Work -> names that other works have too: the one that the text has named is meant, or else the first in the data.
    shared: Mapping[str, Sequence[str]]
    #: Words that mean the work named before, but only directly before a provision: "lovens § 10".
    same_before: frozenset[str]
    #: Works whose articles number their paragraphs with words that elsewhere name a lower level: "art. 6 n. 1 CEDU".
    paragraphs_of: frozenset[str]
    #: Name of the group in `act` -> form of the work's URI.
    numbered: Mapping[str, NumberedWork]
    #: The end of a name of a work that is later cited by its year and kind ("the 1998 Act").
    named_by_year: DeferredPattern
    sentences: SentenceRules
    nouns: Nouns
    #: Code -> number of a book -> the work of that book.
    books: Mapping[str, Mapping[str, str]]
    #: Whether the first numbered level below a provision is its paragraph, whatever its word.
    first_is_paragraph: bool


def compile_patterns(country: Country, more: Sequence[NumberedWork]) -> Patterns:
    data = country.section("citations")
    works, short = names(country), names(country, "behind_provision")
    works, short = _at_line_starts(works), _at_line_starts(short)
    own, same, same_before = data.get("own", ()), data.get("same", ()), either_case(data.get("same_before", ()))
    numbered = {f"form{index}": form for index, form in enumerate((*more, *numbered_works(country)))}
    unknown = "|".join(data.get("unknown", ())) or NEVER
    genitive = "".join(f"(?:{any_of(data['genitive'])})?" for _ in (1,) if "genitive" in data)
    demonstratives = either_case(data.get("demonstratives", ()))
    nouns = compile_nouns(data, demonstratives, (*works.items(), *short.items()))
    behind_name = f"{genitive}{data.get('name_suffix', '')}"
    longer = rf"{_LONGER}|{data.get('longer_title', NEVER)}"
    undated = data.get("undated", NEVER)
    numbers = [in_group(name, form.pattern) for name, form in numbered.items()]
    act = (
        *numbers,
        rf"(?P<own>{any_of(own)})(?!\w)",
        rf"(?P<same>{any_of((*same, *same_before))})(?!\w)",
        rf"(?P<dated>{data.get('dated', NEVER)})(?!\w)",
        rf"(?P<named>{any_of(works)}){behind_name}(?!{longer})",
        rf"(?P<short>{any_of(short)}){genitive}(?!{longer})",
    )
    forms = [_form(kind, words) for kind, words in country.section("provisions").items()]
    ranges, (lists, list_joins) = any_of(data.get("ranges", ("–", "-"))), _lists(data)
    levels = compile_levels(data, lists, ranges)
    joins, joins_behind = any_of(data.get("joins", (" ",))), any_of(data.get("joins_behind", (", ",)))
    anchor = (
        *(rf"{form.before.pattern}(?={form.number.pattern})" for form in forms),
        *(form.only.pattern for form in forms if NEVER not in form.only.pattern),
        *(_behind(form, f"(?:{ranges}|{lists})") for form in forms if NEVER not in form.behind.pattern),
        *(rf"(?<![\w/])(?:{without_groups(form.pattern)})" for form in numbered.values()),
        rf"{any_of((*works, *own, *same))}{genitive}(?!\w)",
        *(
            rf"{any_of((*short, *same_before))}(?={joins_behind}{form.before.pattern}{form.number.pattern})"
            for form in forms
            if short or same_before
        ),
        *(
            rf"(?:{without_groups(level.pattern.pattern)})"
            for level in levels.levels
            if level.relative or data.get("inverted")
        ),
    )
    return Patterns(
        re.compile(rf"{data.get('word_begins', _BEGINS)}(?:{'|'.join(anchor)})"),
        forms,
        levels,
        DeferredPattern(rf"(?:(?P<range>{ranges})|{lists})"),
        DeferredPattern("|".join(act)),
        DeferredPattern(
            rf",?{joins}(?:(?P<other>{nouns.others})|{'|'.join(act)}|(?P<demonstrated>{nouns.demonstrated})|(?P<noun>{nouns.pattern})|(?P<unknown>{unknown}))"
        ),
        DeferredPattern(joins_behind),
        DeferredPattern(rf"(?: \(|, )(?:{'|'.join(numbers) or NEVER})\)?"),
        DeferredPattern(rf",?{joins}(?P<name>{undated}(?!,? \d{{4}})|{_NAME})(?!\w)"),
        DeferredPattern(rf"(?P<title>{undated})(?=,? (?P<year>\d{{4}}))"),
        DeferredPattern(any_of(data.get("inverted", ()))),
        DeferredPattern(any_of(data.get("this", ()))),
        DeferredPattern(any_of(data.get("amends", ()))),
        DeferredPattern(rf"(?<!\w){any_of(either_case(data.get('said_before', ())))} $"),
        DeferredPattern(rf"{any_of(data.get('said', ()))}(?!\w| \d)"),
        DeferredPattern(rf"(?:{unknown}){genitive}{joins_behind}$"),
        DeferredPattern(rf"{genitive} "),
        DeferredPattern(rf"(?<!\w){any_of({**works, **short})}{behind_name}{joins_behind}$"),
        DeferredPattern(rf",?{joins}(?:{'|'.join(data.get('not_law', ())) or NEVER})"),
        {**works, **short},
        shared_names(country),
        frozenset(same_before),
        frozenset(data.get("paragraphs_of", ())),
        numbered,
        DeferredPattern(data.get("named_by_year", NEVER)),
        _sentence_rules(data, forms, list_joins),
        nouns,
        data.get("books", {}),
        bool(data.get("first_is_paragraph")),
    )


def _lists(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the patterns of what joins two entries of a list, and of what joins an entry of a work to the next one of another work."""
    joins, adverbs = data.get("lists", (", ",)), any_of(data.get("list_adverbs", ()))
    return (
        rf"(?:{any_of(each.rstrip() for each in joins)}, {adverbs}, |{any_of(joins)}(?:{adverbs} )?)",
        rf"{any_of(joins)}|{any_of(each.rstrip() for each in joins)},? {adverbs},? ",
    )


def _sentence_rules(data: Mapping[str, Any], forms: Sequence[Form], list_joins: str) -> SentenceRules:
    return SentenceRules(
        abbreviations(data.get("month_languages", ())),
        re.compile(rf"{any_of(data.get('of_something', ()))}| {ABBREVIATION}"),
        forms[0].kind if forms else "",
        tuple(f"{form.kind}_" for form in forms if form.of_last),
        list_joins=re.compile(list_joins),
    )


def _at_line_starts(named: Mapping[str, str]) -> dict[str, str]:
    """Return name -> URI, with names in lower case also in the form at the start of a sentence."""
    return {written: uri for name, uri in named.items() for written in (name, name[:1].upper() + name[1:])}


def _behind(form: Form, between: str) -> str:
    """Return a pattern for the numbers of a form whose word follows them, including that word."""
    number = rf"{form.number.pattern}(?: ?\(\w{{1,4}}\))*"
    return rf"(?<![\w(.-]){number}(?:{between}{number}){{0,40}}{form.behind.pattern}"


def _form(kind: str, words: Mapping[str, Any]) -> Form:
    several, ordinals = words.get("several", ()), spelled(words)
    number = f"(?:{number})" if (number := words.get("number", _NUMBER)) else ""
    if ordinals:
        word = rf"{any_of(ordinals)}(?!\w| {any_of(LATIN_SUFFIXES)}\b)"
        number = rf"(?:{word}|{number})" if number else word
    if behind := words.get("not_before"):
        number = f"{number}(?!{behind})"
    return Form(
        words.get("kind", kind),
        DeferredPattern(number),
        DeferredPattern(rf"{any_of(either_case((*words.get('before', ()), *several)))} ?"),
        DeferredPattern(rf" ?{any_of(words.get('after', ()))}(?!\w)"),
        frozenset(word.lower() for word in several),
        bool(words.get("of_last")),
        words.get("works", {}),
        words.get("of_kind", ""),
        DeferredPattern(words.get("alone", "")),
        bool(words.get("exhibits")),
        ordinals,
        DeferredPattern(rf"(?:{words.get('only', NEVER)})(?!\w| ?(?:{number}))"),
    )
