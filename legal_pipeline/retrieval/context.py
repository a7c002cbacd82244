"""The context of a hit: the section, chapter or act around it, read from the canonical document.

Not here: the document (`stages.canonical_documents`).
"""

from __future__ import annotations

from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document, Node
from legal_pipeline.retrieval.citation_form import act_of, citation_of, division_of
from legal_pipeline.retrieval.hit import Context, ContextLevel, Hit

#: Characters: some four printed pages. A chapter of a tax code has two hundred pages.
MAX_CONTEXT = 12_000

#: Node types outside the provisions that count as sections: a schedule, transitional provisions, a part of a judgment.
_BESIDE = frozenset(
    {"schedule", "transitional", "preamble", "headnote", "background", "arguments", "issue", "motivation", "decision", "dissent"}
)  # fmt: skip


def context_of(hit: Hit, level: ContextLevel, document: Document) -> Context | None:
    """Return the node of `level` around the hit, at most `MAX_CONTEXT` characters of it; the next larger node if there is none.

    None if the document's text has changed since the hit was cut from it.
    """
    if not _is_of(hit, document):
        return None
    node = _around(_holding(document, hit), hit, level)
    start, end = (node.start, node.end) if node is not None else (0, len(document.text))
    low, high = _bounded(document.text, start, end, hit, MAX_CONTEXT)
    return Context(
        "act" if node is None else "chapter" if node.type in STRUCTURE else "section",
        _cited(hit, node),
        low,
        high,
        document.text[low:high],
        (low, high) != (start, end),
    )


def _is_of(hit: Hit, document: Document) -> bool:
    """Whether the document still has the hit's text at its offsets; for generated text, whether the offsets exist."""
    text = str(hit.payload.get("chunk_text", ""))
    generated = hit.is_rewritten
    return hit.end_char <= len(document.text) and (
        generated or document.text.startswith(text[:200].split("\n")[0], hit.start_char)
    )


def _holding(document: Document, hit: Hit) -> list[Node]:
    """Return the nodes that contain the hit, from the outermost in: by its eid, because its text may include a heading above the node."""
    eid = hit.payload.get("eid")
    for node, ancestors in document.walk_with_ancestors():
        if eid is not None and node.eid == eid:
            return [*ancestors, node]
    return [node for node in document.walk() if node.start <= hit.start_char and hit.end_char <= node.end]


def _around(holding: list[Node], hit: Hit, level: ContextLevel) -> Node | None:
    """Return the innermost of the nodes that has the level; None for the act."""
    if level == "section":
        own = [node for node in holding if node.type in PROVISIONS or node.type in _BESIDE]
        whole = [node for node in own if node.end >= hit.end_char]
        if own:
            return whole[-1] if whole else own[0]
    if level == "act":
        return None
    chapters = [node for node in holding if node.type in STRUCTURE]
    return next((node for node in reversed(chapters) if node.type == "chapter"), chapters[-1] if chapters else None)


def _bounded(text: str, start: int, end: int, hit: Hit, most: int) -> tuple[int, int]:
    """Return the span of at most `most` characters with the hit in its middle, cut between words."""
    if end - start <= most:
        return start, end
    middle = (max(start, hit.start_char) + min(end, hit.end_char)) // 2
    low = max(start, min(middle - most // 2, end - most))
    high = low + most
    if low > start and (space := text.find(" ", low, high)) != -1:
        low = space + 1
    if high < end and (space := text.rfind(" ", low, high)) != -1:
        high = space
    return low, high


def _cited(hit: Hit, node: Node | None) -> str:
    if node is None:
        return act_of(hit.payload)
    if node.type not in STRUCTURE:
        return citation_of({**hit.payload, "subdivisions": ()})
    return division_of(hit.payload, node.type, node.num)
