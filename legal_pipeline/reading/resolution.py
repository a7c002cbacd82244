"""Find the provision of the index that a citation means.

A citation that names its work is looked up by the work; a citation with words of an Act's title is searched. Not here: reading citations
(`cited_text`, `retrieval.citation_query`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from legal_pipeline.citations.model import Kind, Reference
from legal_pipeline.errors import NotFoundError, StoreUnavailableError
from legal_pipeline.jurisdictions.countries import held_by
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.processing.stage import Stamp
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import ResolvedCitation
from legal_pipeline.reading.cited_text import CitationInText, citations_in
from legal_pipeline.reading.names_beside import named_beside
from legal_pipeline.reading.provisions import known_wordings
from legal_pipeline.reading.texts import Text, Work
from legal_pipeline.reading.titles import Titles
from legal_pipeline.reading.unresolved import name_of_work
from legal_pipeline.registry.listing import Listed, of_works
from legal_pipeline.retrieval.act_names import same_works
from legal_pipeline.retrieval.citation_query import CitedPlace, read_citations
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.stages import cross_references

#: Maximum readings of one citation (each country may have its own); with more, the text has several citations.
_MOST_PLACES = 20

#: The search for citations that name no known work: query -> first hits.
Search = Callable[[str], Sequence[Hit]]


def resolve(access: Access, text: str, jurisdictions: Sequence[str]) -> list[ResolvedCitation]:
    """Return every citation of `text` with its target, or the reason why there is none. Without `jurisdictions`: in the styles of all
    countries; if two countries read the same words differently, a country with documents in the index has priority."""
    found = citations_in(text, jurisdictions, first=_indexed_countries(access))
    titles = access.titles.now()
    return [_resolved(access, citation, text, titles, jurisdictions) for citation in found]


def cited_in(access: Access, work: Work, eid: str | None, limit: int) -> list[ResolvedCitation]:
    """Return the first `limit` citations of a provision (with its parts), or of the whole text without `eid`, with their targets.

    While a later text is being processed, they are those of the text before.
    """
    batch = access.texts.batch(work.document_id)
    stamp = batch.table_stamp(cross_references.KEY, work.document_id)
    if stamp is None:
        raise StoreUnavailableError(
            f"{work.document_id}: its citations have not been extracted yet; ask again when the document has been processed"
        )
    rows = batch.read_table(cross_references.KEY, work.document_id).to_pylist()
    text = _text_of(work, stamp)
    if eid is not None:
        rows = [row for row in rows if _is_in(text, eid, row)]
    code = work.latest.document.jurisdiction
    titles = access.titles.now()
    known: dict[tuple[str | None, str | None], dict[str, Any]] = {}
    found = []
    for row in rows[:limit]:
        target = row["target_work_uri"], row["target_eid"]
        if target not in known:
            known[target] = _meaning(access, *target)
        citation = citation_of(row["start"], row["end"], row["raw"], row["kind"], *target, code)
        found.append(
            _citation(*_by_title(access, citation, row, known[target], text.document.text, titles, (code,)), code)
        )
    return found


def citation_of(
    start: int, end: int, raw: str, kind: Kind, work_uri: str | None, eid: str | None, code: str
) -> CitationInText:
    """Return the citation of a row of the table `cross_references`, made by a document of the jurisdiction `code`."""
    return CitationInText(jurisdiction(code.partition("-")[0]), Reference(start, end, raw, work_uri, eid, kind))


def _text_of(work: Work, stamp: Stamp) -> Text:
    """Return the text of which the table of citations with this stamp was made; the latest text if an earlier grammar made it."""
    known = (expression.expression for expression in reversed(work.index()))
    made_of = next((version for version in known if cross_references.is_made_of(stamp, version)), None)
    return work.latest if made_of is None else work.text(made_of)


def _is_in(text: Text, eid: str, row: Mapping[str, Any]) -> bool:
    """Return whether a citation is in the provision: by the section in the table, or by the offsets of the node."""
    if row["eid"] == eid or str(row["eid"]).startswith(f"{eid}__"):
        return True
    node = text.nodes[eid][0] if eid in text.nodes else None
    return node is not None and node.start <= row["start"] and row["end"] <= node.end


def cited_provision(access: Access, citation: str, search: Search) -> tuple[Work, Listed, str]:
    """Return (work, its row, eid) of the first provision that `citation` names. Raises `NotFoundError` with the reason."""
    citations = read_citations(citation)
    places = [place for place in citations.places if place.provision is not None]
    if len(places) > _MOST_PLACES:
        raise NotFoundError(f"{citation[:200]!r} names more than one provision; expected the citation of one")
    reasons = []
    for place in places:
        works = (
            of_works(access.resources.registry.database, place.works, access.visibility.hidden) if place.works else []
        )
        if place.works and not works:
            reasons.append(f"the index has no {name_of_work(place)}")
        for listed in works:
            work, listed = access.work(listed.document_id)
            eid = _own_eid(work, "__".join([*place.containers, *_segments(place)]))
            if eid is not None:
                return work, listed, eid
            reasons.append(f"{listed.document_id} has no {'__'.join(_segments(place))}")
    if citations.otherwise is not None or not any(place.works for place in places):
        hits = (hit for hit in search(citation) if hit.score_parts.get("citation", 0) > 0 and hit.payload.get("eid"))
        if hit := next(hits, None):
            work, listed = access.work(hit.document_id)
            # the chunk gives the provision, the citation gives the part of it
            below = [_own_eid(work, "__".join([str(hit.payload["eid"]), *place.below])) for place in places]
            return work, listed, next((eid for eid in below if eid is not None), str(hit.payload["eid"]))
    why = f": {'; '.join(dict.fromkeys(reasons))}" if reasons else ""
    raise NotFoundError(
        f"{citation[:200]!r} does not lead to a provision of the index{why}; expected a citation with its Act, such as "
        "2 kap. 3 § AML or s. 12A Labour Act"
    )


def works_of(uri: str) -> tuple[str, ...]:
    """Return the URIs that a work may have in documents of the index."""
    found = dict.fromkeys(same_works(uri))
    return tuple(dict.fromkeys([*found, *(part for same in found if (part := held_by(same)))]))


def _resolved(
    access: Access, citation: CitationInText, text: str, titles: Titles, jurisdictions: Sequence[str]
) -> ResolvedCitation:
    reference = citation.reference
    meaning = _meaning(access, reference.work_uri, reference.eid)
    found = _by_title(access, citation, reference.row(""), meaning, text, titles, jurisdictions)
    return _citation(*found, citation.country.code)


def _by_title(
    access: Access,
    citation: CitationInText,
    row: dict[str, Any],
    meaning: Mapping[str, Any],
    text: str,
    titles: Titles,
    jurisdictions: Sequence[str],
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return `row` and `meaning`; where no document has the work, those of the Act that the words name by its title."""
    cited = citation.reference.eid
    if "document_id" in meaning or cited is None:
        return row, meaning
    named = named_beside(access, citation, text, titles, jurisdictions)
    if not named:
        return row, meaning
    meaning = _meaning_among(access, named, cited, is_certain=is_one_work(named))
    uris = (each.work_uri for each in named if each.document_id == meaning.get("document_id"))
    return {**row, "target_work_uri": next(uris, row["target_work_uri"])}, meaning


def is_one_work(documents: Sequence[Listed]) -> bool:
    """Whether all documents are texts of one work."""
    return len({each.work_uri or each.document_id for each in documents}) == 1


def _citation(row: Mapping[str, Any], meaning: Mapping[str, Any], country: str) -> ResolvedCitation:
    """Return the citation of a `row` in the form of the table `cross_references`."""
    return ResolvedCitation(
        start=row["start"],
        end=row["end"],
        raw=row["raw"],
        kind=row["kind"],
        jurisdiction=country,
        work_uri=row["target_work_uri"],
        cited_eid=row["target_eid"],
        **meaning,
    )


def _meaning(access: Access, work_uri: str | None, cited_eid: str | None) -> dict[str, Any]:
    """Return the fields of a `ResolvedCitation` with the target, or with the reason why there is none."""
    if work_uri is None:
        return {"resolved": False, "reason": "the text does not say of which work, or under a name that is not known"}
    documents = of_works(access.resources.registry.database, works_of(work_uri), access.visibility.hidden)
    if not documents:
        return {"resolved": False, "reason": "the index does not hold this work"}
    return _meaning_among(access, documents, cited_eid)


def _meaning_among(
    access: Access, documents: Sequence[Listed], cited_eid: str | None, *, is_certain: bool = True
) -> dict[str, Any]:
    """Return the fields for the first of `documents` that has the provision; if it is not `is_certain` that they are of one work, only
    where no other has it."""
    known = access.provenances([document.document_id for document in documents])
    sources = {document.document_id: asdict(known[document.document_id]) for document in documents}
    first = documents[0].document_id
    if cited_eid is None:
        return {"resolved": True, "document_id": first, **sources[first]}
    found = []
    for listed in documents:
        work, _ = access.work(listed.document_id)
        if (eid := _own_eid(work, cited_eid)) is not None:
            found.append((listed.document_id, access.place(work, eid)))
            if is_certain:
                break
    if len(found) > 1:
        ids = ", ".join(document_id for document_id, _ in found)
        return {"resolved": False, "reason": f"several works of the index have this name: {ids}"}
    for document_id, place in found:
        return {"resolved": True, "document_id": document_id, "provision": place, **sources[document_id]}
    work, _ = access.work(first)
    reason = f"the latest text of the work has no such provision{known_wordings(work, cited_eid)}"
    return {"resolved": False, "document_id": first, "reason": reason, **sources[first]}


def _own_eid(work: Work, cited: str) -> str | None:
    """Return the work's own eid for a provision cited as `cited`; None if there is none, or if several are possible."""
    own = work.latest.eids.resolve(cited)
    return own if own in work.latest.nodes else None


def _segments(place: CitedPlace) -> list[str]:
    return [*([place.provision] if place.provision else []), *place.below]


def _indexed_countries(access: Access) -> list[str]:
    return sorted({row.jurisdiction for row in access.counts() if row.jurisdiction})
