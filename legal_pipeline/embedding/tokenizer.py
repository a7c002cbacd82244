"""A model's own tokenizer through the library `tokenizers`, which does not need torch.

Not here: windows (`embedding.windows`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from legal_pipeline.errors import ConfigurationError


class EncodedTokens:
    """The tokens of one text as a `windows.TokenSequence`: offsets are computed only for texts that are cut."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding

    def __len__(self) -> int:
        return len(self._encoding)

    @property
    def ids(self) -> Sequence[int]:
        return self._encoding.ids

    @property
    def offsets(self) -> Sequence[tuple[int, int]]:
        return self._encoding.offsets

    @property
    def word_starts(self) -> Sequence[bool]:
        words = self._encoding.word_ids
        return [at == 0 or words[at] != words[at - 1] for at in range(len(words))]


class ModelTokenizer:
    """`tokenizer.json` of a model, with truncation and padding switched off. Raises ConfigurationError if there is no such file."""

    def __init__(self, directory: Path) -> None:
        path = directory / "tokenizer.json"
        if not path.is_file():
            raise ConfigurationError(
                f"the embedding model in {directory} has no tokenizer.json: windows need character offsets"
            )
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises no narrower class
            raise ConfigurationError(f"{path} cannot be read as a tokenizer: {error}") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def tokenize(self, texts: Sequence[str]) -> list[EncodedTokens]:
        """Return the tokens of each text, without special tokens."""
        return [
            EncodedTokens(encoding) for encoding in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ]

    @property
    def special_tokens(self) -> int:
        """Number of special tokens around a text."""
        before, after = self._frame
        return len(before) + len(after)

    def framed(self, ids: Sequence[int]) -> list[int]:
        """Return `ids` with the model's special tokens around them."""
        before, after = self._frame
        return [*before, *ids, *after]

    @functools.cached_property
    def _frame(self) -> tuple[list[int], list[int]]:
        """Special tokens before and after a text."""
        encoding = self._tokenizer.encode("a", add_special_tokens=True)
        inner = [at for at, special in enumerate(encoding.special_tokens_mask) if not special]
        if not inner:
            raise ConfigurationError("the embedding model's tokenizer makes no token of the letter a")
        return encoding.ids[: inner[0]], encoding.ids[inner[-1] + 1 :]
