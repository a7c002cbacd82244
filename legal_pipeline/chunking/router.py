"""The router: which strategy cuts which part of a document, and why.

It works on segments: of one Act, one strategy cuts the sections and others cut schedules and loose text. In order: a forced strategy;
the profile; tagged notes; judgments; documents with provisions (by the strategy that the country names for its statutes, if any);
documents without provisions, if the country names a strategy for them, and markdown; headings; degraded scans; all other documents.
Not here: the strategies, and cutting (`chunking.cut`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.chunking.chunk import Exclusion, Segment, Span
from legal_pipeline.chunking.definitions import defining
from legal_pipeline.chunking.outline import (
    TEXT_DIVISIONS,
    TIER_2,
    census,
    excluded_nodes,
    has_provisions,
    loose_text,
    open_holders,
    outermost,
)
from legal_pipeline.chunking.page_level import DEGRADED_BELOW
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import PROVISIONS, Document, Node
from legal_pipeline.text.spans import within

#: Raised when the router, the outline or the assembly gives different chunks for any document: it makes earlier chunks stale.
ROUTER_VERSION = "7"

#: Minimum number of numbered paragraphs of a structured judgment.
LEAST_PROVISIONS = 2
#: Minimum number of headings of a partially structured document.
PARTIAL_HEADINGS = 2

#: Node types of the parts of a judgment.
JUDGMENT_PARTS = (
    "header", "headnote", "background", "arguments", "issue", "motivation", "decision", "dissent", "signature",
)  # fmt: skip

#: Strategies that cut nodes; the text outside the nodes is cut by other strategies.
STRUCTURAL = frozenset({"paragraf", "statute_boundary", "judgment_structural", "page_level"})

#: Nodes that `page_level` cuts, whatever strategy cuts the rest, except in documents of `paragraf`.
_BY_PAGE = ("schedule", "table", "page")

PROFILES = {"rightline": "sliding_window", "immigration": "llm_plan"}
IMMIGRATION_TYPES = frozenset({"regulation", "precedent_case", "appeal_decision"})

Placed = tuple[Node, tuple[Node, ...]]


@dataclass(frozen=True)
class RouterOptions:
    """`strategy` forces one strategy; with None the router decides. `profile` names one of `PROFILES`. `parameters` override a
    strategy's defaults (`{"semantic": {"variant": "percentile"}}`)."""

    strategy: str | None = None
    profile: str | None = None
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.strategy is not None and self.strategy not in STRATEGIES:
            raise ConfigurationError(
                f"strategy {self.strategy!r} is not known; known are {', '.join(sorted(STRATEGIES))}"
            )
        if self.profile is not None and self.profile not in PROFILES:
            raise ConfigurationError(f"profile {self.profile!r} is not known; known are {', '.join(sorted(PROFILES))}")
        unknown = self.parameters.keys() - STRATEGIES.keys()
        if unknown:
            raise ConfigurationError(
                f"parameters of unknown strategies: {', '.join(sorted(unknown))}; known are {', '.join(sorted(STRATEGIES))}"
            )

    def to_json(self) -> dict[str, Any]:
        return {"strategy": self.strategy, "profile": self.profile, "parameters": self.parameters}


def route(document: Document, options: RouterOptions = RouterOptions()) -> tuple[list[Segment], list[Exclusion]]:
    """Return segments that together hold all text that is not excluded by its node type, and these exclusions."""
    exclusions = excluded_nodes(document)
    holes = [(item.start, item.end) for item in exclusions]
    strategy, reason = decide(document, options)
    if strategy not in STRUCTURAL:
        outer = tuple(outermost(document, (*PROVISIONS, *TIER_2)))
        if strategy != "markdown_merge" or options.strategy is not None or not outer:
            return [Segment(strategy, reason, loose_text(document, holes), outer)], exclusions
        strategy = _of_statutes(document)
    nodes = cut_nodes(document, strategy, holes)
    propositions = _propositions(document, nodes) if strategy in ("paragraf", "statute_boundary") else []
    return [*body_segments(document, strategy, reason, nodes, holes), *propositions], exclusions


def decide(document: Document, options: RouterOptions) -> tuple[str, str]:
    """(strategy of the body, reason)."""
    # Propositions are added to the chunks of their text and cover nothing: the body is cut as if no strategy were forced.
    if options.strategy is not None and options.strategy != "proposition":
        return options.strategy, "forced by configuration"
    profile = options.profile or document.metadata.get("profile")
    if profile == "rightline" or (profile == "immigration" and document.doc_type in IMMIGRATION_TYPES):
        return PROFILES[profile], f"profile {profile}"
    kinds = census(document)
    if kinds["block"] and any(node.attributes.get("para_id") for node in document.walk() if node.type == "block"):
        return "tagged_paragraph", "paragraph tags"
    provisions = sum(kinds[name] for name in PROVISIONS)
    habits = jurisdiction(document.jurisdiction).section("chunking")
    if document.doc_type in ("judgment", "precedent_case"):
        parts = outermost(document, JUDGMENT_PARTS)
        named = any(node.type in ("background", "issue", "motivation", "decision") for node, _ in parts)
        if named or kinds["numbered_paragraph"] >= LEAST_PROVISIONS:
            return "judgment_structural", f"{len(parts)} parts of a judgment, {provisions} numbered paragraphs"
    # However little of the text they hold: a provision that is cut by meaning is not found by its number.
    elif provisions:
        return _of_statutes(document), f"{provisions} provision{'s' * (provisions > 1)}"
    if document.format == "markdown" or "without_provisions" in habits:
        return str(habits.get("without_provisions", "markdown_merge")), "no provisions"
    headings = kinds["heading"]
    if headings >= PARTIAL_HEADINGS:
        return "recursive_semantic", f"partial structure: {headings} headings"
    confidence = document.metadata.get("ocr_confidence")
    if confidence is not None and confidence < DEGRADED_BELOW and kinds["page"]:
        return "page_level", f"OCR confidence {confidence:.2f}"
    return "semantic", "no structure"


def _of_statutes(document: Document) -> str:
    """Return the strategy that cuts the statutes of the document's country."""
    return str(jurisdiction(document.jurisdiction).section("chunking").get("statutes", "statute_boundary"))


def cut_nodes(document: Document, strategy: str, holes: Sequence[Span]) -> list[Placed]:
    """Return the nodes along which a structural strategy cuts the body, in text order; `holes` are the excluded spans."""
    if strategy == "judgment_structural":
        wanted: tuple[str, ...] = (*JUDGMENT_PARTS, "numbered_paragraph")
    elif strategy == "page_level" and outermost(document, ("page",)):
        wanted = ("page",)
    else:
        heading = ("heading",) if has_provisions(document) else ()
        beside = () if strategy == "paragraf" else ("table", "longtitle", TEXT_DIVISIONS)
        wanted = (*PROVISIONS, *TIER_2, *heading, *beside)
    nodes = outermost(document, wanted)
    if strategy in ("statute_boundary", "paragraf"):
        nodes = open_holders(nodes, wanted)
    return _without_stray_headings(document, nodes, holes)


def body_segments(
    document: Document, strategy: str, reason: str, nodes: list[Placed], holes: Sequence[Span]
) -> list[Segment]:
    """Return the segments of a document that is cut along these nodes; text outside the nodes is merged block by block."""
    loose = loose_text(document, [*((node.start, node.end) for node, _ in nodes), *holes])
    by_page = tuple(pair for pair in nodes if pair[0].type in _BY_PAGE)
    segments = []
    if strategy != "paragraf" and by_page:
        why = reason if strategy == "page_level" else "schedules and tables"
        segments.append(Segment("page_level", why, (), by_page))
        nodes = [pair for pair in nodes if pair[0].type not in _BY_PAGE]
    if nodes:
        segments.append(Segment("statute_boundary" if strategy == "page_level" else strategy, reason, (), tuple(nodes)))
    if loose:
        segments.append(Segment("markdown_merge", "text outside the provisions" if nodes else reason, loose))
    return segments


def _propositions(document: Document, nodes: list[Placed]) -> list[Segment]:
    """Return segments of provisions and schedules that define terms, by the reason; they are cut into propositions in addition."""
    placed = {id(pair[0]): pair for pair in nodes}
    by_reason: dict[str, list[Placed]] = {}
    for node, reason in defining(document, nodes):
        by_reason.setdefault(reason, []).append(placed[id(node)])
    return [Segment("proposition", reason, (), tuple(found)) for reason, found in by_reason.items()]


def _without_stray_headings(document: Document, nodes: list[Placed], aside: Sequence[Span]) -> list[Placed]:
    """Return `nodes` without headings whose next text, apart from headings, is outside the nodes: they belong to that text."""
    headings = [(node.start, node.end) for node, _ in nodes if node.type == "heading"]
    loose = loose_text(document, [*((node.start, node.end) for node, _ in nodes), *aside])
    skip_from = {start: end for start, end in (*aside, *headings) if end > start}
    text = document.text
    stray = set()
    for heading in headings:
        position = heading[1]
        while position < len(text) and (text[position].isspace() or position in skip_from):
            position = skip_from.get(position, position + 1)
        if within(loose, position):
            stray.add(heading)
    return [pair for pair in nodes if pair[0].type != "heading" or (pair[0].start, pair[0].end) not in stray]
