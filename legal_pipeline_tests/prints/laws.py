"""Compares a law with its answer: its provisions with number, heading, place and status, and its title, type and language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.model.document import Document, Node
from legal_pipeline_tests.prints.comparison import Answer, Comparison, folded, words

_PROVISIONS = ("section", "article", "rule", "schedule_entry")
#: Types that an author's word may stand for.
_SAME_TYPE = {
    "regulation": ("regulation", "agency_regulation"),
    "ordinance": ("regulation", "agency_regulation", "ordinance", "act"),
    "other": ("regulation", "agency_regulation", "ordinance", "act"),
    "treaty": ("regulation", "agency_regulation", "ordinance", "act"),
}
#: Words of the beginning of a provision that are compared, and characters in scripts without spaces.
_WORDS, _CHARACTERS = 3, 12


@dataclass(frozen=True)
class _Provision:
    node: Node
    above: Sequence[Node]
    is_repealed: bool


def compare(document: Document, answer: Answer) -> Comparison:
    found, result = list(_provisions(document.nodes)), Comparison()
    used: set[int] = set()
    for asked in answer["provisions"]:
        number = asked["number"]
        same = [each for each in found if id(each) not in used and folded(each.node.num) == folded(number)]
        fits = [each for each in same if _begins(document, each.node, asked.get("starts", ""))]
        provision = next(iter(fits or (same if asked.get("repealed") else ())), None)
        result.count("provisions", provision is not None, f"{number} is missing")
        if provision is not None:
            used.add(id(provision))
            _compare_provision(document, provision, asked, result)
    for each in found:
        if id(each) not in used and each.node.type != "schedule_entry" and not _is_in_schedule(each):
            result.asked["provisions that are none"] += 1
            result.differences.append(f"{each.node.type} {each.node.num} is not a provision of this law")
    result.count("title", folded(document.title) == folded(answer["title"]), f"title: {document.title}")
    types = _SAME_TYPE.get(answer["type"], (answer["type"],))
    result.count("type", document.doc_type in types, f"type: {document.doc_type}")
    result.count("language", document.language == answer["language"], f"language: {document.language}")
    return result


def _provisions(nodes: Sequence[Node], above: tuple[Node, ...] = (), is_repealed: bool = False) -> Iterator[_Provision]:
    for node in nodes:
        gone = is_repealed or node.status in ("repealed", "omitted")
        types = {each.type for each in above}
        is_paragraph = node.type == "paragraph" and bool(node.num) and "schedule" in types
        inner = {"paragraph", "item", "subsection"} if is_paragraph else set()
        if (node.type in _PROVISIONS or is_paragraph) and types.isdisjoint({*_PROVISIONS, "quotation", *inner}):
            yield _Provision(node, above, gone)
        yield from _provisions(node.children, (*above, node), gone)


def _is_in_schedule(provision: _Provision) -> bool:
    return provision.node.type == "paragraph"


def _begins(document: Document, node: Node, starts: str) -> bool:
    """Whether the first words of a provision, behind its number and heading, are in `node`."""
    first, text = words(starts)[:_WORDS], document.text[node.start : node.end]
    if not first:
        return True
    all_words = words(text)
    runs = (all_words[place : place + len(first)] for place in range(len(all_words)))
    return first in runs or folded(starts)[:_CHARACTERS] in folded(text)


def _compare_provision(document: Document, provision: _Provision, asked: Answer, result: Comparison) -> None:
    node, number = provision.node, asked["number"]
    if heading := asked.get("heading"):
        result.count("headings", folded(node.heading) == folded(heading), f"{number} has the heading {node.heading!r}")
    if asked.get("repealed"):
        result.count("repealed", provision.is_repealed, f"{number} is in force")
    elif provision.is_repealed:
        result.asked["repealed that are in force"] += 1
        result.differences.append(f"{number} is repealed")
    if inside := asked.get("inside"):
        labels = (
            f"{each.num or ''}{each.heading or ''}{document.text[each.start : each.start + 60]}"
            for each in provision.above
        )
        is_inside = folded(inside) in folded(" ".join(labels)) or _has_number_of(inside, provision)
        result.count("place", is_inside, f"{number} is inside {[(each.type, each.num) for each in provision.above]}")


def _has_number_of(inside: str, provision: _Provision) -> bool:
    nearest = provision.above[-1].num if provision.above else None
    return bool(nearest) and folded(nearest) in map(folded, inside.split())
