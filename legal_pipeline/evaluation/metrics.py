"""Figures of rankings: recall, MRR, nDCG, document mismatch, and their bootstrap intervals.

Written here with numpy: a ranking of chunks against spans is not a list of judged ids, because several chunks may give the same answer and
one chunk several answers, which the libraries for judged ids (ir-measures, pytrec_eval) do not count. If each chunk answers once, the
figures equal theirs, which the tests check. Not here: how rankings are made (`run`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.evaluation.dataset import Answer, Query
from legal_pipeline.evaluation.relevance import answers, holds_whole
from legal_pipeline.text.spans import union

#: Ranks at which precision and recall in characters are measured.
CHARACTERS_AT = (1, 5, 10)

#: The figures of one query, in this order. `hits@5`: 1 if one of the five best hits answers. `mismatch@5`: share of the five best hits
#: from a wrong document (lower is better): document-level retrieval mismatch (DRM, arXiv 2510.06999). `char precision@k`: share
#: of the characters of the k best hits that are in an answer; `char recall@k`: share of the answers' characters that are in one of the k
#: best hits, both as in LegalBench-RAG (arXiv 2408.10343). `recall@2000t`: recall in the best hits that together have at most 2,000
#: tokens: as much as fits next to a question, independent of the chunks' size. `whole@5`: share of the answers that one of the five
#: best hits contains completely.
METRICS = (
    "hits@5", "recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "mismatch@5",
    *(f"char {kind}@{k}" for kind in ("precision", "recall") for k in CHARACTERS_AT),
    "recall@2000t", "whole@5",
)  # fmt: skip

TOKEN_BUDGET = 2000
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit: a chunk as spans of its document. `verbatim` is false for generated text about more than one provision (a summary), which
    belongs to a document and answers nothing. `chunk_ids`: the chunks that the hit is made of, the found chunk first; a ranking written to
    a file names its hits by them."""

    document_id: str
    spans: tuple[Span, ...]
    tokens: int
    verbatim: bool = True
    chunk_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


def measure(query: Query, ranking: Sequence[Ranked]) -> NDArray[np.float64]:
    """Return the figures of one query, (len(METRICS),).

    A chunk may hold several answers; they then count at consecutive ranks, so that nDCG is at most 1. An answer counts only at its first
    rank: the second half of a provision is not a second success.
    """
    found = _first_places(query, ranking)
    grades = [answer.grade for answer in query.answers]
    right = {answer.document_id for answer in query.answers}
    top = ranking[:5]
    mismatch = sum(hit.document_id not in right for hit in top) / len(top) if top else 1.0
    first = min(found.values(), default=math.inf)
    within = _hits_within(ranking, TOKEN_BUDGET)
    characters = [_characters(query.answers, ranking[:k]) for k in CHARACTERS_AT]
    return np.array(
        [
            float(first <= 5),
            *(_recall(found, k, len(grades)) for k in (1, 5, 10)),
            1 / first if first <= 10 else 0.0,
            _ndcg(found, grades, 10),
            mismatch,
            *(precision for precision, _ in characters),
            *(recall for _, recall in characters),
            _recall(found, within, len(grades)),
            sum(_is_held_whole(top, answer) for answer in query.answers) / len(grades),
        ]
    )


def _first_places(query: Query, ranking: Sequence[Ranked]) -> dict[int, int]:
    """Return number of an answer -> rank (from 1) of the first hit that gives this answer."""
    found: dict[int, int] = {}
    for place, hit in enumerate(ranking, start=1):
        if not hit.verbatim:
            continue
        for number, answer in enumerate(query.answers):
            if number not in found and answers(hit.document_id, hit.spans, answer):
                found[number] = place
        if len(found) == len(query.answers):
            break
    return found


def _characters(wanted: Sequence[Answer], hits: Sequence[Ranked]) -> tuple[float, float]:
    """Return (precision, recall) of the hits in characters. A character in two hits counts once; generated text has no characters."""
    relevant = _union((answer.document_id, ((answer.start, answer.end),)) for answer in wanted)
    found = _union((hit.document_id, hit.spans) for hit in hits if hit.verbatim)
    common = sum(
        max(0, min(end, high) - max(start, low))
        for document_id, spans in found.items()
        for start, end in spans
        for low, high in relevant.get(document_id, ())
    )
    held, sought = (
        sum(end - start for spans in spans_of.values() for start, end in spans) for spans_of in (found, relevant)
    )
    return common / held if held else 0.0, common / sought if sought else 0.0


def _union(parts: Iterable[tuple[str, Iterable[Span]]]) -> dict[str, list[Span]]:
    """Return document id -> its spans in order, without overlaps."""
    by_document: dict[str, list[Span]] = {}
    for document_id, spans in parts:
        by_document.setdefault(document_id, []).extend(spans)
    return {document_id: union(spans) for document_id, spans in by_document.items()}


def _is_held_whole(hits: Sequence[Ranked], answer: Answer) -> bool:
    return any(hit.verbatim and holds_whole(hit.document_id, hit.spans, answer) for hit in hits)


def _recall(found: dict[int, int], k: int, total: int) -> float:
    return sum(place <= k for place in found.values()) / total


def _ndcg(found: dict[int, int], grades: Sequence[int], k: int) -> float:
    gain, place = 0.0, 0
    for at, minus_grade in sorted((at, -grades[number]) for number, at in found.items()):
        place = max(at, place + 1)
        if place <= k:
            gain += -minus_grade / math.log2(1 + place)
    ideal = sum(grade / math.log2(1 + place) for place, grade in enumerate(sorted(grades, reverse=True)[:k], start=1))
    return gain / ideal


def _hits_within(ranking: Sequence[Ranked], tokens: int) -> int:
    """Return how many of the best hits have together at most `tokens`; the first always counts."""
    used = 0
    for number, hit in enumerate(ranking):
        used += hit.tokens
        if used > tokens:
            return max(number, 1)
    return len(ranking)


def resamples(size: int, seed: int) -> NDArray[np.int64]:
    """Return (RESAMPLES, size) indices, the same for all systems of a run, so that differences are paired."""
    return np.random.default_rng(seed).integers(0, size, size=(RESAMPLES, size))


def interval(values: NDArray[np.float64], draws: NDArray[np.int64]) -> Interval:
    """Return the percentile bootstrap interval over queries of the mean of `values` (n,)."""
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    return Interval(float(values.mean()), float(low), float(high))
