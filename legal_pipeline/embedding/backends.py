"""Open the backend of a choice and admit it, or try the next choice. A new kind of backend is a module and a line here.

Not here: the choices (`embedding.choice`), the probe (`embedding.admission`) and the backends.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from legal_pipeline.embedding.admission import Agreement, NotAdmittedError, admit, probe_texts
from legal_pipeline.embedding.backend import Backend, Threads
from legal_pipeline.embedding.choice import Choice
from legal_pipeline.embedding.embedder import Vectors, unit_rows
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.openvino_backend import OpenVinoBackend
from legal_pipeline.embedding.openvino_conversion import NotConvertibleError, graph_of
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.question_adapter import adapter_hash
from legal_pipeline.embedding.reference import reference_vectors
from legal_pipeline.embedding.served_model import ServedModel
from legal_pipeline.embedding.torch_backend import TorchBackend

_log = logging.getLogger(__name__)

#: Seconds after which an embedding server is probed again: it may get another model at any time.
_SERVER_ADMITTED = 3600.0

_FIRST = "vectors.npy"


@dataclass(frozen=True)
class Backends:
    """The backends of one model. Results of the probe are stored in `cache`, so that a process need not repeat it."""

    model: ModelFiles | ServedModel
    options: BackendOptions
    cache: ModelCache
    threads: Threads = None

    def open(self, choices: Sequence[Choice]) -> Backend:
        """Return the first backend of `choices` that can run the model and is admitted; a warning reports why an earlier choice failed.
        Raises NotConvertibleError or NotAdmittedError of the last choice."""
        *others, last = choices
        for choice in others:
            try:
                return self._admitted(choice)
            except (NotConvertibleError, NotAdmittedError) as error:
                _log.warning("%s: a slower backend or precision is used instead", error)
        return self._admitted(last)

    def admission(self, backend: Backend) -> Agreement:
        """Return the agreement of the backend with the reference. Raises NotAdmittedError with the figures if it is too low."""
        vectors = ModelEmbedder(self.model, lambda: backend).embed_passages(probe_texts()).vectors
        return admit(self.model.name, backend.description, vectors, lambda: self._reference(vectors))

    def _admitted(self, choice: Choice) -> Backend:
        backend = self._made(choice)
        if (choice.backend, choice.device, choice.precision) == ("torch", "cpu", "float32"):
            return backend  # this backend is the reference
        adapter = (adapter_hash(self.model.adapter),) if self.model.adapter else ()
        said = (self.model.name, backend.fingerprint, probe_texts(), *adapter)
        name = f"admitted-{hashlib.sha256(repr(said).encode()).hexdigest()[:16]}.json"
        known = self.cache.find(name)
        if known is None or (choice.backend == "http" and time.time() - known.stat().st_mtime > _SERVER_ADMITTED):
            self.cache.write_text(name, self.admission(backend).dumps())
        return backend

    def _made(self, choice: Choice) -> Backend:
        if choice.backend == "http":
            # the import of the client costs start-up time, and most processes run the model themselves
            from legal_pipeline.embedding.http_backend import HttpBackend

            server = self.options.server
            assert server is not None
            limits = self.model.known_limits
            # the settings may name a table of models: only here is the wanted model known
            named = replace(server, model=server.model or self.model.model)
            return HttpBackend(named, dimension=limits[0] if limits else None)
        assert isinstance(self.model, ModelFiles)
        pad = self.model.pad_token
        if choice.backend == "openvino":
            graph = graph_of(self.model, self.cache)
            return OpenVinoBackend(graph, precision=choice.precision, pad_token=pad, threads=self.threads)
        return TorchBackend(
            self.model.directory,
            device=choice.device,
            precision=choice.precision,
            pad_token=pad,
            threads=self.threads,
            adapter=self.model.adapter,
        )

    def _reference(self, vectors: Vectors) -> Vectors:
        if isinstance(self.model, ModelFiles):
            return reference_vectors(self.model, self.cache)
        # only the server has this model: its first answer is the reference from then on
        folder = self.cache.make("reference", lambda folder: _save(folder, vectors))
        return unit_rows(np.load(folder / _FIRST), model=self.model.model)


def _save(folder: Path, vectors: Vectors) -> None:
    np.save(folder / _FIRST, vectors)
