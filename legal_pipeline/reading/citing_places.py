"""The places that cite one document: by the URI of its work, or, if they have none, by its title ("s. 3 of the Lamps Act 2096").

The title must be among the words of the citation; the text before it is not searched. Not here: the tables in memory (`citing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from legal_pipeline.model.identity import citable_uri
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.citing import Citing, CitingIndex
from legal_pipeline.reading.names_beside import named_beside
from legal_pipeline.reading.resolution import citation_of, is_one_work, works_of
from legal_pipeline.reading.texts import Work
from legal_pipeline.reading.titles import Titles
from legal_pipeline.registry.listing import Choice, Listed, indexed

#: Letters of a word that all its inflections have.
_STEM = 6


def citing_places(
    access: Access, index: CitingIndex, work: Work, eid: str | None
) -> tuple[list[tuple[Citing, str | None]], Mapping[str, Listed]]:
    """Return the places that cite the provision `eid` or a part of it (without `eid`: the work or any of its provisions), each with the eid
    of the cited provision; and the documents that they are in, by id. Places in documents that the reader may not see are left out."""
    uri = citable_uri(work.latest.document.work_uri, work.document_id)
    titles = access.titles.now()
    beside = _candidates(index, work, titles)
    places = index.places(works_of(uri))
    ids = sorted({place.document_id for place in (*places, *beside)})
    hidden = access.visibility.hidden
    rows = (
        {each.document_id: each for each in indexed(access.resources.registry.database, Choice(ids=ids, hidden=hidden))}
        if ids
        else {}
    )
    places += _by_title(access, beside, rows, work, titles)
    found = []
    for place in sorted(places, key=lambda place: (place.document_id, place.start, place.end)):
        target = work.latest.eids.resolve(place.target_eid) if place.target_eid is not None else None
        if place.document_id in rows and (eid is None or target == eid or (target or "").startswith(f"{eid}__")):
            found.append((place, target))
    return found, rows


def _candidates(index: CitingIndex, work: Work, titles: Titles) -> list[Citing]:
    """Return the places without a URI that contain the stem of the longest word of a name of the document. These are few."""
    names = [name for row, own in titles.names.items() if row.document_id == work.document_id for name in own if name]
    stems = {max(name, key=len)[:_STEM] for name in names}
    return index.unresolved(stems) if stems else []


def _by_title(
    access: Access, places: list[Citing], rows: Mapping[str, Listed], work: Work, titles: Titles
) -> Iterator[Citing]:
    """Yield the places whose words name the document, and no other work, by a title or short name."""
    known: dict[tuple[str, str], bool] = {}
    for place in places:
        if place.document_id not in rows:
            continue
        code = rows[place.document_id].jurisdiction or ""
        if (place.raw, code) not in known:
            citation = citation_of(0, len(place.raw), place.raw, "provision", None, place.target_eid, code)
            named = named_beside(access, citation, place.raw, titles, (code,))
            ids = {each.document_id for each in named}
            known[place.raw, code] = work.document_id in ids and is_one_work(named)
        if known[place.raw, code]:
            yield place
