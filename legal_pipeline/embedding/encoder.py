"""The embedding model as strategies by meaning ask for it (`chunking.strategy.Encoder`).

Not here: any model (`embedding.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.embedding.embedder import Embedder, Vectors


@dataclass(frozen=True)
class EmbedderAsEncoder:
    """`embedder` without its counts of tokens."""

    embedder: Embedder

    @property
    def name(self) -> str:
        return self.embedder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts).vectors
