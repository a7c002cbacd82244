"""Nests elements that are siblings in a publisher's markup: flat heads and the elements after them, quoted law, groups.

Not here: which elements are heads (the profiles), and the traversal of a document (`profiles.elements`).
"""

from __future__ import annotations

from legal_pipeline.akn.element import Element
from legal_pipeline.akn.vocabulary import HIERARCHY

#: Attribute of a flat head: the elements after it, up to the next head of the same or a lower rank number, belong to it.
RANK = "rank"
#: Attribute of an element that is not a head, but ends heads of the same or a higher rank number.
CLOSES = "closes"
#: Rank numbers of flat heads. A head closes heads of the same or a higher number. Elements without a number are below all heads.
RANKS = {
    "preface": 0, "preamble": 0, "conclusions": 0, "attachment": 0, "toc": 0, "book": 1, "part": 2, "title": 3, "chapter": 4,
    "subchapter": 5, "division": 6, "subdivision": 7, "article": 8, "section": 8, "recital": 8, "subsection": 9, "paragraph": 9,
    "point": 10, "item": 10, "indent": 11,
}  # fmt: skip
#: Rank number of an element that is below any head.
_LOWEST = 99.0
_ALWAYS_CLOSES = frozenset(
    {
        "preface",
        "preamble",
        "conclusions",
        "attachment",
        "toc",
        "book",
        "part",
        "title",
        "chapter",
        "article",
        "section",
    }
)


def grouped(content: list[Element | str]) -> list[Element | str]:
    """Return `content` with the heading of a group moved into its only provision; with several provisions it becomes a cross-heading."""
    provisions = [item for item in content if isinstance(item, Element) and item.name in HIERARCHY]
    heading = next((item for item in content if isinstance(item, Element) and item.name == "heading"), None)
    if heading is None:
        return content
    rest = [item for item in content if item is not heading]
    if len(provisions) == 1 and provisions[0].first("heading") is None:
        at = 1 if provisions[0].first("num") is not None else 0
        provisions[0].content.insert(at, heading)
        return rest
    return [Element("crossHeading", content=heading.content), *rest]


def nested(content: list[Element | str]) -> list[Element | str]:
    """Return `content` with the elements after a flat head moved into it."""
    if not any(not isinstance(item, str) and RANK in item.attributes for item in content):
        return content
    result: list[Element | str] = []
    open_heads: list[tuple[float, Element]] = []
    for item in content:
        rank = _rank(item) if isinstance(item, Element) else None
        while open_heads and rank is not None and open_heads[-1][0] >= rank:
            open_heads.pop()
        (open_heads[-1][1].content if open_heads else result).append(item)
        if isinstance(item, Element):
            item.attributes.pop(CLOSES, None)
            open_heads.extend(_heads(item))
    return result


def quoted(content: list[Element | str], opens: str, closes: str) -> list[Element | str]:
    """Return `content` with quoted paragraphs as `quotedStructure`, the text of another act.

    These are the paragraphs inside one pair of quotation marks, and single paragraphs that are wholly quoted. Marks inside a line and
    marks that are never closed change nothing.
    """
    result: list[Element | str] = []
    quotation: Element | None = None
    depth = 0
    for item in content:
        if quotation is not None and isinstance(item, Element) and (_rank(item) or _LOWEST) <= RANKS["section"]:
            # A closing mark is missing: quoted paragraphs of another act do not contain provisions or divisions of this one.
            result[-1:] = quotation.content
            quotation, depth = None, 0
        if isinstance(item, Element) and item.name == "quotedStructure":
            (quotation.content if quotation is not None else result).append(item)
            continue
        text = (item if isinstance(item, str) else item.text()).strip()
        depth = _depth_behind(text, opens, closes, depth)
        if quotation is not None:
            quotation.content.append(item)
        elif text.startswith(opens) and (depth > 0 or _is_all_quoted(text, opens, closes)):
            quotation = Element("quotedStructure", content=[item])
            result.append(quotation)
        else:
            result.append(item)
            if depth > 0:
                quotation = Element("quotedStructure")
                result.append(quotation)
        if depth <= 0:
            quotation, depth = None, 0
    if quotation is not None:
        result[-1:] = quotation.content
    return result


def _depth_behind(text: str, opens: str, closes: str, depth: int) -> int:
    """Return the number of open quotations after `text`, with `depth` open before it. If both marks are equal, they alternate."""
    if opens == closes:
        return (depth + text.count(opens)) % 2
    return depth + text.count(opens) - text.count(closes)


def _is_all_quoted(text: str, opens: str, closes: str) -> bool:
    """Whether the mark that opens `text` is closed at its end."""
    depth = 0
    for index, character in enumerate(text):
        depth = _depth_behind(character, opens, closes, depth)
        if depth == 0:
            return not any(letter.isalnum() for letter in text[index:])
    return False


def _heads(item: Element) -> list[tuple[float, Element]]:
    """Return (rank, head) of `item` if it is a flat head, and of flat heads nested at its end, outermost first."""
    heads: list[tuple[float, Element]] = []
    inner: Element | str = item
    while isinstance(inner, Element) and RANK in inner.attributes:
        heads.append((float(inner.attributes.pop(RANK)), inner))
        inner = inner.content[-1] if inner.content else ""
    return heads


def _rank(element: Element) -> float | None:
    """Return the rank number of a flat head or of an element that closes heads; None for an element that is below any head."""
    stated = element.attributes.get(RANK) or element.attributes.get(CLOSES)
    if stated is not None:
        return float(stated)
    return float(RANKS[element.name]) if element.name in _ALWAYS_CLOSES else None
