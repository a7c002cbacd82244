"""Convert hits of a search to answers. Not here: the search (`retrieval`, `Pipeline.search`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from legal_pipeline.reading.answers import Amendment, Beside, Interval, Origin, SearchHit
from legal_pipeline.reading.provisions import provision_id
from legal_pipeline.retrieval.hit import Hit, HitAmendment


def search_hits(hits: Sequence[Hit], withheld: Collection[str]) -> list[SearchHit]:
    """Return the answers, without the texts of documents in `withheld`."""
    return [_search_hit(hit, withheld) for hit in hits]


def _search_hit(hit: Hit, withheld: Collection[str]) -> SearchHit:
    is_withheld = hit.document_id in withheld
    return SearchHit(
        provision_id=_id(hit.payload),
        chunk_id=hit.chunk_id,
        citation=hit.citation,
        path=hit.path,
        text=None if is_withheld else str(hit.payload.get("chunk_text", "")),
        text_withheld=is_withheld,
        snippet=None if is_withheld else hit.snippet,
        highlights=[] if is_withheld else list(hit.highlights),
        score=hit.score,
        is_cited=hit.score_parts.get("citation", 0) > 0,
        is_rewritten=hit.is_rewritten,
        interval=_interval(hit.payload),
        neighbours=[
            Beside(
                id=_id(neighbour.payload),
                citation=neighbour.citation,
                document_id=hit.document_id,
                text=None if is_withheld else str(neighbour.payload.get("chunk_text", "")),
            )
            for neighbour in hit.neighbours
        ],
        duplicates=[
            Beside(citation=duplicate.citation, document_id=duplicate.document_id, **asdict(duplicate.provenance))
            for duplicate in hit.duplicates
        ],
        other_languages=[
            Beside(
                citation=other.citation,
                document_id=other.document_id,
                text=None if other.document_id in withheld else other.text,
                language=other.language,
                **asdict(other.provenance),
            )
            for other in hit.other_languages
        ],
        pending_amendments=[amendment(act) for act in hit.pending_amendments],
        origin=_origin(hit),
    )


def _origin(hit: Hit) -> Origin:
    payload, known = hit.payload, hit.provenance
    return Origin(
        document_id=hit.document_id,
        title=hit.title,
        number=payload.get("number"),
        work_uri=payload.get("work_uri"),
        jurisdiction=str(payload.get("jurisdiction", "")),
        doc_type=str(payload.get("doc_type", "")),
        language=str(payload.get("language", "")),
        source_url=hit.source_url or known.source_url,
        fetched_at=hit.fetched_at,
        licence=payload.get("licence") or known.licence,
        consolidated_through=payload.get("consolidated_through") or known.consolidated_through,
        removed_on=hit.removed_on,
        later_text_from=hit.later_text_from,
        requires_manual_review=bool(payload.get("requires_manual_review")),
    )


def _interval(payload: Mapping[str, Any]) -> Interval:
    """Return the interval in the point; the amending acts are only in the `versions` of its provision."""
    names = ("valid_from", "valid_from_basis", "valid_to", "valid_to_basis")
    return Interval(**{name: payload.get(name) for name in names})


def amendment(act: HitAmendment) -> Amendment:
    return Amendment(
        number=act.number,
        title=act.title,
        in_force_date=act.in_force_date,
        provisions=list(act.provisions),
        action=act.action,
    )


def _id(payload: Mapping[str, Any]) -> str | None:
    eid = payload.get("eid")
    return provision_id(str(payload.get("document_id", "")), str(eid)) if eid else None
