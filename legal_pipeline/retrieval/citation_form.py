"""The citation of a chunk in the form that lawyers use: `2 kap. 3 § arbetsmiljölagen (1977:1160)`, `Labour Act [Chapter 28:01], s. 12A`,
`8 C.F.R. § 204.5(h)(3)`, `A v. B, 2024 INSC 640, paras 12–14`.

The forms are data of the country (`citations.forms`, `provisions`), or code in its folder. Not here: reading citations (`citations`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.citations.printed import (
    name_of,
    numbered_act,
    pins,
    provision_kind,
    provision_number,
    schedule_of,
    with_path,
)
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, for_others, jurisdiction
from legal_pipeline.languages.language import language
from legal_pipeline.model.identity import EID_PREFIXES
from legal_pipeline.stores.store import Payload

_CASES = frozenset({"judgment", "precedent_case", "appeal_decision"})
_RANGE = re.compile(r"(?<=\d)-(?=\d)")
#: A path that ends with a section of an article: "Article 229 > Section 5".
_SECTION_OF_ARTICLE = re.compile(r"(?:^|> )Article ([^>]+?) > Section [^>]*$")


def citation_of(payload: Payload) -> str:
    """Return the citation of a point's text; without a provision, the act and the path within it."""
    if payload.get("doc_type") in _CASES:
        return _case(payload)
    country = jurisdiction(str(payload.get("jurisdiction", "")))
    if country.citation_form is not None:
        return country.citation_form(payload)
    return _statute(country if country.section("provisions") else for_others(), payload)


def act_of(payload: Payload) -> str:
    """Return the citation of the whole work that contains a point's text."""
    whole = {name: value for name, value in payload.items() if name not in _OF_A_PROVISION}
    return citation_of({**whole, "path": ""})


def division_of(payload: Payload, kind: str, number: str | None) -> str:
    """Return the citation of a chapter, part or other structure (`kind`, a node type) of the work that contains a point's text."""
    country, act = jurisdiction(str(payload.get("jurisdiction", ""))), act_of(payload)
    form = country.section("provisions").get(EID_PREFIXES.get(kind, kind))
    if form is None or number is None:
        return f"{act}, {' '.join(part for part in (kind.capitalize(), number) if part)}"
    return _joined(country, act, form["cite"].format(number=number, pins=""))


_OF_A_PROVISION = frozenset({"section", "chapter", "path", "provisions", "subdivisions", "eid", "para_id", "paras"})
#: Words before the number of one paragraph of a judgment and of several, where its language has none in its data.
_PARAGRAPH = ("para", "paras")


def _case(payload: Payload) -> str:
    """Return parties, the citation (neutral before reported before the court's own number), paragraphs."""
    title = str(payload.get("title") or "")
    numbers = (payload.get(name) for name in ("neutral_citation", "citation", "canonical_citation", "number"))
    number = next((str(each) for each in numbers if each), "")
    paragraphs = re.sub(r"[\[\]]|\b[Pp]aras?\b\.? ?", "", str(payload.get("para_id") or "")).strip()
    words = language(str(payload.get("language") or "")).section("judgments").get("paragraph", _PARAGRAPH)
    word = words[len(re.findall(r"\d+", paragraphs)) > 1]
    is_numbered = re.match(r"\d", paragraphs) is not None
    place = f"{word} {_RANGE.sub('–', paragraphs)}" if is_numbered else str(payload.get("path") or "")
    return ", ".join(part for part in (title, "" if number in title else number, place) if part)


def _statute(country: Jurisdiction, payload: Payload) -> str:
    number = provision_number(payload)
    data, provisions = country.section("citations"), country.section("provisions")
    act, values = numbered_act(payload), {"title": str(payload.get("title") or "")}
    for form in data.get("forms", ()):
        found = _values(form, country, payload)
        if found is None or (number is None and "act" not in form):
            continue
        values |= found
        if number is not None and "provision" in form:
            return str(form["provision"].format(number=number, pins=pins(payload), **values))
        act = form["act"].format(**values)
        break
    if number is None:
        schedule = schedule_of(provisions, payload)
        return with_path(act, payload) if schedule is None else _joined(country, act, schedule)
    kind = provision_kind(payload)
    form = provisions[kind if kind in provisions else next(iter(provisions))]
    above = {name: str(payload[name]) for name in ("schedule", "part") if payload.get(name)}
    is_inside = "schedule" in above and str(payload.get("eid") or "").startswith("sched_")
    of_part = form.get("in_part") if "part" in above else form.get("in_schedule")
    cite = (of_part if is_inside else None) or form.get("cite", "{number}")
    if "in_article" in form and (article := _SECTION_OF_ARTICLE.search(str(payload.get("path") or ""))):
        cite, above["article"] = form["in_article"], article[1]
    return _joined(country, act, cite.format(number=number, pins=pins(payload), **above))


def _joined(country: Jurisdiction, act: str, provision: str) -> str:
    form = country.section("citations").get("joined", "{act}, {provision}")
    return str(form.format(act=act, provision=provision)).strip(" ,")


def _values(form: Mapping[str, Any], country: Jurisdiction, payload: Payload) -> dict[str, str] | None:
    """Return the values to fill a form with; None if the form does not apply to this work, by its URI, number or name."""
    values: dict[str, str] = {}
    for identity in ("work_uri", "number", "title"):
        if identity in form:
            found = re.search(form[identity], str(payload.get(identity) or ""))
            if found is None:
                return None
            values |= found.groupdict()
    if "named" in form:
        name = name_of(country, payload, *form["named"])
        if name is None or ("{title}" in form["act"] and not payload.get("title")):
            return None
        values["name"] = name
    return values
