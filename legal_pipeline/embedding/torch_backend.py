"""Compute vectors with torch on a processor, an NVIDIA GPU (`cuda`) or an Apple GPU (`mps`). Torch and the model are loaded at first use.

Not here: the choice of the device (`embedding.choice`).
"""

from __future__ import annotations

import functools
import platform
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.embedding.backend import Precision, Threads
from legal_pipeline.embedding.batches import batches, padded
from legal_pipeline.embedding.question_adapter import Switch, adapt, read_adapter
from legal_pipeline.embedding.windows import Window
from legal_pipeline.errors import ConfigurationError, EmbeddingError

#: Tokens per batch including padding: on a processor 32 average chunks; on a GPU enough to keep it busy, halved when its memory is too
#: small.
_CPU_TOKENS = 2560
_GPU_TOKENS = 65_536

#: Windows between two checks of the number of threads: some seconds of work for one thread.
_PORTION = 128


def verify_device(device: str) -> None:
    """Raise `ConfigurationError` if torch cannot use the GPU `device` on this machine."""
    import torch

    kind, _, number = device.partition(":")
    found = torch.backends.mps.is_available() if kind == "mps" else int(number or 0) < torch.cuda.device_count()
    if not found:
        raise ConfigurationError(
            f"LEGAL_PIPELINE_EMBEDDING_DEVICE: torch finds no device {device} on this machine (expected: auto or cpu)"
        )


class TorchBackend:
    """The sentence-transformers model in `directory`. `threads`: see `backend.Threads`; another number changes the order of sums, and so
    the last digits of the vectors."""

    def __init__(
        self,
        directory: Path,
        *,
        device: str = "cpu",
        precision: Precision = "float32",
        pad_token: int = 0,
        threads: Threads = None,
        adapter: Path | None = None,
    ) -> None:
        self._adapter = adapter
        self._switch = Switch()
        self._lock = threading.Lock()
        self._directory = directory
        self._device = device
        self._precision = precision
        self._pad_token = pad_token
        self._threads = threads
        self._batch_tokens = _CPU_TOKENS if device == "cpu" else _GPU_TOKENS

    @property
    def description(self) -> str:
        return f"torch on {self._device} in {self._precision}"

    @property
    def fingerprint(self) -> str:
        import torch

        device = torch.cuda.get_device_name(self._device) if self._device.startswith("cuda") else platform.processor()
        return f"{self.description} {torch.__version__} {device}"

    @property
    def dimension(self) -> int:
        dimension = self._model.get_embedding_dimension()
        if not isinstance(dimension, int):
            raise EmbeddingError("the embedding model does not say how many dimensions its vectors have")
        return dimension

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> NDArray[np.float32]:
        """See `Backend.encode`."""
        with self._lock:
            self._switch.factor = float(is_question)
            vectors = np.empty((len(windows), self.dimension), dtype=np.float32)
            order = sorted(range(len(windows)), key=lambda at: -len(windows[at].ids))
            size = _PORTION if self._device == "cpu" else len(order) or 1
            for start in range(0, len(order), size):
                portion = order[start : start + size]
                self._use_threads()
                self._encode([windows[at].ids for at in portion], portion, vectors)
            return vectors

    def _encode(self, ids: Sequence[Sequence[int]], portion: Sequence[int], vectors: NDArray[np.float32]) -> None:
        for batch, width in batches([len(row) for row in ids], tokens=self._batch_tokens):
            given = [ids[at] for at in batch]
            vectors[[portion[at] for at in batch]] = self._fitting(given, width)

    def _fitting(self, ids: Sequence[Sequence[int]], width: int) -> NDArray[np.float32]:
        """Return the vectors of one batch. If the device's memory is too small, split the batch and use smaller batches from then on."""
        import torch

        try:
            return self._forward(ids, width)
        except torch.OutOfMemoryError as error:
            if len(ids) == 1:
                raise EmbeddingError(
                    f"the memory of {self._device} does not hold one text of {width} tokens"
                ) from error
        if self._device.startswith("cuda"):
            torch.cuda.empty_cache()
        middle = len(ids) // 2
        self._batch_tokens = max(width, middle * width)
        return np.concatenate([self._fitting(ids[:middle], width), self._fitting(ids[middle:], width)])

    def _forward(self, ids: Sequence[Sequence[int]], width: int) -> NDArray[np.float32]:
        import torch

        tokens, mask = (torch.from_numpy(part).to(self._device) for part in padded(ids, width, self._pad_token))
        with torch.inference_mode():
            found = self._model({"input_ids": tokens, "attention_mask": mask})["sentence_embedding"]
            vectors: NDArray[np.float32] = found.float().cpu().numpy()
        return vectors

    def _use_threads(self) -> None:
        import torch

        wanted = self._threads() if callable(self._threads) else self._threads or available_processors()
        if torch.get_num_threads() != wanted:
            torch.set_num_threads(wanted)

    @functools.cached_property
    def _model(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        if self._device != "cpu":
            verify_device(self._device)
        transformers_logging.disable_progress_bar()
        try:
            model = SentenceTransformer(str(self._directory), device=self._device, local_files_only=True)
        except (OSError, ValueError, KeyError) as error:
            raise ConfigurationError(f"the embedding model in {self._directory} cannot be loaded: {error}") from error
        if self._adapter is not None:
            adapt(model[0].auto_model, read_adapter(self._adapter), self._switch)
        return model.eval().to(device=self._device, dtype=getattr(torch, self._precision))
