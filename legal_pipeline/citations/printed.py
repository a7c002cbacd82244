"""The parts of a printed citation from the fields of a chunk: its number, the levels below it, its Act.

Not here: the forms of citations (`jurisdictions`, `retrieval.citation_form`).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.works import names
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.numbering.numerals import LATIN_SUFFIXES
from legal_pipeline.text.alternation import alternation

#: What a number may have behind spaces: "3 a", "56 bis", "38 quindecies J", "17 D bis".
_BEHIND_NUMBER = rf"(?: (?:[a-zåäö]|[A-Z]{{1,2}}|{alternation(LATIN_SUFFIXES)})(?:-\d+)?(?!\w))*"


@functools.cache
def _label() -> re.Pattern[str]:
    """Return the pattern of a chunk's label: "Section 12A", "Article L. 3-1", "Article 1 bis 6" (words of any language join numbers)."""
    joins = {word for code in known_languages() for word in language(code).section("provisions").get("joins", ())}
    several = rf"\d\w* (?:{alternation(joins)}) (?:[^\W\d_]+\.? )?\d\w*"
    return re.compile(
        r"^(?:.* > )?(?:Section|Article|Artikel|Para)\.? "
        rf"(?P<number>{several}|(?:\d(?:[\w.^-]|:(?=\d))*|(?:L[OP]?|[RDA])\*?\.? ?[\d-]+){_BEHIND_NUMBER}|\w+)"
    )


def provision_label(payload: Mapping[str, Any]) -> str:
    """Return `Section 12A` of the section `Section 12A — Retrenchment`; empty if there is none."""
    return str(payload.get("section") or "").partition(" — ")[0].strip()


def provision_number(payload: Mapping[str, Any]) -> str | None:
    found = _label().match(provision_label(payload))
    return found["number"].rstrip(".") if found else None


def provision_kind(payload: Mapping[str, Any]) -> str:
    """Return the kind as in eids and in a country's `provisions`: `art` or `sec`."""
    label = provision_label(payload)
    return "art" if "Article" in label or "Artikel" in label else "sec"


def pins(payload: Mapping[str, Any]) -> str:
    """Return `(h)(3)`: the levels that contain everything in a part of a provision; empty for a whole provision."""
    held = [str(eid).split("__") for eid in payload.get("subdivisions") or ()]
    own = str(payload.get("eid") or "").split("__")
    below = [segments[len(own) :] for segments in held if segments[: len(own)] == own]
    shared = itertools.takewhile(lambda level: len(set(level)) == 1, zip(*below, strict=False))
    return "".join(f"({level[0].partition('_')[2]})" for level in shared)


def numbered_act(payload: Mapping[str, Any]) -> str:
    """Return the title with its number in brackets, unless the title contains it already."""
    title, number = str(payload.get("title") or ""), str(payload.get("number") or "")
    if not number or number in title:
        return title
    return f"{title} ({number})" if title else number


def schedule_of(provisions: Mapping[str, Any], payload: Mapping[str, Any]) -> str | None:
    """Return the form of a whole schedule ("Annex II"), of which the text may be a part; None for text below a heading of it, and in a
    country without a form."""
    number, form = payload.get("schedule"), provisions.get("sched")
    if form is None or not re.fullmatch(rf"Schedule {re.escape(str(number))}(?:#\d+)?", str(payload.get("path") or "")):
        return None
    return str(form["cite"].format(number=number, pins=""))


def with_path(act: str, payload: Mapping[str, Any]) -> str:
    """Return the act and the path within it; for tables, notes and other text outside provisions."""
    return ", ".join(part for part in (act, str(payload.get("path") or "")) if part)


def name_of(country: Country, payload: Mapping[str, Any], *uses: str) -> str | None:
    """Return the first name that the Act has in the country's `works` for one of `uses`; of an Act in another language than the first of
    the country, the first name that its title contains."""
    uri, title = str(payload.get("work_uri") or ""), str(payload.get("title") or "").casefold()
    found = (name for use in uses for name in _names_of_works(country, use).get(uri, ()))
    if payload.get("language") in country.languages[1:]:
        return next((name for name in found if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", title)), None)
    return next(found, None)


@functools.cache
def _names_of_works(country: Country, use: str) -> dict[str, list[str]]:
    """Return work URI -> its names, in their order."""
    found: dict[str, list[str]] = {}
    for name, uri in names(country, use).items():
        found.setdefault(uri, []).append(name)
    return found
