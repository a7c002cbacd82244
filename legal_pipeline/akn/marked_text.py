"""Collapses white space in text in which spans are marked, so that the marked spans need no correction.

Not here: which spans are marked (`akn.reader`).
"""

from __future__ import annotations

import re

from legal_pipeline.text.normalise import one_line

#: Marks around spans while white space is collapsed: code points that are not valid in text.
OPEN, CLOSE = "\ufdd0", "\ufdd1"


def collapse(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """Return `marked` without marks, in canonical white space, and its outermost marked spans."""
    if OPEN not in marked:
        return one_line(marked), []
    out: list[str] = []
    length = 0
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    space = False
    for piece in re.split(f"([{OPEN}{CLOSE}])", marked):
        if piece == OPEN:
            opened.append(length + (1 if space and length else 0))
        elif piece == CLOSE:
            if opened:
                start = opened.pop()
                if not opened and length > start:
                    spans.append((start, length))
        else:
            words = one_line(piece)
            if not words:
                space = space or bool(piece)
                continue
            if (space or not one_line(piece[:1])) and length:
                out.append(" ")
                length += 1
                if opened and not space:
                    opened[-1] = max(opened[-1], length)
            out.append(words)
            length += len(words)
            space = one_line(piece[-1:]) == ""
    return "".join(out), spans
