"""An embedder over any sentence-transformers model: windows, one encode call, length-weighted pooling.

Not here: which model is the default (`embedding.registry`) and how windows are cut (`embedding.windows`).
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.embedding.embedder import Embeddings, unit_rows, verify_unit
from legal_pipeline.embedding.packaged_model import file_sha256
from legal_pipeline.embedding.windows import WINDOWS_VERSION, Tokens, Window, window_texts
from legal_pipeline.errors import ConfigurationError, EmbeddingError

Precision = Literal["float32", "bfloat16"]

#: None: one thread per processor.
Threads = int | Callable[[], int] | None

#: 16 and 32 were fastest on two cores for chunks of 80 tokens on average; below and above costs 10-30 %.
BATCH_SIZE = 32


#: Some seconds of work for one thread.
_PORTION_BATCHES = 4


class SentenceTransformerEmbedder:
    """Vectors from a model directory. Torch is imported and the model loaded at the first use of the model, not before.

    `model` is a short name for people; `directory` holds the files. `weights` (hash or revision), `dimension` and `max_tokens` spare
    the loading where they are known; without `weights` all files are hashed. `precision="bfloat16"` is faster where the processor
    supports it, and part of the name: its vectors differ. `threads` is the number of threads that torch uses in this process, or says
    it before every call: with another number sums are made in another order, which shows in the last digits.
    """

    def __init__(
        self,
        directory: Path,
        *,
        model: str,
        weights: str | None = None,
        dimension: int | None = None,
        max_tokens: int | None = None,
        precision: Precision = "float32",
        batch_size: int = BATCH_SIZE,
        threads: Threads = None,
        device: str = "cpu",
    ) -> None:
        if precision not in ("float32", "bfloat16"):
            raise ConfigurationError(
                f"unknown precision {precision!r} of the embedding model, expected float32 or bfloat16"
            )
        self._directory = directory
        self._model_name = model
        self._weights = weights
        self._dimension = dimension
        self._max_tokens = max_tokens
        self._precision = precision
        self._batch_size = batch_size
        self._threads = threads
        self._device = device

    @functools.cached_property
    def name(self) -> str:
        weights = self._weights or directory_hash(self._directory)
        return f"{self._model_name}@{weights[:16]}/{self._precision}/windows-{WINDOWS_VERSION}"

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self._dimension = _dimension_of(self._model)
        return self._dimension

    @property
    def max_tokens(self) -> int:
        if self._max_tokens is None:
            self._max_tokens = _max_tokens_of(self._model)
        return self._max_tokens

    @functools.cached_property
    def _model(self) -> Any:
        model = _load(self._directory, self._device)
        if self._precision == "bfloat16":
            import torch

            model.to(torch.bfloat16)
        for what, promised, found in (
            ("dimension", self._dimension, _dimension_of(model)),
            ("token limit", self._max_tokens, _max_tokens_of(model)),
        ):
            if promised is not None and promised != found:
                raise ConfigurationError(
                    f"the embedding model {self._model_name} has {what} {found}, expected {promised}"
                )
        return model

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """See `Embedder.embed`. The windows of all texts are sorted by length together."""
        if not texts:
            return Embeddings(np.zeros((0, self.dimension), dtype=np.float32), (), ())
        tokenizer = _ModelTokenizer(self._model.tokenizer)
        windows, totals = window_texts(texts, tokenizer, self.max_tokens - tokenizer.special_tokens)
        encoded = self._encode([window.text for window in windows])
        per_window = unit_rows(encoded, model=self._model_name)
        vectors = unit_rows(_pool(per_window, windows, len(texts)), model=self._model_name)
        verify_unit(vectors, dimension=self.dimension, model=self._model_name)
        seen = np.zeros(len(texts), dtype=np.int64)
        for window in windows:
            seen[window.index] += window.seen
        # A cut inside a word can make a token more of it: never claim more than the text has.
        embedded = tuple(min(int(count), total) for count, total in zip(seen, totals, strict=True))
        return Embeddings(vectors, embedded, tuple(totals))

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(texts, dimension) float32. The longest first, as the model's own `encode` has them, and so the same batches; between two
        portions the number of threads may change."""
        order = sorted(range(len(texts)), key=lambda position: -len(texts[position]))
        encoded = np.empty((len(texts), self.dimension), dtype=np.float32)
        size = _PORTION_BATCHES * self._batch_size
        for start in range(0, len(order), size):
            portion = order[start : start + size]
            _use_threads(self._threads)
            encoded[portion] = self._model.encode(
                [texts[position] for position in portion],
                batch_size=self._batch_size,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return encoded


class _ModelTokenizer:
    """The model's tokenizer with cutting and padding off, whatever its files say."""

    def __init__(self, tokenizer: Any) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise ConfigurationError(
                "the embedding model has no fast tokenizer (tokenizer.json): windows need character offsets"
            )
        self._tokenizer = tokenizer
        self.special_tokens: int = tokenizer.num_special_tokens_to_add(pair=False)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        encoded = self._tokenizer(
            list(texts),
            add_special_tokens=False,
            truncation=False,
            padding=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        result: list[Tokens] = []
        for position, offsets in enumerate(encoded["offset_mapping"]):
            words = encoded.word_ids(position)
            starts = [i == 0 or words[i] != words[i - 1] for i in range(len(words))]
            result.append(Tokens(offsets, starts))
        return result


def directory_hash(directory: Path) -> str:
    """One hash over the names and contents of a model's files; documentation and hidden files left out."""
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        relative = path.relative_to(directory)
        if path.is_file() and path.suffix != ".md" and not any(part.startswith(".") for part in relative.parts):
            digest.update(f"{relative.as_posix()}\0{file_sha256(path)}\n".encode())
    return digest.hexdigest()


def _pool(vectors: np.ndarray[Any, Any], windows: Sequence[Window], texts: int) -> np.ndarray[Any, Any]:
    """(texts, dimension) float64: per text the mean of its windows' vectors, weighted by their tokens."""
    index = np.array([window.index for window in windows])
    # An empty text is one window of no tokens: it still has the vector that the model gives to nothing.
    weight = np.array([max(window.seen, 1) for window in windows], dtype=np.float64)
    pooled = np.zeros((texts, vectors.shape[1]), dtype=np.float64)
    np.add.at(pooled, index, vectors * weight[:, None])
    return pooled


def _use_threads(threads: Threads) -> None:
    import torch

    wanted = threads() if callable(threads) else threads or available_processors()
    if torch.get_num_threads() != wanted:
        torch.set_num_threads(wanted)


def _load(directory: Path, device: str) -> Any:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return SentenceTransformer(str(directory), device=device, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ConfigurationError(f"the embedding model in {directory} cannot be loaded: {error}") from error


def _dimension_of(model: Any) -> int:
    dimension = model.get_embedding_dimension()
    if not isinstance(dimension, int):
        raise EmbeddingError("the embedding model does not say how many dimensions its vectors have")
    return dimension


def _max_tokens_of(model: Any) -> int:
    limit = model.max_seq_length
    if not isinstance(limit, int):
        raise EmbeddingError("the embedding model does not say how many tokens it reads")
    return limit
