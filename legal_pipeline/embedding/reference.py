"""The reference vectors of a model: the vectors of the probe by torch in float32 on a processor (`embedding.admission`).

The vectors of packaged models are in this package (those of multilingual-e5-small come from the engine of its own package, which computes
with eight-bit activations). The vectors of another model are computed once, in a child process (`python -m`), and stored in the model's
cache. Not here: the comparison.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import sys
from pathlib import Path

import numpy as np

from legal_pipeline.embedding import packaged_e5, packaged_model
from legal_pipeline.embedding.admission import probe_texts
from legal_pipeline.embedding.child_process import run_apart
from legal_pipeline.embedding.embedder import Vectors, unit_rows
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.torch_backend import TorchBackend
from legal_pipeline.errors import ConfigurationError

_FILE = "vectors.npy"

#: Hash of the weights -> name of a packaged model.
_PACKAGED = {model.WEIGHTS_SHA256: model.NAME for model in (packaged_model, packaged_e5)}


def reference_vectors(files: ModelFiles, cache: ModelCache) -> Vectors:
    """Return (100, dimension) float32, unit length; they are stored in half precision."""
    if (name := _PACKAGED.get(files.weights)) is not None:
        packaged = importlib.resources.files(__package__).joinpath(f"reference-{name}.npy")
        with importlib.resources.as_file(packaged) as path:
            return unit_rows(np.load(path), model=files.model)
    texts = hashlib.sha256(repr((probe_texts(), files.name)).encode()).hexdigest()[:16]
    folder = cache.make(f"reference-{texts}", lambda folder: _make_apart(files, folder))
    return unit_rows(np.load(folder / _FILE), model=files.model)


def _make_apart(files: ModelFiles, folder: Path) -> None:
    code, last = run_apart(__name__, str(files.directory), str(folder / _FILE))
    if code:
        raise ConfigurationError(f"the reference vectors of the embedding model {files.model} cannot be made: {last}")


def main(directory: str, target: str) -> None:
    files = ModelFiles(Path(directory), "reference", revision="unnamed")
    embedder = ModelEmbedder(files, lambda: TorchBackend(files.directory, pad_token=files.pad_token))
    np.save(target, embedder.embed_passages(probe_texts()).vectors.astype(np.float16))


if __name__ == "__main__":
    main(*sys.argv[1:])
