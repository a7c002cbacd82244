"""The country of a law by the acts that it cites.

Not here: citation forms (the folders of countries), and the names of countries in a text (`countries`).
"""

from __future__ import annotations

from collections import Counter

from legal_pipeline.citations import mentions
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries
from legal_pipeline.system.data_files import data_file

#: A law cites at least this many acts of its own country in its first characters, and this many times as many as of any other country.
_LAW_CHARS, _FEWEST_CITED, _TIMES_OTHERS = 60_000, 3, 3


def country_of_citations(text: str, language: str) -> str | None:
    """Return the code of the country whose acts a law in `language` (ISO 639-3) cites, None if not sure.

    Always None for a language of countries whose forms are not all known: "Ley 39/2015" may be an act of Spain or of Colombia.
    """
    start = text[:_LAW_CHARS]
    cited = Counter({country.code: len(_acts(start, country)) for country in countries_of_forms(language)})
    (most, acts), (_, others) = [*cited.most_common(2), ("", 0), ("", 0)][:2]
    return most if acts >= _FEWEST_CITED and acts >= _TIMES_OTHERS * others else None


def countries_of_forms(language: str) -> list[Jurisdiction]:
    """Return the countries of the language, if the forms of citation of all of them are known; else none."""
    if language not in data_file(__package__, "codes.toml")["languages_of_known_forms"]:
        return []
    found = [country for country in countries() if language in country.languages]
    unions = {union for country in found for union in country.data.get("member_of", ())}
    return [country for country in found if country.code not in unions]


def _acts(text: str, country: Jurisdiction) -> set[str]:
    """Return the URIs of the acts of `country` that `text` cites by a number or a known name."""
    cited = (mention for mention in mentions(text, country) if mention.work.by == "uri")
    uris = {mention.work.uri or "" for mention in cited if mention.kind in ("act", "provision")}
    return {uri for uri in uris if uri.startswith(f"/akn/{country.code}/act/")}
