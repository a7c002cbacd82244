"""Reads Akoma Ntoso that `akn.writer` wrote, and restores the identical text and tree.

Not here: Akoma Ntoso from other writers (`akn.reader`).
"""

from __future__ import annotations

import json

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
    value = element.get(f"{{{NAMESPACE}}}{name}")
    return None if value is None else str(value)


def _separator(element: etree._Element) -> str:
    code = _own(element, "sep")
    return BLOCK_SEPARATOR if code is None else decode_separator(code)


def _node(builder: DocumentBuilder, element: etree._Element) -> None:
    heading = _own(element, "heading")
    if heading is None:
        found = next((child for child in element if local_name(child) == "heading"), None)
        heading = "".join(str(text) for text in found.itertext()) if found is not None else None
    more = json.loads(_own(element, "more") or "{}")
    amendments = tuple(Amendment(**item) for item in more.pop("amendments", ()))
    builder.open(
        _own(element, "type") or "block",
        _own(element, "num"),
        heading or None,
        eid=_text(element.get("eId")),
        amendments=amendments,
        **more,
    )
    read_own(builder, element)
    builder.close()


def _line(builder: DocumentBuilder, element: etree._Element, number_at: int) -> int:
    text = "".join(str(part) for part in element.itertext())
    start, end = builder.add(text, separator=_separator(element))
    if _own(element, "type"):
        _leaf(builder, element, number_at if _own(element, "with") == "num" else start, end)
    position = start + len(element.text or "")
    for child in element:
        width = len("".join(str(part) for part in child.itertext()))
        if _own(child, "type"):
            _leaf(builder, child, position, position + width)
        position += width + len(child.tail or "")
    return start


def _leaf(builder: DocumentBuilder, element: etree._Element, start: int, end: int) -> None:
    more = json.loads(_own(element, "more") or "{}")
    amendments = tuple(Amendment(**item) for item in more.pop("amendments", ()))
    builder.leaf(
        _own(element, "type") or "block",
        start,
        end,
        _own(element, "num"),
        _own(element, "heading"),
        eid=_text(element.get("eId")),
        amendments=amendments,
        **more,
    )


def _table(builder: DocumentBuilder, element: etree._Element) -> None:
    rows = [
        join_cells(["".join(str(part) for part in cell.itertext()) for cell in row])
        for row in element
        if local_name(row) == "tr"
    ]
    start, end = builder.add("\n".join(rows), separator=_separator(element))
    _leaf(builder, element, start, end)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
