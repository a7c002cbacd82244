"""XML whose elements no profile describes, and JSON of unknown fields: read as a page, so that a law or a judgment has its provisions.

Not here: writing the page (`generic.tree_page`), XML of known elements (`parsing.profiles`), JSON with one object per provision
(`law_as_data`) or with one text (`parsing.text_in_json`).
"""

from __future__ import annotations

import dataclasses
import re
from html import escape

from lxml import etree

from legal_pipeline.building.format import NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.errors import ParseError, UnknownFormatError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import BESIDE_TEXT, FrontMatter
from legal_pipeline.parsing.generic import html
from legal_pipeline.parsing.generic.provisions_in_data import strings
from legal_pipeline.parsing.generic.stated import STATED_DATA, fact_key, stated_facts
from legal_pipeline.parsing.generic.tree_page import LABELLED, TreePage, page_of, text_of
from legal_pipeline.parsing.json_source import begins_as_json, parse_json
from legal_pipeline.parsing.profiles.json_tree import plain_tree
from legal_pipeline.parsing.recogniser.words import PROVISION_KINDS

NAME = "generic_xml"
#: What can be done with a file that is not read.
_TRIED = "read as a page, neither a law nor a judgment nor prose was recognised in it"
XML_REMEDY = (
    f"XML of unknown elements; describe them in a profile (docs/guides/add-format.md) or convert it to HTML: {_TRIED}"
)
JSON_REMEDY = f"JSON of unknown fields; write its documents to a docs.jsonl (docs/reference/schemas.md): {_TRIED}"
VERSION = f"1.{html.VERSION}"

#: The root element of an XML file, behind its declaration, comments and document type.
_ROOT = re.compile(
    r"\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*|<!doctype[^>]*>\s*)*<(?:[\w.-]+:)?(?P<name>[^\W\d][\w.-]*)",
    re.IGNORECASE | re.DOTALL,
)
#: Roots of XML that is not a text: pages, lists of new files, drawings, descriptions of other XML.
_NO_TEXTS = frozenset(
    {"html", "rss", "feed", "urlset", "sitemapindex", "opml", "svg", "schema", "stylesheet", "transform", "package"}
)
#: Keys of JSON that describes programs and their interfaces.
_OF_PROGRAMS = frozenset({"openapi", "swagger", "$schema", "jsonrpc", "dependencies", "$defs"})
#: Name in `SourceFile.memo` of the tree.
_TREE = "tree of unknown names"
#: Facts that are used: the names of elements for others mean too many things.
_STATED = ("work_uri", "jurisdiction", "language", "usual_language")
_TITLES = frozenset(STATED_DATA["keys"]["title"])
_LANGUAGE = ("{http://www.w3.org/XML/1998/namespace}lang", "lang")
#: A text has at least this share of its bytes in lines of at least so many; data about laws has titles and words.
_PROSE_SHARE, _PROSE_BYTES = 0.5, 36
#: Minimum number of the provisions of a law in a list, and minimum share of their numbers that are different.
_FEWEST, _ONCE = 5, 0.9
#: Maximum share of one value in the text of JSON.
_MOST_OF_TEXT = 0.25


def format_of(source: SourceFile) -> Format | None:
    """Return the format here that reads `source`, which no other format reads; None for pages, plain text, and XML that is not a text."""
    if begins_as_json(source.head):
        return JSON
    root = _ROOT.match(source.head.lstrip("\ufeff"))
    return FORMAT if root is not None and root["name"].lower() not in _NO_TEXTS else None


def parse(source: SourceFile) -> Document:
    """Return a law, a judgment, or text under headings, as of a page. `metadata["left_out"]` lists the facts that are not part of the text.

    Raises `UnknownFormatError` for a file that is mostly data, and the errors of `parse_xml`.
    """
    document = _document(source, parse_xml(source), "XML of unknown elements")
    if not _is_prose(document.text):
        raise UnknownFormatError(f"no known format: {XML_REMEDY}", document=source.name)
    return document


def parse_json_law(source: SourceFile) -> Document:
    """Return the law or the judgment in a file of JSON, whose provisions or paragraphs are values of their own.

    Raises `UnknownFormatError` for other data; for a list whose provisions count again and for a value with much of the text, which may be
    several laws.
    """
    try:
        value = parse_json(source)
    except ParseError:
        value = None  # JSON lines, or cut off
    is_of_programs = isinstance(value, dict) and not _OF_PROGRAMS.isdisjoint(value)
    sizes = [len(text) for text in strings(value)]
    if sizes and not is_of_programs and max(sizes) <= _MOST_OF_TEXT * sum(sizes):
        document = _document(source, plain_tree("document", value), "JSON of unknown fields")
        is_one = not isinstance(value, list) or _counts_once(document)
        if document.doc_type != "other" and is_one and _is_prose(document.text):
            return document
    raise UnknownFormatError(f"no known format: {JSON_REMEDY}", document=source.name)


def _counts_once(document: Document) -> bool:
    """Whether the document has several provisions, few of their numbers twice, and no second line with the label of the first."""
    found = [node for node in document.provisions() if node.type in PROVISION_KINDS]
    if len(found) < _FEWEST or len({node.num for node in found}) < _ONCE * len(found):
        return False
    label = LABELLED.match(document.text, found[0].start)
    lines = document.text.split("\n") if label is not None else []
    begins = [match[0] for line in lines if (match := LABELLED.match(line))]
    return label is None or begins.count(label[0]) <= 1


def shown_text(source: SourceFile) -> str:
    """Return all texts of a file of these formats; of pages inside it, without their tags."""
    return text_of(_tree(source))


def _tree(source: SourceFile) -> etree._Element:
    """Return the tree that `_document` has read, or read it."""
    root: etree._Element | None = source.memo.get(_TREE)
    if root is not None:
        return root
    return plain_tree("document", parse_json(source)) if begins_as_json(source.head) else parse_xml(source)


def _document(source: SourceFile, root: etree._Element, what: str) -> Document:
    source.memo[_TREE] = root
    tree = page_of(root)
    document = html.parse(_page(source, root, tree))
    left_out = [*tree.left_out, *document.metadata.get("left_out", ())]
    words = sum(len(text.split()) for text in tree.left_out)
    lost = f"; {words:,} words of facts beside the text were left out" if words else ""
    warning = f"{what} was read as a page{lost}"
    return dataclasses.replace(
        document,
        source_sha256=source.sha256,
        offset_map=(),  # places in the page are none in the file
        metadata={**document.metadata, **({"left_out": left_out} if left_out else {})},
        warnings=(warning, *document.warnings),
    )


def _page(source: SourceFile, root: etree._Element, tree: TreePage) -> SourceFile:
    language = next((str(root.get(name)) for name in _LANGUAGE if root.get(name)), None)
    front = FrontMatter({**tree.values, **tree.facts, **({"language": language} if language else {})}, 0)
    stated = {name: value for name, value in stated_facts(source, front).items() if value and name in _STATED}
    named = {name: fact_key(name).split("_") for name in tree.facts}
    titles = [name for name, words in named.items() if not _TITLES.isdisjoint(words)]
    # "title" comes before "SubjectTitle"
    title = tree.facts[min(titles, key=lambda name: len(named[name]))] if titles else ""
    head = f"<head><title>{escape(title)}</title></head>"
    html = tree.html.replace("<body>", f"{head}<body>", 1)
    page = dataclasses.replace(source, data=html.encode(), hints={**stated, **source.hints})
    page.memo[BESIDE_TEXT] = front
    return page


def _is_prose(text: str) -> bool:
    lines = [len(line.encode()) for line in text.split("\n")]  # a sign of Chinese is more than a letter
    return sum(size for size in lines if size >= _PROSE_BYTES) >= _PROSE_SHARE * sum(lines)


def _never(source: SourceFile) -> float:
    """`parsing.registry` chooses these formats by `format_of`, after all others."""
    return NO


FORMAT = Format(NAME, "XML without a known mark-up", _never, parse, VERSION)
JSON = Format("generic_json", "JSON of unknown fields that holds a law or a judgment", _never, parse_json_law, VERSION)
