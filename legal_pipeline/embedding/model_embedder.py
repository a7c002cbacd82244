"""An embedder for any sentence-transformers model and any backend: windows, one call of the backend, length-weighted pooling.

Not here: the default model (`embedding.registry`), cutting windows (`embedding.windows`), and the backends.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from legal_pipeline.embedding.backend import Backend
from legal_pipeline.embedding.embedder import Embeddings, unit_rows, verify_unit
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.served_model import ServedModel, ServedTokenizer
from legal_pipeline.embedding.tokenizer import ModelTokenizer
from legal_pipeline.embedding.windows import Window, window_texts
from legal_pipeline.errors import ConfigurationError


class ModelEmbedder:
    """Vectors of `model`. `open_backend` is called at the first passages; `open_for_queries`, if given, is called instead at the first
    query, so that a process with searches only needs no GPU, and passages no graph with a question adapter."""

    def __init__(
        self,
        model: ModelFiles | ServedModel,
        open_backend: Callable[[], Backend],
        open_for_queries: Callable[[], Backend] | None = None,
    ) -> None:
        self._files = model
        self._open_backend = open_backend
        self._open_for_queries = open_for_queries
        self._lock = threading.RLock()
        self._backend: Backend | None = None
        self._query_backend: Backend | None = None

    @property
    def name(self) -> str:
        return self._files.name

    @property
    def dimension(self) -> int:
        if self._files.known_limits:
            return self._files.known_limits[0]
        return (self._query_backend or self.backend).dimension

    @property
    def max_tokens(self) -> int:
        return self._files.max_tokens

    @property
    def backend(self) -> Backend:
        # not `cached_property`: in Python 3.11 all embedders of the process would share its lock
        with self._lock:
            if self._backend is None:
                self._backend = self._verified(self._open_backend())
            return self._backend

    @property
    def query_backend(self) -> Backend:
        with self._lock:
            if self._query_backend is None:
                opener = self._open_for_queries
                self._query_backend = self.backend if opener is None else self._verified(opener())
            return self._query_backend

    def _verified(self, backend: Backend) -> Backend:
        if self._files.known_limits and backend.dimension != self._files.known_limits[0]:
            raise ConfigurationError(
                f"the embedding model {self._files.model} has dimension {backend.dimension}, expected "
                f"{self._files.known_limits[0]} ({backend.description})"
            )
        return backend

    @functools.cached_property
    def _tokenizer(self) -> ModelTokenizer | ServedTokenizer:
        return self._files.tokenizer()

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        """See `Embedder.embed_passages`. The windows of all texts are passed to the backend in one call."""
        return self._embed(texts, self._files.prompts.passage, lambda: self.backend)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._embed(texts, self._files.prompts.query, lambda: self.query_backend)

    @property
    def has_adapter(self) -> bool:
        return self._files.adapter is not None

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        """See `embedder.QuestionReader`."""
        return self._embed(texts, self._files.prompts.query, lambda: self.query_backend, is_question=True)

    def _embed(
        self, texts: Sequence[str], prompt: str, backend: Callable[[], Backend], *, is_question: bool = False
    ) -> Embeddings:
        if not texts:
            return Embeddings(np.zeros((0, self.dimension), dtype=np.float32), (), ())
        model, tokenizer = self._files.model, self._tokenizer
        room = self.max_tokens - tokenizer.special_tokens - (len(tokenizer.tokenize([prompt])[0]) if prompt else 0)
        windows, totals = window_texts(texts, tokenizer, room)
        per_window = unit_rows(backend().encode(self._as_read(windows, prompt), is_question=is_question), model=model)
        vectors = unit_rows(_pool(per_window, windows, len(texts)), model=model)
        verify_unit(vectors, dimension=self.dimension, model=model)
        seen = np.zeros(len(texts), dtype=np.int64)
        for window in windows:
            seen[window.index] += window.seen
        # A cut inside a word can produce an additional token: never report more tokens than the text has.
        embedded = tuple(min(int(count), total) for count, total in zip(seen, totals, strict=True))
        return Embeddings(vectors, embedded, tuple(totals))

    def _as_read(self, windows: Sequence[Window], prompt: str) -> list[Window]:
        """Return `windows` as the input of the model: each with the prompt before it and with special tokens."""
        tokenizer = self._tokenizer
        read = [f"{prompt}{window.text}" for window in windows]
        # only with a prompt: the tokens where prompt and text meet may differ from the tokens of both alone
        ids = [tokens.ids for tokens in tokenizer.tokenize(read)] if prompt else [window.ids for window in windows]
        most = self.max_tokens - tokenizer.special_tokens
        return [
            dataclasses.replace(window, text=text, ids=tokenizer.framed(found[:most]))
            for window, text, found in zip(windows, read, ids, strict=True)
        ]


def _pool(vectors: np.ndarray[Any, Any], windows: Sequence[Window], texts: int) -> np.ndarray[Any, Any]:
    """Return (texts, dimension) float64: per text the sum of its windows' vectors, weighted by their tokens."""
    index = np.array([window.index for window in windows])
    # An empty text is one window without tokens: it gets the vector that the model returns for an empty text.
    weight = np.array([max(window.seen, 1) for window in windows], dtype=np.float64)
    pooled = np.zeros((texts, vectors.shape[1]), dtype=np.float64)
    np.add.at(pooled, index, vectors * weight[:, None])
    return pooled
