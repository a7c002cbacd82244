"""A sentence-transformers model as files: its name, its limits and its prompts, read without torch.

Not here: the default model (`embedding.registry`), and loading a model (the backends).
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legal_pipeline.embedding.packaged_model import file_sha256
from legal_pipeline.embedding.tokenizer import ModelTokenizer
from legal_pipeline.embedding.windows import WINDOWS_VERSION
from legal_pipeline.errors import ConfigurationError

#: Names of the prompt for passages in a configuration, in the order in which sentence-transformers uses them.
_PASSAGE_PROMPTS = ("document", "passage", "corpus")


@dataclass(frozen=True)
class Prompts:
    """The prompts that the model expects before a text, from its own configuration."""

    passage: str = ""
    query: str = ""


@dataclass(frozen=True)
class ModelFiles:
    """`model` is a short name for people; `directory` holds the files. If `revision` (hash or commit) and `known_limits` (dimension,
    maximum tokens) are known, they are not read from files; without `revision` all files are hashed. `adapter` is the file of the question
    adapter (`embedding.question_adapter`)."""

    directory: Path
    model: str
    revision: str | None = None
    known_limits: tuple[int, int] | None = None
    adapter: Path | None = None

    @functools.cached_property
    def weights(self) -> str:
        """The hash or commit of the files that determine the vectors."""
        return self.revision or directory_hash(self.directory)

    @functools.cached_property
    def name(self) -> str:
        """Names weights, windows and prompts. `float32` means the reference vectors, which every backend must match (`admission`)."""
        name = f"{self.model}@{self.weights[:16]}/float32/windows-{WINDOWS_VERSION}"
        if self.prompts == Prompts():
            return name
        return f"{name}/prompts-{hashlib.sha256(repr(self.prompts).encode()).hexdigest()[:8]}"

    @functools.cached_property
    def prompts(self) -> Prompts:
        """The prompts that sentence-transformers uses for `encode_document` and `encode_query`."""
        said = self._json("config_sentence_transformers.json")
        prompts = {name: text or "" for name, text in (said.get("prompts") or {}).items()}
        default = prompts.get(said.get("default_prompt_name") or "", "")
        passage = next((prompts[name] for name in _PASSAGE_PROMPTS if name in prompts), default)
        return Prompts(passage, prompts.get("query", default))

    @property
    def max_tokens(self) -> int:
        """Maximum tokens of one input of the model, special tokens included."""
        if self.known_limits is not None:
            return self.known_limits[1]
        limit = self._json("sentence_bert_config.json").get("max_seq_length")
        if limit is None:
            positions = self._json("config.json").get("max_position_embeddings")
            of_tokenizer = self._json("tokenizer_config.json").get("model_max_length")
            found = [int(value) for value in (positions, of_tokenizer) if value is not None]
            limit = min(found) if found else None
        if not isinstance(limit, int) or limit < 8:
            raise ConfigurationError(f"the embedding model in {self.directory} does not say how many tokens it reads")
        return limit

    def tokenizer(self) -> ModelTokenizer:
        return ModelTokenizer(self.directory)

    @property
    def pad_token(self) -> int:
        return int(self._json("config.json").get("pad_token_id") or 0)

    def _json(self, name: str) -> dict[str, Any]:
        path = self.directory / name
        try:
            value = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"{path} cannot be read as JSON: {error}") from error
        return value if isinstance(value, dict) else {}


def directory_hash(directory: Path) -> str:
    """Return one hash of the names and contents of a model's files, without documentation and hidden files."""
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        relative = path.relative_to(directory)
        if path.is_file() and path.suffix != ".md" and not any(part.startswith(".") for part in relative.parts):
            digest.update(f"{relative.as_posix()}\0{file_sha256(path)}\n".encode())
    return digest.hexdigest()
