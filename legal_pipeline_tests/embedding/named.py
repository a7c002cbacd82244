"""An embedder whose vectors are made of words: those of one meaning, which the test names, lie in one direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from legal_pipeline.embedding.embedder import Embeddings, unit_rows


@dataclass
class Named:
    """`meanings`: word -> direction; a text without any looks along the last one. Remembers the queries that it was asked to embed."""

    name: str
    dimension: int
    meanings: dict[str, int] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)
    max_tokens: int = 256

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        vectors = np.full((len(texts), self.dimension), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            found = [self.meanings[word] for word in text.lower().split() if word in self.meanings]
            for direction in found or [self.dimension - 1]:
                vectors[row, direction] += 1
        return Embeddings(unit_rows(vectors, model=self.name), (1,) * len(texts), (1,) * len(texts))

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        self.queries += texts
        return self.embed_passages(texts)
