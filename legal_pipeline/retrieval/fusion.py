"""Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): merges lists of different scores by ranks alone.

Also the share of a document: the candidates of one document together raise each of them. Not here: the lists (`retrieval.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

#: The paper's 60 was found for lists of whole documents. For provisions 20 was chosen on the development half of the citation queries
#: (English recall@5 0.371 against 0.357; docs/evaluation/results.md).
RRF_K = 20

#: Weight of the share of a chunk's document: its exponent. 0: none; 0.2 was chosen on the same half (share of hits from the wrong document
#: 0.273 against 0.410 in English, 0.258 against 0.358 in Swedish). 0.5 gives fewer still, but leaves less room to a second document.
SHARE_WEIGHT = 0.2


@dataclass(frozen=True)
class DocumentShare:
    """How the scores of a document's candidates are combined (`sum`, `max`), and the weight of the share: its exponent."""

    gather: Callable[[Iterable[float]], float]
    weight: float


#: For queries in words of the law.
OF_WORDS = DocumentShare(sum, SHARE_WEIGHT)

#: For questions in plain words: their candidates are spread over many Acts, and a sum would favour the longest Act (see
#: docs/evaluation/results.md, "Plain questions").
OF_QUESTIONS = DocumentShare(max, 0.5)


def reciprocal_ranks(lists: Mapping[str, Sequence[Key]]) -> dict[Key, dict[str, float]]:
    """Return key -> list name -> 1 / (`RRF_K` + rank), ranks from 1. The fused score of a key is the sum of its parts."""
    parts: dict[Key, dict[str, float]] = {}
    for name, keys in lists.items():
        for rank, key in enumerate(keys, start=1):
            parts.setdefault(key, {}).setdefault(name, 1.0 / (RRF_K + rank))
    return parts


def document_shares(
    scores: Mapping[Key, float], documents: Mapping[Key, str], gather: Callable[[Iterable[float]], float] = sum
) -> dict[str, float]:
    """Return document -> the combined score of its candidates, as a share of the best document's: in (0, 1].

    An Act with many candidates is more likely to be the relevant Act than an Act with one of the same rank (the choice of collections
    in federated search, Callan, Lu, Croft 1995).
    """
    found: dict[str, list[float]] = {}
    for key, score in scores.items():
        found.setdefault(documents[key], []).append(score)
    gathered = {document: gather(values) for document, values in found.items()}
    best = max(gathered.values(), default=0.0)
    return {document: total / best for document, total in gathered.items()} if best > 0 else dict.fromkeys(found, 1.0)
