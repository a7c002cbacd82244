"""Reads XML and HTML of unknown origin: entities, DTDs and the network off, size and depth limited.

Not here: the meaning of the elements (one module per format).
"""

from __future__ import annotations

import codecs
import functools
import re
from collections.abc import Iterable, Sequence
from html.entities import html5
from typing import Any

from lxml import etree

from legal_pipeline.building.source import STRUCK_WORDS, SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.text.markup import STRUCK, STRUCK_STYLE, space_for_struck, tags, with_xml_references
from legal_pipeline.text.normalise import one_line, prepare

_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]*\?>\s*")
_DECLARED_ENCODING = re.compile(rb"\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
#: Python's codecs that are not encodings of documents.
_NOT_OF_DOCUMENTS = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"})
#: Encodings in which (nearly) every byte is a character, so that decoding cannot detect a wrong declaration.
_ALWAYS_DECODES = frozenset({"iso8859-1", "iso8859-15", "cp1252"})
#: The first tag of a file, and the number of bytes that hold its last one.
_END_BYTES = 1_000
_FIRST_TAG = re.compile(r"\s*<(?P<name>[^\W\d][\w:.-]*)(?:\s[^<>]*)?>")
#: libxml2's messages for a document that ends before its elements do.
_TRUNCATED = ("Premature end of data", "EndTag: '</' not found", "Couldn't find end of Start Tag", "Comment not terminated",
              "CData section not finished", "PI processing instruction", "AttValue: ' expected", "unterminated")  # fmt: skip
#: A reference to a character that XML does not define; an attribute whose name is inside its quotation marks.
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z]{2,10}[1-4]?);")
_MISQUOTED = re.compile(r"""(<[\w:.-]+\s+)"([\w:.-]+)=([^"<>]*)"(?=\s*/?>)""")
_LIMITS = (
    "Excessive depth",
    "Maximum entity",
    "entity loop",
    "entity reference loop",
    "Resource limit",
    "too large",
    "huge",
)


def parse_xml(source: SourceFile) -> etree._Element:
    """Return the root element of `source`; all text is NFC. Comments and processing instructions are left out.

    Raises `LimitExceededError` for size, depth and entity bombs, `TruncatedDocumentError` for a document that ends early,
    and `ParseError` for a document that is not well-formed or declares its own entities.
    """
    return _parse(
        source,
        etree.XMLParser(
            resolve_entities=False,
            load_dtd=False,
            dtd_validation=False,
            attribute_defaults=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        ),
        "XML",
    )


def parse_html(source: SourceFile) -> etree._Element:
    """Return the `html` element of `source`, repaired by libxml2; all text is NFC. Raises the same errors as `parse_xml`."""
    return _parse(
        source,
        etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8"),
        "HTML",
    )


def furniture_warning(left_out: Sequence[str], share: float) -> str:
    """Return the warning that the texts `left_out` of a page are page furniture: what a site prints around a law, such as menus.

    `share` is their share of the words of the page, 0 to 1.
    """
    words = sum(len(text.split()) for text in left_out)
    return f"{words:,} words ({share:.0%}) were left out as furniture of the page: {left_out[0][:60]!r}, …"


def is_one_element(source: SourceFile) -> bool:
    """Whether the file is one element, from its first tag to its last, that is not an element of HTML."""
    first = _FIRST_TAG.match(source.head.lstrip("\ufeff"))
    if first is None or tags(first[0].strip()):
        return False
    return source.data[-_END_BYTES:].rstrip().endswith(f"</{first['name']}>".encode())


def local_name(element: etree._Element) -> str:
    """Return the tag without its namespace; "" for a node that is not an element (an entity reference)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def take_struck(found: Iterable[etree._Element], source: SourceFile) -> None:
    """Remove the struck words in the elements of `found` from their tree and note them in `source`, whose document lists them."""
    struck: list[str] = []
    taken: set[etree._Element] = set()
    for element in found:
        parent = element.getparent()
        if parent is None or any(above in taken for above in element.iterancestors()):
            continue
        taken.add(element)
        words, before, following = _text(element), element.getprevious(), element.getnext()
        left = (before.tail or _text(before)) if before is not None else parent.text or ""
        right = element.tail or (_text(following) if following is not None else "")
        rest = space_for_struck(left, words, right) + (element.tail or "")
        if before is not None:
            before.tail = (before.tail or "") + rest
        else:
            parent.text = (parent.text or "") + rest
        parent.remove(element)
        if line := one_line(words):
            struck.append(line)
    source.memo[STRUCK_WORDS] = struck


def struck_in_html(root: etree._Element) -> list[etree._Element]:
    """Return the elements of a page whose words are struck out."""
    elements = root.iter(etree.Element)
    return [element for element in elements if element.tag in STRUCK or STRUCK_STYLE in (element.get("style") or "")]


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _parse(source: SourceFile, parser: etree.XMLParser | etree.HTMLParser, kind: str) -> etree._Element:
    text = _DECLARATION.sub("", _decoded(source), count=1)
    if kind == "HTML":
        # libxml2 keeps characters that a tree does not take when a reader moves text
        text = with_xml_references(text)
    try:
        root = _root(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if kind == "HTML" or (mended := _mended(text)) == text:
            raise _typed(error, source, kind) from error
        try:
            root = _root(mended, parser)
        except (etree.XMLSyntaxError, ValueError):
            raise _typed(error, source, kind) from error
    if root is None:
        raise EmptyDocumentError(f"no element in the {kind}", document=source.name, expected="a root element")
    dtd: Any = root.getroottree().docinfo.internalDTD if kind == "XML" else None
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise ParseError(
            "the document declares entities", document=source.name, position="DOCTYPE", expected="XML without entities"
        )
    _check_depth(root, source)
    return root


def _root(text: str, parser: etree.XMLParser | etree.HTMLParser) -> etree._Element:
    root: etree._Element = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    return root


def _mended(text: str) -> str:
    """Return XML with characters in place of the character references of HTML, which XML does not know (`&nbsp;`), and with the quotation
    mark of an attribute where it belongs (`<p "id=c0">`)."""
    known = _ENTITY.sub(lambda match: html5.get(f"{match[1]};", match[0]), text)
    return _MISQUOTED.sub(r'\1\2="\3"', known)


def _decoded(source: SourceFile) -> str:
    """Return the text of `source` in NFC, decoded with the encoding in its XML declaration.

    Raises `ParseError` if the declaration does not name a text encoding, or names an encoding that the bytes contradict: with another
    encoding a § could become another character. A byte order mark has precedence over the declaration.
    """
    source.check_size()
    declared = _DECLARED_ENCODING.match(source.data[:400])
    if declared is None:
        return source.text
    written = declared.group(1).decode("ascii")
    try:
        name = codecs.lookup(written).name
        text = prepare(source.data.decode(name))
    except LookupError as error:
        raise _wrong_encoding(source, f"unknown encoding {written!r}", 0) from error
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise _wrong_encoding(source, f"byte {at:,} is not {written}", at) from error
    if name in _NOT_OF_DOCUMENTS:
        raise _wrong_encoding(source, f"unknown encoding {written!r}", 0)
    if name in _ALWAYS_DECODES and not source.data.isascii() and _is_utf8(source.data):
        raise _wrong_encoding(source, f"the bytes are UTF-8, not {written}", 0)
    return text


def _wrong_encoding(source: SourceFile, message: str, at: int) -> ParseError:
    return ParseError(
        f"wrong XML declaration: {message}",
        document=source.name,
        position=f"byte {at:,}",
        expected="an encoding declaration that fits the bytes",
    )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _check_depth(root: etree._Element, source: SourceFile) -> None:
    most = source.limits.max_depth
    for element in _below(most)(root.getroottree()):
        raise LimitExceededError(
            f"elements nested {most + 1} deep",
            document=source.name,
            position=f"line {element.sourceline}",
            expected=f"at most {most} levels",
        )


@functools.cache
def _below(levels: int) -> Any:
    """Return an XPath for the elements under `levels` others; each level is selected from its parent, several times faster than a walk."""
    return etree.XPath("/*" * (levels + 1))


def _typed(error: Exception, source: SourceFile, kind: str) -> ParseError:
    message = str(error)
    line = getattr(error, "lineno", None)
    position = f"line {line}" if line else ""
    if any(words in message for words in _LIMITS):
        return LimitExceededError(
            f"the {kind} reader stopped: {message}",
            document=source.name,
            position=position,
            expected=f"at most {source.limits.max_depth} levels and no entities",
        )
    if any(words in message for words in _TRUNCATED):
        return TruncatedDocumentError(
            f"the {kind} ends early: {message}", document=source.name, position=position, expected=f"well-formed {kind}"
        )
    return ParseError(
        f"not well-formed {kind}: {message}", document=source.name, position=position, expected=f"well-formed {kind}"
    )
