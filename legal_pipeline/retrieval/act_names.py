"""Names of works in queries: short names, abbreviations, and titles in any inflection.

Not here: citations that contain the identity of a work ("Act 5 of 2019"), which the grammars read.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.citations.nouns import other_works
from legal_pipeline.jurisdictions.countries import countries_asked_about, country_named, unions_of
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries
from legal_pipeline.languages.language import known_languages
from legal_pipeline.languages.language import language as language_data
from legal_pipeline.model.slug import plain_letters
from legal_pipeline.retrieval.titles_by_language import shortened
from legal_pipeline.text.alternation import alternation

#: Names of works that queries may use.
NAMES = ("names", "behind_provision", "in_queries")
#: An abbreviation this short may be a word of some language unless it is written as an abbreviation.
_TOO_SHORT = 2

_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
#: The short names of an act in the bracket behind its title: "(Lampengesetz - LampG)"; an abbreviation may be in a bracket before it.
_BRACKET_BEHIND = re.compile(r"\(([^()]+)\)\W*$")
_BRACKETS = re.compile(r"\(([^()]+)\)")
#: The hyphens of an abbreviation as titles and questions print them.
_HYPHEN = re.compile(r"(?<=\w)[\u2010\u2011\u2012\u2013](?=\w)")
_BETWEEN_NAMES = re.compile(r"\s+[-–—]\s+|\s*[,;]\s+")
#: An abbreviation has three letters, two of them capitals, and is not a Roman numeral; a year may follow it.
_ABBREVIATION = re.compile(
    r"(?![IVXLC]+(?![\w-]))(?=(?:\w*[A-ZÅÄÖÜØÉ]){2})(?P<short>[^\W\d_][\w-]{2,})(?: (?P<year>(?:1[6-9]|20)\d\d))?"
)
#: A year alone or of a date ("13.7.2023").
_YEAR = re.compile(r"(?:(?<![\d:/.-])|(?<=\d\.\d\.)|(?<=\d\.\d\d\.))(?:1[6-9]|20)\d\d(?![\d:/-])")
_YEAR_BEHIND = re.compile(r",? \(?((?:1[6-9]|20)\d\d)\b(?!:)")
_ARTICLES = frozenset({"the"})
#: Number of words before or behind the name of an act that may name its country, and of characters.
_WORDS_BESIDE, _LONGEST_BESIDE = 2, 80


@dataclass(frozen=True, slots=True)
class NamedWork:
    """A name of the work `uri` in `text[start:end]`."""

    start: int
    end: int
    uri: str


def named_works(text: str, country: Jurisdiction) -> tuple[NamedWork, ...]:
    """Return the works that `text` names by a name known in `country`, in text order; of overlapping names the longest is used."""
    if not country.section("works"):
        return ()
    pattern, works = _works_by_name(country)
    others = [match.span() for match in _names_of_others(country).finditer(text)]
    found = []
    for match in pattern.finditer(text):
        name = match["name"]
        if any(start <= match.start() and match.end() <= end for start, end in others):
            continue
        before = text[: match.start()].split()[-_WORDS_BESIDE:]
        if " " in name and _are_of_another_country(before, country):
            continue
        year = _YEAR_BEHIND.match(text, match.end())
        dated = works.get(f"{name}, {year[1]}".casefold(), ()) if year else ()
        for written, uri in dated or works.get(name.casefold(), ()):
            if (name == written or len(written) > _TOO_SHORT) and (dated or not year or year[1] in uri):
                found.append(NamedWork(match.start(), year.end() if year else match.end(), uri))
    return tuple(found)


def is_of_another_country(text: str, end: int, country: Jurisdiction) -> bool:
    """Whether the words behind the name of an act that ends at `end` name only other countries: "Constitution of X"."""
    behind = text[end : end + _LONGEST_BESIDE].split()[:_WORDS_BESIDE]
    return _are_of_another_country([*behind, *(word.capitalize() for word in behind)], country)


def _are_of_another_country(beside: Sequence[str], country: Jurisdiction) -> bool:
    """Whether the words beside the name of an act name only other countries or their regions: "California Penal Code"."""
    words = " ".join(beside)
    asked = {code for codes in countries_asked_about(words) for code in codes} or set(
        filter(None, [country_named(words)])
    )
    return bool(asked) and country.code not in {*asked, *unions_of(asked)}


def same_works(uri: str) -> tuple[str, ...]:
    """Return `uri` and the other URIs that the same work may have in the index."""
    return (uri, *_others(countries()).get(uri, ()))


@functools.cache
def _others(every: tuple[Jurisdiction, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for country in every:
        for uri, work in country.section("works").items():
            found.setdefault(uri, []).extend(work.get("also", ()))
    return found


def spelled_out(text: str) -> str:
    """Return `text` with the abbreviations in names of acts written out, as in titles: "Cal. Pen. Code" as "California Penal Code"."""
    pattern, names = _abbreviations(countries())
    return pattern.sub(lambda match: names[match.group()], text)


@functools.cache
def _abbreviations(every: tuple[Jurisdiction, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    tables = (country.section("citations").get("abbreviations", {}) for country in every)
    names = {short: name for table in tables for group in table.values() for short, name in group.items()}
    return re.compile(rf"(?<![\w.]){alternation(names)}(?!\w)"), names


def names_an_act(text: str, country: Jurisdiction) -> bool:
    """Whether `text` contains words that name acts in `country`: then the query means an act, known or not."""
    if _names_of_others(country).search(text):
        return True
    data = country.section("citations").get("queries", {})
    if by_number := data.get("known_by_number"):
        text = re.sub(by_number, " ", text, flags=re.IGNORECASE)
    if named := data.get("named"):
        return re.search(named, text) is not None
    # "a duty to act" does not name an act
    if words := data.get("words"):
        either, capitals = "|".join(words), "|".join(word.capitalize() for word in words)
        if re.search(rf"\b(?:{capitals})\b|\b(?:the|la|le|du|de) (?:\S+ ){{0,8}}(?:{either})\b", text):
            return True
    return has_ending_of_act(text, country)


def has_ending_of_act(text: str, country: Jurisdiction) -> bool:
    """Whether a word of `text` ends as the names of acts in `country` do: "aftaleloven"."""
    data = country.section("citations").get("queries", {})
    endings, others = tuple(data.get("endings", ())), tuple(data.get("not_names", ()))
    found = (word.lower() for word in _WORD.findall(text))
    return any(word.endswith(endings) and not f" {word}".endswith(others) for word in found)


def end_of_abbreviation(text: str, start: int, end: int) -> int | None:
    """Return the end of an abbreviation, probably of an Act, that is the last word of the citation `text[start:end]` or directly follows
    it; None if there is none."""
    found = _ABBREVIATION.match(text, end + 1) if text[end : end + 1] == " " else None
    if found is None:
        last = text.rfind(" ", start, end) + 1
        found = _ABBREVIATION.match(text, last, end) if last > start else None
    return found.end() if found is not None else None


def title_length(query: str, title: str, language: str = "") -> int:
    """Return how many words of the query are the title, in any inflection; 0 if it does not contain the title, or has another year.

    The query may leave out the words that the title has in brackets, and the number and the date, by the rules of the language of the
    title.
    """
    bare, years_of_title = _title(title)
    words, years = words_and_years(query)
    if not bare or (years_of_title and years and not years & years_of_title):
        return 0
    said = (words, words_without_number(query, language))
    return next(
        (len(wanted) for wanted in _wordings(title, language) if any(_contains(each, wanted) for each in said)), 0
    )


def _contains(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    length = len(wanted)
    return any(words[at : at + length] == wanted for at in range(len(words) - length + 1))


def is_title(name: str, title: str) -> bool:
    """Whether `name` is the whole title, in any inflection; a name without a year is the title of any year."""
    (words, years), (of_title, years_of_title) = _title(name), _title(title)
    return words == of_title and (not years or not years.isdisjoint(years_of_title))


def names_in_words(title: str, number: str, country: Jurisdiction, languages: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the title and the short names that the act itself states, each in the form of `words_and_years`.

    A query that names the act by one of them contains these words, but may contain them by chance too: `title_length` and
    `short_name_length` decide."""
    short = {words for name in _short_names(title, number, country) if (words := _title(name)[0])}
    return short.union(*(_wordings(title, language) for language in languages or ("",)))


def short_name_length(query: str, title: str, number: str, country: Jurisdiction) -> int:
    """Return how many words of the query are a short name that the act itself states, behind its title or as its number; 0 if none is.

    An abbreviation counts only as it is written: "OR" is an act, "or" is not.
    """
    names = _short_names(title, number, country)
    if not names:
        return 0
    _, years = words_and_years(query)
    longest, query = 0, _HYPHEN.sub("-", query)
    for name in names:
        if abbreviation := _ABBREVIATION.fullmatch(name):
            year = abbreviation["year"]
            is_named = re.search(rf"(?<![\w-]){re.escape(abbreviation['short'])}(?![\w-])", query)
            length = 1 if is_named and (not year or not years or year in years) else 0
        else:
            length = title_length(query, name)
        longest = max(longest, length)
    return longest


@functools.lru_cache(maxsize=4096)
def _short_names(title: str, number: str, country: Jurisdiction) -> tuple[str, ...]:
    title = _HYPHEN.sub("-", title)
    behind = _BRACKET_BEHIND.search(title)
    names = _BETWEEN_NAMES.split(behind[1]) if behind else []
    found = [name for name in names if _ABBREVIATION.fullmatch(name) or names_an_act(name, country)]
    before = (name for bracket in _BRACKETS.findall(title) for name in _BETWEEN_NAMES.split(bracket))
    found += [name for name in before if name not in found and _ABBREVIATION.fullmatch(name)]
    return (*found, number) if _ABBREVIATION.fullmatch(number) else tuple(found)


@functools.lru_cache(maxsize=4096)
def words_without_number(text: str, language: str) -> tuple[str, ...]:
    """Return the words of `text` without the numbers and dates of acts, as citations in `language` leave them out."""
    return words_and_years(shortened(text, language))[0]


@functools.lru_cache(maxsize=4096)
def words_and_years(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the words of `text` in the form in which titles are compared, and the years in it. Accents do not count in an alphabet whose
    letters have a lower case: queries leave them out."""
    plain = unicodedata.normalize("NFC", text)
    every = countries()
    words = (plain_letters(word) if word.upper() != word.lower() else word for word in _WORD.findall(plain))
    return tuple(_uninflected(word, every) for word in words), frozenset(_YEAR.findall(plain))


@functools.lru_cache(maxsize=4096)
def _title(title: str) -> tuple[tuple[str, ...], frozenset[str]]:
    _, years = words_and_years(title)
    return _with_brackets(_BRACKETED.sub(" ", title)), years


@functools.lru_cache(maxsize=4096)
def _wordings(title: str, language: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of the title in each form in which a citation may print it, the longest first."""
    bare, _ = _title(title)
    short = _with_brackets(_BRACKETED.sub(" ", shortened(title, language)))
    return tuple(dict.fromkeys(words for words in (_with_brackets(title), bare, short) if words))


@functools.lru_cache(maxsize=4096)
def _with_brackets(title: str) -> tuple[str, ...]:
    """Return the words of the title, also those in brackets, without an article at its beginning."""
    words, _ = words_and_years(title)
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return words


@functools.cache
def _works_by_name(country: Jurisdiction) -> tuple[re.Pattern[str], dict[str, list[tuple[str, str]]]]:
    """Return a pattern for any known name, and name in lower case -> [(name, URI)]."""
    works: dict[str, list[tuple[str, str]]] = {}
    for use in NAMES:
        for uri, work in country.section("works").items():
            for name in work.get(use, ()):
                works.setdefault(name.casefold(), []).append((name, uri))
    longest_first = "|".join(re.escape(name) for name in sorted(works, key=lambda name: (-len(name), name)))
    # names in the genitive match too
    return re.compile(rf"(?<![\w-])(?P<name>{longest_first})(?:s|es)?(?![\w-])", re.IGNORECASE), works


@functools.cache
def _names_of_others(country: Jurisdiction) -> re.Pattern[str]:
    """Return a pattern for names that contain a short name of the country's works and are not theirs: "UN Charter"."""
    return re.compile(rf"\b(?:{other_works(country.section('citations').get('nouns', {}))})", re.IGNORECASE)


@functools.cache
def _inflected(every: tuple[Jurisdiction, ...]) -> tuple[tuple[str, str], ...]:
    """Return (inflected, as in titles) endings of the nouns for acts, without accents, longest first."""
    endings = []
    for country in every:
        for noun, definite in country.section("citations").get("definite", {}).items():
            endings += [(f"{definite}s", noun), (definite, noun), (f"{noun}s", noun)]
    for code in known_languages():
        for noun, forms in language_data(code).section("titles").get("forms", {}).items():
            endings += [(form, noun) for form in forms]
    plain = {(plain_letters(form), plain_letters(noun)) for form, noun in endings}
    return tuple(sorted(plain, key=lambda pair: (-len(pair[0]), pair)))


@functools.lru_cache(maxsize=16384)
def _uninflected(word: str, every: tuple[Jurisdiction, ...]) -> str:
    """`arbetsmiljolagens` -> `arbetsmiljolag`; other words are returned unchanged."""
    for ending, noun in _inflected(every):
        if word.endswith(ending):
            return word[: -len(ending)] + noun
    return word
