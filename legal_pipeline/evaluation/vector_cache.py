"""An embedder that keeps its vectors on disk by the hash of the text: a second evaluation embeds only new texts.

Not here: the vectors of the pipeline itself, which are tables of the warehouse (`processing.vectors`).
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from legal_pipeline.embedding.embedder import Embedder, Embeddings, question_reader

#: Texts that are embedded and written together: a killed run loses at most as many.
_BATCH = 512


class CachedEmbedder:
    """`inner` with a file in `folder`, or without a folder in memory only. `report` is called with the number of remaining texts."""

    def __init__(
        self, inner: Embedder, folder: Path | None = None, report: Callable[[int], None] = lambda _: None
    ) -> None:
        self._inner = inner
        self._report = report
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(inner.name.encode()).hexdigest()[:16]
        # a search embeds its query by each model in a thread of its own
        self._rows = sqlite3.connect(
            ":memory:" if folder is None else folder / f"vectors-{name}.sqlite", timeout=60, check_same_thread=False
        )
        self._rows.execute(
            "create table if not exists vectors (hash blob primary key, vector blob, embedded int, total int) without rowid"
        )

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        return self._inner.max_tokens

    @property
    def has_adapter(self) -> bool:
        return question_reader(self._inner) is not None

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        return self._embed(texts, "", self._inner.embed_passages)

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._embed(texts, "query\0", self._inner.embed_queries)

    def embed_questions(self, texts: Sequence[str]) -> Embeddings:
        """See `embedder.QuestionReader`. Not kept: another adapter gives other vectors under the same name."""
        reader = question_reader(self._inner)
        return self.embed_queries(texts) if reader is None else reader.embed_questions(texts)

    def _embed(self, texts: Sequence[str], kind: str, embed: Callable[[Sequence[str]], Embeddings]) -> Embeddings:
        keys = [hashlib.sha256(f"{kind}{text}".encode()).digest() for text in texts]
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if self._row(key) is None}.items())
        for start in range(0, len(missing), _BATCH):
            self._report(len(missing) - start)
            self._make(missing[start : start + _BATCH], embed)
        rows = [row for key in keys if (row := self._row(key)) is not None]
        vectors = np.array([np.frombuffer(vector, np.float32) for vector, _, _ in rows], np.float32)
        embedded = tuple(count for _, count, _ in rows)
        return Embeddings(vectors.reshape(len(keys), self.dimension), embedded, tuple(total for _, _, total in rows))

    def close(self) -> None:
        self._rows.close()

    def _row(self, key: bytes) -> tuple[bytes, int, int] | None:
        found: tuple[bytes, int, int] | None = self._rows.execute(
            "select vector, embedded, total from vectors where hash = ?", (key,)
        ).fetchone()
        return found

    def _make(self, batch: Sequence[tuple[bytes, str]], embed: Callable[[Sequence[str]], Embeddings]) -> None:
        made = embed([text for _, text in batch])
        with self._rows:
            self._rows.executemany(
                "insert or replace into vectors values (?, ?, ?, ?)",
                [
                    (key, vector.tobytes(), embedded, total)
                    for (key, _), vector, embedded, total in zip(
                        batch, made.vectors, made.embedded_tokens, made.total_tokens, strict=True
                    )
                ],
            )
