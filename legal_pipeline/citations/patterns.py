"""The compiled patterns of a data-driven grammar: a country's `provisions`, `citations` and `works` as regular expressions.

Not here: reading a text with them (`from_data`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
from legal_pipeline.citations.levels import Levels
from legal_pipeline.citations.nouns import Nouns
from legal_pipeline.citations.sentences import SentenceRules, abbreviations
from legal_pipeline.citations.works import names, shared_names
from legal_pipeline.text.deferred_pattern import DeferredPattern

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


class Patterns:
    """The patterns of `country`, with the forms `more` of numbered works. `anchor` finds where a citation may begin; the others match from
    there."""

    def __init__(self, country: Country, more: Sequence[NumberedWork]) -> None:
        data = country.section("citations")
        works, short = names(country), names(country, "behind_provision")
        works, short = _at_line_starts(works), _at_line_starts(short)
        own, same, same_before = data.get("own", ()), data.get("same", ()), either_case(data.get("same_before", ()))
        #: Name of the group in `act` -> form of the work's URI.
        self.numbered = {f"form{index}": form for index, form in enumerate((*more, *numbered_works(country)))}
        unknown = "|".join(data.get("unknown", ())) or NEVER
        genitive = f"(?:{any_of(data['genitive'])})?" if "genitive" in data else ""
        self.nouns = Nouns(data, either_case(data.get("demonstratives", ())), (*works.items(), *short.items()))
        behind_name = f"{genitive}{data.get('name_suffix', '')}"
        longer = rf"{_LONGER}|{data.get('longer_title', NEVER)}"
        undated = data.get("undated", NEVER)
        numbers = [in_group(name, form.pattern) for name, form in self.numbered.items()]
        act = "|".join(
            (
                *numbers,
                rf"(?P<own>{any_of(own)})(?!\w)",
                rf"(?P<same>{any_of((*same, *same_before))})(?!\w)",
                rf"(?P<dated>{data.get('dated', NEVER)})(?!\w)",
                rf"(?P<named>{any_of(works)}){behind_name}(?!{longer})",
                rf"(?P<short>{any_of(short)}){genitive}(?!{longer})",
            )
        )
        self.forms = [Form(kind, words) for kind, words in country.section("provisions").items()]
        ranges, lists = any_of(data.get("ranges", ("–", "-"))), _lists(data)[0]
        self.levels = Levels(data, lists, ranges)
        joins, joins_behind = any_of(data.get("joins", (" ",))), any_of(data.get("joins_behind", (", ",)))
        anchor = (
            *(rf"{form.before.pattern}(?={form.number.pattern})" for form in self.forms),
            *(form.only.pattern for form in self.forms if NEVER not in form.only.pattern),
            *(_behind(form, f"(?:{ranges}|{lists})") for form in self.forms if NEVER not in form.behind.pattern),
            *(rf"(?<![\w/])(?:{without_groups(form.pattern)})" for form in self.numbered.values()),
            rf"{any_of((*works, *own, *same))}{genitive}(?!\w)",
            *(
                rf"{any_of((*short, *same_before))}(?={joins_behind}{form.before.pattern}{form.number.pattern})"
                for form in self.forms
                if short or same_before
            ),
            *(
                rf"(?:{without_groups(level.pattern.pattern)})"
                for level in self.levels.levels
                if level.relative or data.get("inverted")
            ),
        )
        self.anchor = re.compile(rf"{data.get('word_begins', _BEGINS)}(?:{'|'.join(anchor)})")
        #: The separator of two entries of an expression: a range or a list.
        self.between = DeferredPattern(rf"(?:(?P<range>{ranges})|{lists})")
        self.act = DeferredPattern(act)
        #: An Act with the words that join it to the provision before it; the words that join an Act to the provision after it.
        self.act_behind = DeferredPattern(
            rf",?{joins}(?:(?P<other>{self.nouns.others})|{act}|(?P<demonstrated>{self.nouns.demonstrated})|(?P<noun>{self.nouns.pattern})"
            rf"|(?P<unknown>{unknown}))"
        )
        self.joins_behind = DeferredPattern(joins_behind)
        #: The number of an Act behind its name: " (SI 2031/7)".
        self.number_behind = DeferredPattern(rf"(?: \(|, )(?:{'|'.join(numbers) or NEVER})\)?")
        #: An abbreviation, or a title without its year, with the words that join it to the provision before it; such a title.
        self.abbreviated_behind = DeferredPattern(rf",?{joins}(?P<name>{undated}(?!,? \d{{4}})|{_NAME})(?!\w)")
        self.undated = DeferredPattern(rf"(?P<title>{undated})(?=,? (?P<year>\d{{4}}))")
        #: An unknown Act, with the words that join it to the provision after it; a known Act, in the same way.
        self.unknown_before = DeferredPattern(rf"(?:{unknown}){genitive}{joins_behind}$")
        self.known_before = DeferredPattern(rf"(?<!\w){any_of({**works, **short})}{behind_name}{joins_behind}$")
        #: What is between the name of an Act and the provision directly behind it.
        self.in_front = DeferredPattern(rf"{genitive} ")
        #: Words after a provision of something that is not law: "of the lease".
        self.not_law = DeferredPattern(rf",?{joins}(?:{'|'.join(data.get('not_law', ())) or NEVER})")
        self.works = {**works, **short}
        #: Work -> names that other works have too: the one that the text has named is meant, or else the first in the data.
        self.shared = shared_names(country)
        #: Words that mean the work named before, but only directly before a provision: "lovens § 10".
        self.same_before = frozenset(same_before)
        self._set_words(data)

    def _set_words(self, data: Mapping[str, Any]) -> None:
        """Set what depends only on words of the data, and on the forms."""
        #: The words that join levels to the provision after them ("point (f) of Article 6"), and the words for the citing provision.
        self.joins_before = DeferredPattern(any_of(data.get("inverted", ())))
        self.this = DeferredPattern(any_of(data.get("this", ())))
        #: Words of a provision that amends another work.
        self.amends = DeferredPattern(any_of(data.get("amends", ())))
        #: Words before a level, and after it, for the provision cited before: "bestemmelsens annet ledd", " of that section".
        self.said_before = DeferredPattern(rf"(?<!\w){any_of(either_case(data.get('said_before', ())))} $")
        self.said = DeferredPattern(rf"{any_of(data.get('said', ()))}(?!\w| \d)")
        #: Works whose articles number their paragraphs with words that elsewhere name a lower level: "art. 6 n. 1 CEDU".
        self.paragraphs_of = frozenset(data.get("paragraphs_of", ()))
        #: The end of a name of a work that is later cited by its year and kind ("the 1998 Act").
        self.named_by_year = DeferredPattern(data.get("named_by_year", NEVER))
        #: Code -> number of a book -> the work of that book.
        self.books: Mapping[str, Mapping[str, str]] = data.get("books", {})
        #: Whether the first numbered level below a provision is its paragraph, whatever its word.
        self.first_is_paragraph = bool(data.get("first_is_paragraph"))
        self.sentences = SentenceRules(
            abbreviations(data.get("month_languages", ())),
            re.compile(rf"{any_of(data.get('of_something', ()))}| {ABBREVIATION}"),
            self.forms[0].kind if self.forms else "",
            tuple(f"{form.kind}_" for form in self.forms if form.of_last),
            list_joins=re.compile(_lists(data)[1]),
        )


def _lists(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the patterns of what joins two entries of a list, and of what joins an entry of a work to the next one of another work."""
    joins, adverbs = data.get("lists", (", ",)), any_of(data.get("list_adverbs", ()))
    return (
        rf"(?:{any_of(each.rstrip() for each in joins)}, {adverbs}, |{any_of(joins)}(?:{adverbs} )?)",
        rf"{any_of(joins)}|{any_of(each.rstrip() for each in joins)},? {adverbs},? ",
    )


def _at_line_starts(named: Mapping[str, str]) -> dict[str, str]:
    """Return name -> URI, with names in lower case also in the form at the start of a sentence."""
    return {written: uri for name, uri in named.items() for written in (name, name[:1].upper() + name[1:])}


def _behind(form: Form, between: str) -> str:
    """Return a pattern for the numbers of a form whose word follows them, including that word."""
    number = rf"{form.number.pattern}(?: ?\(\w{{1,4}}\))*"
    return rf"(?<![\w(.-]){number}(?:{between}{number}){{0,40}}{form.behind.pattern}"
