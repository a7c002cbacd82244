"""Words that a source shows and its document has lost: every reader that walks marked structure is held against its source.

What each format shows beside its text (labels, marks that become metadata) stands in `source_words.toml`; of a country's own
formats in its data (section `source_words`). Not here: parsing, and what is done about lost words (`parsing.completeness`).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import local_name, parse_xml, parts_words
from legal_pipeline.jurisdictions.countries import joined_section
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.html5 import INLINE, UNSEEN, canonical_line, part_struck_from_inserted
from legal_pipeline.parsing.profiles.documents import shown_text
from legal_pipeline.parsing.profiles.profile import profiles

#: Letters and digits apart: readers write "2 a §" for "2a §", and marks of footnotes stand at the end of words.
_WORD = re.compile(r"[^\W\d_]+|\d+")
#: Soft hyphens and joiners of no width stand inside words; some readers drop them.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_NOT_SHOWN = (re.compile(r"(?<=\])\([^()\n]*\)"), re.compile(r"<[^<>\n]+>"), re.compile(r"https?://\S+"))
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def lost_words(source: SourceFile, document: Document) -> list[str]:
    """Words that `source` shows oftener than its `document` has them, as often as they are missing.

    The document has them in its text, title, number and metadata and in the attributes of its nodes.

    Empty where nothing is lost, and for formats without a rule. Raises what reading HTML and XML raises; a source that was parsed as
    `document.format` before gives no error.
    """
    return compare_words(source, document)[0]


def compare_words(source: SourceFile, document: Document) -> tuple[list[str], int]:
    """The words of `lost_words`, and how many `source` shows; 0 for formats without a rule."""
    shown = _shown(source, document.format)
    if shown is None:
        return [], 0
    attributes = _strings([node.attributes for node in document.walk() if node.attributes])
    beside = [document.title, document.number or "", *_strings(document.metadata), *attributes]
    known = _counted([document.text, *beside])
    words = _counted([shown])
    missing = words - known
    if missing and "-" in shown:
        # A word that was broken at a line end is there if it is there in two parts or in one.
        missing &= _counted([canonical_line(shown)]) - known
    return list(missing.elements()), words.total()


def _shown(source: SourceFile, format: str) -> str | None:
    """What the file shows; None for a format without a rule."""
    profile = next((profile for profile in profiles() if profile.name == format), None)
    if profile is not None:
        return shown_text(source, profile)
    rule = _rules().get(format)
    if rule is None:
        return None
    read = {"xml": _xml_text, "html": _html_text}.get(format.rpartition("_")[2], _plain_text)
    shown = read(source, rule)
    for phrase in rule.get("phrases", ()):
        shown = shown.replace(phrase, " ", 1)
    return shown


def _plain_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    """The text without its front matter, the addresses of links, tags, and what the rule's patterns leave out."""
    text = _FRONT_MATTER.sub("", source.text)
    for pattern in (*_NOT_SHOWN, *map(re.compile, rule.get("left_out", ()))):
        text = pattern.sub(" ", text)
    return text


def _counted(texts: Iterable[str]) -> Counter[str]:
    words: Counter[str] = Counter()
    for text in texts:
        words.update(_WORD.findall(_INVISIBLE.sub("", text)))
    return words


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _html_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    page = LexborHTMLParser(source.text)
    part_struck_from_inserted(page)
    for selector in rule.get("left_out", ()):
        for node in page.css(selector):
            node.decompose()
    inline = INLINE - frozenset(rule.get("blocks", ()))
    parts: list[str] = []

    def walk(node: LexborNode) -> None:
        child = node.child
        while child is not None:
            tag = child.tag or "-"
            if tag == "-text":
                parts.append(child.text_content or "")
            elif tag[0] not in "-!" and tag not in UNSEEN and not _HIDDEN.search(child.attributes.get("style") or ""):
                if tag == "br":
                    parts.append("\n")
                elif tag in inline:
                    walk(child)
                else:
                    parts.append(" ")
                    walk(child)
                    parts.append(" ")
            child = child.next

    counted = page.css(rule["counted"]) if "counted" in rule else [page.root] if page.root is not None else []
    for node in counted:
        walk(node)
        parts.append(" ")
    return "".join(parts)


def _xml_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    left_out, inline = frozenset(rule.get("left_out", ())), frozenset(rule.get("inline", ()))
    unseen = rule.get("left_out_by", ())
    parts: list[str] = []

    def walk(element: etree._Element) -> None:
        name = local_name(element)
        if name and name not in left_out and not any(element.get(mark) for mark in unseen):
            edge = "" if name in inline else " "
            parts.extend((edge, element.text or ""))
            for child in element:
                if parts_words(child.getprevious(), child):
                    parts.append(" ")
                walk(child)
            parts.append(edge)
        parts.append(element.tail or "")

    walk(parse_xml(source))
    return "".join(parts)


@functools.cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    shared = tomllib.loads(importlib.resources.files(__package__).joinpath("source_words.toml").read_text("utf-8"))
    return shared | joined_section("source_words")
