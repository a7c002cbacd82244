"""Akoma Ntoso elements, from XML (2.0, 3.0) or from the HTML that Indigo renders.

Not here: their meaning (`akn.reader`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from legal_pipeline.akn.vocabulary import HIERARCHY
from legal_pipeline.building.xml import local_name
from legal_pipeline.text.markup import HEADINGS

#: Tags of a page that are elements by themselves; all others are spans of text.
_KEPT_TAGS = frozenset(
    {"table", "caption", "tr", "td", "th", "ul", "ol", "li", "p", "br", "b", "i", "u", "sup", "sub", "a", "div"}
)
#: Tags of a page whose text is not shown.
DROPPED = frozenset({"script", "style", "img", "head", "noscript", "colgroup", "col"})
_PLACE = re.compile(r"\s*\[\w*\]\s*")
_NUMBER_IN_EID = re.compile(r"(?:.*__)?[A-Za-z]+_([^_].*)\Z")
#: "5A. Fees", "Part II – WELLS": the number of a provision or a division in an element without an eId.
_PRINTED_NUMBER = re.compile(
    r"\s*(\d{1,4}[A-Z]{0,3}\.|[^\W\d_]{3,12}\s(?:[IVXLC]{1,6}|\d{1,3}[A-Z]?)(?=\s[–—-]\s))(?:\s+[–—-])?\s+"
)


@dataclass(slots=True)
class Element:
    """A name without prefix, the eId (`id` in version 2), attributes, and elements and texts in order.

    `fields` are fields of the node made from it (`valid_from`, `status`, `amendments`), if its reader knows them.
    """

    name: str
    eid: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Element | str] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)

    def elements(self) -> list[Element]:
        return [item for item in self.content if not isinstance(item, str)]

    def first(self, *names: str) -> Element | None:
        return next((item for item in self.elements() if item.name in names), None)

    def walk(self) -> Iterator[Element]:
        """Yield this element and all elements below it, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.elements()))

    def text(self) -> str:
        """Return all text below the element, unchanged."""
        return "".join(item if isinstance(item, str) else item.text() for item in self.content)


def from_xml(element: etree._Element) -> Element:
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in element.items()}
    result = Element(local_name(element), attributes.get("eId") or attributes.get("id"), attributes)
    _fill(result, element, from_xml)
    if result.name in HIERARCHY and result.first("num") is None:
        _split_heading(result)
    return result


def from_html(element: etree._Element) -> Element:
    """Return an element of rendered Akoma Ntoso: its name is in its class, its eId in `data-eId`."""
    tag = local_name(element)
    found = {str(key): str(value) for key, value in element.items()}
    classes = found.get("class", "").split()
    akn = next((name[4:] for name in classes if name.startswith("akn-") and not name.startswith("akn--")), None)
    eid = found.get("data-eid") or found.get("data-eId") or (found.get("id") if akn else None)
    attributes = {key.removeprefix("data-"): value for key, value in found.items() if key != "class"}
    if akn is not None and akn.endswith("--marker"):
        return Element("marker")
    if akn is not None and akn.endswith("--content"):
        name = "div"
    elif akn is not None:
        name = akn
    elif "coverpage" in classes:
        name = "coverPage"
    elif tag in HEADINGS:
        name = "pageHeading"
    else:
        name = tag if tag in _KEPT_TAGS or not tag else "span"
    result = Element(name, eid, attributes)
    _fill(result, element, from_html)
    if akn is not None and name not in ("heading", "crossHeading", "subheading"):
        _split_title(result)
    return result


def _fill(result: Element, element: etree._Element, convert: Callable[[etree._Element], Element]) -> None:
    if text := element.text:
        result.content.append(text)
    for child in element:
        name = local_name(child)
        if name and name not in DROPPED and not _is_blank(name, child):
            converted = convert(child)
            if converted.name != "marker":
                result.content.append(converted)
        if tail := child.tail:
            result.content.append(tail)


def _is_blank(name: str, element: etree._Element) -> bool:
    """Return whether a placeholder represents white space: its text is a name in brackets, `[tab]`."""
    return name == "placeholder" and _PLACE.fullmatch("".join(map(str, element.itertext()))) is not None


def _split_title(container: Element) -> None:
    """Split `<h3>5A. Refusal to grant divorce</h3>` or `<h2>Chapter 2<br>Objectives</h2>` into number and heading."""
    for index, item in enumerate(container.content):
        if not isinstance(item, Element):
            if item.strip():
                return
            continue
        if item.name != "pageHeading":
            return
        container.content[index : index + 1] = _split_at_break(item) or _number_and_heading(item, container.eid or "")
        return


def _split_at_break(title: Element) -> list[Element | str]:
    """Return the number before a line break in `title` and the heading after it; empty without a break."""
    break_at = next(
        (i for i, item in enumerate(title.content) if isinstance(item, Element) and item.name == "br"), None
    )
    if break_at is None:
        return []
    return [Element("num", content=title.content[:break_at]), Element("heading", content=title.content[break_at + 1 :])]


def _split_heading(level: Element) -> None:
    """Split the heading of a level without a number, `<heading>Article 5 Definitions</heading>`, if the eId confirms the number."""
    for index, item in enumerate(level.content):
        if not isinstance(item, str) and item.name == "heading":
            level.content[index : index + 1] = _number_and_heading(item, level.eid or "")
            return


def _number_and_heading(title: Element, eid: str) -> list[Element | str]:
    match = _NUMBER_IN_EID.match(eid)
    number = match[1].partition("-")[0] if match else ""
    text = next((item for item in title.content if isinstance(item, str)), "")
    printed = re.escape(number).replace("_", r"[\s_]")
    if number:
        pattern = rf"\s*((?:[^\W\d_]+\.?\s+|§\s*)?\(?{printed}[.)º°ª]*)(?:\s+[–—-])?(?:\s+|\Z)"
        found = re.match(pattern, text, re.IGNORECASE)
    else:
        found = None if eid else _PRINTED_NUMBER.match(text)
    if found is None or not isinstance(title.content[0], str):
        return [Element("heading", content=title.content)]
    rest: list[Element | str] = [text[found.end() :], *title.content[1:]]
    num: list[Element | str] = [Element("num", content=[found[1]])]
    is_empty = all(isinstance(item, str) and not item.strip() for item in rest)
    return num if is_empty else [*num, Element("heading", content=rest)]
