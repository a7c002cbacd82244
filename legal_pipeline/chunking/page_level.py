"""`page_level`: one page is one chunk; a schedule or table without pages is one chunk as a whole.

Used for schedules and tables of structured Acts, and for pages whose OCR confidence is below 0.80: these weigh 0.5 in search and require
manual review. Above the budget a page or schedule splits at table rows, then paragraphs. Not here: recognising pages (`parsing.pdf`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from legal_pipeline.chunking.chunk import Draft, Segment, Span
from legal_pipeline.chunking.headers import SEPARATOR, document_header, shorten
from legal_pipeline.chunking.provisions import UniquePaths, text_spans
from legal_pipeline.chunking.splitting import node_drafts, split_under
from legal_pipeline.chunking.statute_boundary import breadcrumb, label
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import STRUCTURE, TEXT_ROLE, Document, Node

#: OCR confidence (mean word confidence of the page, 0 to 1) below which a page is a degraded scan, and the search weight of such a page.
DEGRADED_BELOW = 0.80
DEGRADED_WEIGHT = 0.5


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return a draft per node of the segment (a schedule, a table, a page), or several where it is over the budget."""
    paths = UniquePaths(document.as_of_date)
    holes = tools.holes(document)
    return [draft for node, ancestors in segment.nodes for draft in _whole(document, node, ancestors, holes, paths)], []


def _whole(
    document: Document, node: Node, ancestors: tuple[Node, ...], holes: Sequence[Span], paths: UniquePaths
) -> Iterator[Draft]:
    spans = text_spans(document, [node], holes)
    if not spans:
        return
    above = [label(ancestor) for ancestor in ancestors if ancestor.type in (*STRUCTURE, "schedule")]
    name = breadcrumb(node)
    header = shorten(SEPARATOR.join([document_header(document), *above, name]))
    confidence = node.attributes.get("ocr_confidence", document.metadata.get("ocr_confidence"))
    degraded = confidence is not None and confidence < DEGRADED_BELOW
    path = paths.name(SEPARATOR.join([*above, label(node)]), node.valid_from, "condition")
    is_page = node.type == "page"
    metadata = {
        "schedule": node.num if node.type == "schedule" else None,
        "heading": node.heading,
        "page_number": int(node.num) if is_page and node.num and node.num.isdigit() else None,
        "ocr_confidence": confidence,
    }
    yield from node_drafts(
        node, split_under(header, document, node, spans), "page" if is_page else "schedule_entry", path, header,
        (node.valid_from, node.valid_to), content_role="TABLE" if node.type == "table" else TEXT_ROLE,
        retrieval_weight=DEGRADED_WEIGHT if degraded else 1.0, requires_manual_review=degraded, metadata=metadata,
    )  # fmt: skip


STRATEGY = Strategy("page_level", "3", chunk)
