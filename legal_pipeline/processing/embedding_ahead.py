"""Embeds in a thread of its own what a later stage of the run will ask for, while the stages before it work.

Stages run one after the other, and most of what they do beside embedding needs one processor. Nothing depends on it: what was not embedded
ahead, or could not be, is embedded when the stage asks. Not here: which texts these are (`stages.chunk_embeddings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.errors import ConfigurationError, LegalPipelineError

#: Texts of one call of the model: enough for full batches of nearly one length, and few enough that an interrupted run need not wait for
#: it longer than a second or two.
PORTION = 128

#: Texts that are waiting, being embedded or not yet asked for: their vectors are lost when the run is killed, and take memory.
MOST_TEXTS = 4096


class EmbeddingAhead:
    """Texts are `put`, and asked for by `embed_passages`. `make_embedder` is called in this class's thread, when the first portion is full.

    Methods are called by one thread. Always `close` it: that waits for the portion which is being embedded.
    """

    def __init__(self, make_embedder: Callable[[], Embedder]) -> None:
        self._make_embedder = make_embedder
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: dict[str, None] = {}
        self._begun: dict[str, tuple[Future[Embeddings], int]] = {}
        self._error: Exception | None = None

    def put(self, texts: Iterable[str]) -> None:
        """Embed `texts` ahead, in portions; what fills no portion is left to `embed_passages`."""
        for text in texts:
            if len(self._begun) + len(self._waiting) >= MOST_TEXTS:
                break
            if text not in self._begun:
                self._waiting[text] = None
        # the longest first: a portion is of nearly one length
        ready = sorted(self._waiting, key=len, reverse=True)
        for start in range(0, len(ready) - PORTION + 1, PORTION):
            self._begin(ready[start : start + PORTION])

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        """See `Embedder.embed_passages`. A text is forgotten when its vector was handed out.

        Where the model failed for a reason that concerns every text, that error is raised: the model is not asked again.
        """
        if not texts:
            return self._make_embedder().embed_passages(texts)
        ahead = {text: self._begun[text] for text in texts if text in self._begun}
        vectors: dict[str, tuple[np.ndarray[tuple[int], np.dtype[np.float32]], int, int]] = {}
        for text, (future, row) in ahead.items():
            try:
                made = future.result()
            except Exception as error:
                if concerns_all(error):
                    raise
            else:
                vectors[text] = made.vectors[row], made.embedded_tokens[row], made.total_tokens[row]
        rest = [text for text in dict.fromkeys(texts) if text not in vectors]
        if rest:
            made = self._make_embedder().embed_passages(rest)
            vectors |= dict(
                zip(rest, zip(made.vectors, made.embedded_tokens, made.total_tokens, strict=True), strict=True)
            )
        for text in texts:
            self._begun.pop(text, None)
            self._waiting.pop(text, None)
        rows = [vectors[text] for text in texts]
        return Embeddings(
            np.stack([row[0] for row in rows]), tuple(row[1] for row in rows), tuple(row[2] for row in rows)
        )

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)

    def _begin(self, portion: Sequence[str]) -> None:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding-ahead")
        future = self._thread.submit(self._embed, portion)
        for row, text in enumerate(portion):
            del self._waiting[text]
            self._begun[text] = future, row

    def _embed(self, portion: Sequence[str]) -> Embeddings:
        if self._error is not None:
            raise self._error  # a server that does not answer is not asked for each portion, with all its attempts
        try:
            return self._make_embedder().embed_passages(portion)
        except Exception as error:
            if concerns_all(error):
                self._error = error
            raise


def concerns_all(error: Exception) -> bool:
    """Whether the model would refuse every other text as well: it does not answer, or it is not available."""
    return isinstance(error, ConfigurationError) or (isinstance(error, LegalPipelineError) and error.transient)
