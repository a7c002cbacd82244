"""What stands in a section of an Indian Act: sub-sections, clauses, provisos, Explanations, Illustrations, definitions.

Each stands in what it qualifies. Not here: where sections begin (the formats) and footnotes (`amendment_notes`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Node
from legal_pipeline.model.identity import assign_eids
from legal_pipeline.numbering.search import CONTEXT, NUMBER, Event, resolve
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
#: The verb may stand behind a phrase: `"government company", in relation to a State, means`.
_DEFINITION = re.compile(
    rf"(?:In\s+this\s+(?:Act|Code|Sanhita|section),?\s*[—–-]*\s*)?(?:(?:the|an?)\s+)?(?:(?:expression|word|term)s?\s+)?{_QUOTED}{_MORE_TERMS}[^.;:]{{0,160}}?\b{_VERB}",
    re.I,
)
#: `Court: Court includes all Judges`: an export that turned the defined term into a run-in heading.
_RUN_IN_DEFINITION = re.compile(rf"(?P<term>[A-Z][\w’' -]{{1,60}}?)\s*[:.]\s*[^.;:]{{0,120}}?\b{_VERB}")
_DEFINITIONS_HEADING = re.compile(r"\bdefinitions?\b|\binterpretation\b|\bdefined\b", re.I)

_TYPE_OF_SERIES = {"digit": "subsection", "alpha": "paragraph"}


def defined_term(text: str, *, definitions_section: bool = False) -> str | None:
    """The term that `text` defines in its first words (`"record" includes …` -> `record`), or None."""
    if match := _DEFINITION.match(text):
        return match["term"].strip(" ,")
    if definitions_section and (match := _RUN_IN_DEFINITION.match(text)):
        return match["term"].strip()
    return None


def is_definitions_section(heading: str | None, paragraphs: Sequence[Paragraph]) -> bool:
    """By its heading, or by at least three definitional sentences."""
    if heading and _DEFINITIONS_HEADING.search(heading):
        return True
    return sum(defined_term(_LABEL.sub("", item.text, count=1)) is not None for item in paragraphs) >= 3


@dataclass(eq=False)
class _Spec:
    """A node to be; two specs are the same node only if they are the same object."""

    type: str
    num: str | None = None
    skip: int = 0
    attributes: dict[str, object] = field(default_factory=dict)
    context: str | None = None


_Chain = tuple[_Spec, ...]


@dataclass(frozen=True)
class _Unit:
    """One paragraph with what its first words make of it."""

    paragraph: Paragraph
    kind: str
    num: str | None = None
    skip: int = 0
    labels: tuple[tuple[str, int], ...] = ()


def write_body(
    builder: DocumentBuilder, paragraphs: Sequence[Paragraph], *, definitions: bool = False
) -> list[tuple[tuple[str, ...], Node]]:
    """Add `paragraphs` to the open section. Returns (footnote marks, innermost node) of every paragraph that had a mark."""
    base = builder.depth
    section = builder.current
    assert section is not None
    open_specs: list[tuple[_Spec, Node]] = []
    marked: list[tuple[tuple[str, ...], Node]] = []
    for unit, chain in _chains([_unit(paragraph) for paragraph in paragraphs], definitions):
        shared = 0
        while shared < min(len(chain), len(open_specs)) and chain[shared] is open_specs[shared][0]:
            shared += 1
        builder.close_to(base + shared)
        del open_specs[shared:]
        new = []
        for spec in chain[shared:]:
            node = builder.open(spec.type, spec.num, attributes=dict(spec.attributes))
            open_specs.append((spec, node))
            new.append((spec, node))
        start, _ = builder.add(unit.paragraph.text, offsets=list(unit.paragraph.offsets))
        for spec, node in new:
            node.start = start + spec.skip
        if unit.paragraph.marks:
            marked.append((unit.paragraph.marks, open_specs[-1][1] if open_specs else section))
    builder.close_to(base)
    return marked


def _unit(paragraph: Paragraph) -> _Unit:
    text = paragraph.text
    for kind, pattern in (("explanation", _EXPLANATION), ("exception", _EXCEPTION), ("illustration", _ILLUSTRATIONS)):
        if match := pattern.match(text):
            num = match.groupdict().get("num")
            return _Unit(paragraph, kind, num, 0, _labels(text, match.end()))
    if _PROVISO.match(text):
        return _Unit(paragraph, "proviso")
    labels = _labels(text, 0)
    return _Unit(paragraph, "label" if labels else "plain", labels=labels)


def _labels(text: str, position: int) -> tuple[tuple[str, int], ...]:
    """Labels that stand one after the other from `position` on (`(1) (a)`), each with where it begins."""
    out = []
    while match := _LABEL.match(text, position):
        out.append((match["num"], match.start()))
        position = match.end()
    return tuple(out)


def _after_labels(text: str, position: int) -> int:
    while match := _LABEL.match(text, position):
        position = match.end()
    return position


@dataclass(frozen=True)
class _Place:
    """Where a label stands: the number of its list within the section (None: it is not a label) and its series."""

    list_id: int | None
    series: str | None = None


def _places(units: Sequence[_Unit]) -> list[list[_Place]]:
    """For each unit the places of its labels."""
    events: list[Event] = []
    owners: list[int] = []
    announced = True
    for index, unit in enumerate(units):
        if unit.kind not in ("label", "plain"):
            events.append(Event(CONTEXT))
            owners.append(-1)
            announced = True
        for label, _ in unit.labels:
            events.append(Event(NUMBER, label, announced=announced))
            owners.append(index)
            announced = True
        announced = bool(_ANNOUNCES.search(unit.paragraph.text))
    out: list[list[_Place]] = [[] for _ in units]
    lists: list[int] = []
    for number, (placed, owner) in enumerate(
        zip(resolve(events, jurisdiction("in").drafting("act")), owners, strict=True)
    ):
        if placed.level >= 0:
            lists[placed.level + (not placed.opens) :] = [number] if placed.opens else []
        if owner >= 0:
            out[owner].append(_Place(lists[placed.level], placed.kind) if placed.level >= 0 else _Place(None))
    return out


def _chains(units: Sequence[_Unit], definitions: bool) -> list[tuple[_Unit, _Chain]]:
    """For each unit the nodes, from the outermost in, that its paragraph stands in."""
    places = _places(units)
    last_use: dict[int | None, int] = {
        place.list_id: index for index, row in enumerate(places) for place in row if place.list_id is not None
    }
    parents: dict[int, _Chain] = {}
    #: What is open: (list or None for a context, its style, the chain that a paragraph of it stands in).
    levels: list[tuple[int | None, str | None, _Chain]] = []
    current: _Chain = ()
    out: list[tuple[_Unit, _Chain]] = []
    for index, unit in enumerate(units):
        if unit.kind == "plain" or (unit.kind == "label" and all(place.list_id is None for place in places[index])):
            current = _plain(unit, levels, current, index, last_use, definitions)
        else:
            if unit.kind != "label":
                levels[:], current = _qualified(levels, index, last_use, unit, units)
                spec = _context_spec(unit)
                current = (*current, spec)
                levels.append((None, unit.kind, current))
            for (label, at), place in zip(unit.labels, places[index], strict=True):
                if place.list_id is None:
                    continue
                depth = next((i for i, level in enumerate(levels) if level[0] == place.list_id), None)
                if depth is None:
                    parents[place.list_id] = current
                else:
                    del levels[depth:]
                parent = parents[place.list_id]
                inside = next((spec.context for spec in reversed(parent) if spec.context), None)
                type_ = "item" if inside == "illustration" else _TYPE_OF_SERIES.get(place.series or "", "item")
                if type_ == "subsection" and any(spec.type == "subsection" for spec in parent):
                    type_ = "item"
                current = (*parent, _Spec(type_, label, at))
                levels.append((place.list_id, place.series, current))
            current = _define(unit, current, definitions)
            if levels:
                levels[-1] = (*levels[-1][:2], current)
        out.append((unit, current))
    return out


def _context_spec(unit: _Unit) -> _Spec:
    if unit.kind == "exception":  # an exception limits what stands before it, as a proviso does
        return _Spec("proviso", unit.num, attributes={"kind": "exception"}, context="exception")
    return _Spec(unit.kind, unit.num, context=unit.kind)


def _define(unit: _Unit, chain: _Chain, definitions: bool) -> _Chain:
    if not chain or unit.kind == "illustration":
        return chain
    skip = _after_labels(unit.paragraph.text, unit.labels[0][1]) if unit.labels else 0
    term = defined_term(unit.paragraph.text[skip:], definitions_section=definitions)
    return chain if term is None else (*chain, _Spec("definition", skip=skip, attributes={"term": term}))


def _plain(
    unit: _Unit,
    levels: list[tuple[int | None, str | None, _Chain]],
    current: _Chain,
    index: int,
    last_use: dict[int | None, int],
    definitions: bool,
) -> _Chain:
    """A paragraph without a number: a definition of its own, or more of the innermost list entry whose list goes on after it."""
    term = defined_term(unit.paragraph.text, definitions_section=definitions)
    if definitions and term is not None and not any(level[0] is not None for level in levels):
        current = (_Spec("definition", attributes={"term": term}, context="definition"),)
        levels[:] = [(None, "definition", current)]
        return current
    for depth in range(len(levels) - 1, -1, -1):
        list_id, style, chain = levels[depth]
        if list_id is None or style == "digit" or last_use[list_id] > index or _in_illustration(chain):
            del levels[depth + 1 :]
            return chain
    levels.clear()
    return ()


def _in_illustration(chain: _Chain) -> bool:
    return any(spec.context == "illustration" for spec in chain)


def _qualified(
    levels: list[tuple[int | None, str | None, _Chain]],
    index: int,
    last_use: dict[int | None, int],
    unit: _Unit,
    units: Sequence[_Unit],
) -> tuple[list[tuple[int | None, str | None, _Chain]], _Chain]:
    """(what stays open, the chain) that a proviso, explanation, exception or illustration qualifies.

    It may say so itself ("For the purposes of this section"); else it is the innermost list entry whose list goes on afterwards, or
    the sub-section.
    """
    said = _SCOPE.search(unit.paragraph.text[:120])
    if said and said[1].lower() == "section":
        return [], ()
    for depth in range(len(levels) - 1, -1, -1):
        list_id, style, chain = levels[depth]
        if list_id is None:
            if unit.kind == "illustration" and style in ("explanation", "exception") and _has_own(units, index):
                return levels[: depth + 1], chain
            continue
        inside_context = any(level[0] is None for level in levels[:depth])
        if not inside_context and (style == "digit" or last_use[list_id] > index):
            return levels[: depth + 1], chain
    return [], ()


def _has_own(units: Sequence[_Unit], index: int) -> bool:
    """Whether illustrations belong to the explanation before them: the series of explanations goes on after them, or another of the
    series has illustrations of its own. Illustrations after the last of a series illustrate the section."""
    for unit in units[index + 1 :]:
        if unit.kind in ("explanation", "exception"):
            return True
    seen = False
    for unit in reversed(units[:index]):
        seen = seen or unit.kind in ("explanation", "exception")
        if seen and unit.kind == "illustration":
            return True
    return False


def name_nodes(nodes: list[Node]) -> None:
    """Eids in which a definition's clauses keep the number that lawyers cite: `sec_2__para_h__item_i`, not `…__def_1__item_i`."""
    wrapped: list[tuple[Node, list[Node], int, Node]] = []
    for root in nodes:
        for node in root.walk():
            for position, child in enumerate(node.children):
                if (
                    child.type == "definition"
                    and node.num is not None
                    and node.type in ("subsection", "paragraph", "item")
                ):
                    wrapped.append((node, node.children, position, child))
    for parent, children, position, definition in wrapped:
        parent.children = [*children[:position], *definition.children, *children[position + 1 :]]
    assign_eids(nodes)
    for parent, children, _, definition in wrapped:
        parent.children = children
        definition.eid = f"{parent.eid}__def_1"
