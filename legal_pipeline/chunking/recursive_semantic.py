"""`recursive_semantic`: partly structured text, cut first at its separators, then by meaning (Latif et al., ICNLSP 2025).

Merge variant (default): pieces at blank lines, lines and sentences, a heading with the block under it; neighbours merge while their cosine
is above 0.75 (or the calibrated value of the model, `calibration.toml`) and they fit the budget. A merged buffer's vector is the
length-weighted mean of its parts, so every piece is embedded once.
A group that is still over the budget is cut at its lowest similarity. Then groups of fewer than 100 tokens, the smallest first, join the
more similar neighbour that they fit with: without a minimum, every second chunk of the Zimbabwean texts had 16 tokens or fewer.
Paper variant (`variant="paper"`, sizes in characters): presplit at 15,000 on sentences; breakpoints where the distance of neighbours is
above the 95th percentile; pieces over 1,500 again with the percentile 3 lower, until they fit or nothing changes; pieces under 350 join the
more similar neighbour (the previous on a tie); a final split at 2,500. Both repeat 15 % of the previous chunk in whole sentences. Not
here: vectors.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Sequence

import numpy as np

from legal_pipeline.chunking.calibration import calibrated
from legal_pipeline.chunking.chunk import Segment
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.packing import budget
from legal_pipeline.chunking.pieces import Pieces, block_pieces, drafts_of, own_tokens, sentence_pieces, windows
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools, Vectors
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document

#: Cosine above which neighbours merge, for a model that was never calibrated.
SIMILARITY = 0.75
#: Maximum tokens of a piece, minimum tokens of a chunk's own text; shares of the overlap.
PIECE_TOKENS = 500
MINIMUM = 100
OVERLAP, MOST_OVERLAP = 0.15, 0.20

#: Characters and percentiles of the paper variant.
PRESPLIT, SPLIT_ABOVE, MERGE_BELOW, FINAL = 15_000, 1_500, 350, 2_500
FIRST_PERCENTILE, PERCENTILE_STEP = 95.0, 3.0

Group = tuple[int, int]


def pieces(document: Document, segment: Segment, tools: Tools = Tools()) -> list[str]:
    """Return the texts whose vectors `chunk` needs; each text is embedded once, however it is cut."""
    return _pieces(document, segment, tools).texts(document)


def chunk(document: Document, segment: Segment, tools: Tools) -> Cut:
    """Return drafts with paths `recursive.chunkN`.

    `tools.vectors` has the vector of each text of `pieces`; else `ConfigurationError`. Parameters: `variant`, the algorithm (`merge` or
    `paper`, see the module); for `merge` also `similarity` (cosine above which neighbours merge) and `minimum` (tokens; 0 keeps small
    chunks).
    """
    found = _pieces(document, segment, tools)
    if tools.vectors is None or len(tools.vectors) != len(found):
        raise ConfigurationError(
            f"recursive_semantic was called with {len(tools.vectors or ())} vectors, but needs a vector for each of the {len(found)} texts "
            "of `pieces`"
        )
    header = document_header(document)
    limit = budget(header)
    own = own_tokens(limit, MOST_OVERLAP)
    if _variant(tools) == "paper":
        groups = paper_groups(found, tools.vectors)
        groups = [part for group in groups for part in _within(found, tools.vectors, group, own)]
    else:
        similarity = tools.parameters.get("similarity") or calibrated("similarity", tools.model, SIMILARITY)
        groups = merged(found, tools.vectors, similarity, own)
        groups = raised(found, tools.vectors, groups, tools.parameters.get("minimum", MINIMUM), own)
    repeated = windows(found, groups, OVERLAP, MOST_OVERLAP, limit)
    return drafts_of(document, found, repeated, prefix="recursive", header=header, chunk_type="markdown"), []


def merged(found: Pieces, vectors: Vectors, similarity: float, limit: int) -> list[Group]:
    """Return groups of neighbouring pieces (first, last + 1): merged by similarity, then cut where they are too long."""
    groups: list[Group] = []
    first = 0
    size = 0
    total = np.zeros(0)
    for at in range(len(found)):
        vector, tokens = vectors[at], found.tokens[at]
        if at > first:
            mean = total / np.linalg.norm(total)
            if float(mean @ vector) > similarity and size + 1 + tokens <= limit:
                total = total + vector * tokens
                size += 1 + tokens
                continue
            groups.append((first, at))
        first, size, total = at, tokens, vector.astype(np.float64) * tokens
    if len(found):
        groups.append((first, len(found)))
    return [part for group in groups for part in _within(found, vectors, group, limit)]


def _within(found: Pieces, vectors: Vectors, group: Group, limit: int) -> list[Group]:
    """Cut `group` at its lowest similarity of neighbours until every part has at most `limit` tokens."""
    first, stop = group
    if stop - first == 1 or sum(found.tokens[first:stop]) + stop - first - 1 <= limit:
        return [group]
    similar = np.einsum("ij,ij->i", vectors[first : stop - 1], vectors[first + 1 : stop])
    cut = first + 1 + int(np.argmin(similar))
    return [*_within(found, vectors, (first, cut), limit), *_within(found, vectors, (cut, stop), limit)]


def raised(found: Pieces, vectors: Vectors, groups: Sequence[Group], minimum: int, limit: int) -> list[Group]:
    """Join every group under `minimum` tokens with a neighbour where both fit into `limit` tokens.

    The smallest group is first. In text order, the mean vector of many pieces would attract one small piece after the other, and every
    chunk would grow up to the limit.
    """
    sums = np.concatenate(
        [
            np.zeros((1, vectors.shape[1])),
            np.cumsum(vectors * np.asarray(found.tokens, dtype=np.float64)[:, None], axis=0),
        ]
    )
    counts = [0, *itertools.accumulate(found.tokens)]
    stop_of = dict(groups)
    first_of = {stop: first for first, stop in groups}

    def size(first: int, stop: int) -> int:
        return counts[stop] - counts[first] + stop - first - 1

    def nearness(left: Group, right: Group) -> tuple[float, int]:
        """(cosine, minus size): cosine is rounded to digits that float errors do not change; on a tie the smaller neighbour is nearer."""
        one, other = (sums[stop] - sums[first] for first, stop in (left, right))
        cosine = float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12)
        return round(cosine, 6), -size(*right)

    small = [(size(*group), *group) for group in groups if size(*group) < minimum]
    heapq.heapify(small)
    while small:
        _, first, stop = heapq.heappop(small)
        if stop_of.get(first) != stop:
            continue  # already joined with a smaller group
        beside = [(first_of[first], first)] if first in first_of else []
        beside += [(stop, stop_of[stop])] if stop in stop_of else []
        fitting = [other for other in beside if size(min(first, other[0]), max(stop, other[1])) <= limit]
        if not fitting:
            continue
        other = max(fitting, key=functools.partial(nearness, (first, stop)))
        for at, end in ((first, stop), other):
            del stop_of[at], first_of[end]
        first, stop = min(first, other[0]), max(stop, other[1])
        stop_of[first], first_of[stop] = stop, first
        if size(first, stop) < minimum:
            heapq.heappush(small, (size(first, stop), first, stop))
    return sorted(stop_of.items())


def paper_groups(found: Pieces, vectors: Vectors) -> list[Group]:
    """Return groups (first, last + 1) by the paper's recursion over sentences."""
    presplit = _by_characters(found, (0, len(found)), PRESPLIT)
    groups = [part for group in presplit for part in _recurse(found, vectors, group, FIRST_PERCENTILE)]
    groups = _absorb_small(found, vectors, groups)
    return [part for group in groups for part in _by_characters(found, group, FINAL)]


def _recurse(found: Pieces, vectors: Vectors, group: Group, percentile: float) -> list[Group]:
    """Split at the percentile of the distances; split parts over the limit again with a lower percentile."""
    if _characters(found, group) <= SPLIT_ABOVE and percentile < FIRST_PERCENTILE:
        return [group]
    first, stop = group
    if stop - first < 2 or percentile <= 0:
        return [group]
    distances = 1.0 - np.einsum("ij,ij->i", vectors[first : stop - 1], vectors[first + 1 : stop])
    cuts = [first + 1 + int(at) for at in np.flatnonzero(distances > np.percentile(distances, percentile))]
    parts = itertools.pairwise([first, *cuts, stop])
    return [below for part in parts for below in _recurse(found, vectors, part, percentile - PERCENTILE_STEP)]


def _absorb_small(found: Pieces, vectors: Vectors, groups: list[Group]) -> list[Group]:
    """Join groups under 350 characters with the more similar neighbour, the previous on a tie."""
    out = list(groups)
    at = 0
    while at < len(out):
        if len(out) == 1 or _characters(found, out[at]) >= MERGE_BELOW:
            at += 1
            continue
        here = _mean(vectors, found, out[at])
        before = float(here @ _mean(vectors, found, out[at - 1])) if at else -np.inf
        after = float(here @ _mean(vectors, found, out[at + 1])) if at + 1 < len(out) else -np.inf
        if before >= after:
            out[at - 1 : at + 1] = [(out[at - 1][0], out[at][1])]  # the group before is large enough
        else:
            out[at : at + 2] = [(out[at][0], out[at + 1][1])]
    return out


def _mean(vectors: Vectors, found: Pieces, group: Group) -> Vectors:
    """Return the length-weighted mean of the group's vectors, unit length."""
    weights = np.asarray(found.tokens[group[0] : group[1]], dtype=np.float32)
    total: Vectors = (vectors[group[0] : group[1]] * weights[:, None]).sum(axis=0)
    return (total / max(float(np.linalg.norm(total)), 1e-12)).astype(np.float32)


def _characters(found: Pieces, group: Group) -> int:
    return found.spans[group[1] - 1][1] - found.spans[group[0]][0]


def _by_characters(found: Pieces, group: Group, most: int) -> list[Group]:
    """Cut `group` between sentences so that each part has at most `most` characters, but at least one sentence."""
    out: list[Group] = []
    first = group[0]
    for at in range(group[0] + 1, group[1]):
        if found.spans[at][1] - found.spans[first][0] > most:
            out.append((first, at))
            first = at
    if group[1] > group[0]:
        out.append((first, group[1]))
    return out


def _variant(tools: Tools) -> str:
    variant = str(tools.parameters.get("variant", "merge"))
    if variant not in ("merge", "paper"):
        raise ConfigurationError(f"recursive_semantic: variant {variant!r} is neither merge nor paper")
    return variant


def _pieces(document: Document, segment: Segment, tools: Tools) -> Pieces:
    limit: int = min(PIECE_TOKENS, budget(document_header(document)))
    if _variant(tools) == "paper":
        return sentence_pieces(document, segment.spans, limit)
    return _with_headings(document, block_pieces(document, segment.spans, limit), limit)


def _with_headings(document: Document, found: Pieces, limit: int) -> Pieces:
    """Join consecutive headings and the block under them to one piece, so that no heading ends a chunk."""
    headings = {node.start: node.end for node in document.walk() if node.type == "heading"}
    spans: list[tuple[int, int]] = []
    counts: list[int] = []
    heads = False
    for (start, end), tokens in zip(found.spans, found.tokens, strict=True):
        if heads and counts[-1] + 1 + tokens <= limit and not document.text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
            counts[-1] += 1 + tokens
        else:
            spans.append((start, end))
            counts.append(tokens)
        heads = end <= headings.get(start, -1)
    return Pieces(tuple(spans), tuple(counts))


STRATEGY = Strategy("recursive_semantic", "3", chunk, pieces)
