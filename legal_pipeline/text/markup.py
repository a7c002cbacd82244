"""Tags of HTML and XML in a text: what makes it a page, and what a reader left behind.

Not here: reading pages (`parsing.html5`, `building.xml`).
"""

from __future__ import annotations

import re
from html.entities import name2codepoint

#: Elements of HTML that a page is made of. Angle brackets around other words are a writer's own ("<name>").
_ELEMENTS = (
    "a|abbr|address|article|aside|b|base|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|"
    "figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|meta|nav|noscript|o:p|"
    "ol|option|p|pre|q|s|script|section|select|small|span|strike|strong|style|sub|summary|sup|table|tbody|td|textarea|tfoot|th|thead|"
    "time|title|tr|tt|u|ul|var|wbr"
)
_TAG = re.compile(
    rf"</?(?:{_ELEMENTS})(?:\s[^<>]{{0,1000}})?/?>|<!doctype\s[^<>]{{0,1000}}>|<\?xml\s[^<>]{{0,1000}}>|<!--",
    re.IGNORECASE,
)
#: A character reference; `&` and `;` alone are punctuation.
_REFERENCE = re.compile(r"&(?:([a-zA-Z]{2,8}[1-4]?)|#\d{2,7}|#[xX][0-9a-fA-F]{2,6});")


#: Elements of struck and of inserted words.
STRUCK = frozenset({"del", "s", "strike"})
INSERTED = frozenset({"ins", "u"})


def touch(before: str, after: str) -> bool:
    """Whether the two read as one word when nothing stands between them."""
    return before[-1:].isalnum() and after[:1].isalnum()


def tags(text: str) -> list[str]:
    """The tags of HTML, declarations and beginnings of comments in `text`, in order."""
    return _TAG.findall(text) if "<" in text else []


def character_references(text: str) -> list[str]:
    """`&nbsp;`, `&#167;`: characters that a reader of mark-up would have shown, in order."""
    if "&" not in text:
        return []
    return [found[0] for found in _REFERENCE.finditer(text) if found[1] is None or found[1] in name2codepoint]
