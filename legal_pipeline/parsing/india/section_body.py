"""Write the content of a section of an Indian Act: sub-sections, clauses, provisos, Explanations, Illustrations, definitions.

Each is placed inside the provision that it qualifies. Not here: finding sections (the formats), footnotes (`amendment_notes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from legal_pipeline.building.body_writer import Piece, write_pieces
from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Node
from legal_pipeline.model.identity import assign_eids
from legal_pipeline.numbering.search import (
    DEFINITION,
    EXCEPTION,
    EXPLANATION,
    ILLUSTRATION,
    NUMBER,
    PROVISO,
    TEXT,
    Event,
    Placed,
)
from legal_pipeline.parsing.india.blocks import Paragraph

_LABEL = re.compile(r"\(\s?(?P<num>\d{1,3}[A-Z]{0,2}|[a-z]{1,4}|[A-Z]{1,4})\s?\)\s*")
_PROVISO = re.compile(r"\(?Provided\b(?!\s+(?:for|in|by|with|under)\b)")
_NUM = r"\s*(?:\(?(?P<num>\d+|[IVX]+|[A-Z])\b\)?)?\s*"
_EXPLANATION = re.compile(rf"\(?(?:Explanations?|EXPLANATIONS?)\b\.?{_NUM}(?:[.:—–-]|$|(?=[A-Z“\"]))")
_EXCEPTION = re.compile(rf"(?:Exceptions?|EXCEPTIONS?)\b\.?{_NUM}(?:[.:—–-]|$)")
_SCOPE = re.compile(r"\bfor the purposes? of this (section|sub-?\s?section|clause)\b", re.I)
_ILLUSTRATIONS = re.compile(r"Illustrations?\b(?:\s+to\s+[^.]{1,40})?\s*(?:$|(?:[.:]|-|—|–)+\s*)", re.I)
_ANNOUNCES = re.compile(r"(?:[:;,.]?\s*[—–-]+|:|\bnamely\b.?)\s*$", re.I)

_QUOTED = r"[“\"‘']+(?P<term>[^”\"’]{1,120}?)[,;]?[”\"’']+"
_MORE_TERMS = (
    r"(?:\s*(?:,|or|and|with its grammatical variations)?\s*(?:and cognate expressions)?[“\"‘'][^”\"’]{1,120}[”\"’'])*"
)
_VERB = (
    r"(?:means?|includes?|denotes?|(?:has|have|had)\s+the\s+(?:same\s+)?meanings?|shall\s+(?:mean|include|have|be\s+construed)|is\s+an?\b"
    r"|signif(?:y|ies)|(?:is|are)\s+said\s+to\b)"
)
#: A phrase may be before the verb: `"government company", in relation to a State, means`.
_DEFINITION = re.compile(
    rf"(?:In\s+this\s+(?:Act|Code|Sanhita|section),?\s*[—–-]*\s*)?(?:(?:the|an?)\s+)?(?:(?:expression|word|term)s?\s+)?{_QUOTED}{_MORE_TERMS}[^.;:]{{0,160}}?\b{_VERB}",
    re.I,
)
#: `Court: Court includes all Judges`: the export turned the defined term into a run-in heading.
_RUN_IN_DEFINITION = re.compile(rf"(?P<term>[A-Z][\w’' -]{{1,60}}?)\s*[:.]\s*[^.;:]{{0,120}}?\b{_VERB}")
_DEFINITIONS_HEADING = re.compile(r"\bdefinitions?\b|\binterpretation\b|\bdefined\b", re.I)

_CONTEXTS = {EXPLANATION: _EXPLANATION, EXCEPTION: _EXCEPTION, ILLUSTRATION: _ILLUSTRATIONS, PROVISO: _PROVISO}
_TYPE_OF_SERIES = {"digit": "subsection", "alpha": "paragraph"}


def defined_term(text: str, *, definitions_section: bool = False) -> str | None:
    """Return the term that `text` defines in its first words (`"record" includes …` -> `record`), or None."""
    if match := _DEFINITION.match(text):
        return match["term"].strip(" ,")
    if definitions_section and (match := _RUN_IN_DEFINITION.match(text)):
        return match["term"].strip()
    return None


def is_definitions_section(heading: str | None, paragraphs: Sequence[Paragraph]) -> bool:
    """Whether the heading names definitions, or the section has at least three defining sentences."""
    if heading and _DEFINITIONS_HEADING.search(heading):
        return True
    return sum(defined_term(_LABEL.sub("", item.text, count=1)) is not None for item in paragraphs) >= 3


def write_body(
    builder: DocumentBuilder, paragraphs: Sequence[Paragraph], *, definitions: bool = False
) -> list[tuple[tuple[str, ...], Node]]:
    """Add `paragraphs` to the open section; return (footnote marks, innermost node) of every paragraph with a mark."""
    pieces: list[Piece] = []
    ends: list[int] = []
    kinds = [_kind(paragraph.text)[0] for paragraph in paragraphs]
    announced = True
    for index, paragraph in enumerate(paragraphs):
        has_own = kinds[index] == ILLUSTRATION and _has_own(kinds, index)
        pieces += _pieces(paragraph, announced, definitions, has_own)
        ends.append(len(pieces) - 1)
        announced = bool(_ANNOUNCES.search(paragraph.text))
    innermost = write_pieces(builder, pieces, jurisdiction("in").drafting("act"), _node_type)
    marked = [(paragraph.marks, innermost[end]) for paragraph, end in zip(paragraphs, ends, strict=True)]
    return [(marks, node) for marks, node in marked if marks and node is not None]


def _kind(text: str) -> tuple[str, re.Match[str] | None]:
    """Return the kind that the first words give a paragraph, and the match of these words (None for plain text)."""
    for kind, pattern in _CONTEXTS.items():
        if match := pattern.match(text):
            return kind, match
    return TEXT, None


def _pieces(paragraph: Paragraph, announced: bool, definitions: bool, has_own: bool) -> list[Piece]:
    """Cut a paragraph where nodes begin: at its introducing words and at consecutive labels (`(1) (a)`)."""
    text = paragraph.text
    kind, words = _kind(text)
    begin = words.end() if words is not None and kind != PROVISO else 0
    labels = [] if kind == PROVISO else list(_labels(text, begin))
    term = defined_term(text[labels[-1].end() if labels else 0 :], definitions_section=definitions)
    pieces: list[Piece] = []
    if kind != TEXT:
        pieces.append(_context(paragraph, kind, words, has_own))
        announced = True
    elif not labels:
        named = definitions and term is not None
        event = Event(DEFINITION) if named else Event(TEXT)
        pieces.append(Piece(text, event, node="definition", attributes={"term": term} if named else {}))
    for label in labels:
        event = Event(NUMBER, label["num"], announced=announced)
        pieces.append(Piece(text, event, num=label["num"]))
        announced = True
    if labels and term is not None and kind != ILLUSTRATION:
        pieces[-1] = replace(pieces[-1], defines=(labels[-1].end() - labels[-1].start(), term))
    starts = [*([0] if kind != TEXT or not labels else []), *(label.start() for label in labels)]
    return [
        _part(piece, paragraph, start, end)
        for piece, start, end in zip(pieces, starts, [*starts[1:], len(text)], strict=True)
    ]


def _part(piece: Piece, paragraph: Paragraph, start: int, end: int) -> Piece:
    """Return `piece` with the text of `paragraph` from `start` to `end`, and the separator before it."""
    before = paragraph.text[:start]
    separator = before[len(before.rstrip()) :] if start else BLOCK_SEPARATOR
    offsets = [(at - start, raw) for at, raw in paragraph.offsets if start <= at < end]
    text = paragraph.text[start:end]
    return replace(
        piece,
        text=text if end == len(paragraph.text) else text.rstrip(),
        separator=separator,
        glue=separator,
        offsets=offsets,
    )


def _context(paragraph: Paragraph, kind: str, words: re.Match[str] | None, has_own: bool) -> Piece:
    """Return the piece of a qualifying paragraph; its words may name what it qualifies ("For the purposes of this section")."""
    said = _SCOPE.search(paragraph.text[:120])
    whole = said is not None and said[1].lower() == "section"
    within = (EXPLANATION, EXCEPTION) if has_own else ()
    num = words.groupdict().get("num") if words is not None else None
    event = Event(kind, within=within, outermost=whole)
    if kind == EXCEPTION:  # an exception limits the text before it, as a proviso does
        return Piece(paragraph.text, event, node=PROVISO, num=num, attributes={"kind": EXCEPTION})
    return Piece(paragraph.text, event, node=kind, num=num)


def _labels(text: str, position: int) -> Iterator[re.Match[str]]:
    """Yield consecutive labels from `position` on."""
    while match := _LABEL.match(text, position):
        yield match
        position = match.end()


def _node_type(place: Placed, opened: Sequence[Node]) -> tuple[str, Mapping[str, object]]:
    inside = next((node.type for node in reversed(opened) if node.type in _CONTEXTS), None)
    kind = "item" if inside == ILLUSTRATION else _TYPE_OF_SERIES.get(place.kind, "item")
    if kind == "subsection" and any(node.type == "subsection" for node in opened):
        kind = "item"
    return kind, {}


def _has_own(kinds: Sequence[str], index: int) -> bool:
    """Whether illustrations belong to the explanation before them, not to the section.

    They do if the series of explanations continues after them, or if an earlier explanation of the series has illustrations.
    """
    series = (EXPLANATION, EXCEPTION)
    if any(kind in series for kind in kinds[index + 1 :]):
        return True
    last = next((at for at in range(index - 1, -1, -1) if kinds[at] in series), 0)
    return ILLUSTRATION in kinds[:last]


def name_nodes(nodes: list[Node]) -> None:
    """Assign eids; the clauses of a definition keep the number that lawyers cite: `sec_2__para_h__item_i`, not `…__def_1__item_i`."""
    wrapped: list[tuple[Node, list[Node], int, Node]] = []
    for root in nodes:
        for node in root.walk():
            if node.num is None or node.type not in ("subsection", "paragraph", "item"):
                continue
            defined = [position for position, child in enumerate(node.children) if child.type == "definition"]
            if len(defined) == 1:
                wrapped.append((node, node.children, defined[0], node.children[defined[0]]))
    for parent, children, position, definition in wrapped:
        parent.children = [*children[:position], *definition.children, *children[position + 1 :]]
    assign_eids(nodes)
    for parent, children, _, definition in wrapped:
        parent.children = children
        definition.eid = f"{parent.eid}__def_1"
