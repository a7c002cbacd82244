"""Queries over the data of all countries: their names, their date order, and tables that each country adds a part to.

Not here: the loader of a country's data (`jurisdictions.jurisdiction`).
"""

from __future__ import annotations

import functools
import re
import urllib.parse
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, described, jurisdiction, known
from legal_pipeline.model.identity import UNKNOWN_COUNTRY
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.dates import NumericOrder

#: Word forms by which a question names a country, in the order in which they count.
_NAMING = ("asked_as", "asked_in")
#: A law names its own country this often in its first characters, and this many times as often as any other country.
_LAW_CHARS, _TIMES_NAMED, _TIMES_OTHERS = 30_000, 2, 3


def country_of_address(address: str) -> str | None:
    """Return the code of the country whose law only the host of `address` publishes (`hosts` of its data), None for any other address.

    >>> country_of_address("https://www.fedlex.admin.ch/eli/cc/1"), country_of_address("https://example.org/fedlex.admin.ch")
    ('ch', None)
    """
    try:
        host = urllib.parse.urlsplit(address.strip()).hostname or ""
    except ValueError:
        return None
    return _hosts(described()).get(host.removeprefix("www."))


@functools.cache
def _hosts(among: tuple[Jurisdiction, ...]) -> Mapping[str, str]:
    return {str(host): country.code for country in among for host in country.data.get("hosts", ())}


def date_order(code: str) -> NumericOrder:
    """Return the order of day, month and year in numeric dates of the country `code`; "" where it is not known."""
    return cast("NumericOrder", jurisdiction(code).data.get("date_order", ""))


def country_codes() -> Mapping[str, str]:
    """Return country names, as statutes and judgments print them, -> country codes, also those of countries without a folder."""
    return _country_codes(countries())


@functools.cache
def _country_codes(among: tuple[Jurisdiction, ...]) -> Mapping[str, str]:
    own = {str(name): country.code for country in among for name in country.data.get("names", ())}
    data = data_file(__package__, "codes.toml")
    return {**data["names"], **data["own_names"], **own}


def countries_asked_about(query: str) -> list[tuple[str, ...]]:
    """Return the codes of the countries that `query` names by name or adjective, and of those whose cities and regions it names: two
    tuples at most, in the order in which they count. Somebody "from Spain" may live in Lyon."""
    named = (
        tuple(code for code, pattern in _patterns(forms, described()) if pattern.search(query)) for forms in _NAMING
    )
    return list(filter(None, named))


def without_countries(query: str, codes: Collection[str]) -> str:
    """Return `query` without the words by which it names the countries `codes` and their cities and regions.

    >>> without_countries("How long is annual leave in Norway?", ("no",))
    'How long is annual leave in ?'
    """
    for forms in _NAMING:
        for code, pattern in _patterns(forms, described()):
            if code in codes:
                query = pattern.sub("", query)
    return " ".join(query.split())


def unions_of(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the codes of the unions whose law applies in one of the countries, without those that are among `codes`, in their order."""
    given = set(codes)
    return tuple(sorted({union for code in given for union in jurisdiction(code).data.get("member_of", ())} - given))


def country_named(text: str) -> str | None:
    """Return the code of the country that `text` names most often, the first on a tie; None if it names none.

    An Act names its own country most often, and other countries only sometimes.
    """
    found = _times_named(text)
    return max(found, key=found.__getitem__, default=None)


def country_of_law(text: str, language: str) -> str | None:
    """Return the code of the country whose law `text` is, by its language (ISO 639-3) and the countries that it names; None if not sure.

    A law has names and adjectives of its own country and seldom those of others: it names its country at least twice, and three times as
    often as any other. Unions do not count: the laws of their members name them too.
    """
    start = text[:_LAW_CHARS]
    found = _times_named(start)
    is_of_many = language in data_file(__package__, "codes.toml")["languages_of_many_countries"]
    for code, pattern in _patterns("asked_as", described()):
        # the adjective alone may be that of a people or a place elsewhere: "Spanish Fork" in Utah
        if _may_be_in(code, language) and (found[code] or not is_of_many):
            found[code] = max(found[code], sum(1 for _ in pattern.finditer(start)))
    for union in _unions(described()):
        del found[union]
    (most, times), (_, others) = [*found.most_common(2), ("", 0), ("", 0)][:2]
    is_sure = times >= _TIMES_NAMED and times >= _TIMES_OTHERS * others
    return most if is_sure and _may_be_in(most, language) else None


def country_of_language(language: str) -> str | None:
    """Return the code of the only country whose law is in the language (ISO 639-3), None for other languages.

    >>> country_of_language("kat"), country_of_language("spa")
    ('ge', None)
    """
    country: str | None = data_file(__package__, "codes.toml")["country_of_language"].get(language)
    return country


def _may_be_in(code: str, language: str) -> bool:
    """Whether the law of the country may be in the language: of a country without data, in any."""
    return language in (jurisdiction(code).languages or (language,))


@functools.cache
def _unions(among: tuple[Jurisdiction, ...]) -> frozenset[str]:
    return frozenset(union for country in among for union in country.data.get("member_of", ()))


def _times_named(text: str) -> Counter[str]:
    names, codes = _country_names(countries())
    return Counter(
        code
        for match in names.finditer(text)
        # "china" and "turkey" are goods; without case, the Turkish "Malı" (goods) matches Mali
        if not match.group()[0].islower() and (code := codes.get(_folded(match.group())))
    )


@functools.cache
def _country_names(among: tuple[Jurisdiction, ...]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern for the name of any country, and the code of each name without case."""
    codes = _country_codes(among)
    # in scripts without capitals words stand without a space, or an ending follows the name
    unspaced = [name for name in codes if not name[0].isupper()]
    spaced = [name for name in codes if name[0].isupper()]
    pattern = re.compile(rf"\b(?:{alternation(spaced) or '(?!)'})\b|{alternation(unspaced) or '(?!)'}", re.IGNORECASE)
    return pattern, {_folded(name): code for name, code in codes.items()}


def _folded(name: str) -> str:
    """Return `name` as a search without case compares it: the Turkish capital İ is an i, and not an i with a dot above it."""
    return name.casefold().replace("i\u0307", "i")


def held_by(work_uri: str) -> str | None:
    """Return the work whose document may contain this work: for a section of a code, the code's part. None for all others."""
    for pattern in (country.data.get("held_by") for country in countries()):
        if pattern and (match := re.match(pattern, work_uri)):
            return match[1]
    return None


def joined_section(name: str) -> dict[str, Any]:
    """Return a section to which each country adds its own entries."""
    return {key: value for country in countries() for key, value in country.section(name).items()}


def country_code(stated: str) -> str | None:
    """Return the code of the country that `stated` names: `CH`, `LUX`, `GB-UKM`, or a URI that ends with such a code; None otherwise.

    >>> country_code("http://publications.europa.eu/resource/authority/country/LUX"), country_code("Atlantis")
    ('lu', None)
    """
    name = stated.strip().rstrip("/").rpartition("/")[2].partition("-")[0].lower()
    two_letters = _codes().get(name, name)
    return two_letters if two_letters in _codes().values() or two_letters in known() else None


def usual_code(code: str) -> str:
    """Return the code that documents have for the country or part of a country with the other code `code`; any other text as it is.

    >>> [usual_code(code) for code in ("abw", "abw-x", "atlantis")]
    ['aw', 'aw-x', 'atlantis']
    """
    country, dash, part = code.partition("-")
    return f"{_codes().get(country, country)}{dash}{part}"


@functools.cache
def codes_without_data(among: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return the codes of the countries that are not `among` those with a folder, and the code of documents of an unknown country."""
    return tuple(sorted({*_codes().values(), UNKNOWN_COUNTRY} - {country.code for country in among}))


@functools.cache
def _codes() -> Mapping[str, str]:
    data = data_file(__package__, "codes.toml")
    return {**data["iso_3166"], **data["others"]}


@functools.cache
def _patterns(name: str, among: tuple[Jurisdiction, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return (country code, pattern of the word forms `name` in its data); a form in lower case may have a capital, as at the beginning of
    a sentence, and a form may be a genitive."""
    return tuple(
        (country.code, re.compile(rf"(?<!\w)(?:{'|'.join(map(_word_form, forms))})(?:s|['’]s)?(?!\w)"))
        for country in among
        if (forms := country.data.get(name))
    )


def _word_form(form: str) -> str:
    first = f"[{form[0]}{form[0].upper()}]" if form[0].islower() else re.escape(form[0])
    return first + re.escape(form[1:]).replace(r"\*", r"\w*")
