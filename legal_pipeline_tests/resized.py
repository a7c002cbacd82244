"""A file of any text format made larger or smaller: its parts in order, over and over, in the frame of the file.

Not here: what is done with it (a benchmark of parsing, and tests of how its time grows).
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from lxml import etree, html

#: An element holds the content of its file when it has so much of the text, and none of its children has.
_SHARE = 0.6

_Part = TypeVar("_Part")

#: Makes a file of about so many bytes, at least of one part.
Resized = Callable[[int], bytes]


def resized(data: bytes) -> Resized | None:
    """None for a kind of file that has no parts: PDF, Word, JSON without a list."""
    head = data[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if head.startswith((b"%PDF", b"PK")):
        return None
    if head.startswith((b"{", b"[")):
        return _resized_json(data)
    if not head.startswith(b"<"):
        paragraphs = data.split(b"\n\n")
        return lambda size: b"\n\n".join(_fill(paragraphs, [len(part) + 2 for part in paragraphs], size))
    # a page may begin inside its body, and be XML or not
    kinds = [False] if head.startswith(b"<?xml") else [True] if b"<html" in head.lower() else [False, True]
    for is_page in kinds:
        try:
            tree = etree.ElementTree(etree.fromstring(data, _parser(is_page)))
        except etree.XMLSyntaxError:
            continue
        return _resized_tree(tree, "html" if is_page else "xml")
    return None


def _parser(is_page: bool) -> etree.XMLParser | etree.HTMLParser:
    if is_page:
        return html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    return etree.XMLParser(huge_tree=True, resolve_entities=False, remove_comments=True, remove_pis=True)


def _resized_tree(tree: etree._ElementTree, method: str) -> Resized | None:
    content = _content(tree.getroot())
    children = list(content)
    if not children:
        return None
    for child in children:
        content.remove(child)
    lengths = [len(etree.tostring(child, encoding="utf-8", method=method)) for child in children]

    def make(size: int) -> bytes:
        content[:] = [copy.deepcopy(child) for child in _fill(children, lengths, size)]
        return bytes(etree.tostring(tree, encoding="utf-8", method=method))

    return make


def _content(element: etree._Element) -> etree._Element:
    """The innermost element with children that holds most of the text by itself."""
    length = _length(element)
    while inner := [child for child in element if len(child) and _length(child) > _SHARE * length]:
        element = inner[0]
    return element


def _length(element: etree._Element) -> int:
    return sum(map(len, element.itertext()))


def _resized_json(data: bytes) -> Resized | None:
    loaded = json.loads(data)
    lists = [value for value in (loaded.values() if isinstance(loaded, dict) else ()) if isinstance(value, list)]
    longest = max(lists, key=lambda value: len(json.dumps(value)), default=[])
    if not longest:
        return None
    items = list(longest)
    lengths = [len(json.dumps(item, ensure_ascii=False).encode()) for item in items]

    def make(size: int) -> bytes:
        longest[:] = _fill(items, lengths, size)
        return json.dumps(loaded, ensure_ascii=False).encode()

    return make


def _fill(parts: Sequence[_Part], lengths: Sequence[int], size: int) -> list[_Part]:
    """`parts` in order, over and over, until they have `size` bytes together."""
    found = []
    for part, length in itertools.cycle(zip(parts, lengths, strict=True)):
        found.append(part)
        size -= max(length, 1)
        if size <= 0:
            break
    return found
