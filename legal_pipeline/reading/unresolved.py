"""The citations of a query that lead to no provision of the index, each with the reason.

Hits below such a citation are no answer to it. Not here: reading citations (`retrieval.citation_query`), and the citations of a text
(`resolution`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.citations.works import names
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import Reason, UnresolvedCitation
from legal_pipeline.reading.missing_levels import missing_level
from legal_pipeline.reading.provisions import citation, known_wordings
from legal_pipeline.reading.texts import Work
from legal_pipeline.registry.listing import of_works
from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations, read_citations
from legal_pipeline.retrieval.cited import is_meant, length_of_name
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.hit import Hit


def unresolved(access: Access, query: str, hits: Sequence[Hit], filters: SearchFilters) -> list[UnresolvedCitation]:
    """Return the citations of `query` that none of its `hits` answers. Nothing is read but for a citation without a hit."""
    citations = read_citations(query, filters.jurisdictions)
    cited = [hit for hit in hits if hit.score_parts.get("citation", 0) > 0]
    named = [hit for hit in hits if length_of_name(citations, hit.payload)]
    asked = _Asked(access, citations, cited, named, is_filtered=filters != SearchFilters())
    return [found for places in _alternatives(citations.places) if (found := asked.reason(places)) is not None]


def _alternatives(places: Sequence[CitedPlace]) -> Iterator[list[CitedPlace]]:
    """Yield the readings of each citation: a citation may be read in the forms of several countries."""
    group: list[CitedPlace] = []
    end = 0
    for place in sorted(places, key=lambda place: place.start):
        if group and place.start >= end:
            yield group
            group = []
        group.append(place)
        end = max(end, place.start + len(place.written))
    if group:
        yield group


@dataclass(frozen=True, slots=True)
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
        if unknown := self._is_unknown(stated):
            answers: Sequence[Hit] = self.named
        else:
            answers = self.cited
        first = max(stated, key=lambda place: len(place.written))
        if answering := [(hit, place) for hit in answers for place in stated if is_meant(hit.payload, place)]:
            return self._without_level(first, answering) if first.works or unknown else None
        works = self._works(stated)
        if works:
            return self._without_provision(first, stated, works)
        if first.works or unknown:
            # a document may be known to the index by its title alone
            return None if self.named else _because(first, "not_indexed", f"the index has no {_name(first)}")
        if self.citations.is_bare and not self.cited:
            return _because(first, "no_such_provision", "no document of the index has this provision")
        return None

    def _is_unknown(self, places: Sequence[CitedPlace]) -> bool:
        """Whether the citation names a work that only a title or short name in the index may have."""
        if any(place.works for place in places):
            return False
        return bool(self.named) or any(place.names_unknown for place in places)

    def _works(self, places: Sequence[CitedPlace]) -> list[Work]:
        uris = tuple(dict.fromkeys(uri for place in places for uri in place.works))
        if uris:
            listed = of_works(self.access.resources.registry.database, uris, self.access.visibility.hidden)
            ids = [document.document_id for document in listed]
        else:
            ids = [hit.document_id for hit in self.named] if self._is_unknown(places) else []
        return [self.access.work(id)[0] for id in dict.fromkeys(ids)]

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
                if work.latest.nodes[eid][0].status in ("repealed", "omitted"):
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
            lacks = missing_level(work, eid, place.below) if place.below else None
            if lacks is None:
                return None
            said = f"{citation(work, work.latest, eid)} has {lacks}"
            reasons.append(_because(first, "no_such_provision", said, work))
        return reasons[0]

    def _left_out(self, place: CitedPlace, work: Work) -> UnresolvedCitation | None:
        if not self.is_filtered:
            return None
        return _because(place, "left_out", "it is in the index, but the filters of this search leave it out", work)


def _because(place: CitedPlace, kind: Reason, reason: str, work: Work | None = None) -> UnresolvedCitation:
    document_id = work.document_id if work is not None else None
    return UnresolvedCitation(citation=place.written, kind=kind, reason=reason, document_id=document_id)


def _segments(place: CitedPlace) -> list[str]:
    return [*place.containers, *([place.provision] if place.provision else [])]


def _name(place: CitedPlace) -> str:
    """Return the first name by which the cited work is known to its country; else its URI, or "document of this name"."""
    if not place.works:
        return "document of this name"
    uri = place.works[0]
    known = names(jurisdiction(uri.split("/")[2].partition("-")[0])) if uri.startswith("/akn/") else {}
    return next((name for name, work in known.items() if work == uri), uri)


def _extent(work: Work, place: CitedPlace) -> str:
    """Return the provisions that the work has of the cited kind, of the cited chapter if it has it: `; it has 40 sections, 1 to 40`."""
    above = f"{'__'.join(place.containers)}__" if place.containers else ""
    kind = (place.provision or "").partition("_")[0]
    eids = [node.eid for node in work.latest.document.provisions() if node.eid and _number_of(node.eid, kind)]
    inside = [eid for eid in eids if eid.startswith(above)] or eids
    if not inside:
        return ""
    where = " in this chapter" if above and inside[0].startswith(above) else ""
    node = work.latest.nodes[inside[0]][0]
    first, last = (_number_of(eid, kind) for eid in (inside[0], inside[-1]))
    plural = "" if len(inside) == 1 else "s"
    return f"; it has {len(inside)} {node.type}{plural}{where}, {first}{f' to {last}' if plural else ''}"


def _number_of(eid: str, kind: str) -> str | None:
    """Return the number of a provision of this kind; None in a schedule, whose provisions have numbers of their own."""
    prefix, _, number = eid.rpartition("__")[2].partition("_")
    return number if prefix == kind and not eid.startswith("sched") else None
