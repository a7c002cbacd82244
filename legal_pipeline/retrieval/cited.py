"""The chunks that hold a place that a query cites, and how exactly.

Not here: reading citations (`retrieval.citation_query`), and the fields in which chunks name their places (`chunking.cited_places`).
"""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from legal_pipeline.citations import EidIndex
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, jurisdiction
from legal_pipeline.retrieval.act_names import is_title, short_name_length, title_length
from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations
from legal_pipeline.retrieval.titles_by_language import length_in_language
from legal_pipeline.stores.store import AnyOf, Condition, Either, Not, Payload

_SUMMARY = "raptor_summary"
#: The chunks of a whole work that come first.
_SUMMARIES_AND_BEGINNING = Either(((AnyOf("chunk_type", (_SUMMARY,)),), (AnyOf("seq", tuple(range(20))),)))
_PART = re.compile(r"#(\d+)$")


@dataclass(frozen=True, slots=True)
class Citedness:
    """How well a chunk matches the citations of a query. By `order`, the best chunk comes first.

    - `exactness`: 1 for a chunk of the cited provision (or work, if no provision is cited) and 1 more for each cited level below it that
      the chunk holds.
    - `out_of_force`: the wording is not in force on the day of the search.
    - `in_schedule`: the query names no schedule, and the chunk is of the section with that number in a schedule, not in the Act itself.
    - `place`: for a query that is only the citation, the position in the work, or the number of the part of a split provision.
    """

    exactness: int
    out_of_force: bool = False
    place: int = 0
    in_schedule: bool = False

    @property
    def order(self) -> tuple[int, bool, bool, int]:
        return -self.exactness, self.out_of_force, self.in_schedule, self.place


NOT_CITED = Citedness(0)


def conditions(citations: QueryCitations) -> Iterator[tuple[Condition, ...]]:
    """Yield the filters of the queries to the store that find the cited places: a tuple of conditions for each query."""
    asked: dict[tuple[bool, str, tuple[str, ...], tuple[str, ...]], list[CitedPlace]] = {}
    for place in (*citations.places, *citations.by_title):
        level = "provision" if place.provision else "chapter" if place.containers else "work"
        if place.works or level == "provision":
            asked.setdefault((bool(place.works), level, place.jurisdictions, place.languages), []).append(place)
    for (known, _, jurisdictions, languages), places in asked.items():
        if known:
            of: Condition = AnyOf("work_uris", tuple(dict.fromkeys(uri for place in places for uri in place.works)))
        elif languages:
            of = AnyOf("language", languages)
        elif jurisdictions:
            of = AnyOf("jurisdiction", jurisdictions)
        else:
            of = Not(AnyOf("jurisdiction", _in_own_form(countries())))
        yield of, *_place_condition(places)


def conditions_of_first(citations: QueryCitations) -> Iterator[tuple[Condition, ...]]:
    """As `conditions`, for a query without ranking: only the first chunks of a whole work are found, which may have thousands."""
    for of, *place in conditions(citations):
        yield (of, *place) if place else (of, _SUMMARIES_AND_BEGINNING)


@functools.cache
def _in_own_form(every: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return the countries with a citation form of their own: without a named Act, other forms never mean their provisions."""
    return tuple(country.code for country in every if country.has_own_form)


def _place_condition(places: Sequence[CitedPlace]) -> tuple[Condition, ...]:
    provisions = tuple(dict.fromkeys(place.provision for place in places if place.provision))
    if provisions:
        return (AnyOf("provisions", provisions),)
    schedules, chapters = {}, {}
    for place in (place for place in places if place.containers):
        schedule = next((each for each in place.containers if each.startswith("sched_")), None)
        if schedule is not None:
            schedules[schedule] = _number(schedule)
        else:
            chapters[place.containers[-1]] = _number(place.containers[-1])
    wanted: list[Condition] = []
    if schedules:  # its own text has its eid; its articles have its number, if it has one
        wanted += [AnyOf("eid", tuple(schedules)), AnyOf("schedule", _spellings(schedules.values()))]
    if chapters:
        wanted.append(AnyOf("chapter", _spellings(chapters.values())))
    return tuple(wanted) if len(wanted) < 2 else (Either(tuple((each,) for each in wanted)),)


def _spellings(numbers: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for number in numbers for form in (number, _spaced(number), number.upper())))


def citedness(points: Mapping[str, Payload], citations: QueryCitations, today: datetime.date) -> dict[str, Citedness]:
    """Return the `points` (point id -> payload) that a citation means, with their exactness.

    If the work of a place is not known, it is an act whose title the query contains (of several, the longest title), or any act if the
    query contains no title. If no point is of a known work, acts of other countries with the same title are meant."""
    return _citedness(points, citations, citations.places, today) or _citedness(
        points, citations, citations.by_title, today
    )


def _citedness(
    points: Mapping[str, Payload], citations: QueryCitations, places: Sequence[CitedPlace], today: datetime.date
) -> dict[str, Citedness]:
    found: dict[str, Citedness] = {}
    # a title is compared with the whole query: once, however many places the query cites
    length_of = functools.cache(functools.partial(length_of_title, citations))
    for place in places:
        meant = {point_id: payload for point_id, payload in points.items() if is_meant(payload, place)}
        if any(other.start != place.start for other in places):
            meant = {
                point_id: payload
                for point_id, payload in meant.items()
                if not (_is_in_title(place, payload) and length_of(*_stated_names(payload)))
            }
        if not place.works and not place.title:
            meant = _of_named_acts(meant, citations, length_of, names_unknown=place.names_unknown)
        below = _depths(meant, place)
        in_schedule = any(segment.startswith("sched_") for segment in place.containers)
        for point_id, payload in meant.items():
            whole = place.provision is None and citations.is_bare
            citedness = Citedness(
                1 + below.get(point_id, 0) + (whole and _is_summary_of_all(payload)),
                _out_of_force(payload, today),
                _place(payload, whole) if citations.is_bare else 0,
                place.provision is not None and not in_schedule and str(payload.get("eid") or "").startswith("sched"),
            )
            if point_id not in found or citedness.order < found[point_id].order:
                found[point_id] = citedness
    return found


def _is_in_title(place: CitedPlace, payload: Payload) -> bool:
    """Whether the words of the citation are in the title of the chunk's act, as in "§ 3, Verordnung nach § 6 Abs. 5 des Lampengesetzes"."""
    return bool(place.written) and place.written.casefold() in str(payload.get("title") or "").casefold()


def is_meant(payload: Payload, place: CitedPlace) -> bool:
    """Return whether a chunk may hold the cited place. Names of acts in the query are not compared."""
    return _is_of_work(payload, place) and _is_at(payload, place)


def length_of_name(citations: QueryCitations, payload: Payload) -> int:
    """Return how many words of the query are the title or a short name of the chunk's act; 0 if the query does not name it."""
    return length_of_title(citations, *_stated_names(payload))


def _is_of_work(payload: Payload, place: CitedPlace) -> bool:
    if place.works:
        return not set(place.works).isdisjoint(payload.get("work_uris") or ())
    if place.title and not is_title(place.title, str(payload.get("title") or "")):
        return False
    if place.languages:
        return payload.get("language") in place.languages
    code = payload.get("jurisdiction")
    return code in place.jurisdictions if place.jurisdictions else code not in _in_own_form(countries())


def _is_at(payload: Payload, place: CitedPlace) -> bool:
    if place.provision is not None and place.provision not in (payload.get("provisions") or ()):
        return False
    segments = str(payload.get("eid") or "").split("__")
    chapter = str(payload.get("chapter") or "").replace(" ", "").lower()
    return all(
        segment in segments or (segment.startswith("chp_") and _number(segment) == chapter)
        for segment in place.containers
    )


def _of_named_acts(
    meant: Mapping[str, Payload],
    citations: QueryCitations,
    length_of: Callable[[str, str, str, str], int],
    *,
    names_unknown: bool,
) -> dict[str, Payload]:
    """Return the chunks of the acts that the query names; all of them if it names none, none if it names one that the index lacks."""
    if citations.numbers:
        meant = {point_id: payload for point_id, payload in meant.items() if has_number(payload, citations.numbers)}
    lengths = {point_id: length_of(*_stated_names(payload)) for point_id, payload in meant.items()}
    longest = max(lengths.values(), default=0)
    if not longest:
        is_elsewhere = citations.names_an_act or names_unknown
        return {} if is_elsewhere and not citations.numbers else dict(meant)
    return {point_id: meant[point_id] for point_id, length in lengths.items() if length == longest}


def _stated_names(payload: Payload) -> tuple[str, str, str, str]:
    """Return the fields of a chunk by which a query may name its act: title, number, country and language."""
    title, number, country, language = (
        str(payload.get(name) or "") for name in ("title", "number", "jurisdiction", "language")
    )
    return title, number, country, language


def length_of_title(citations: QueryCitations, title: str, number: str, country: str, language: str) -> int:
    """Return how many words of the query are the title of an act or a short name of it."""
    return max(
        title_length(citations.text, title, language),
        short_name_length(citations.text, title, number, jurisdiction(country)),
        length_in_language(citations.text, title, language),
    )


def has_number(payload: Payload, numbers: Iterable[str]) -> bool:
    """Return whether the chunk's act has one of `numbers` ("7/2009") in its title, or as its own number."""
    stated = f"{payload.get('title') or ''} {payload.get('number') or ''}"
    return any(re.search(rf"(?<![\d/]){re.escape(number)}(?![\d/])", stated) for number in numbers)


def _depths(meant: Mapping[str, Payload], place: CitedPlace) -> dict[str, int]:
    """Return how many of the cited levels below the provision each chunk holds: all, if the provision is in one chunk."""
    if not place.below:
        return {}
    by_section: dict[tuple[str, str], dict[str, Payload]] = {}
    for point_id, payload in meant.items():
        key = str(payload.get("document_id") or ""), str(payload.get("eid") or "")
        by_section.setdefault(key, {})[point_id] = payload
    # A section of an article is a chunk of its own.
    split = {(document_id, eid.rpartition("__")[0]) for document_id, eid in by_section}
    depths: dict[str, int] = {}
    for (document_id, section), chunks in by_section.items():
        if not section:
            continue
        inside = _levels_below(section, place)
        if inside != place.below[: len(inside)]:
            continue  # another section of the article
        names = {str(name) for payload in chunks.values() for name in payload.get("subdivisions") or ()}
        resolved = EidIndex({section, *names}).resolve("__".join((section, *place.below[len(inside) :])))
        levels = resolved.split("__")[section.count("__") + 1 :]
        for point_id, payload in chunks.items():
            held = payload.get("subdivisions")
            if not held:
                depths[point_id] = len(inside) + (0 if (document_id, section) in split else len(levels))
                continue
            prefixes = ("__".join((section, *levels[:depth])) for depth in range(len(levels), 0, -1))
            deepest = next((p.count("__") - section.count("__") for p in prefixes if p in held), 0)
            depths[point_id] = len(inside) + deepest
    return depths


def _levels_below(eid: str, place: CitedPlace) -> tuple[str, ...]:
    """Return the segments of `eid` below the provision: `("sec_5",)` of `art_229__sec_5` for article 229."""
    segments = tuple(eid.split("__"))
    return segments[segments.index(place.provision) + 1 :] if place.provision in segments else ()


def _place(payload: Payload, whole: bool) -> int:
    """Return the position by which chunks sort: in a whole work from its beginning, in a split provision the number of the part."""
    if whole:
        return int(payload.get("chunk_index") or 0)
    part = _PART.search(str(payload.get("path") or ""))
    return int(part[1]) if part else 1


def _is_summary_of_all(payload: Payload) -> bool:
    return payload.get("chunk_type") == _SUMMARY and payload.get("raptor_level") == 0


def _out_of_force(payload: Payload, today: datetime.date) -> bool:
    """Whether the chunk's dates exclude `today`: a condition in words has not been met yet."""
    begins, ends = payload.get("valid_from"), payload.get("valid_to")
    day = today.isoformat()
    return bool(begins and not str(begins) <= day) or bool(ends and str(ends) <= day)


def _number(segment: str) -> str:
    return segment.partition("_")[2]


def _spaced(number: str) -> str:
    """`2a` -> `2 a`."""
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyzåäö")
    return f"{digits} {number[len(digits) :]}".rstrip()
