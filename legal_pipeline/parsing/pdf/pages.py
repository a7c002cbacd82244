"""The page table of a document read from pages: the range of characters of each page.

A provision may continue on the next page, so pages are not parents of provisions. They are a table in the metadata; only a document
without structure (a scan) has `page` nodes. Not here: reading the pages.
"""

from __future__ import annotations

from collections.abc import Sequence


def page_table(starts: Sequence[tuple[int, int]], end: int) -> list[dict[str, int]]:
    """Return rows `{number, start, end}` in ascending order, made from `starts`: (page number, offset of its first character)."""
    ends = [*(start for _, start in starts[1:]), end]
    return [{"number": number, "start": start, "end": stop} for (number, start), stop in zip(starts, ends, strict=True)]
