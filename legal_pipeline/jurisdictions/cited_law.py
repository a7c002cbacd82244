"""What citations show of the law that makes them: its country, and the number in its own title.

Not here: citation forms (the folders of countries), and the names of countries in a text (`countries`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

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
    cited = Counter({country.code: len({uri for _, uri in _acts(start, country)}) for country in _countries(language)})
    (most, acts), (_, others) = [*cited.most_common(2), ("", 0), ("", 0)][:2]
    return most if acts >= _FEWEST_CITED and acts >= _TIMES_OTHERS * others else None


def work_of_title(title: str, language: str) -> tuple[str, str] | None:
    """Return (country, work URI) of an act whose title begins with its number in the form of one country only: "Lag (2099:8) om fyrar".

    None for other titles, and for the languages for which `country_of_citations` is None.
    """
    found = {
        country.code: uri
        for country in _countries(language)
        for words, uri in _acts(title, country)
        if title.startswith(words) and any(map(str.isdigit, words))
    }
    return next(iter(found.items())) if len(found) == 1 else None


def _countries(language: str) -> list[Jurisdiction]:
    if language not in data_file(__package__, "codes.toml")["languages_of_known_forms"]:
        return []
    found = [country for country in countries() if language in country.languages]
    unions = {union for country in found for union in country.data.get("member_of", ())}
    return [country for country in found if country.code not in unions]


def _acts(text: str, country: Jurisdiction) -> Iterator[tuple[str, str]]:
    """Yield (words, work URI) of the acts of `country` that `text` cites by a number or a name that is known."""
    for mention in mentions(text, country):
        uri = mention.work.uri or ""
        if (
            mention.work.by == "uri"
            and mention.kind in ("act", "provision")
            and uri.startswith(f"/akn/{country.code}/act/")
        ):
            yield mention.raw, uri
