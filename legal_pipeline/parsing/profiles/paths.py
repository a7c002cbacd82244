"""Paths of a profile: XPath from an element, the plain ones among them without XPath, which takes longer to call than to answer.

Not here: selectors, which are asked once for a document (`profiles.selectors`), and what a value makes of what it finds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
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


#: A quoted text, which says nothing of the path, or `//` before the name of an element.
_ANY_DEPTH = re.compile(r"'[^']*'|\"[^\"]*\"|(?P<step>//)(?P<name>(?:[^\W\d][\w.-]*|\*)(?![\w.(:-]))")
_BRACKET = re.compile(r"'[^']*'|\"[^\"]*\"|[\[\]]")
#: A condition that a place in a list of elements may meet.
_POSITION = re.compile(
    r"\b(?:position|last)\(|\A[^=<>]*(?:\d\s*|\b(?:number|count|sum|string-length|floor|ceiling|round)\([^=<>]*)\Z"
)


@functools.cache
def xpath(text: str) -> etree.XPath:
    """The XPath `text`, in which `has-class('c')` and the regular expressions of EXSLT may stand. Raises `etree.XPathError`."""
    written = _HAS_CLASS.sub(_CLASS_TEST, with_descendants(text))
    return etree.XPath(written, namespaces={"re": "http://exslt.org/regular-expressions"})


def with_descendants(text: str) -> str:
    """The XPath `text` with `/descendant::p` for `//p`.

    libxml2 looks for `//p[…]` among the children of each element and compares what it finds with all that it found before, which takes
    the square. A condition on a place counts it below one parent with `//` and in the whole document with `descendant`: it is kept.

    >>> with_descendants("//div[@id='a']//p/@id"), with_descendants(".//p[1]")
    ("/descendant::div[@id='a']/descendant::p/@id", './/p[1]')
    """

    def step(match: re.Match[str]) -> str:
        if match["step"] is None or any(_POSITION.search(condition) for condition in _conditions(text, match.end())):
            return match[0]
        return f"/descendant::{match['name']}"

    return _ANY_DEPTH.sub(step, text)


def _conditions(text: str, start: int) -> Iterator[str]:
    """The conditions in brackets that stand in `text` from `start` on, one behind the other."""
    depth, begin = 0, start
    for sign in _BRACKET.finditer(text, start):
        if depth == 0 and (sign[0] != "[" or text[begin : sign.start()].strip()):
            return
        depth += {"[": 1, "]": -1}.get(sign[0], 0)
        if depth == 0:
            yield text[text.index("[", begin) + 1 : sign.start()]
            begin = sign.end()


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
