"""Chunkers that the pipeline is compared with: fixed windows of characters, and the chunkers of the extra `benchmarks`.

Not here: the pipeline's strategies (`chunking`), and what is indexed of a chunk (`systems`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.text import tokens
from legal_pipeline.text.spans import trim

#: Characters of the windows of the simplest baseline, and tokens (o200k_base) of the others; none of them overlap.
FIXED_CHARACTERS, LIMIT_TOKENS = 500, 512

Split = Callable[[str], Iterator[Span]]


@dataclass(frozen=True)
class Baseline:
    """`module` must be importable; None for a chunker of this module."""

    name: str
    module: str | None
    load: Callable[[], Split]

    @property
    def installed(self) -> bool:
        return self.module is None or find_spec(self.module) is not None


def fixed_characters(text: str) -> Iterator[Span]:
    """Yield windows of `FIXED_CHARACTERS`, without regard to boundaries; without white space around them."""
    for start in range(0, len(text), FIXED_CHARACTERS):
        yield from trim(text, [(start, min(len(text), start + FIXED_CHARACTERS))])


def _langchain() -> Split:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=LIMIT_TOKENS, chunk_overlap=0, length_function=_count)

    def split(text: str) -> Iterator[Span]:
        position = 0
        # the library's start indices are wrong where a piece occurs twice, and -1 for some pieces
        for piece in splitter.split_text(text):
            start = text.find(piece, position)
            if start < 0:
                raise ConfigurationError("langchain-text-splitters gave a piece that is not in the text")
            yield start, start + len(piece)
            position = start + len(piece)

    return split


def _semchunk() -> Split:
    import semchunk

    chunker = semchunk.chunkerify(_count, LIMIT_TOKENS, memoize=False)

    def split(text: str) -> Iterator[Span]:
        _, offsets = chunker(text, offsets=True)
        yield from offsets

    return split


def _chonkie() -> Split:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer=tokens.encoding(), chunk_size=LIMIT_TOKENS)

    def split(text: str) -> Iterator[Span]:
        for piece in chunker.chunk(text):
            yield from trim(text, [(piece.start_index, piece.end_index)])

    return split


BASELINES: tuple[Baseline, ...] = (
    Baseline(f"fixed {FIXED_CHARACTERS} characters", None, lambda: fixed_characters),
    Baseline(f"langchain recursive {LIMIT_TOKENS} tokens", "langchain_text_splitters", _langchain),
    Baseline(f"semchunk {LIMIT_TOKENS} tokens", "semchunk", _semchunk),
    Baseline(f"chonkie recursive {LIMIT_TOKENS} tokens", "chonkie", _chonkie),
)


def _count(text: str) -> int:
    return len(tokens.encoding().encode_ordinary(text))
