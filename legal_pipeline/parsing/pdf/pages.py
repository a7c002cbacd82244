"""The page table of a document that came from pages: which characters stand on which page.

A provision runs over the end of a page, so pages are not parents of provisions: they are a table in the metadata, and only a document
without structure (a scan) has `page` nodes. Not here: how pages are read.
"""

from __future__ import annotations

from collections.abc import Sequence


def page_table(starts: Sequence[tuple[int, int]], end: int) -> list[dict[str, int]]:
    """Rows `{number, start, end}` in ascending order from (page number, offset of its first character)."""
    ends = [*(start for _, start in starts[1:]), end]
    return [{"number": number, "start": start, "end": stop} for (number, start), stop in zip(starts, ends, strict=True)]
