"""The page table of a document that came from pages: which characters stand on which page.

A provision runs over the end of a page, so pages are no parents of provisions: they are a table in the metadata, and only a document
without structure (a scan) has `page` nodes. Not here: how pages are read.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

from legal_pipeline.model.document import Document


def page_table(starts: Sequence[tuple[int, int]], end: int) -> list[dict[str, int]]:
    """Rows `{number, start, end}` in ascending order from (page number, offset of its first character)."""
    ends = [*(start for _, start in starts[1:]), end]
    return [{"number": number, "start": start, "end": stop} for (number, start), stop in zip(starts, ends, strict=True)]


def pages_of(document: Document, start: int, end: int) -> tuple[int, ...]:
    """Numbers of the pages on which the span `start..end` of `document.text` stands; empty for a document without pages.

    A span of the notes and headers behind the running text is on the page that its node names.
    """
    table: list[dict[str, Any]] = document.metadata.get("pages") or []
    if not table:
        return ()
    if start >= table[-1]["end"]:
        for node in reversed(document.nodes):
            if node.start <= start < max(node.end, node.start + 1) and "page" in node.attributes:
                return (int(node.attributes["page"]),)
        return ()
    starts = [row["start"] for row in table]
    first = max(bisect.bisect_right(starts, start) - 1, 0)
    last = max(bisect.bisect_left(starts, max(end, start + 1)) - 1, first)
    return tuple(int(row["number"]) for row in table[first : last + 1])
