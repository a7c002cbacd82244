"""Compute vectors with OpenVINO on the processor, without torch; safe for calls from several threads.

Not here: creating the graph (`openvino_conversion`).
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.embedding.backend import Precision, Threads
from legal_pipeline.embedding.batches import batches, padded
from legal_pipeline.embedding.openvino_runtime import core, openvino
from legal_pipeline.embedding.windows import Window
from legal_pipeline.errors import ConfigurationError, EmbeddingError

#: Tokens per batch including padding; 1,024 and 2,048 were equally fast on average texts, about 16 per batch.
_BATCH_TOKENS = 1024

#: In bfloat16 a vector depends on the padding of its text; with this multiple the padding depends on the text alone. It costs passages no
#: time, and a query of 20 tokens takes 10 % less than with 16.
_PAD_TO = 8

#: Windows between two checks of the number of threads: some seconds of work. A new number means another compilation, half a second.
_PORTION = 256

#: Open requests per request that the model computes at once: with 1, processors were idle 4 % of the time while the next batch was made.
_REQUESTS = 2

_HINTS = {"float32": "f32", "bfloat16": "bf16"}


class OpenVinoBackend:
    """Runs the graph in the file `graph`. `threads`: see `backend.Threads`."""

    def __init__(self, graph: Path, *, precision: Precision, pad_token: int, threads: Threads = None) -> None:
        if precision not in _HINTS:
            raise ConfigurationError(
                f"OpenVINO on a processor has no precision {precision}, expected float32 or bfloat16"
            )
        self._graph = graph
        self._precision = precision
        self._pad_token = pad_token
        self._threads = threads
        self._compiled: tuple[int, Any] | None = None
        self._lock = threading.Lock()

    @property
    def description(self) -> str:
        return f"openvino on cpu in {self._precision}"

    @property
    def fingerprint(self) -> str:
        return f"{self.description} {openvino().__version__} {core().get_property('CPU', 'FULL_DEVICE_NAME')}"

    @property
    def dimension(self) -> int:
        return _dimension(self._model())

    def encode(self, windows: Sequence[Window], *, is_question: bool = False) -> NDArray[np.float32]:
        """See `Backend.encode`. The vector of a window is the same in every batch."""
        model = self._model()
        vectors = np.empty((len(windows), _dimension(model)), dtype=np.float32)
        order = sorted(range(len(windows)), key=lambda at: -len(windows[at].ids))
        for start in range(0, len(order), _PORTION):
            portion = order[start : start + _PORTION]
            model = self._model() if start else model
            self._encode(model, [windows[at].ids for at in portion], portion, vectors, is_question)
        return vectors

    def _encode(
        self,
        model: Any,
        ids: Sequence[Sequence[int]],
        portion: Sequence[int],
        vectors: NDArray[np.float32],
        is_question: bool,
    ) -> None:
        """Fill `vectors[portion]`. Open requests are awaited in the order in which they started."""
        running: deque[tuple[Any, list[int]]] = deque()
        most = _REQUESTS * int(model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        has_adapter = len(model.inputs) > 2

        def finish() -> Any:
            request, rows = running.popleft()
            request.wait()
            vectors[rows] = request.get_output_tensor(0).data
            return request

        try:
            for batch, width in batches([len(row) for row in ids], tokens=_BATCH_TOKENS, multiple=_PAD_TO):
                request = finish() if len(running) == most else model.create_infer_request()
                given = padded([ids[at] for at in batch], width, self._pad_token)
                switch = (np.array([is_question], np.float32),) if has_adapter else ()
                request.start_async(dict(enumerate((*given, *switch))))
                running.append((request, [portion[at] for at in batch]))
            while running:
                finish()
        except RuntimeError as error:
            raise EmbeddingError(f"OpenVINO failed on {self._graph}: {error}") from error

    def _model(self) -> Any:
        """Return the model compiled for the current number of threads."""
        threads = self._threads() if callable(self._threads) else self._threads or available_processors()
        with self._lock:
            if self._compiled is None or self._compiled[0] != threads:
                self._compiled = threads, compiled_model(self._graph, self._precision, threads)
            return self._compiled[1]


def _dimension(model: Any) -> int:
    return int(model.outputs[0].partial_shape[-1].get_length())


@functools.lru_cache(maxsize=1)
def compiled_model(graph: Path, precision: Precision, threads: int) -> Any:
    """Return the graph ready to run. The last result is kept for the next embedder of the process: compiling takes half a second. Raises
    ConfigurationError for a file that OpenVINO cannot read."""
    options = {
        "INFERENCE_PRECISION_HINT": _HINTS[precision],
        "PERFORMANCE_HINT": "THROUGHPUT",
        "INFERENCE_NUM_THREADS": threads,
        # with pinning, two processes would both be pinned to the first processors
        "ENABLE_CPU_PINNING": False,
    }
    try:
        return core().compile_model(str(graph), "CPU", options)
    except RuntimeError as error:
        raise ConfigurationError(f"OpenVINO cannot load {graph}: {error}") from error
