"""Query vectors for searches at the same time: one call of the model embeds the queries that wait, and recent vectors are kept.

A model takes less time for eight queries in one call than in eight. A query that finds the model free is embedded at once: nothing waits
for others to come. Not here: models (`embedding.model_embedder`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from legal_pipeline.embedding.embedder import Embedder, Embeddings, question_reader

#: Number of queries whose vectors are kept: about 2 MB for 384 dimensions. Facets, pages and filters repeat a query.
_MOST_KEPT = 1024

#: Maximum number of queries in one call, so that a short query does not wait for many long ones.
_MOST_AT_ONCE = 16


class _Asked:
    """A query of one caller; `found` is its vector, or the error of the model. `key`: whether it is read as a question, and its text."""

    def __init__(self, key: tuple[bool, str]) -> None:
        self.key = key
        self.found: Embeddings | Exception | None = None


class QueryBatches:
    """An `Embedder` that is safe in several threads if `inner` is; `inner` must give a text the same vector in every batch."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self._mutex = threading.Lock()
        self._working = threading.Lock()
        self.waiting: list[_Asked] = []
        self._kept: OrderedDict[tuple[bool, str], Embeddings] = OrderedDict()

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens

    @property
    def has_adapter(self) -> bool:
        return question_reader(self.inner) is not None

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        return self.inner.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        """See `Embedder.embed_queries`; several texts in one call are not kept."""
        return self._embed_together(texts, is_question=False)

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        """See `embedder.QuestionReader`; several texts in one call are not kept."""
        return self._embed_together(texts, is_question=True)

    def _embed_together(self, texts: Sequence[str], *, is_question: bool) -> Embeddings:
        if len(texts) != 1:
            return self._call(texts, is_question)
        asked = _Asked((is_question, texts[0]))
        with self._mutex:
            if (known := self._kept.get(asked.key)) is not None:
                self._kept.move_to_end(asked.key)
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
        keys = dict.fromkeys(asked.key for asked in batch)
        try:
            found = {
                (kind, text): vector
                for kind in (False, True)
                for text, vector in self._embed([text for of, text in keys if of is kind], kind).items()
            }
        except BaseException:
            with self._mutex:
                self.waiting[:0] = batch  # an interrupt of this thread: the next one embeds them
            raise
        with self._mutex:
            self._kept.update((key, vector) for key, vector in found.items() if isinstance(vector, Embeddings))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        for asked in batch:
            asked.found = found[asked.key]

    def _call(self, texts: Sequence[str], is_question: bool) -> Embeddings:
        reader = question_reader(self.inner) if is_question else None
        return self.inner.embed_queries(texts) if reader is None else reader.embed_questions(texts)

    def _embed(self, texts: Sequence[str], is_question: bool) -> dict[str, Embeddings | Exception]:
        if not texts:
            return {}
        try:
            rows = self._call(texts, is_question)
        except Exception as error:
            if len(texts) == 1:
                return {texts[0]: error}
            # the other texts are not at fault
            return {text: found for each in texts for text, found in self._embed([each], is_question).items()}
        parts = (
            (rows.vectors[at : at + 1], rows.embedded_tokens[at : at + 1], rows.total_tokens[at : at + 1])
            for at in range(len(texts))
        )
        return {text: Embeddings(*part) for text, part in zip(texts, parts, strict=True)}
