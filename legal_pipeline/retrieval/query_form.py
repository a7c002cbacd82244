"""A query in the form of running text, in which the grammars of citations read it.

Queries leave out full stops ("art 6"), capitals ("bgb") and the word before a number ("IPC 302"); the forms that a country's lawyers write
are its data (`citations.queries.written`). Not here: the citations in the result (`retrieval.citation_query`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.retrieval.act_names import named_works
from legal_pipeline.text.alternation import alternation

_NUMBER = re.compile(
    r"(?:[LRDA]\.? ?)?(?!(?:1[89]|20)\d\d\b)(?:\d{1,2}:)?\d{1,4}(?:[ -]?[A-Za-z0-9]{1,3})?(?:\(\w{1,4}\))*"
)
#: Abbreviations of one letter are left as they are: "s" and "f" are words of many languages.
_ABBREVIATION = re.compile(r"[^\W\d_]{2,}\.")


def as_written(plain: str, country: Jurisdiction) -> str:
    """Return the query in the form of a text; the space before it prevents a provision at a line start, which would be a heading."""
    text = f" {plain}"
    if (abbreviations := _abbreviations(country)) is not None:
        text = abbreviations.sub(r"\1. ", text)
    for form in country.section("citations").get("queries", {}).get("written", ()):
        text = re.sub(form["pattern"], functools.partial(_instead, form), text, flags=re.IGNORECASE)
    return text


@functools.cache
def _abbreviations(country: Jurisdiction) -> re.Pattern[str] | None:
    """Return the pattern of the country's abbreviations for provisions and their parts before a number or a letter, with or without their
    full stop and space; None if its data have none."""
    rows = (*country.section("provisions").values(), *country.section("citations").get("levels", ()))
    words = {word for row in rows for use in ("before", "several") for word in row.get(use, ())}
    shorts = sorted(word[:-1] for word in words if _ABBREVIATION.fullmatch(word))
    return re.compile(rf"\b({alternation(shorts)})\.? ?(?=\d|[a-z]\b)", re.IGNORECASE) if shorts else None


def _instead(form: Mapping[str, Any], match: re.Match[str]) -> str:
    written = match.expand(form["instead"])
    return written.upper() if form.get("upper") else written


def numbered(text: str, country: Jurisdiction) -> str | None:
    """Return `IPC 302` as `section 302 IPC`, if the text is only a known name and a number."""
    named = named_works(text, country)
    if not named:
        return None
    first = named[0]
    rest = (text[: first.start] + text[first.end :]).strip(" ,")
    if not _NUMBER.fullmatch(rest):
        return None
    form = next(iter(country.section("provisions").values()))
    provision = form.get("spelled", form["cite"]).format(number=rest, pins="")
    return f" {provision} {text[first.start : first.end]}"
