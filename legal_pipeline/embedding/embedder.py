"""The interface of an embedder: the protocol, its result, and the checks of every result.

Not here: models (`embedding.model_embedder`) and the choice of a model (`embedding.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.errors import EmbeddingError

Vectors = NDArray[np.float32]

#: Maximum difference of a vector's length from 1: float32 noise is about 1e-7, a wrong model or missing normalisation gives far more.
UNIT_TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of n texts, and how many tokens of each text were embedded.

    `vectors` is (n, dimension) float32, unit length; `embedded_tokens` and `total_tokens` are counted by the model's own tokenizer
    without its special tokens. They are equal if nothing was cut.
    """

    vectors: Vectors
    embedded_tokens: tuple[int, ...]
    total_tokens: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.total_tokens)


class Embedder(Protocol):
    """Computes vectors of texts: of passages and of queries, each with the prompt that the model expects before it.

    `name` names everything that determines a vector (model, hash of its weights, version of the windowing, prompts) and nothing of the
    machine. It is part of every embedding row's `input_hash`, so two embedders with one name must give the same vectors, except for the
    rounding of half precision (`embedding.admission`). It is known without loading the model.
    `max_tokens` is the maximum length of one input of the model; longer texts are embedded completely, in windows.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        """Return one vector per text, in the given order. Raises EmbeddingError if the model returns vectors that are not finite."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        """Return one vector per query, as `embed_passages` does for passages."""
        ...


@runtime_checkable
class QuestionReader(Protocol):
    """An embedder that can read questions in everyday words in another way than other queries (`embedding.question_adapter`), and does if
    `has_adapter`; otherwise `embed_questions` is `embed_queries`."""

    @property
    def has_adapter(self) -> bool: ...

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        """Return one vector per question, as `Embedder.embed_queries` does for queries."""
        ...


def question_reader(embedder: Embedder) -> QuestionReader | None:
    """Return the embedder if it has a question adapter."""
    return embedder if isinstance(embedder, QuestionReader) and embedder.has_adapter else None


def unit_rows(vectors: NDArray[np.floating], *, model: str) -> Vectors:
    """Return `vectors` scaled to length 1, as float32. EmbeddingError names the first row that is not finite or has length 0."""
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths < 1e-12))
    if bad.size:
        raise EmbeddingError(
            f"{model} gave {bad.size} of {len(wide)} vectors without a finite length, first at row {bad[0]}"
        )
    scaled: Vectors = (wide / lengths[:, None]).astype(np.float32)
    return scaled


def verify_unit(vectors: Vectors, *, dimension: int, model: str) -> None:
    """Raise EmbeddingError unless `vectors` is (n, dimension), finite and of unit length."""
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise EmbeddingError(f"{model} gave vectors of shape {vectors.shape}, expected (n, {dimension})")
    lengths = np.linalg.norm(vectors, axis=1)
    bad = np.flatnonzero(~(np.abs(lengths - 1.0) <= UNIT_TOLERANCE))
    if bad.size:
        raise EmbeddingError(
            f"{model}: vector {bad[0]} has length {lengths[bad[0]]}, expected 1 ({bad.size} such vectors)"
        )
