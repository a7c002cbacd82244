"""A search hit: a chunk with its citation, place in the source and the reasons for its rank.

Not here: the search (`retrieval.search`) and the form of citations (`retrieval.citation_form`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from legal_pipeline.registry.item_hints import UNKNOWN, Provenance
from legal_pipeline.retrieval.citation_form import citation_of
from legal_pipeline.retrieval.snippet import make_snippet
from legal_pipeline.stores.store import Payload

#: Shown with every hit from a degraded scan.
DISCLAIMER = "This source was extracted from a degraded scan. Verify against the original document."
#: Shown with every hit from another document that needs a manual review: words were lost or garbled, or provisions are missing.
REVIEW = "Parts of this source were not read with certainty. Verify against the original document."

#: Types of chunks whose text is written for the index: sentences of the strategy `proposition`, and summaries.
_REWRITTEN = ("definition", "raptor_summary")

ContextLevel = Literal["section", "chapter", "act"]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A chunk of another document that nearly repeats the hit."""

    document_id: str
    chunk_id: str
    citation: str
    path: str
    source_url: str | None
    provenance: Provenance = UNKNOWN


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    """The hit's provision in another language (ISO 639-3); `text` is all of the chunk's text."""

    language: str
    document_id: str
    chunk_id: str
    citation: str
    path: str
    source_url: str | None
    text: str
    provenance: Provenance = UNKNOWN


@dataclass(frozen=True, slots=True)
class HitAmendment:
    """An act that amends the hit's provision. `provisions` are the provisions of the base law that it names; empty if they are not
    known. `title` is None for an act that is known only from the provision's own note."""

    number: str
    title: str | None
    in_force_date: str | None
    provisions: tuple[str, ...]
    action: str | None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A chunk next to the hit; its text is the payload's `chunk_text`. `disclaimer` and `pending_amendments` are as in a hit of it."""

    chunk_id: str
    citation: str
    path: str
    start_char: int
    end_char: int
    disclaimer: str | None
    payload: Payload
    pending_amendments: tuple[HitAmendment, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The context of the hit: `text` is the canonical document's from `start_char` to `end_char`, a part of it around the hit
    if `truncated`."""

    level: ContextLevel
    citation: str
    start_char: int
    end_char: int
    text: str
    truncated: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """`start_char` and `end_char` are offsets of the chunk in the document's canonical text; `snippet` is verbatim
    text of the chunk from its `snippet_start`, `highlights` are spans of `snippet`.

    `score_parts`: `dense` (cosine) and `bm25` scores with `dense_rank` and `bm25_rank` if the chunk was in that list, `question` and
    `question_rank` (cosine of the nearest question that it answers), `rrf` (the fused score), its factors `retrieval_weight` (the weight
    of the chunk) and `document_share` (to the power of `fusion.DocumentShare.weight`), `rerank` (the reranker's score: it changes only the
    order of the hits, and each place keeps its `score`), `citation` (0: not the cited provision; above: the higher, the more exactly),
    `beside` (the sum of the scores of the neighbours in its passage; `score` includes it, multiplied by `passages.BESIDE_WEIGHT`).
    Hits are ordered by `citation`, then `score`. `neighbours` are next to the hit in its document, in text order. `payload` is shared with
    later hits of the same chunk: copy it before you change it.
    `pending_amendments` are acts that amend the hit's provision and are not yet consolidated in its text.
    `provenance` is what the registry knows of the document's origin; if it has an address, this replaces that of the chunk.
    `removed_on` is the day on which the source was found to have removed the document, None while the source has it.
    `later_text_from` is the first later day of which the source has a text of the document, which is not indexed yet; None without one.
    `amendments` and `context` are None unless they were requested; a hit whose document has changed since has no context.
    """

    document_id: str
    chunk_id: str
    citation: str
    path: str
    title: str
    snippet: str
    snippet_start: int
    highlights: tuple[tuple[int, int], ...]
    start_char: int
    end_char: int
    source_url: str | None
    fetched_at: str | None
    source_sha256: str | None
    score: float
    score_parts: Mapping[str, float]
    disclaimer: str | None
    payload: Payload
    duplicates: tuple[Duplicate, ...] = ()
    other_languages: tuple[OtherLanguage, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    pending_amendments: tuple[HitAmendment, ...] = ()
    amendments: tuple[HitAmendment, ...] | None = None
    context: Context | None = None
    removed_on: str | None = None
    later_text_from: str | None = None
    provenance: Provenance = UNKNOWN

    @property
    def is_rewritten(self) -> bool:
        """Whether the text is a sentence about the provision or a summary, and not the words of the document."""
        return self.payload.get("chunk_type") in _REWRITTEN


def make_hit(
    payload: Payload,
    score: float,
    score_parts: Mapping[str, float],
    terms: frozenset[int],
    duplicates: Sequence[Payload] = (),
    neighbours: Sequence[Payload] = (),
    other_languages: Sequence[Payload] = (),
) -> Hit:
    """Return a hit from a point's payload; `terms` are the query's terms, for the highlights."""
    snippet = make_snippet(str(payload.get("chunk_text", "")), str(payload.get("language", "")), terms)
    return Hit(
        **_sourced(payload) | _placed(payload),
        title=str(payload.get("title", "")),
        snippet=snippet.text,
        snippet_start=snippet.start,
        highlights=snippet.highlights,
        fetched_at=payload.get("fetched_at"),
        source_sha256=payload.get("source_sha256"),
        score=score,
        score_parts=score_parts,
        duplicates=tuple(Duplicate(**_sourced(each)) for each in duplicates),
        other_languages=tuple(
            OtherLanguage(
                language=str(each.get("language", "")), text=str(each.get("chunk_text", "")), **_sourced(each)
            )
            for each in other_languages
        ),
        neighbours=tuple(Neighbour(**_placed(each)) for each in neighbours),
    )


def weight(payload: Payload) -> float:
    """Return `retrieval_weight`, 1 where none is given."""
    value: Any = payload.get("retrieval_weight")
    return 1.0 if value is None else float(value)


def _disclaimer(payload: Payload) -> str | None:
    if weight(payload) < 1:
        return DISCLAIMER
    return REVIEW if payload.get("requires_manual_review") else None


def _named(payload: Payload) -> dict[str, Any]:
    """Return the fields by which every chunk of an answer is named."""
    return {
        "chunk_id": str(payload.get("chunk_id", "")),
        "citation": citation_of(payload),
        "path": str(payload.get("path", "")),
    }


def _sourced(payload: Payload) -> dict[str, Any]:
    """Return the fields of a chunk of another document or in another language."""
    document_id, source_url = str(payload.get("document_id", "")), payload.get("source_url")
    return {**_named(payload), "document_id": document_id, "source_url": source_url}


def _placed(payload: Payload) -> dict[str, Any]:
    """Return the fields of a chunk at its place in the document, which a hit and its neighbours have."""
    return {
        **_named(payload),
        "start_char": int(payload.get("start_char", 0)),
        "end_char": int(payload.get("end_char", 0)),
        "disclaimer": _disclaimer(payload),
        "payload": payload,
    }
