"""Query vectors for searches at the same time: one call of the model embeds the queries that wait, and recent vectors are kept.

A model takes less time for eight queries in one call than in eight. A query that finds the model free is embedded at once: nothing waits
for others to come. Not here: models (`embedding.model_embedder`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from legal_pipeline.embedding.embedder import Embedder, Embeddings

#: Number of queries whose vectors are kept: about 2 MB for 384 dimensions. Facets, pages and filters repeat a query.
_MOST_KEPT = 1024

#: Maximum number of queries in one call, so that a short query does not wait for many long ones.
_MOST_AT_ONCE = 16


class _Asked:
    """A query of one caller; `found` is its vector, or the error of the model."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: Embeddings | Exception | None = None


class QueryBatches:
    """An `Embedder` that is safe in several threads if `inner` is; `inner` must give a text the same vector in every batch."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self._mutex = threading.Lock()
        self._working = threading.Lock()
        self.waiting: list[_Asked] = []
        self._kept: OrderedDict[str, Embeddings] = OrderedDict()

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        return self.inner.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        """See `Embedder.embed_queries`; several texts in one call are not kept."""
        if len(texts) != 1:
            return self.inner.embed_queries(texts)
        asked = _Asked(texts[0])
        with self._mutex:
            if (known := self._kept.get(asked.text)) is not None:
                self._kept.move_to_end(asked.text)
                return known
            self.waiting.append(asked)
        while asked.found is None:
            with self._working:
                if asked.found is None:
                    self._embed_waiting()
        if isinstance(asked.found, Exception):
            raise asked.found
        return asked.found

    def _embed_waiting(self) -> None:
        with self._mutex:
            batch, self.waiting = self.waiting[:_MOST_AT_ONCE], self.waiting[_MOST_AT_ONCE:]
        try:
            found = self._embed(list(dict.fromkeys(asked.text for asked in batch)))
        except BaseException:
            with self._mutex:
                self.waiting[:0] = batch  # an interrupt of this thread: the next one embeds them
            raise
        with self._mutex:
            self._kept.update((text, vector) for text, vector in found.items() if isinstance(vector, Embeddings))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        for asked in batch:
            asked.found = found[asked.text]

    def _embed(self, texts: Sequence[str]) -> dict[str, Embeddings | Exception]:
        try:
            rows = self.inner.embed_queries(texts)
        except Exception as error:
            if len(texts) == 1:
                return {texts[0]: error}
            # the other texts are not at fault
            return {text: found for each in texts for text, found in self._embed([each]).items()}
        parts = (
            (rows.vectors[at : at + 1], rows.embedded_tokens[at : at + 1], rows.total_tokens[at : at + 1])
            for at in range(len(texts))
        )
        return {text: Embeddings(*part) for text, part in zip(texts, parts, strict=True)}
