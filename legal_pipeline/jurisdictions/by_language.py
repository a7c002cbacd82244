"""The readers of citations by language, for countries that have no grammar: made from `[citations]` of a language's data.

Not here: the countries (`jurisdictions.jurisdiction`), and the data of languages (`languages`).
"""

from __future__ import annotations

import functools

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, jurisdiction
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.identity import UNKNOWN_COUNTRY


def reader_of(country: str, code: str) -> Jurisdiction:
    """Return the reader of the citations in a text of the country `country` in the language `code`: the country itself if it has a grammar,
    else its language, else the country."""
    own = jurisdiction(country)
    return own if own.scanner is not None else of_language(code) or own


@functools.cache
def of_language(code: str) -> Jurisdiction | None:
    """Return the reader of the language `code` (ISO 639-3) for any country; None for a language without `[citations]`."""
    data, words = language(code).section("citations"), language(code).section("provisions")
    if not data:
        return None
    own = {"language": code, "sign": words.get("number_prefix", ""), "raised_sign": words.get("raised_sign", "")}
    own |= {name: words.get(name, ()) for name in ("inserted", "range_ends")}
    return Jurisdiction(UNKNOWN_COUNTRY, data={"citations": {**own, **data}, "provisions": data.get("provisions", {})})


@functools.cache
def language_readers() -> tuple[Jurisdiction, ...]:
    """Return the readers of all languages that have one, by code."""
    return tuple(reader for code in known_languages() if (reader := of_language(code)) is not None)
