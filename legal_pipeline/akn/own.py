"""Reads Akoma Ntoso that `akn.writer` wrote, and restores the identical text and tree.

Not here: Akoma Ntoso from other writers (`akn.reader`).
"""

from __future__ import annotations

import json
from typing import Any

from lxml import etree

from legal_pipeline.akn.writer import NAMESPACE, decode_separator, join_cells
from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.xml import local_name
from legal_pipeline.model.document import Amendment

_LINES = frozenset({"p", "num", "heading", "crossHeading", "block"})


def read_own(builder: DocumentBuilder, root: etree._Element) -> None:
    """Write all text below `root` into `builder`, with the nodes that its attributes describe."""
    number_at = 0
    for child in root:
        name = local_name(child)
        if name == "meta" or _own(child, "silent"):
            continue
        if name in _LINES:
            start = _line(builder, child, number_at)
            if name == "num":
                number_at = start
        elif name == "table":
            _table(builder, child)
        elif _own(child, "type"):
            _node(builder, child)
        else:
            read_own(builder, child)


def _own(element: etree._Element, name: str) -> str | None:
    return element.get(f"{{{NAMESPACE}}}{name}")


def _words(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _separator(element: etree._Element) -> str:
    code = _own(element, "sep")
    return BLOCK_SEPARATOR if code is None else decode_separator(code)


def _fields(element: etree._Element) -> dict[str, Any]:
    """Return the fields of a node that its element has as attributes, without type, number and heading."""
    more = json.loads(_own(element, "more") or "{}")
    amendments = tuple(Amendment(**item) for item in more.get("amendments", ()))
    return {**more, "eid": element.get("eId"), "amendments": amendments}


def _node(builder: DocumentBuilder, element: etree._Element) -> None:
    printed = next((_words(child) for child in element if local_name(child) == "heading"), None)
    heading = element.get(f"{{{NAMESPACE}}}heading", printed)
    builder.open(_own(element, "type") or "block", _own(element, "num"), heading or None, **_fields(element))
    read_own(builder, element)
    builder.close()


def _line(builder: DocumentBuilder, element: etree._Element, number_at: int) -> int:
    start, end = builder.add(_words(element), separator=_separator(element))
    if _own(element, "type"):
        _leaf(builder, element, number_at if _own(element, "with") == "num" else start, end)
    position = start + len(element.text or "")
    for child in element:
        width = len(_words(child))
        if _own(child, "type"):
            _leaf(builder, child, position, position + width)
        position += width + len(child.tail or "")
    return start


def _leaf(builder: DocumentBuilder, element: etree._Element, start: int, end: int) -> None:
    type, num, heading = _own(element, "type") or "block", _own(element, "num"), _own(element, "heading")
    builder.leaf(type, start, end, num, heading, **_fields(element))


def _table(builder: DocumentBuilder, element: etree._Element) -> None:
    rows = [join_cells(list(map(_words, row))) for row in element if local_name(row) == "tr"]
    start, end = builder.add("\n".join(rows), separator=_separator(element))
    _leaf(builder, element, start, end)
