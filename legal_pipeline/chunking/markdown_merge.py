"""`markdown_merge`: merges neighbouring blocks until a chunk has 300 tokens, not across headings of the first two levels, so a short
section or preamble is a shorter chunk; for text outside provisions.

Rule: split at blank lines; accumulate until 300 tokens, never above 500 and never across a heading of the first two levels; a block of
500 to 1,000 tokens is a chunk of its own; a block over 1,000 tokens is cut at sentences, then lines; a rest under 20 characters is an
exclusion. Headings, also consecutive headings, stay with the text below them, as far as a chunk has room.
Not here: text inside provisions.
"""

from __future__ import annotations

import bisect

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.packing import budget, split_blocks, split_lines, split_to_fit
from legal_pipeline.chunking.pieces import by_sentence
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import STRUCTURE, Document
from legal_pipeline.text.spans import join_adjacent
from legal_pipeline.text.tokens import count_spans

#: Tokens (o200k_base) and characters.
MERGE_TARGET = 300
MERGE_LIMIT = 500
BLOCK_CAP = 1000
MINIMUM_CHARS = 20


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return drafts with paths `md.chunkN` (from 1, in text order), and the fragments that were left out."""
    text = document.text
    header = document_header(document)
    boundaries = _boundaries(document)
    headings = {node.start for node in document.walk() if node.type == "heading"}
    room = budget(header)
    splitters = (by_sentence(document), split_lines)
    blocks = [
        part
        for span in segment.spans
        for block in split_blocks(text, span)
        for part in split_to_fit(text, block, min(BLOCK_CAP, room), splitters)
    ]
    count_of = {block: count_spans(text, (block,)) for block in blocks}
    drafts: list[Draft] = []
    exclusions: list[Exclusion] = []
    group: list[Span] = []
    size = 0

    def finish(goes_on: bool = False) -> None:
        """Make the group a chunk; a heading at its end moves to the next group if the text below it follows there."""
        nonlocal group, size
        if not group:
            return
        waiting: list[Span] = []
        while goes_on and len(group) > 1 and group[-1][0] in headings:
            waiting.insert(0, group.pop())
        start = group[0][0]
        spans = join_adjacent(text, group)
        if sum(high - low for low, high in spans) < MINIMUM_CHARS:
            exclusions.extend(Exclusion(low, high, "a fragment under 20 characters") for low, high in spans)
        else:
            anchor = boundaries[bisect.bisect_right(boundaries, start) - 1]
            path = f"md.chunk{len(drafts) + 1}"
            drafts.append(Draft(spans, "markdown", path, header, anchor, content_role="MARKDOWN_CHUNK", level=None))
        group = waiting
        size = sum(count_of[span] + 1 for span in group) - 1 if group else 0

    stops = frozenset(boundaries[1:])
    for block in blocks:
        tokens = count_of[block]
        crosses = block[0] in stops or (group and _crosses(boundaries, group[-1][1], block[0]))
        follows = bool(group) and not crosses and not text[group[-1][1] : block[0]].strip()
        is_full = size + 1 + tokens > MERGE_LIMIT or (size >= MERGE_TARGET and not follows)
        if group and (crosses or is_full):
            # headings wait for the text below them, as many as a chunk has room for
            if not all(start in headings for start, _ in group):
                finish(follows)
            elif size + 1 + tokens > room:
                finish()
        group.append(block)
        size += tokens + (1 if len(group) > 1 else 0)
        if size >= MERGE_TARGET and block[0] not in headings:
            finish()
    finish()
    return drafts, exclusions


def _boundaries(document: Document) -> list[int]:
    """Return 0 and the offsets of headings of the first two levels: chunks never cross them, and ids count from the nearest one above."""
    found = {0}
    for node in document.walk():
        if node.type in STRUCTURE or (node.type == "heading" and node.attributes.get("level", 1) <= 2):
            found.add(node.start)
    return sorted(found)


def _crosses(boundaries: list[int], end: int, start: int) -> bool:
    """Whether a boundary lies between the end of one block and the start of the next."""
    return bisect.bisect_left(boundaries, end) != bisect.bisect_right(boundaries, start)


STRATEGY = Strategy("markdown_merge", "2", chunk)
