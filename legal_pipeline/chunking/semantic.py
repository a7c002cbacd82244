"""`semantic`: unstructured text, cut where its topic changes (Max-Min, Kiss, Nagy, Szilágyi 2025; and a percentile variant).

Max-Min, for sentence k and the open cluster C of m sentences (σ logistic, all similarities cosine):
m = 1: p = sim(k, C0), score = init·p, threshold = hard; m > 1: threshold = max(c·p·σ(m-1), hard), score = max sim(k, j) over C, then
p = min(p, min sim(k, j)); k joins when score > threshold, else C closes. Defaults hard 0.6, c 0.9, init 1.5; `hard` depends on the
model (`calibration.toml`, from `benchmarks.calibrate_semantic` of the tests). Percentile: cut where the similarity of neighbours is
below the 25th percentile, chunks under 100 tokens merge into a neighbour. Both are capped at 1,000 tokens and repeat 15 % of the chunk
before in whole sentences. Not here: vectors.
"""

from __future__ import annotations

import math

import numpy as np

from legal_pipeline.chunking.calibration import calibrated
from legal_pipeline.chunking.chunk import Segment
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.packing import budget
from legal_pipeline.chunking.pieces import Pieces, drafts_of, headings_with_text, own_tokens, sentence_pieces, windows
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools, Vectors
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document

#: Tokens and shares.
CAP = 1000
MERGE_BELOW = 100
OVERLAP, MOST_OVERLAP = 0.15, 0.20
PERCENTILE = 25.0

HARD, C, INIT = 0.6, 0.9, 1.5


def pieces(document: Document, segment: Segment, tools: Tools = Tools()) -> list[str]:
    """Return the sentences whose vectors `chunk` needs."""
    return _sentences(document, segment).texts(document)


def chunk(document: Document, segment: Segment, tools: Tools) -> Cut:
    """Return drafts with paths `semantic.chunkN`. Parameters: `variant` (max_min or percentile), `hard`, `c`, `init`, `percentile`."""
    found = _sentences(document, segment)
    if tools.vectors is None or len(tools.vectors) != len(found):
        raise ConfigurationError(
            f"semantic was called with {len(tools.vectors or ())} vectors, but needs a vector for each of the {len(found)} texts "
            "of `pieces`"
        )
    parameters = tools.parameters
    variant = parameters.get("variant", "max_min")
    if variant == "max_min":
        starts = max_min(
            tools.vectors,
            parameters.get("hard", calibrated_hard(tools.model)),
            parameters.get("c", C),
            parameters.get("init", INIT),
        )
    elif variant == "percentile":
        starts = percentile(tools.vectors, parameters.get("percentile", PERCENTILE))
    else:
        raise ConfigurationError(f"semantic: variant {variant!r} is neither max_min nor percentile")
    header = document_header(document)
    limit = min(CAP, budget(header))
    own = own_tokens(limit, MOST_OVERLAP)
    groups = headings_with_text(document, found, _merge_small(found, _capped(found, starts, own), own), own)
    repeated = windows(found, groups, OVERLAP, MOST_OVERLAP, limit)
    return drafts_of(document, found, repeated, prefix="semantic", header=header, chunk_type="markdown"), []


def calibrated_hard(model: str | None) -> float:
    """Return `hard` for the model; the paper's 0.6 for a model that was never calibrated."""
    return calibrated("hard", model, HARD)


def max_min(vectors: Vectors, hard: float = HARD, c: float = C, init: float = INIT) -> list[int]:
    """Return where clusters begin (0 first) among `vectors` (n, dimension), unit length, one per sentence in text order.

    Products are float64: in float32 the order of summation changes a similarity by 1e-7, which could change a decision near the threshold.
    """
    if not len(vectors):
        return []
    exact = vectors.astype(np.float64)
    starts, lowest = [0], math.inf
    for k in range(1, len(exact)):
        similar = exact[starts[-1] : k] @ exact[k]
        size = len(similar)
        if size == 1:
            joins = init * float(similar[0]) > hard
        else:
            joins = float(similar.max()) > max(c * lowest / (1.0 + math.exp(-(size - 1))), hard)
        if joins:
            lowest = min(lowest, float(similar.min()))
        else:
            starts.append(k)
            lowest = math.inf
    return starts


def percentile(vectors: Vectors, below: float = PERCENTILE) -> list[int]:
    """Return where chunks begin (0 first): at every neighbour whose similarity is below the percentile of all neighbours."""
    if len(vectors) < 2:
        return [0] if len(vectors) else []
    similar = np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
    return [0, *(int(at) + 1 for at in np.flatnonzero(similar < np.percentile(similar, below)))]


def _sentences(document: Document, segment: Segment) -> Pieces:
    return sentence_pieces(document, segment.spans, min(CAP, budget(document_header(document))))


def _capped(found: Pieces, starts: list[int], limit: int) -> list[tuple[int, int]]:
    """Return clusters as (first, last + 1), each cut where it would exceed `limit` tokens."""
    groups = []
    for first, stop in zip(starts, [*starts[1:], len(found)], strict=True):
        size = 0
        begin = first
        for at in range(first, stop):
            if size and size + 1 + found.tokens[at] > limit:
                groups.append((begin, at))
                begin, size = at, 0
            size += found.tokens[at] + (1 if size else 0)
        groups.append((begin, stop))
    return groups


def _merge_small(found: Pieces, groups: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """Join groups under 100 tokens with the previous group, or else the next, if both fit into `limit`."""
    out: list[tuple[int, int]] = []

    def size(group: tuple[int, int]) -> int:
        return sum(found.tokens[group[0] : group[1]]) + group[1] - group[0]

    for group in groups:
        small = bool(out) and (size(group) < MERGE_BELOW or size(out[-1]) < MERGE_BELOW)
        if small and size((out[-1][0], group[1])) <= limit:
            out[-1] = (out[-1][0], group[1])
        else:
            out.append(group)
    return out


STRATEGY = Strategy("semantic", "5", chunk, pieces)
