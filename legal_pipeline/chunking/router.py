"""The router: which strategy cuts which part of a document, and why (STRATEGIES, "Router").

It works on segments: one Act gives its §§ to one strategy and what stands beside them to another. Not here: the strategies.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Any

from legal_pipeline.chunking import markdown_merge, page_level, paragraf, statute_boundary
from legal_pipeline.chunking.assemble import assemble
from legal_pipeline.chunking.chunk import ChunkedDocument, Exclusion, Segment, Span
from legal_pipeline.chunking.outline import TIER_2, excluded_nodes, has_provisions, loose_text, outermost
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.strategy import Tools
from legal_pipeline.corpus.document import PROVISIONS, Document
from legal_pipeline.errors import ConfigurationError


@dataclass(frozen=True)
class RouterOptions:
    """`strategy` forces one strategy for every document it can cut; None lets the document decide."""

    strategy: str | None = None

    def __post_init__(self) -> None:
        if self.strategy is not None and self.strategy not in STRATEGIES:
            raise ConfigurationError(
                f"strategy {self.strategy!r} is not known; known are {', '.join(sorted(STRATEGIES))}"
            )

    def to_json(self) -> dict[str, Any]:
        return {"strategy": self.strategy}


def route(document: Document, options: RouterOptions = RouterOptions()) -> tuple[list[Segment], list[Exclusion]]:
    """Segments that together hold all text that is not excluded by its node type, and those exclusions."""
    exclusions = excluded_nodes(document)
    if options.strategy == markdown_merge.NAME:
        spans = loose_text(document, [(item.start, item.end) for item in exclusions])
        return [Segment(markdown_merge.NAME, "forced by configuration", spans)], exclusions
    structured = has_provisions(document)
    if structured:
        provisions = sum(1 for _ in document.provisions())
        reason = f"{provisions} provisions" if options.strategy is None else "forced by configuration"
    else:
        reason = "no provisions; preamble, transitional provisions and appendices stand by themselves"
    swedish = document.jurisdiction == "se"
    nodes = outermost(
        document, (*PROVISIONS, *TIER_2, *(("heading",) if structured else ()), *(() if swedish else ("table",)))
    )
    body = [(node.start, node.end) for node, _ in nodes if node.type != "heading"]
    aside = sorted((item.start, item.end) for item in exclusions)
    headings = [(node.start, node.end) for node, _ in nodes if node.type == "heading"]
    loose = loose_text(document, sorted([*body, *aside, *headings]))
    stray = _headings_of_loose_text(document, headings, sorted([*aside, *headings]), loose)
    if stray:
        nodes = [
            (node, above) for node, above in nodes if node.type != "heading" or (node.start, node.end) not in stray
        ]
        loose = loose_text(document, sorted([*body, *aside, *(span for span in headings if span not in stray)]))
    segments = []
    by_page = tuple(pair for pair in nodes if not swedish and pair[0].type in ("schedule", "table"))
    if by_page:
        segments.append(Segment(page_level.NAME, "schedules and tables", (), by_page))
        nodes = [pair for pair in nodes if pair[0].type not in ("schedule", "table")]
    if nodes:
        segments.append(Segment(paragraf.NAME if swedish else statute_boundary.NAME, reason, (), tuple(nodes)))
    if loose:
        why = "text outside the provisions" if structured else "no provisions"
        segments.append(Segment(markdown_merge.NAME, why, loose))
    return segments, exclusions


def _headings_of_loose_text(
    document: Document, headings: list[Span], skipped: list[Span], loose: tuple[Span, ...]
) -> set[Span]:
    """Headings whose next text, other headings aside, is loose: they belong to it and not to a provision further down."""
    starts = [start for start, _ in loose]
    skip_from = dict(skipped)
    text = document.text
    stray = set()
    for heading in headings:
        position = heading[1]
        while position < len(text):
            if text[position].isspace():
                position += 1
            elif position in skip_from and skip_from[position] > position:
                position = skip_from[position]
            else:
                break
        index = bisect.bisect_right(starts, position) - 1
        if index >= 0 and position < loose[index][1]:
            stray.add(heading)
    return stray


def chunk(document: Document, options: RouterOptions = RouterOptions()) -> ChunkedDocument:
    """Route, cut and assemble one document. Raises `ChunkingError` when a promise of the chunk table does not hold."""
    segments, exclusions = route(document, options)
    cut = []
    for segment in segments:
        strategy = STRATEGIES[segment.strategy]
        drafts, left_out = strategy.chunk(document, segment, Tools())
        cut.append((segment, strategy.version, drafts))
        exclusions = [*exclusions, *left_out]
    return assemble(document, cut, exclusions, options.to_json())
