"""Citations in a query: the places of works that it names, read by the grammars of running text.

Where the grammars do not know which work is meant, the words around a citation decide. Not here: the form in which the grammars read a
query (`retrieval.query_form`), ranking (`retrieval.search`), and the chunks that hold a place (`retrieval.cited`).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from legal_pipeline.citations import Reference, find
from legal_pipeline.jurisdictions.by_language import language_readers
from legal_pipeline.jurisdictions.countries import codes_without_data, held_by
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries, for_others, jurisdiction
from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.model.identity import UNKNOWN_COUNTRY
from legal_pipeline.retrieval.act_names import (
    NamedWork,
    end_of_abbreviation,
    is_of_another_country,
    named_works,
    names_an_act,
    same_works,
    spelled_out,
    words_and_years,
)
from legal_pipeline.retrieval.query_form import as_written
from legal_pipeline.retrieval.short_form import citation_in_full, is_read
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.spans import overlapping

#: If a sentence has more other words than this, it does not ask for a work that it names; minimum letters of a word that counts.
_MOST_WORDS_BESIDE, _LETTERS = 12, 4

#: Maximum number of works named elsewhere in the query that a provision without a work may belong to. A query that names more means none.
_MOST_WORKS_ELSEWHERE = 50

_ANOTHER_LANGUAGE = re.compile(r"\s+(?:de|du|des|der|av|i)\b")
#: In the URI of a judgment; its provisions are paragraphs, whatever word a query has for them.
_JUDGMENT = "/judgment/"
#: English words before the number of a paragraph of a judgment. Those of other languages are data (`[judgments] paragraph`).
_PARAGRAPH_WORDS = ("para.", "para", "paras.", "paras", "paragraph", "paragraphs", "p.", "§", "§§")
_ABBREVIATION_BEHIND = re.compile(r"\s+(?:of (?:the )?)?[A-ZÅÄÖ]{2,6}\b")
#: A digit, or a Roman numeral behind a word: "Annex I GDPR".
_SOME_NUMBER = re.compile(r"\d|(?<=[\w.] )[IVX]+\b")
_GOES_ON = re.compile(r"\.\d")
#: A number of an act with its year: "Lei n.º 7/2009", "2009/7".
_ACT_NUMBER = re.compile(r"(?<![\d/])(?:\d{1,5}/(?:1[89]|20)\d\d|(?:1[89]|20)\d\d/\d{1,5})(?![\d/])")
_THOUSANDS = re.compile(r"(?P<kind>[a-z]+_)(?P<thousands>\d)\W?(?P<rest>\d{3})")
_PROVISIONS = ("sec_", "art_", "rule_", "reg_", "rec_", "para_")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place that a query names, as segments of eids.

    `works` are the URIs that the work may have. If there are none, the work is not known: `jurisdictions` are the countries that cite in
    this form (empty: all without a form of their own), and `languages` those of the act, if the citation has the form of a language.
    `containers` are the chapters named (`chp_2`), `provision` is the section (`sec_3`; None for a chapter or a whole work) and `below` the
    levels below it (`subsec_2`, `item_1`). `written` are the words of the citation and `start` is their offset, both in the query as its
    country reads it (`retrieval.query_form`); the places of one citation overlap. `is_default`: the query names no work,
    and `works` is the Constitution, which an article alone means. `names_unknown`: the query names a work that no data of a country has.
    `title`: the work is an act with this title, whatever its URI.
    """

    works: tuple[str, ...]
    containers: tuple[str, ...] = ()
    provision: str | None = None
    below: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    written: str = field(default="", compare=False)
    start: int = field(default=0, compare=False)
    is_default: bool = field(default=False, compare=False)
    names_unknown: bool = field(default=False, compare=False)
    title: str = ""


@dataclass(frozen=True, slots=True)
class QueryCitations:
    """The result of `read_citations`. `text` is the query, which may contain an act's title or abbreviation; `numbers` are the numbers of
    acts in it ("7/2009"). `by_title` are the provisions of `places` in acts of any country with the title that the query uses: they are
    meant if the index has none of the works of `places`. `otherwise` is a second reading, for an index without any chunk of `places`: the
    works are then taken for a part of the title of another act, whose provision is meant ("art. 3, Loi … du règlement (UE) 2031/7").

    `names_an_act`: the query names an act, in the index or not. `is_bare`: the query contains only the citation."""

    places: tuple[CitedPlace, ...]
    text: str = ""
    names_an_act: bool = False
    is_bare: bool = False
    numbers: frozenset[str] = frozenset()
    by_title: tuple[CitedPlace, ...] = ()
    otherwise: QueryCitations | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A citation as one jurisdiction reads it: `works` that it names itself or that the query names elsewhere, `beside` the number of words
    outside all of these. `is_default`: an article without a named work is taken as the Constitution's. `written` are its words, with the
    abbreviation of a work behind them. `titles` are the names in the query that mean its `works`. `is_elsewhere`: it names another country
    behind one of them."""

    country: Jurisdiction
    start: int
    end: int
    written: str
    works: tuple[str, ...]
    eid: str | None
    names_an_act: bool
    beside: int
    by_name_alone: bool = False
    is_default: bool = False
    names_unknown: bool = False
    titles: tuple[str, ...] = ()
    is_elsewhere: bool = False


def read_citations(query: str, jurisdictions: Sequence[str] = ()) -> QueryCitations:
    """Return the places that `query` names, read with the citation forms of `jurisdictions` (of all, if none is given)."""
    return _read_citations(query, tuple(jurisdictions), countries())


# Kept because a query is read twice: by the search, and by the list of its citations that no hit answers (`reading.unresolved`).
@functools.lru_cache(maxsize=64)
def _read_citations(query: str, jurisdictions: tuple[str, ...], _: tuple[Jurisdiction, ...]) -> QueryCitations:
    plain = " ".join(unicodedata.normalize("NFC", query).split())
    years = words_and_years(plain)[1]
    readings = [reading for country in readers(jurisdictions) for reading in _read(plain, country)]
    provisions = _undominated([reading for reading in readings if reading.eid is not None], is_dated=bool(years))
    # A query that only names an Act searches in it; the other words are what it searches for.
    works = [reading for reading in readings if reading.works and not (reading.by_name_alone and reading.beside)]
    works = [work for work in works if work.eid is None and work.beside <= _MOST_WORDS_BESIDE]
    if provisions and not any(reading.works and not reading.is_default for reading in provisions):
        # no country reads the number with the Act; "ORS" of "ORS 838.010" is not also the act of another country
        cited = [(provision.start, provision.end) for provision in provisions]
        provisions += [
            work for work in works if not any(start <= work.start and work.end <= end for start, end in cited)
        ]
    if provisions:
        found = QueryCitations(
            _places(provisions),
            spelled_out(plain),
            names_an_act=any(provision.names_an_act for provision in provisions),
            is_bare=any(not provision.beside for provision in provisions),
            numbers=frozenset(_ACT_NUMBER.findall(plain)),
            by_title=_places_by_title(provisions),
        )
        if not all(place.works for place in found.places):
            return found
        unnamed = [replace(each, works=(), names_unknown=True) for each in readings if each.eid is not None]
        places = _places(_undominated(unnamed, is_dated=bool(years)))
        if all(place.containers for place in found.places):
            # "Sch. 1 para. 2" is not section 2, even if the schedule has no paragraph 2
            places = tuple(place for place in places if place.containers)
        return replace(found, otherwise=replace(found, places=places, by_title=(), names_an_act=True))
    return QueryCitations(_places(works), spelled_out(plain), bool(works), any(not work.beside for work in works))


def readers(jurisdictions: Sequence[str] = ()) -> Iterable[Jurisdiction]:
    """Return the countries and languages whose grammars read a query, each once. All countries without names of Acts and without a form of
    citation share one common law country. Every language that has a form of citation is added."""
    named = [jurisdiction(code.partition("-")[0]) for code in jurisdictions] or countries()
    other = for_others()
    own = (other if _is_served(country) else country for country in named)
    return dict.fromkeys((*own, *language_readers()))


def _read(plain: str, country: Jurisdiction) -> list[_Reading]:
    text, found = _found(plain, country)
    query = _Query.of(text, found, country)
    readings = [reading for citation in found if (reading := query.reading(citation)) is not None]
    # what countries read is compared by its place in the query, which each writes in its own form
    readings = [
        replace(each, start=1, end=len(plain) + 1) if each.start <= 1 and not text[each.end :].strip(" .") else each
        for each in readings
    ]
    readings += query.names()
    # A number makes an Act certain; without one, its name may be ordinary words of the sentence.
    return [
        reading
        if reading.eid or any(map(str.isdigit, text[reading.start : reading.end]))
        else replace(reading, by_name_alone=True)
        for reading in readings
    ]


def _found(plain: str, country: Jurisdiction) -> tuple[str, Sequence[Reference]]:
    """Return the query in the form in which the grammars of `country` read it, and the citations that they find in it."""
    text = as_written(plain, country)
    found = find(text, country, in_query=True) if may_cite(text, country) else []
    return (text, found) if is_read(text, found, country) else citation_in_full(plain, country) or (text, found)


def may_cite(text: str, country: Jurisdiction) -> bool:
    """Whether a grammar can match. That of a country needs a number in `text`, that of a language a character outside ASCII."""
    return not text.isascii() if country.language else _SOME_NUMBER.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Query:
    """What the readings of one query by one jurisdiction share: the Acts that it names (`named`; `works` also from citations), the words
    outside all of these, whether it names an act at all (it reads the whole text, so it is computed once), and the Acts with another
    country behind their name (`elsewhere`)."""

    text: str
    country: Jurisdiction
    named: Sequence[NamedWork]
    works: tuple[str, ...]
    beside: _WordsBeside
    names_an_act: bool
    elsewhere: frozenset[str]

    @classmethod
    def of(cls, text: str, found: Sequence[Reference], country: Jurisdiction) -> _Query:
        named = named_works(text, country)
        spelled = [(cited, cited.work_uri) for cited in found if cited.kind in ("act", "case") and cited.work_uri]
        works = dict.fromkeys([uri for _, uri in spelled] or [name.uri for name in named])
        spans = [*((cited.start, cited.end) for cited, _ in spelled), *((name.start, name.end) for name in named)]
        return cls(
            text,
            country,
            named,
            tuple(works)[:_MOST_WORKS_ELSEWHERE],
            _WordsBeside(text, spans),
            bool(found) and names_an_act(text, country),
            frozenset(name.uri for name in named if is_of_another_country(text, name.end, country)),
        )

    def reading(self, citation: Reference) -> _Reading | None:
        """Return the reading of a citation; None if it names neither a provision nor a work of this jurisdiction."""
        works, end = _works(citation, self.country), citation.end
        eid = citation.eid if citation.kind == "provision" else None
        if eid is not None and works and all(_JUDGMENT in uri for uri in works):  # "2022 SCC 99 para. 4"
            eid = f"para_{eid.rpartition('_')[2]}"
        if citation.kind == "case" and (pin := _paragraph().match(self.text, end)):
            end, eid = pin.end(), f"para_{pin['number'] or pin['bracketed']}"
        if eid is None:
            return self._reading(citation, end, works, None) if citation.kind in ("act", "case") else None
        if _GOES_ON.match(self.text, end):
            return None
        if not works or _by_default(citation):
            if not self.country.has_own_form and _ANOTHER_LANGUAGE.match(self.text, end):
                return None
            works = self.works or works
        return self._reading(citation, end, works, eid, is_default=not self.named and _by_default(citation))

    def _reading(
        self, citation: Reference, end: int, works: tuple[str, ...], eid: str | None, is_default: bool = False
    ) -> _Reading:
        names = not works and (self.names_an_act or _ABBREVIATION_BEHIND.match(self.text, end) is not None)
        number = self.beside.without(citation.start, end)
        behind = end_of_abbreviation(self.text, citation.start, end) if not works else None
        written = self.text[citation.start : behind or end]
        titles = dict.fromkeys(self.text[name.start : name.end] for name in self.named if name.uri in works)
        is_elsewhere = bool(works) and is_of_another_country(self.text, end, self.country)
        return _Reading(
            self.country,
            citation.start,
            end,
            written,
            _uris(works),
            eid,
            names,
            number,
            is_default=is_default,
            names_unknown=names or behind is not None,
            titles=tuple(titles),
            is_elsewhere=is_elsewhere or not self.elsewhere.isdisjoint(works),
        )

    def names(self) -> list[_Reading]:
        """Return the readings of the Acts that the query names."""
        number = self.beside.number
        return [
            _Reading(
                self.country,
                name.start,
                name.end,
                self.text[name.start : name.end],
                _uris([name.uri]),
                None,
                True,
                number,
                True,
            )
            for name in self.named
        ]


def _works(citation: Reference, country: Jurisdiction) -> tuple[str, ...]:
    """Return the works that a citation may mean: a number of an Act that is read for other countries, too, may be one of theirs."""
    uri = citation.work_uri
    if uri is None:
        return ()
    others = _served(countries()) if country is for_others() and uri not in country.section("works") else ()
    own = f"/akn/{country.code}/"
    return (uri, *(f"/akn/{code}/{uri.removeprefix(own)}" for code in others if uri.startswith(own)))


@functools.lru_cache(maxsize=2)
def _served(every: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return the codes of the countries whose queries `for_others` reads, without its own."""
    return tuple(country.code for country in every if _is_served(country) and country is not for_others())


def _is_served(country: Jurisdiction) -> bool:
    return not (country.section("works") or country.has_own_form)


def _by_default(citation: Reference) -> bool:
    """Whether an article's work is the default work: the citation has no word but "article"."""
    return bool(citation.work_uri and (citation.eid or "").startswith("art_") and len(citation.raw.split()) <= 2)


def _uris(works: Iterable[str]) -> tuple[str, ...]:
    """Return the URIs under which documents may have the works: a section may be in a document of its part."""
    found: dict[str, None] = {}
    for uri in works:
        for same in same_works(uri):
            found.setdefault(same)
            if part := held_by(same):
                found.setdefault(part)
    return tuple(found)


class _WordsBeside:
    """Counts the words of a text outside `spans`; words of three letters and fewer do not count."""

    def __init__(self, text: str, spans: Iterable[tuple[int, int]]) -> None:
        characters = list(text)
        for start, end in spans:
            characters[start:end] = " " * (end - start)
        words = [match.span() for match in re.finditer(r"\w+", "".join(characters))]
        self._starts = [start for start, _ in words]
        self._ends = [end for _, end in words]
        self._before = [0, *itertools.accumulate(end - start >= _LETTERS for start, end in words)]

    @property
    def number(self) -> int:
        return self._before[-1]

    def without(self, start: int, end: int) -> int:
        """Return the number of words that remain when `text[start:end]` is removed too."""
        first, behind = bisect.bisect_right(self._ends, start), bisect.bisect_left(self._starts, end)
        left = self.number - (self._before[behind] - self._before[first])
        if first < behind:  # the rest of words that the citation cuts
            left += (start - self._starts[first] >= _LETTERS) + (self._ends[behind - 1] - end >= _LETTERS)
        return left


@functools.cache
def _paragraph() -> re.Pattern[str]:
    """Return the pattern of a paragraph of a judgment behind its number, which its ECLI may follow: ", para 6", ", EU:C:2019:1, Rn. 6"."""
    words = (word for code in known_languages() for word in language(code).section("judgments").get("paragraph", ()))
    return re.compile(
        rf"(?:,? \(?(?:ECLI:)?EU:[CTF]:\d{{4}}:\d{{1,4}}\)?)?,?(?: at)? ?(?:(?:{alternation((*_PARAGRAPH_WORDS, *words))}) ?"
        r"(?P<number>\d{1,4}(?:\.\d{1,3})?)\b|\[(?P<bracketed>\d{1,4})\])"
    )


def _undominated(readings: list[_Reading], *, is_dated: bool) -> list[_Reading]:
    """Remove readings that another jurisdiction reads better: a reading without a work, or of a default work, where another, of the same
    words, has a work that the query names.

    Acts of several countries have the name "Divorce Act": without a year, a country whose titles have none (`undated_titles`) does not
    remove the reading by which the act may be theirs.
    """
    if any(reading.works and not reading.is_elsewhere for reading in readings):  # "constitution of X" is that of X
        readings = [reading for reading in readings if not reading.is_elsewhere]
    known = [reading for reading in readings if reading.works and not reading.is_default]
    certain = [reading for reading in known if is_dated or not _has_undated_titles(reading.country)]
    reaches, reaches_of_certain = _reach(known), _reach(certain)

    def is_dominated(reading: _Reading) -> bool:
        is_shared = reading.names_an_act and not reading.country.has_own_form
        starts, furthest = reaches_of_certain if is_shared else reaches
        before = bisect.bisect_left(starts, reading.end + 2)
        return before > 0 and reading.start < furthest[before - 1] + 2

    # Remove dominated readings before lengths are compared: one may be longer only because its country rewrites the query.
    left = [reading for reading in readings if (reading.works and not reading.is_default) or not is_dominated(reading)]
    groups = overlapping(left, lambda reading: (reading.start, reading.end))
    parts = {id(reading) for group in groups for reading in group if _is_part(reading, group)}
    return [reading for reading in left if id(reading) not in parts]


def _has_undated_titles(country: Jurisdiction) -> bool:
    return bool(country.section("citations").get("queries", {}).get("undated_titles"))


def _reach(known: Iterable[_Reading]) -> tuple[list[int], list[int]]:
    """Return the starts of readings in text order, and the furthest end up to each."""
    spans = sorted((reading.start, reading.end) for reading in known)
    return [start for start, _ in spans], list(itertools.accumulate((end for _, end in spans), max))


def _is_part(reading: _Reading, readings: Iterable[_Reading]) -> bool:
    """Whether another country reads a longer citation in the same words: "kap. 3" of "2 kap. 3 §" is not a citation.

    An unknown name behind the same provision does not make its citation better: an act of any country may have that name. A level below
    the provision does, if it is read for several countries.
    """
    return any(
        other.country is not reading.country
        and not (
            not reading.works
            and other.start == reading.start
            and (other.names_unknown or other.eid == reading.eid)
            and not _reads_deeper(other, reading)
        )
        and other.start <= reading.start
        and reading.end <= other.end
        and other.end - other.start > reading.end - reading.start + 1
        for other in readings
    )


def _reads_deeper(other: _Reading, reading: _Reading) -> bool:
    """Whether `other`, of a country without forms of its own, reads a level below the provision that `reading` is."""
    return not other.country.has_own_form and f"{other.eid}".startswith(f"{reading.eid}__")


def _places(readings: Sequence[_Reading]) -> tuple[CitedPlace, ...]:
    found: dict[CitedPlace, None] = {}
    shared = {reading.start: reading.eid for reading in readings if reading.country is for_others()}
    for reading in readings:
        country = reading.country
        # the word of one language for a section is in another an article: it counts in its own country
        is_own = country.has_own_form or shared.get(reading.start, reading.eid) != reading.eid
        own: tuple[str, ...] = (country.code,) if is_own and not country.language else ()
        citations = country.section("citations")
        form = citations.get("queries", {}).get("without_country")
        # an act that the index knows by its title alone may be of an unknown country
        if own and (reading.names_unknown or (form and re.match(form, reading.eid or ""))):
            own += (UNKNOWN_COUNTRY,)
        if citations.get("reads_other_languages"):
            own += codes_without_data(countries())
        place = _place(reading, () if reading.works else own)
        if country.language:
            place = replace(place, languages=(country.language,))
        found |= dict.fromkeys((place, *_printed_otherwise(place, country)))
    return tuple(found)


def _printed_otherwise(place: CitedPlace, country: Jurisdiction) -> list[CitedPlace]:
    """Return the places of the provision whose number the law may print otherwise: raised (67¹) where people write a sign before it
    ("67.1"), or its thousands with or without a sign ("1.349"); and of the section that is cited as a regulation or a rule."""
    if place.provision is None:
        return []
    data, found = country.section("citations"), []
    kind, _, rest = place.provision.partition("_")
    if kind in ("reg", "rule") and not place.containers:
        found.append(f"sec_{rest}")
    if sign := data.get("raised_sign"):
        found.append(place.provision.replace(sign, "-"))
    if (sign := data.get("thousands_sign")) and (number := _THOUSANDS.fullmatch(place.provision)):
        found += [f"{number['kind']}{number['thousands']}{each}{number['rest']}" for each in ("", sign)]
    return [replace(place, provision=each) for each in found]


def _places_by_title(readings: Sequence[_Reading]) -> tuple[CitedPlace, ...]:
    """Return the places of readings whose works the query names, as places of any act with that title."""
    found: dict[CitedPlace, None] = {}
    for title in dict.fromkeys(title for reading in readings for title in reading.titles):
        named = [replace(reading, works=(), names_unknown=True) for reading in readings if title in reading.titles]
        found |= dict.fromkeys(replace(place, title=title) for place in _places(named))
    return tuple(found)


def _place(reading: _Reading, jurisdictions: tuple[str, ...]) -> CitedPlace:
    segments = tuple(reading.eid.split("__")) if reading.eid is not None else ()
    at = next((index for index, each in enumerate(segments) if each.startswith(_PROVISIONS)), len(segments))
    return CitedPlace(
        reading.works,
        segments[:at],
        segments[at] if at < len(segments) else None,
        segments[at + 1 :],
        jurisdictions if segments else (),
        written=reading.written.strip(),
        start=reading.start,
        is_default=reading.is_default,
        names_unknown=reading.names_unknown,
    )
