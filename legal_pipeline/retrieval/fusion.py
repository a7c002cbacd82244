"""Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): lists of different scores become one by ranks alone.

And what a document's candidates say together of each of them. Not here: where the lists come from (`retrieval.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

#: The paper's 60 was found for lists of whole documents. For provisions 20 was chosen on the development half of the citation queries
#: (English recall@5 0.371 against 0.357; docs/evaluation/results.md).
RRF_K = 20

#: How much the share of a chunk's document weighs: its exponent. 0: nothing; 0.2 was chosen on the same half (share of hits from the wrong
#: document 0.273 against 0.410 in English, 0.258 against 0.358 in Swedish). 0.5 has fewer still, and leaves less room to a second document.
SHARE_WEIGHT = 0.2


@dataclass(frozen=True)
class DocumentShare:
    """How what a document's candidates score is gathered (`sum`, `max`), and how much the share of it weighs: its exponent."""

    gather: Callable[[Iterable[float]], float]
    weight: float


#: For queries in words of the law.
OF_WORDS = DocumentShare(sum, SHARE_WEIGHT)

#: For questions in plain words: their candidates are spread over many Acts, and the sum of them is that of the longest Act (see
#: docs/evaluation/results.md, "Plain questions").
OF_QUESTIONS = DocumentShare(max, 0.5)


def reciprocal_ranks(lists: Mapping[str, Sequence[Key]], k: int = RRF_K) -> dict[Key, dict[str, float]]:
    """Key -> list name -> 1 / (k + rank), ranks from 1. The fused score of a key is the sum of its parts."""
    parts: dict[Key, dict[str, float]] = {}
    for name, keys in lists.items():
        for rank, key in enumerate(keys, start=1):
            parts.setdefault(key, {}).setdefault(name, 1.0 / (k + rank))
    return parts


def document_shares(
    scores: Mapping[Key, float], documents: Mapping[Key, str], gather: Callable[[Iterable[float]], float] = sum
) -> dict[str, float]:
    """Document -> what its candidates score together, as a share of what the best document's do: in (0, 1].

    An Act with many candidates is likelier to be the one that is meant than an Act with one of the same rank (the choice of collections
    in federated search, Callan, Lu, Croft 1995).
    """
    found: dict[str, list[float]] = {}
    for key, score in scores.items():
        found.setdefault(documents[key], []).append(score)
    gathered = {document: gather(values) for document, values in found.items()}
    best = max(gathered.values(), default=0.0)
    return {document: total / best for document, total in gathered.items()} if best > 0 else dict.fromkeys(found, 1.0)
