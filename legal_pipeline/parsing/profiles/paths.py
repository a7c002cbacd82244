"""Paths of a profile: XPath from an element, the plain ones among them without XPath, which takes longer to call than to answer.

Not here: selectors, which are asked once for a document (`profiles.selectors`), and what a value makes of what it finds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from lxml import etree

#: Selects from an element: elements and texts, or one text or number where the path computes it.
Path = Callable[[etree._Element], Any]

#: Axes that hold nearly all of a document: asked for each element, they make the time grow with the square of its size.
WHOLE_DOCUMENT = re.compile(r"\b(?:preceding|following)::")
_PLAIN = re.compile(
    r"(?:\.|@(?P<attribute>[^\W\d][\w-]*)|(?P<child>[^\W\d][\w-]*)(?:/@(?P<of_child>[\w-]+)|/(?P<grandchild>[^\W\d][\w-]*))?)"
)
_HAS_CLASS = re.compile(r"has-class\('([\w-]+)'\)")
#: What `has-class('c')` stands for: libxml2 asks it without a call of Python for each element.
_CLASS_TEST = r"contains(concat(' ', normalize-space(@class), ' '), ' \1 ')"


@functools.cache
def xpath(text: str) -> etree.XPath:
    """The XPath `text`, in which `has-class('c')` and the regular expressions of EXSLT may stand. Raises `etree.XPathError`."""
    return etree.XPath(_HAS_CLASS.sub(_CLASS_TEST, text), namespaces={"re": "http://exslt.org/regular-expressions"})


@functools.cache
def value_path(text: str) -> Path:
    """A path that is asked for each element of a rule. Raises `ValueError` for one that walks the document for each."""
    if axis := WHOLE_DOCUMENT.search(text):
        raise ValueError(f"{text}: {axis[0]} walks the document for each element (expected: {axis[0][:-2]}-sibling::)")
    compiled = xpath(text)
    match = _PLAIN.fullmatch(text)
    if match is None:
        return compiled
    attribute, child, of_child, grandchild = match.group("attribute", "child", "of_child", "grandchild")
    if attribute:
        return lambda element: [element.get(attribute)] if attribute in element.attrib else []
    if of_child:
        return lambda element: [item.get(of_child) for item in element.iterchildren(child) if of_child in item.attrib]
    if grandchild:
        return lambda element: [item for part in element.iterchildren(child) for item in part.iterchildren(grandchild)]
    if child:
        return lambda element: list(element.iterchildren(child))
    return lambda element: [element]


def is_absolute(text: str) -> bool:
    """Whether the path finds the same from every element of a document."""
    return text.startswith("/") and "|" not in text
