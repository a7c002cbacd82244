"""The citation form of a Swedish provision: `2 kap. 3 § arbetsmiljölagen (1977:1160)`, `bilagan till avfallsförordningen (2020:614)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.printed import name_of, provision_label, with_path

_PROVISION = re.compile(r"^(?P<number>.+?) §|^Artikel (?P<article>.+)")
#: What a path states of a schedule behind its number: the day of its wording, the part of its text ("2@2019-01-01", "2#3").
_WORDING_AND_PART = re.compile(r"[@#].*")
#: The end of the noun in a title: `Lag (1982:80) om anställningsskydd`.
_NOUN_END = re.compile(r" (?:om|med|för|angående|till|i|på|mot|av)\b| \(|$")


def citation_of(country: Country, payload: Mapping[str, Any]) -> str:
    """Return the citation of a point's text; without a provision, the act and the path within it."""
    act = _act(country, payload)
    forms = country.section("provisions")
    path = str(payload.get("path") or "")
    chapter = forms["chp"]["cite"].format(number=payload["chapter"]) if payload.get("chapter") else ""
    found = _PROVISION.match(provision_label(payload))
    if found is not None:
        number = found["article"] or found["number"]
        provision = forms["art" if found["article"] else "sec"]["cite"].format(number=number)
        return " ".join(part for part in (chapter, provision, act) if part)
    head, _, rest = path.partition(".")
    if head == "overgangsbest":
        return f"övergångsbestämmelserna{f' ({rest})' if rest else ''} till {act}"
    if head == "bilaga":
        number = _WORDING_AND_PART.sub("", rest)
        return f"bilaga {number} till {act}" if payload.get("schedule") else f"bilagan till {act}"
    return with_path(act, payload)


def _act(country: Country, payload: Mapping[str, Any]) -> str:
    """Return the title in the form that texts use, with its number; the short name if the title is that of the enacting decree."""
    title, number = str(payload.get("title") or ""), str(payload.get("number") or "").removeprefix("SFS ")
    noun_end = _NOUN_END.search(title)
    assert noun_end is not None
    noun, rest = title[: noun_end.start()], title[noun_end.start() :]
    definite = _definite(noun, country.section("citations")["definite"])
    if noun.startswith("Kungörelse") and (name := name_of(country, payload, "names", "in_queries")):
        return f"{name} ({number})"
    if definite is not None:
        title = definite[:1].lower() + definite[1:] + rest
    if not number or number in title:
        return title
    if definite is not None and rest:
        return f"{title.removesuffix(rest)} ({number}){rest}"
    return f"{title} ({number})" if title else number


def _definite(noun: str, forms: Mapping[str, str]) -> str | None:
    """`Arbetsmiljölag` -> `Arbetsmiljölagen`; None if the title does not end in a noun for an act."""
    for indefinite in sorted(forms, key=len, reverse=True):
        if noun.lower().endswith(indefinite):
            return noun[: len(noun) - len(indefinite)] + forms[indefinite]
    return None
