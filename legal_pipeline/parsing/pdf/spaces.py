"""Spaces that PDFium leaves out: some programs write each character as a text object of its own, also the space. PDFium drops objects
that hold only white space and guesses the spaces by the gaps, which are narrow in justified and in small type.

Not here: reading the characters (`pdf.glyphs`).
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from legal_pipeline.parsing.pdf.glyph import TURNED, Glyph

if TYPE_CHECKING:
    import pypdfium2 as pdfium

#: A space is at least this wide, and begins at most so far before the edge of the character before it, both as shares of the type size.
_NARROWEST, _OVERLAP = 0.02, 0.15
_OPENING = frozenset("([{«“„‘–—")


def with_spaces(glyphs: Sequence[Glyph], objects: Sequence[pdfium.PdfObject], text_page: Any) -> list[Glyph]:
    """Return `glyphs` with a space between two characters of one line that a dropped text object lies between; `objects` are those of the
    page in their order. Behind such a space a word, a number or an opening sign begins."""
    import pypdfium2.raw as raw

    texts = [item.raw for item in objects if item.type == raw.FPDF_PAGEOBJ_TEXT]
    order = {_address(item): place for place, item in enumerate(texts)}
    places = [_place(glyph, order, text_page) for glyph in glyphs]
    kept = set(places)
    if len(kept - {None}) == len(texts):
        return list(glyphs)
    found = list(glyphs[:1])
    for (before, start), (after, end) in itertools.pairwise(zip(glyphs, places, strict=True)):
        if start is not None and end is not None and end - start > 1 and _is_apart(before, after):
            dropped = range(start + 1, end)
            if kept.isdisjoint(dropped) and any(_lies_between(texts[place], before, after) for place in dropped):
                found.append(Glyph(" ", before.x1, after.x0, after.baseline, after.size, after.angle))
        found.append(after)
    return found


def _place(glyph: Glyph, order: dict[int | None, int], text_page: Any) -> int | None:
    import pypdfium2.raw as raw

    return None if glyph.index < 0 else order.get(_address(raw.FPDFText_GetTextObject(text_page, glyph.index)))


def _address(item: Any) -> int | None:
    return ctypes.cast(item, ctypes.c_void_p).value


def _is_apart(before: Glyph, after: Glyph) -> bool:
    """Whether there may be a space between two characters of one line."""
    if before.char.isspace() or not (after.char.isalnum() or after.char in _OPENING):
        return False
    is_level = max(before.angle, after.angle) < TURNED and abs(after.baseline - before.baseline) < 0.2 * after.size
    return is_level and after.x0 - before.x1 > _NARROWEST * after.size


def _lies_between(item: Any, before: Glyph, after: Glyph) -> bool:
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    is_known = raw.FPDFPageObj_GetMatrix(item, matrix)
    return bool(is_known) and before.x1 - _OVERLAP * after.size < matrix.e <= after.x0
