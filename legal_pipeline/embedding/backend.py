"""The interface of a backend, which computes the vectors of token windows on a device in a precision.

Not here: the backends (`openvino_backend`, `torch_backend`, `http_backend`), and the windows and vector of a text (`model_embedder`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.windows import Window

BackendName = Literal["openvino", "torch", "http"]
Precision = Literal["float32", "bfloat16", "float16"]

#: Threads of the processor: a number, or a function called before each portion of work. None: all available processors.
Threads = int | Callable[[], int] | None


class Backend(Protocol):
    """`description` names backend, device and precision, for people. `fingerprint` names everything besides the model that can change its
    vectors. `dimension` is their length."""

    @property
    def description(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> NDArray[np.floating[Any]]:
        """Return vectors of shape (windows, dimension), in the order of `windows`, of any length. If `is_question`, a model with a question
        adapter uses it. Raises EmbeddingError."""
        ...
