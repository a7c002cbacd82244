"""Replacements of characters in the form in which the library `tokenizers` reads SentencePiece's (`normalizers.Precompiled`).

The form: the length of a double-array trie, its units (darts-clone), and the replacements, each ended by a zero byte; a key's value is
where its replacement begins. Not here: which characters are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

#: A unit's bits: the label of the arc that leads to it, whether a value hangs below it, where the units below it are; the last one says
#: that it is a value and no arc leads to it.
_HAS_VALUE, _OFFSET, _IS_VALUE = 8, 10, 31
_MAX_OFFSET = 1 << 21

Units = NDArray[np.uint32]


def precompiled_map(replacements: Mapping[str, str]) -> bytes:
    """For keys of which none begins another, such as single characters. Raises ValueError for a key with a zero byte."""
    text, starts = bytearray(), {}
    for replacement in dict.fromkeys(replacements.values()):
        starts[replacement] = len(text)
        text += replacement.encode("utf-8") + b"\0"
    units = _double_array({key.encode("utf-8"): starts[value] for key, value in replacements.items()})
    return len(units.tobytes()).to_bytes(4, "little") + units.tobytes() + bytes(text)


def _double_array(values: Mapping[bytes, int]) -> Units:
    """A unit's children are at its base, which is its own place XOR its offset, XOR their labels; a value has the label 0."""
    size = 4 * (256 + sum(map(len, values)))
    units, free, unused = np.zeros(size, dtype=np.uint32), np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.bool_)
    free[0] = unused[0] = False  # the root
    below: list[tuple[int, dict[bytes, int]]] = [(0, dict(values))]
    while below:
        at, keys = below.pop()
        if b"" in keys:
            if len(keys) > 1:
                raise ValueError("a key begins another one")
            base = _base(free, unused, [0])
            units[base], free[base] = keys[b""] | 1 << _IS_VALUE, False
            units[at] |= 1 << _HAS_VALUE
        else:
            children: dict[int, dict[bytes, int]] = {}
            for key, value in keys.items():
                children.setdefault(key[0], {})[key[1:]] = value
            if 0 in children:
                raise ValueError("a key has a zero byte")
            base = _base(free, unused, list(children))
            for label, rest in children.items():
                units[base ^ label], free[base ^ label] = label, False
                below.append((base ^ label, rest))
        # a unit says its label and not whose child it is: two with one base would have each other's children
        unused[base] = False
        if not (at ^ base) < _MAX_OFFSET:
            raise ValueError("too many keys")
        units[at] |= (at ^ base) << _OFFSET
    used = int(np.flatnonzero(~free)[-1])
    return units[: -(-(used + 1) // 256) * 256]


def _base(free: NDArray[np.bool_], unused: NDArray[np.bool_], labels: list[int]) -> int:
    """The first place which is no other's base and from which all labels lead to free units."""
    places = np.arange(len(free) // 256 * 256)
    fits = np.logical_and.reduce([unused[: len(places)], *(free[places ^ label] for label in labels)])
    if not fits.any():
        raise ValueError("too many keys")
    return int(np.argmax(fits))
