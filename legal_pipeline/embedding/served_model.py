"""A model whose files exist only on an embedding server: its name, and windows by another tokenizer than its own.

Not here: a model with files (`embedding.model_files`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.embedding.model_files import Prompts
from legal_pipeline.embedding.windows import WINDOWS_VERSION, Tokens
from legal_pipeline.text.tokens import encoding


@dataclass(frozen=True)
class ServedModel:
    """`revision` is the user's name for a state of the model; `max_tokens` are counted by the tokenizer of `text.tokens`."""

    model: str
    revision: str | None
    max_tokens: int

    known_limits: None = None
    adapter: None = None
    prompts: Prompts = field(default_factory=Prompts)

    @property
    def name(self) -> str:
        return f"{self.model}@{self.revision or 'served'}/windows-{WINDOWS_VERSION}-{self.max_tokens}"

    def tokenizer(self) -> ServedTokenizer:
        return ServedTokenizer()


class ServedTokenizer:
    """Counts tokens and cuts texts; the server tokenizes with the model's own tokenizer."""

    special_tokens = 0

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        result = []
        for text in texts:
            ids = encoding().encode_ordinary(text)
            starts = encoding().decode_with_offsets(ids)[1]
            ends = [*starts[1:], len(text)]
            words = [at == 0 or text[at].isspace() or text[at - 1].isspace() for at in starts]
            result.append(Tokens(list(zip(starts, ends, strict=True)), words, ids))
        return result

    def framed(self, ids: Sequence[int]) -> list[int]:
        return list(ids)
