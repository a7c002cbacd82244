"""What is asked of all countries at once, or of any: their names, how they write dates, and tables that each adds a part to.

Not here: the loader of a country's data (`jurisdictions.jurisdiction`).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, jurisdiction, known
from legal_pipeline.text.dates import NumericOrder


def date_order(code: str) -> NumericOrder:
    """How dates in numbers alone are written in the country `code`; "" where it is not known."""
    return cast("NumericOrder", jurisdiction(code).data.get("date_order", ""))


def country_codes() -> Mapping[str, str]:
    """Names of countries as their statutes and judgments print them, to their codes."""
    return {str(name): country.code for country in countries() for name in country.data.get("names", ())}


def countries_asked_about(query: str) -> tuple[str, ...]:
    """The codes of the countries that `query` names, or speaks of in their adjectives, in the order of the codes."""
    return tuple(code for code, pattern in _asked_as(countries()) if pattern.search(query))


def country_named(text: str) -> str | None:
    """The code of the country that `text` names most often, of several the first; None where it names none.

    An Act names its own country, and others once in a while.
    """
    codes = country_codes()
    found: dict[str, int] = {}
    folded = {name.casefold(): code for name, code in codes.items()}
    names = "|".join(map(re.escape, codes))
    for match in re.finditer(rf"\b(?:{names})\b", text, re.IGNORECASE) if names else ():
        code = folded[match.group().casefold()]
        found[code] = found.get(code, 0) + 1
    return max(found, key=found.__getitem__, default=None)


def held_by(work_uri: str) -> str | None:
    """The work in whose document this one may stand: a section of a code, in its part. None for all others."""
    for pattern in (country.data.get("held_by") for country in countries()):
        if pattern and (match := re.match(pattern, work_uri)):
            return match[1]
    return None


def joined_section(name: str) -> dict[str, Any]:
    """A section to which each country adds entries of its own."""
    return {key: value for country in countries() for key, value in country.section(name).items()}


def country_code(stated: str) -> str | None:
    """The code of the country that `stated` names: `CH`, `LUX`, `GB-UKM`, or a URI that ends so; None for anything else.

    >>> country_code("http://publications.europa.eu/resource/authority/country/LUX"), country_code("Atlantis")
    ('lu', None)
    """
    name = stated.strip().rstrip("/").rpartition("/")[2].partition("-")[0].lower()
    two_letters = _codes().get(name, name)
    return two_letters if two_letters in _codes().values() or two_letters in known() else None


@functools.cache
def _codes() -> Mapping[str, str]:
    data = tomllib.loads(importlib.resources.files(__package__).joinpath("codes.toml").read_text("utf-8"))
    return {**data["iso_3166"], **data["others"]}


@functools.cache
def _asked_as(among: tuple[Jurisdiction, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Word forms as they are written; one in lower case may stand at the beginning of a sentence."""
    return tuple(
        (country.code, re.compile(rf"(?<!\w)(?:{'|'.join(map(_word_form, forms))})(?!\w)"))
        for country in among
        if (forms := country.data.get("asked_as"))
    )


def _word_form(form: str) -> str:
    first = f"[{form[0]}{form[0].upper()}]" if form[0].islower() else re.escape(form[0])
    return first + re.escape(form[1:]).replace(r"\*", r"\w*")
