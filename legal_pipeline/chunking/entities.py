"""Entities that a legal text names: dates, statute and case references, courts, people, places, parties.

Uses grammars, and the lists of the country (sections `courts`, `places`, `people` of its data); no trained model.
Read a document once (`find_entities`), then collect per chunk (`entities_within`).
Not here: citations (`citations`) and dates (`text.dates`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from legal_pipeline.citations import Reference
from legal_pipeline.jurisdictions.countries import date_order
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.dates import dates

EntityKind = Literal["dates", "statute_refs", "case_refs", "courts", "people", "places", "parties"]
KINDS: tuple[EntityKind, ...] = get_args(EntityKind)

#: A name: capitalised words, initials, particles; "AL-RASHID", "O'Brien", "R.K. Agrawal", "D. Y. Chandrachud".
_WORD = r"(?:[A-ZÅÄÖÉ](?:\.[A-Z])*\.?(?=[ ,\n]|$)|[A-ZÅÄÖÉ][\wåäöé’'-]+)"
_PARTICLE = r"(?:von|van|de|af|der|bin|al)"
_NAME = rf"{_WORD}(?: (?:{_WORD}|{_PARTICLE} {_WORD})){{0,3}}"
_OTHERS = (
    r"(?:(?:,? (?:and|&|AND) )?(?:(?:\d+|Two|Three|Another|Others?|others?|another|Ors\.?|ORS\.?"
    r"|Anr\.?|ANR\.?)(?: (?:Others?|others?|Ors\.?))?))"
)
#: A full stop ends a party unless it belongs to initials or to an abbreviation.
_PARTY_WORD = (
    r"(?:(?:[A-Z]\.){2,4}(?![\w])|(?:[A-Z]\. ?)*[A-Z][\w’'&/-]*(?:(?<=Co|Dr|Mr|Ms|St|Jr|Sr|Ry|Bd|No)\."
    r"|(?<=Inc|Ltd|Pvt|Ors|Anr|Mrs|Smt|M/s|Ins)\."
    r"|(?<=Corp|Bros|Dept|Govt|Assn|Comm|Dist)\.)?|\([A-Z][A-Za-z. ]{1,30}\))"
)
#: "Shumba and Others v The State", "Ram Prasad vs. State of Bihar & Ors."
_VERSUS = re.compile(r" (?:v|v\.|vs|vs\.|V\.|Vs\.|VS\.|versus|Versus|VERSUS) (?=(?:the )?[A-Z(])")
_FIRST_PARTY = re.compile(
    rf"(?<![\w.])(?:{_PARTY_WORD}(?:,? (?:(?:of|the|and|&|for|others"
    rf"|another) )*)){{0,9}}(?:{_PARTY_WORD}|others|another|\d+ others)$"
)
_SECOND_PARTY = re.compile(
    rf"(?:the )?{_PARTY_WORD}(?:(?:,? (?:(?:of|the|and|&"
    rf"|for) )*){_PARTY_WORD}){{0,7}}{_OTHERS}?"
)
#: Words before a cause title that do not belong to it.
_LEAD = re.compile(
    r"(?:(?:In|See|Also|And|But|Cf|Per|The|While|As|Thus|Following|Case|Cases|Matter|Re|Court|Compare"
    r"|Applying|Under|Since|Even|Both|E\.g|I|It|Counsel|Mr|Judge)\b\.?,? "
    r"(?:also |the |in |case of |cases of |matter of |decision in |e\.g\.,? )*)+(?=[A-Z])"
)
_TRAIL = re.compile(
    r"(?:[,.]? (?:In|The|It|This|On|See|A|An|SC|AIR|SCC|Citation|Supreme Court|No|Page"
    r"|Date|HH|HB|CIVIL|CRIMINAL|JUDGMENT)\b.*|,? [\[(]?\d.*|[,;:])$"
)
#: The pattern of a list that the country's data does not have: it never matches.
_NOTHING = re.compile(r"(?!)")
#: "Access to Justice Department", "Justice Act": what follows the title is not a name.
_NOT_PERSON = frozenset(
    {
        "Court", "Department", "Act", "Ministry", "Minister", "Society", "Committee", "Commission", "Law", "System", "Delivery", "Service",
        "Services", "Bench", "Centre", "Secretary", "Board", "The", "In",
    }
)  # fmt: skip


class Entity(NamedTuple):
    """`text[start:end]` names `value`: an ISO date, the canonical name of a court, or the words themselves."""

    start: int
    end: int
    kind: EntityKind
    value: str


def find_entities(text: str, country: Jurisdiction, language: str, references: Sequence[Reference]) -> list[Entity]:
    """Return the entities of `text` in order; `references` are its citations."""
    out: list[Entity] = []
    for citation in references:
        kind: EntityKind = "case_refs" if citation.kind == "case" else "statute_refs"
        if citation.kind != "preparatory":
            out.append(Entity(citation.start, citation.end, kind, citation.raw))
    out += (Entity(start, end, "dates", iso) for start, end, iso in dates(text, language, date_order(country.code)))
    out += _courts(text, country)
    out += (Entity(*match.span(), "places", match.group()) for match in _places(country).finditer(text))
    out += _people(text, country)
    out += _parties(text)
    out.sort(key=lambda entity: (entity.start, entity.end))
    return out


def entities_within(found: Sequence[Entity], spans: Iterable[tuple[int, int]]) -> dict[EntityKind, list[str]]:
    """Return the entities of the chunk that consists of `spans`: entities of `found` that lie wholly inside one of the spans.

    They are by kind, each value once, in order of appearance. Every kind is present.
    """
    values: dict[EntityKind, dict[str, None]] = {kind: {} for kind in KINDS}
    for start, end in spans:
        index = bisect.bisect_left(found, start, key=lambda entity: entity.start)
        while index < len(found) and found[index].start < end:
            if found[index].end <= end:
                values[found[index].kind][found[index].value] = None
            index += 1
    return {kind: list(seen) for kind, seen in values.items()}


def _courts(text: str, country: Jurisdiction) -> Iterator[Entity]:
    pattern, canonical = _court_pattern(country)
    for match in pattern.finditer(text):
        yield Entity(match.start(), match.end(), "courts", canonical.get(match.group(), match.group()))


def _people(text: str, country: Jurisdiction) -> Iterator[Entity]:
    titled, listed, followed = _people_patterns(country)
    for match in titled.finditer(text):
        if match["name"].split()[0] not in _NOT_PERSON:
            value = match.group() if "ustice" in match["title"] or "udge" in match["title"] else match["name"]
            yield Entity(match.start(), match.end(), "people", value.strip(" ,"))
    for match in listed.finditer(text):
        for name in re.finditer(_NAME, match["names"]):
            start = match.start("names") + name.start()
            yield Entity(start, start + len(name.group()), "people", name.group())
    for match in followed.finditer(text):
        if not set(match["name"].split()) & _NOT_PERSON:
            yield Entity(match.start(), match.end(), "people", match.group())


def _parties(text: str) -> Iterator[Entity]:
    for versus in _VERSUS.finditer(text):
        low = max(text.rfind("\n", 0, versus.start()) + 1, versus.start() - 120)
        first = _FIRST_PARTY.search(text, low, versus.start())
        second = _SECOND_PARTY.match(text, versus.end())
        if first is None or second is None:
            continue
        start = first.start()
        if lead := _LEAD.match(text, start, versus.start()):
            start = lead.end()
        tail = _TRAIL.search(second.group())
        end = second.start() + tail.start() if tail and tail.start() else second.end()
        name = text[start:end].rstrip(" ,;:(")
        if end > versus.end():
            yield Entity(start, start + len(name), "parties", name)


@functools.cache
def _court_pattern(country: Jurisdiction) -> tuple[re.Pattern[str], dict[str, str]]:
    entry = country.section("courts")
    if not entry:
        return _NOTHING, {}
    canonical = {form: name for name, forms in entry["names"].items() for form in forms}
    branches = [*entry.get("patterns", ()), rf"{alternation(canonical)}(?!\w)"]
    return re.compile("|".join(rf"(?<!\w)(?:{branch})" for branch in branches)), canonical


@functools.cache
def _places(country: Jurisdiction) -> re.Pattern[str]:
    entry = country.section("places")
    return re.compile(rf"(?<![\w-])(?:{alternation(entry['names'])})(?![\w-])") if entry else _NOTHING


@functools.cache
def _people_patterns(country: Jurisdiction) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    entry = country.section("people")
    titled = listed = followed = _NOTHING
    if not entry:
        return titled, listed, followed
    if entry["before"]:
        titled = re.compile(rf"(?<![\w])(?P<title>{alternation(entry['before'])}) (?P<name>{_NAME})")
    if entry["lists"]:
        listed = re.compile(
            rf"(?<![\w])(?:{alternation(entry['lists'])}) ?(?P<names>{_NAME}(?:(?:, | och | and | & "
            rf"|, and ){_NAME}){{0,8}})"
        )
    if entry["after"]:
        followed = re.compile(rf"(?<![\w.])(?P<name>{_NAME}),? (?:{alternation(entry['after'])})(?![\w’'])")
    return titled, listed, followed
