"""What a backend is: it turns token windows into vectors, on some device in some precision.

Not here: any backend (`openvino_backend`, `torch_backend`, `http_backend`), and how a text becomes windows and windows become its vector
(`model_embedder`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.windows import Window

BackendName = Literal["openvino", "torch", "http"]
Precision = Literal["float32", "bfloat16", "float16"]

#: Threads of the processor: a number, or what says it again before each portion of work. None: all available processors.
Threads = int | Callable[[], int] | None


class Backend(Protocol):
    """`description` names backend, device and precision, for people; `fingerprint` all that its vectors may depend on beside the model.
    `dimension` is their length."""

    @property
    def description(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, windows: Sequence[Window]) -> NDArray[np.floating[Any]]:
        """(windows, dimension), in the order of `windows`, of any length. Raises EmbeddingError."""
        ...
