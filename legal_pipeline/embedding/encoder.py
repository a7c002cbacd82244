"""The embedding model with the interface that the semantic chunking strategies use (`chunking.strategy.Encoder`).

Not here: models (`embedding.registry`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legal_pipeline.embedding.embedder import Embedder, Vectors
from legal_pipeline.embedding.model_table import Embedders


def encoders(open_embedders: Callable[[], Embedders]) -> Callable[[str], EmbedderAsEncoder]:
    """Return a function from language (ISO 639-3) to encoder; `open_embedders` is called once, at the first text that is cut by meaning."""
    opened = functools.cache(open_embedders)
    return lambda language: EmbedderAsEncoder(opened().of(language))


@dataclass(frozen=True)
class EmbedderAsEncoder:
    """`embedder` without its token counts."""

    embedder: Embedder

    @property
    def name(self) -> str:
        return self.embedder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts).vectors
