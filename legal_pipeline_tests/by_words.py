"""An embedder without a model. Not here: stand-ins that remember what they were asked (`counting`)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from legal_pipeline.embedding.embedder import Embeddings


class ByWords:
    """Vectors by the words of a text, at once: for tests that count what is embedded and do not look at the vectors."""

    name = "by-words"
    dimension = 64
    max_tokens = 1_000_000

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        counts = []
        for index, text in enumerate(texts):
            words = re.findall(r"\w+", text.casefold())
            counts.append(len(words))
            for word in words or [""]:
                vectors[index, hashlib.blake2b(word.encode(), digest_size=1).digest()[0] % self.dimension] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return Embeddings(vectors / np.where(lengths, lengths, 1), tuple(counts), tuple(counts))

    embed_queries = embed_passages
