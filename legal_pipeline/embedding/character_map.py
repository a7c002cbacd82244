"""Write character replacements in the format of SentencePiece that the library `tokenizers` reads (`normalizers.Precompiled`).

Format: the length of a double-array trie, its units (darts-clone), and the replacements, each ended by a zero byte. The value of a key is
the offset of its replacement. Not here: the choice of characters to replace.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

#: Bit positions in a unit. The lowest bits are the label of the arc to the unit; then: it has a value as a child, the offset of its
#: children, and the flag that the unit is a value, to which no arc leads.
_HAS_VALUE, _OFFSET, _IS_VALUE = 8, 10, 31
_MAX_OFFSET = 1 << 21

Units = NDArray[np.uint32]


def precompiled_map(replacements: Mapping[str, str]) -> bytes:
    """Return the map as bytes. No key may be the start of another key. Raises ValueError for a key with a zero byte."""
    text, starts = bytearray(), {}
    for replacement in dict.fromkeys(replacements.values()):
        starts[replacement] = len(text)
        text += replacement.encode("utf-8") + b"\0"
    units = _double_array({key.encode("utf-8"): starts[value] for key, value in replacements.items()})
    return len(units.tobytes()).to_bytes(4, "little") + units.tobytes() + bytes(text)


def _double_array(values: Mapping[bytes, int]) -> Units:
    """Return the units. The base of a unit is its index XOR its offset; a child's index is the base XOR its label. A value has label 0."""
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
        # a unit stores its label and not its parent: two units with the same base would have each other's children
        unused[base] = False
        if not (at ^ base) < _MAX_OFFSET:
            raise ValueError("too many keys")
        units[at] |= (at ^ base) << _OFFSET
    used = int(np.flatnonzero(~free)[-1])
    return units[: -(-(used + 1) // 256) * 256]


def _base(free: NDArray[np.bool_], unused: NDArray[np.bool_], labels: list[int]) -> int:
    """Return the first index that is not yet a base and from which all labels lead to free units."""
    places = np.arange(len(free) // 256 * 256)
    fits = np.logical_and.reduce([unused[: len(places)], *(free[places ^ label] for label in labels)])
    if not fits.any():
        raise ValueError("too many keys")
    return int(np.argmax(fits))
