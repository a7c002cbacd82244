"""Finds the numbered recitals of an act: "Whereas: (1) … (2) …" above its first provision.

Not here: the words for recitals in citations (`languages`), and recitals without a number.
"""

from __future__ import annotations

import re
from collections.abc import Set

from legal_pipeline.parsing.blocks import Blocks

_RECITAL = re.compile(r"\((?P<num>\d{1,3})\)\s+(?=\S)")
#: Minimum number of recitals; a single "(1)" may be a mark of something else.
_FEWEST = 2


def find_recitals(blocks: Blocks, body: int, listed: Set[int]) -> tuple[tuple[str, int, int], ...]:
    """Return number, first block and end of each recital before the block `body`, in order; `listed` are blocks of tables of contents.

    They are numbered from 1, below a block that ends with a colon. A paragraph between two recitals belongs to the first.
    """
    starts: list[int] = []
    for index in range(1, body):
        match = _RECITAL.match(blocks[index].text) if blocks[index].kind == "text" and index not in listed else None
        if (
            match is not None
            and int(match["num"]) == len(starts) + 1
            and (starts or blocks[index - 1].text.endswith(":"))
        ):
            starts.append(index)
    if len(starts) < _FEWEST:
        return ()
    ends = [*starts[1:], starts[-1] + 1]
    return tuple((str(number), start, end) for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1))
