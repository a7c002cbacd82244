"""The styles that a page defines for its classes (`p.Title {text-align: center}`), as pages do that a word processor has saved.

Not here: styles in the attributes of elements, style sheets in other files, and selectors with more than a class.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: A comment that nobody closed runs to the end.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_OF_CLASS = re.compile(r"[a-z][a-z0-9]*\.(?P<name>[\w-]+)|\.(?P<any>[\w-]+)", re.IGNORECASE)

#: Class -> its declarations, as in a style attribute.
Styles = Mapping[str, str]


def styles_of_classes(page: LexborHTMLParser) -> Styles:
    """Return the styles of the classes that the page defines itself."""
    found: defaultdict[str, str] = defaultdict(str)
    for sheet in page.css("style"):
        for rule in _COMMENT.sub("", sheet.text(deep=True) or "").split("}"):
            selectors, _, style = rule.rpartition("{")
            # a rule may be inside another: "@media print {p.Title {…}}"
            for selector in selectors.rpartition("{")[2].split(","):
                if match := _OF_CLASS.fullmatch(selector.strip()):
                    found[match["name"] or match["any"]] += f"{style};"
    return found


def style_of(node: LexborNode, styles: Styles) -> str:
    """Return the declarations of the node's own style and of its classes."""
    attributes = node.attributes
    own, names = attributes.get("style") or "", attributes.get("class") or ""
    return ";".join([own, *(styles[name] for name in names.split() if name in styles)]) if styles and names else own
