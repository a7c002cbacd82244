"""The citations of a query that lead to no provision of the index, each with the reason.

Hits below such a citation are no answer to it. Not here: reading citations (`retrieval.citation_query`), and the citations of a text
(`resolution`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import GONE
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import Reason, UnresolvedCitation
from legal_pipeline.reading.missing_levels import missing_level
from legal_pipeline.reading.provisions import citation, known_wordings
from legal_pipeline.reading.texts import Work
from legal_pipeline.registry.listing import Listed, of_works
from legal_pipeline.retrieval.act_names import is_title
from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations, read_citations
from legal_pipeline.retrieval.cited import has_number, is_meant, length_of_name
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.text.spans import Span, overlapping


def unresolved(access: Access, query: str, hits: Sequence[Hit], filters: SearchFilters) -> list[UnresolvedCitation]:
    """Return the citations of `query` that none of its `hits` answers. If hits answer all of them, registry and texts are not read.

    Citations in the form of a country that `filters` leave out are included, although the search did not read them."""
    citations = read_citations(query, filters.jurisdictions)
    elsewhere = _elsewhere(citations, read_citations(query)) if filters.jurisdictions else []
    cited = [hit for hit in hits if hit.score_parts.get("citation", 0) > 0]
    is_answered = any(is_meant(hit.payload, place) for hit in cited for place in citations.places)
    if citations.otherwise is not None and cited and not is_answered:
        citations = citations.otherwise  # as the search did
    named = [hit for hit in hits if length_of_name(citations, hit.payload)]
    asked = _Asked(access, citations, cited, named, is_filtered=filters != SearchFilters())
    places = [*citations.places, *elsewhere]
    # a citation may be read in the forms of several countries
    groups = overlapping(places, _span)
    return [found for readings in groups if (found := asked.reason(readings)) is not None]


def _elsewhere(own: QueryCitations, everywhere: QueryCitations) -> list[CitedPlace]:
    """Return the places in those words of the query that the countries of the search do not read as a citation."""
    return [
        place for place in everywhere.places if not any(_overlap(place, read) for read in own.places if read.written)
    ]


def _span(place: CitedPlace) -> Span:
    return place.start, place.start + len(place.written)


def _overlap(place: CitedPlace, other: CitedPlace) -> bool:
    (start, end), (low, high) = _span(place), _span(other)
    return start < high and low < end


@dataclass(frozen=True)
class _Asked:
    """A query with its hits: `cited` are those that it cites, `named` those of works that it names."""

    access: Access
    citations: QueryCitations
    cited: Sequence[Hit]
    named: Sequence[Hit]
    is_filtered: bool

    def reason(self, places: Sequence[CitedPlace]) -> UnresolvedCitation | None:
        """Return why no hit answers a citation, which `places` are readings of; None if one does, or if the query names no work."""
        stated = [place for place in places if not place.is_default]
        if not stated:
            return None
        unknown = self._is_unknown(stated)
        answers = self.named if unknown else self.cited
        first = max(stated, key=lambda place: len(place.written))
        if answering := [(hit, place) for hit in answers for place in stated if is_meant(hit.payload, place)]:
            return self._without_level(first, answering) if first.works or unknown else None
        works = self._works(stated)
        if works:
            return self._without_provision(first, stated, works)
        if first.works or unknown:
            if self.named or self._has_number(first):
                return None  # a document may be known to the index by its title or number alone
            return _because(first, "not_indexed", f"the index has no {name_of_work(first)}")
        if self.citations.is_bare and not self.cited:
            which = "that the filters of this search admit" if self.is_filtered else "of the index"
            return _because(first, "no_such_provision", f"no document {which} has this provision")
        return None

    def _has_number(self, place: CitedPlace) -> bool:
        """Whether a hit that the query cites is of an act with the number in the words of the citation."""
        numbers = [number for number in self.citations.numbers if number in place.written]
        return any(has_number(hit.payload, numbers) for hit in self.cited)

    def _is_unknown(self, places: Sequence[CitedPlace]) -> bool:
        """Whether the citation names a work that only a title or short name in the index may have."""
        if any(place.works for place in places):
            return False
        if self.named or any(place.names_unknown for place in places):
            return True
        # the hits show a work that the query names, unless the filters leave it out
        return self.is_filtered and bool(self._named_works)

    @functools.cached_property
    def _named_works(self) -> Sequence[Listed]:
        """The works of the index, with those that the filters leave out, whose title or short name the query contains."""
        return self.access.titles.named(self.citations, self.access.visibility.hidden)

    def _works(self, places: Sequence[CitedPlace]) -> list[Work]:
        """Return the works that the citation may mean: those of its URIs, else those with the title that the query gives them."""
        listed: Sequence[Listed] = ()
        if uris := tuple(dict.fromkeys(uri for place in places for uri in place.works)):
            listed = of_works(self.access.resources.registry.database, uris, self.access.visibility.hidden)
            names = [place.title for place in self.citations.by_title if place.start in {each.start for each in places}]
            if not listed and names:
                listed = [work for work in self._named_works if any(is_title(name, work.title or "") for name in names)]
        elif self._is_unknown(places):
            listed = self._named_works
        return [self.access.work(id)[0] for id in dict.fromkeys(document.document_id for document in listed)]

    def _without_provision(
        self, first: CitedPlace, places: Sequence[CitedPlace], works: Sequence[Work]
    ) -> UnresolvedCitation | None:
        for work in works:
            for place in places:
                if not (segments := _segments(place)):
                    return self._left_out(first, work)
                eid = work.latest.eids.resolve("__".join(segments))
                if eid not in work.latest.nodes:
                    continue
                if work.latest.nodes[eid][0].status in GONE:
                    said = f"{work.latest.document.title} has it as repealed{known_wordings(work, eid)}"
                    return _because(first, "repealed", said, work)
                return self._left_out(first, work)
        work = works[0]
        cited = "__".join(_segments(first))
        said = f"{work.latest.document.title} has no such provision{_extent(work, first)}{known_wordings(work, cited)}"
        return _because(first, "no_such_provision", said, work)

    def _without_level(
        self, first: CitedPlace, answering: Sequence[tuple[Hit, CitedPlace]]
    ) -> UnresolvedCitation | None:
        """Return the level that the provision lacks in every hit and reading; None if it has one, or may have it."""
        if self.is_filtered:
            return None
        reasons = []
        for hit, place in answering:
            work = self.access.work(hit.document_id)[0]
            eid = str(hit.payload.get("eid") or "")
            lacks = missing_level(work.latest, eid, place.below) if place.below else None
            if lacks is None:
                return None
            said = f"{citation(work, work.latest, eid)} has {lacks}"
            reasons.append(_because(first, "no_such_provision", said, work))
        return reasons[0]

    def _left_out(self, place: CitedPlace, work: Work) -> UnresolvedCitation | None:
        if not self.is_filtered:
            return None
        said = f"{work.latest.document.title} has it, but the filters of this search leave it out"
        return _because(place, "left_out", said, work)


def _because(place: CitedPlace, kind: Reason, reason: str, work: Work | None = None) -> UnresolvedCitation:
    document_id = work.document_id if work is not None else None
    return UnresolvedCitation(citation=place.written, kind=kind, reason=reason, document_id=document_id)


def _segments(place: CitedPlace) -> list[str]:
    return [*place.containers, *([place.provision] if place.provision else [])]


def name_of_work(place: CitedPlace) -> str:
    """Return the first name that the country's data has for the cited work. Without one, the words of the citation if it cites the whole
    work; else a general name ("document with this number")."""
    if not place.works:
        return "document of this name"
    uri = place.works[0]
    known = names(jurisdiction(uri.split("/")[2].partition("-")[0])) if uri.startswith("/akn/") else {}
    written = "document with this number" if _segments(place) else place.written
    return next((name for name, work in known.items() if work == uri), written)


def _extent(work: Work, place: CitedPlace) -> str:
    """Return the provisions that the work has of the cited kind, of the cited chapter if it has it: `; it has 40 sections, 1 to 40`."""
    above = f"{'__'.join(place.containers)}__" if place.containers else ""
    kind = (place.provision or "").partition("_")[0]
    eids = [node.eid for node in work.latest.document.provisions() if node.eid and _number_of(node.eid, kind)]
    inside = [eid for eid in eids if eid.startswith(above)] or eids
    if not eids:
        is_without = not any(True for _ in work.latest.document.provisions())
        return "; its text was read without provisions" if is_without else ""
    where = " in this chapter" if above and inside[0].startswith(above) else ""
    node = work.latest.nodes[inside[0]][0]
    numbers = [_number_of(eid, kind) for eid in inside]
    counted = f"{len(inside)} {node.type}{'' if len(inside) == 1 else 's'}{where}"
    if len(set(numbers)) < len(numbers):  # each chapter begins with 1
        chapters = len({eid.rpartition("__")[0] for eid in inside})
        return f"; it has {counted} in {chapters} chapters"
    return f"; it has {counted}, {numbers[0]}{f' to {numbers[-1]}' if len(inside) > 1 else ''}"


def _number_of(eid: str, kind: str) -> str | None:
    """Return the number of a provision of this kind; None in a schedule, whose provisions have numbers of their own."""
    prefix, _, number = eid.rpartition("__")[2].partition("_")
    return number if prefix == kind and not eid.startswith("sched") else None
