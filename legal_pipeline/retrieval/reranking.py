"""A cross-encoder reads the query with each of the best candidates and reorders them.

Off unless `LEGAL_PIPELINE_RERANKER` names a model for sentence-transformers, or a server. Not here: the candidates and the rest of
the ranking (`retrieval.search`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Protocol

from legal_pipeline.errors import ConfigurationError, RerankingError, RerankingUnavailableError
from legal_pipeline.settings import Settings
from legal_pipeline.system.retries import RetryPolicy
from legal_pipeline.system.urls import render_url

#: Number of candidates that are reranked, best first: a cross-encoder takes some ten milliseconds for each on a processor.
DEPTH = 50

#: Attempts of a request, and seconds of the first and the longest pause between two. A person waits for the result.
_RETRIES = RetryPolicy(3, 0.2, 2.0)
_RETRYABLE = frozenset({408, 409, 424, 425, 429, 500, 502, 503, 504})


class Reranker(Protocol):
    """Scores texts for a query; only their order counts."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one finite score per text, higher is better. Raises `RerankingError`, or `ConfigurationError` for a model or server that
        is not available."""
        ...


def open_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker that the settings name; None if they name none. No model is loaded before the first search."""
    if settings.reranker is None:
        return None
    if settings.reranker.startswith(("http://", "https://")):
        key = None if settings.reranker_key is None else settings.reranker_key.get_secret_value()
        return HttpReranker(settings.reranker, key=key, timeout_seconds=settings.reranker_timeout_seconds)
    return CrossEncoderReranker(settings.reranker)


class CrossEncoderReranker:
    """A sentence-transformers `CrossEncoder` by name or folder; texts that are too long for it are cut at their end."""

    def __init__(self, model: str) -> None:
        self._name = model

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        found = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
        return _verified(found.tolist(), len(texts), f"the reranker {self._name}")

    @functools.cached_property
    def _model(self) -> Any:
        from sentence_transformers import CrossEncoder  # importing torch takes seconds

        try:
            model = CrossEncoder(self._name)
        except (OSError, ValueError, KeyError) as error:
            raise ConfigurationError(
                f"the reranker {self._name} cannot be loaded: expected the name or folder of a cross-encoder for sentence-transformers, or "
                f"the address of a server ({error})"
            ) from error
        if model.num_labels != 1:
            raise ConfigurationError(
                f"the reranker {self._name} gives {model.num_labels} numbers for a text, expected a cross-encoder with one score"
            )
        return model


class HttpReranker:
    """A server at `url` (`…/rerank`): text-embeddings-inference, or a server with the API of Jina, Cohere, vLLM and Infinity."""

    def __init__(self, url: str, *, key: str | None = None, timeout_seconds: float = 10.0) -> None:
        import httpx  # most searches use no server

        self._url = url
        self._place = f"the reranker at {render_url(url)}"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_seconds)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        # each kind of server reads its own one of the two fields
        body = {"query": query, "texts": list(texts), "documents": list(texts), "truncate": True}
        answer = _RETRIES.call(
            lambda: self._ask(body), is_transient=lambda error: isinstance(error, RerankingUnavailableError)
        )
        rows = answer.get("results") if isinstance(answer, dict) else answer
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._useless("it holds no list of results")
        by_index = {row.get("index"): row.get("relevance_score", row.get("score")) for row in rows}
        if len(rows) != len(texts) or by_index.keys() != set(range(len(texts))):
            raise self._useless(f"it has {len(rows)} scores for {len(texts)} texts, or not one for each")
        return _verified([by_index[at] for at in range(len(texts))], len(texts), self._place)

    def _ask(self, body: dict[str, Any]) -> Any:
        import httpx

        try:
            answer = self._client.post(self._url, json=body)
        except httpx.TransportError as error:
            raise RerankingUnavailableError(f"{self._place} does not answer: {type(error).__name__} {error}") from error
        if answer.status_code in _RETRYABLE:
            raise RerankingUnavailableError(f"{self._place} answers with status {answer.status_code}")
        if not answer.is_success:
            said = " ".join(answer.text[:300].split())
            raise ConfigurationError(
                f"{self._place} refuses with status {answer.status_code}: check address and key ({said})"
            )
        try:
            return answer.json()
        except ValueError:
            raise self._useless("it is not JSON") from None

    def _useless(self, problem: str) -> RerankingError:
        return RerankingError(f"{self._place} gave an answer of no use: {problem}")


def _verified(scores: Sequence[Any], texts: int, place: str) -> list[float]:
    """Return `scores` if there is one finite number per text, else raise."""
    if len(scores) != texts or not all(isinstance(score, int | float) and math.isfinite(score) for score in scores):
        raise RerankingError(f"{place} gave scores that are not one finite number for each of {texts} texts")
    return [float(score) for score in scores]
