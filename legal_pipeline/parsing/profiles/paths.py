"""Paths of a profile: XPath from an element.

Not here: selectors, which run once per document (`profiles.selectors`), and the conversion of results to values (`profiles.values`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

#: Selects from an element: a list of elements and texts, or one text or number if the path computes it.
Path = Callable[[etree._Element], Any]

#: `name` or `@name`: a child or an attribute of the element, which lxml finds at least twice as fast as XPath does.
_ONE_STEP = re.compile(r"(?P<attribute>@)?(?P<name>[^\W\d][\w-]*)")
#: Axes that contain nearly the whole document: evaluated for each element, they take time in the square of its size.
WHOLE_DOCUMENT = re.compile(r"\b(?:preceding|following)::")
_HAS_CLASS = re.compile(r"has-class\('([\w-]+)'\)")
#: XPath that replaces `has-class('c')`: libxml2 evaluates it without a Python call per element.
_CLASS_TEST = r"contains(concat(' ', normalize-space(@class), ' '), ' \1 ')"


#: A quoted string, which is not part of the path, or `//` before the name of an element.
_ANY_DEPTH = re.compile(r"'[^']*'|\"[^\"]*\"|(?P<step>//)(?P<name>(?:[^\W\d][\w.-]*|\*)(?![\w.(:-]))")
_BRACKET = re.compile(r"'[^']*'|\"[^\"]*\"|[\[\]]")
#: A condition that may depend on the position in a list of elements.
_POSITION = re.compile(
    r"\b(?:position|last)\(|\A[^=<>]*(?:\d\s*|\b(?:number|count|sum|string-length|floor|ceiling|round)\([^=<>]*)\Z"
)


@functools.cache
def xpath(text: str) -> etree.XPath:
    """Compile the XPath `text`, which may contain `has-class('c')` and regular expressions of EXSLT. Raises `etree.XPathError`."""
    written = _HAS_CLASS.sub(_CLASS_TEST, with_descendants(text))
    return etree.XPath(written, namespaces={"re": "http://exslt.org/regular-expressions"})


def with_descendants(text: str) -> str:
    """Return the XPath `text` with `/descendant::p` for `//p`.

    libxml2 searches `//p[…]` among the children of each element and compares each result with all earlier results, which takes
    quadratic time. A step with a condition on the position keeps `//`: there the position counts within one parent, with `descendant`
    in the whole document.

    >>> with_descendants("//div[@id='a']//p/@id"), with_descendants(".//p[1]")
    ("/descendant::div[@id='a']/descendant::p/@id", './/p[1]')
    """

    def step(match: re.Match[str]) -> str:
        if match["step"] is None or any(_POSITION.search(condition) for condition in _conditions(text, match.end())):
            return match[0]
        return f"/descendant::{match['name']}"

    return _ANY_DEPTH.sub(step, text)


def _conditions(text: str, start: int) -> Iterator[str]:
    """Yield the adjacent conditions in brackets of `text` from `start` on."""
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
    """Compile a path that is evaluated for each element of a rule. Raises `ValueError` if it would search the whole document each time."""
    if axis := WHOLE_DOCUMENT.search(text):
        raise ValueError(f"{text}: {axis[0]} walks the document for each element (expected: {axis[0][:-2]}-sibling::)")
    step = _ONE_STEP.fullmatch(text)
    if step is None:
        return xpath(text)
    name = step["name"]
    if step["attribute"]:
        return lambda element: [] if (value := element.get(name)) is None else [value]
    return lambda element: list(element.iterchildren(name))


def is_absolute(text: str) -> bool:
    """Whether the path has the same result from every element of a document."""
    return text.startswith("/") and "|" not in text
