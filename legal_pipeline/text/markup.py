"""Tags of HTML and XML in a text: recognises pages, and tags that a reader left in the text.

Not here: reading pages (`parsing.html5`, `building.xml`).
"""

from __future__ import annotations

import html
import re
from html.entities import name2codepoint

from legal_pipeline.text.alternation import alternation

#: HTML elements of a page. Angle brackets around other words are part of the text ("<name>").
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


#: "[[/p]]": an end tag in double brackets; names of those of paragraphs.
_BRACKETED_END, _PARAGRAPHS = re.compile(r"\[\[/([a-z]{1,10})\]\]"), frozenset({"p", "br", "div", "li"})
#: HTML elements for headings.
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: HTML elements for struck-out words.
STRUCK = frozenset({"del", "s", "strike"})
#: Value of a style for struck-out words.
STRUCK_STYLE = "line-through"


def space_for_struck(before: str, struck: str, after: str) -> str:
    """Return the text between `before` and `after` when `struck` is removed: a space if only a space in `struck` separated two words.

    >>> space_for_struck("the old", " and tired ", "keeper"), space_for_struck("10", "0", "5")
    (' ', '')
    """
    parted = struck[:1].isspace() or struck[-1:].isspace()
    return " " if parted and before[-1:].isalnum() and after[:1].isalnum() else ""


#: Characters that XML 1.0 does not allow.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: References to such characters, which a reader of HTML resolves; 0 and surrogates it leaves out itself.
_REFERENCE_NOT_XML = re.compile(
    r"&#0*(?:[1-8]|1[1-24-9]|2\d|3[01]|6553[45])(?!\d);?|&#x0*(?:[1-8bcef]|1[\da-f]|fff[ef])(?![\da-f]);?",
    re.IGNORECASE,
)
#: White space of a page that XML does not allow.
_LAYOUT = "\v\f"


def with_xml_characters(text: str) -> str:
    """Return `text` with the replacement character for each character that XML does not allow.

    A vertical tab and a form feed, which are white space in a page, become spaces.

    >>> with_xml_characters("dusk\f and\x01 dawn") == "dusk  and\N{REPLACEMENT CHARACTER} dawn"
    True
    """
    return _NOT_XML.sub(lambda found: " " if found[0] in _LAYOUT else "\N{REPLACEMENT CHARACTER}", text)


def with_xml_references(page: str) -> str:
    """Return a page of HTML of which neither the text nor its character references are characters that XML does not allow."""
    if "&#" in page:
        page = _REFERENCE_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", page)
    return with_xml_characters(page)


#: Raised digits, in the order of their values.
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED, LOWERED = str.maketrans("0123456789", RAISED), str.maketrans(RAISED, "0123456789")
_RAISED_FIGURE = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]*([0-9]{1,3})[\s\u200b-\u200d\u2060\ufeff]*")
_RAISED_ELEMENT = re.compile(rf"<sup\b[^<>]*>{_RAISED_FIGURE.pattern}</sup\s*>", re.IGNORECASE)


def raised_figure(text: str) -> str | None:
    """Return the number that mark-up sets raised, in raised characters; None for other texts.

    "Article 1" with a raised 3 is not article 13.

    >>> raised_figure("12"), raised_figure("\u200b1"), raised_figure("th")
    ('¹²', '¹', None)
    """
    match = _RAISED_FIGURE.fullmatch(text)
    return match[1].translate(_RAISED) if match else None


def with_raised_figures(text: str) -> str:
    """Return `text` with each `<sup>` that contains a number as raised characters."""
    return _RAISED_ELEMENT.sub(lambda match: match[1].translate(_RAISED), text) if "<" in text else text


def tags(text: str) -> list[str]:
    """Return the HTML tags, declarations and comment starts in `text`, in order."""
    return _TAG.findall(text) if "<" in text else []


def without_bracketed_tags(text: str) -> str:
    """Return `text` without tags in double brackets, which some publishers' data have; those of paragraphs are line ends. Other words in
    double brackets have no end tag.

    >>> without_bracketed_tags("[[p]]The [[r id=5]]lamp[[/r]][[/p]] [[Lamp]]")
    '\\nThe lamp\\n [[Lamp]]'
    """
    names = set(_BRACKETED_END.findall(text))
    if not names:
        return text
    tag = re.compile(rf"\[\[/?(?P<name>{alternation(names)})(?:\s[^\[\]]*)?\]\]")
    return tag.sub(lambda match: "\n" if match["name"] in _PARAGRAPHS else "", text)


def with_decoded_references(text: str) -> str:
    """Return `text` with a character in place of each character reference that ends with a semicolon, as markdown has them; `&section=2` in
    an address is none.

    >>> with_decoded_references("&sect;&nbsp;2, &#167; 3, ?a=1&section=2")
    '§\\xa02, § 3, ?a=1&section=2'
    """
    return _REFERENCE.sub(lambda found: html.unescape(found[0]) if _is_known(found) else found[0], text)


def character_references(text: str) -> list[str]:
    """Return `&nbsp;`, `&#167;`: character references that a reader of mark-up should have decoded, in order."""
    if "&" not in text:
        return []
    return [found[0] for found in _REFERENCE.finditer(text) if _is_known(found)]


def _is_known(reference: re.Match[str]) -> bool:
    return reference[1] is None or reference[1] in name2codepoint
