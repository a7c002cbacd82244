"""Words that a source shows and its document lost: the document of every format with marked structure is compared with its source.

The rules for text that a format shows in addition (labels, marks that become metadata) are in `source_words.toml`; for a country's
own formats in its data (section `source_words`). Not here: parsing, and the result of lost words (`parsing.completeness`).
"""

from __future__ import annotations

import functools
import io
import itertools
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import parse_xml, take_struck
from legal_pipeline.jurisdictions.countries import joined_section
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.docx_frames import framed_text
from legal_pipeline.parsing.docx_text import raised_run
from legal_pipeline.parsing.front_matter import has_front_matter, read_front_matter
from legal_pipeline.parsing.generic import law_as_data, tree
from legal_pipeline.parsing.html5 import INLINE, UNSEEN, canonical_line, raise_figures, take_struck_from_page
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.parsing.markdown_blocks import without_strong_signs
from legal_pipeline.parsing.profiles.documents import shown_text
from legal_pipeline.parsing.profiles.profile import profiles
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.markup import LOWERED, RAISED, with_decoded_references, with_raised_figures
from legal_pipeline.text.normalise import one_line

#: Letters and digits are separate words: readers write "2 a §" for "2a §", and footnote marks are at the end of words.
_WORD = re.compile(rf"[^\W\d_{RAISED}]+|\d+|[{RAISED}]+")
#: Soft hyphens and zero-width joiners occur inside words; some readers drop them.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_FRONT_MATTER = re.compile(r"\A(?:---\n.*?\n---\n|(?:%[ \t]+\S[^\n]*\n)+)", re.DOTALL)
#: A tag may have its attributes on several lines; a less-than sign is not a tag.
_TAG = re.compile(r"<[^<>\n]+>|</?[a-zA-Z][\w:.-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))?)*\s*/?>")
#: Tags inside a word: 1<sup>er</sup> is one word. Struck words are apart from the inserted ones that follow them.
_INLINE_TAG = re.compile(rf"</?(?:{'|'.join(sorted(INLINE - {'img', 'del', 's', 'strike'}))})\b[^<>]*>", re.IGNORECASE)
#: Addresses of links, tags, and the names that Markdown has behind headings ("{#fees}").
_NOT_SHOWN = (
    re.compile(r"(?<=\])\((?:[^()\n]|\([^()\n]*\))*\)"),
    _TAG,
    re.compile(r"https?://\S+"),
    re.compile(r"\{[ \t]*[#.][^{}\n]*\}[ \t]*$", re.MULTILINE),
)
#: Name given to elements that are not shown.
_LEFT_OUT = "left-out"
#: The number of a provision with a letter, in an element of its own.
_LETTERED = re.compile(r"\s*\d{1,4}[A-Za-z]{1,2}")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def lost_words(source: SourceFile, document: Document) -> list[str]:
    """Return the words that `source` shows more often than `document` contains them, each as often as it is missing.

    The document's words are those of its text, title, number, metadata and the attributes of its nodes. Empty if nothing is lost, and for
    formats without a rule. Raises the errors of reading HTML and XML; a source already parsed as `document.format` raises no error.
    """
    shown = _shown(source, document.format)
    if shown is None:
        return []
    attributes = _strings([node.attributes for node in document.walk() if node.attributes])
    known = [document.text, document.title, document.number or "", *_strings(document.metadata), *attributes]
    written = _parts(known)
    parts = _parts([shown])
    missing = _missing_words(parts, written)
    if missing and "-" in shown:
        # A word broken at a line end is present if it is present in two parts or joined.
        missing &= _missing_words(_parts([canonical_line(shown)]), written)
    if missing:
        # The mark of a note that the source prints like the number of its provision is raised in the text.
        labels = [document.text[node.start : node.end].partition("\n")[0] for node in document.provisions()]
        missing -= _words(_parts(label.translate(LOWERED) for label in labels)) - _words(_parts(labels))
    return list((_words(parts) & missing).elements()) if missing else []  # in the order of the source


def count_shown_words(source: SourceFile, format: str) -> int:
    """Return the number of words that `source` shows; 0 for formats without a rule."""
    return _words(_parts([_shown(source, format) or ""])).total()


def _shown(source: SourceFile, format: str) -> str | None:
    """Return the text that the file shows; None for a format without a rule."""
    profile = next((profile for profile in profiles() if profile.name == format), None)
    if profile is not None:
        return shown_text(source, profile)
    rule = _rules().get(format)
    if rule is None:
        return None
    read = _READERS.get(format) or _READERS.get(format.rpartition("_")[2], _plain_text)
    shown = read(source, rule)
    for phrase in rule.get("phrases", ()):
        shown = shown.replace(phrase, " ", 1)
    return shown


def _plain_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    """Return the text without front matter, link addresses, tags, and the matches of the rule's `left_out`.

    With `counted` in the rule, return only the first group of its matches.
    """
    text = with_raised_figures(_FRONT_MATTER.sub("", source.text))
    text = _without(_INLINE_TAG.sub("", text), rule)
    if rule.get("marks"):
        text = with_decoded_references(text)
        if "**" in text or "__" in text:
            text = "\n".join(map(without_strong_signs, text.split("\n")))
    if "line_ends" in rule:
        text = re.sub(rule["line_ends"], "-\n", text)
    return "\n".join(match[1] for match in re.finditer(rule["counted"], text)) if "counted" in rule else text


def _without(text: str, rule: Mapping[str, Any]) -> str:
    for pattern in (*_NOT_SHOWN, *map(re.compile, rule.get("left_out", ()))):
        text = pattern.sub(" ", text)
    return text


def _json_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    """Return the texts at the paths of `counted`."""
    data = parse_json(source)
    return _without("\n".join(text for path in rule["counted"] for text in _strings(_at(data, path.split(".")))), rule)


def _at(value: Any, path: Sequence[str]) -> list[Any]:
    """Return the values at `path`; `*` matches each entry of a list."""
    if not path:
        return [value]
    if path[0] == "*":
        return [found for item in value for found in _at(item, path[1:])] if isinstance(value, list) else []
    return _at(value[path[0]], path[1:]) if isinstance(value, Mapping) and path[0] in value else []


def _word_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    """Return the text of the parts `counted` of a Word file, paragraph by paragraph, without elements that `left_out` selects."""
    spaces = dict(rule["namespaces"])
    left_out = etree.XPath(rule["left_out"], namespaces=spaces)
    parts: list[str] = []
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        for name in (name for name in rule["counted"] if name in archive.NameToInfo):
            root = parse_xml(SourceFile(name, archive.read(name), limits=source.limits))
            hidden: Any = left_out(root)
            parts.append(_part_text(root, set(hidden)))
    return "".join(parts)


def _part_text(root: Any, hidden: Set[Any]) -> str:
    """Return the text of a part of a Word file without that of elements below `hidden`, in the order in which its lines are read."""
    space = root.tag.partition("}")[0] + "}"
    body = root.find(f"{space}body")
    framed = (
        framed_text(body, lambda item: one_line(_paragraph_text(item, space, hidden))) if body is not None else None
    )
    if framed is not None:
        return framed
    return "".join(f" {_paragraph_text(paragraph, space, hidden)}" for paragraph in root.iter(f"{space}p"))


def _paragraph_text(paragraph: Any, word: str, hidden: Set[Any]) -> str:
    """Return the text of a paragraph without that of paragraphs inside it and of elements below `hidden`; `word` is the name space."""
    parts: list[str] = []
    for element in paragraph.iter(*(f"{word}{name}" for name in ("t", "tab", "br", "cr", "noBreakHyphen"))):
        if next(element.iterancestors(paragraph.tag), None) is not paragraph or not hidden.isdisjoint(
            element.iterancestors()
        ):
            continue
        run = element.getparent()
        raised = raised_run(run) if run is not None else None
        parts.append(raised or element.text or ("-" if element.tag.endswith("}noBreakHyphen") else " "))
    return "".join(parts)


def _parts(texts: Iterable[str]) -> Counter[str]:
    """Count each run of characters without white space in `texts`."""
    return Counter(itertools.chain.from_iterable(map(str.split, texts)))


def _missing_words(shown: Counter[str], written: Counter[str]) -> Counter[str]:
    """Count the words that the parts of `shown` have more often than those of `written`. Equal parts have equal words."""
    return _words(shown - written) - _words(written - shown)


def _words(parts: Mapping[str, int]) -> Counter[str]:
    """Count each word in `parts`; each part is read once, however often it occurs."""
    words: dict[str, int] = {}
    for part, times in parts.items():
        for word in _WORD.findall(part if part.isascii() else _INVISIBLE.sub("", part)):
            words[word] = words.get(word, 0) + times
    return Counter(words)


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
    text = source.text
    # Site generators put YAML above the page: data about the page, which a browser never sees.
    page = LexborHTMLParser(text[read_front_matter(text).end :] if has_front_matter(text) else text)
    take_struck_from_page(page, source)
    if rule.get("raised"):
        raise_figures(page)
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
            elif tag[0] not in "-!" and tag not in UNSEEN and not _is_hidden(child):
                if tag == "br":
                    parts.append("\n")
                elif tag in inline:
                    walk(child)
                    # "4A" and "Fees" in elements beside each other are two words
                    parts.append(" " if parts and _LETTERED.fullmatch(parts[-1]) else "")
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


def _is_hidden(node: LexborNode) -> bool:
    return _HIDDEN.search(node.attributes.get("style") or "") is not None


def _xml_text(source: SourceFile, rule: Mapping[str, Any]) -> str:
    root = parse_xml(source)
    take_struck([element for name in rule.get("struck", ()) for element in root.iter(f"{{*}}{name}")], source)
    for mark in rule.get("left_out_by", ()):
        for element in [element for element in root.iter(etree.Element) if element.get(mark)]:
            element.tag = _LEFT_OUT
    etree.strip_elements(root, _LEFT_OUT, *(f"{{*}}{name}" for name in rule.get("left_out", ())), with_tail=False)
    etree.strip_tags(root, *(f"{{*}}{name}" for name in rule.get("inline", ())))
    return " ".join(map(str, root.itertext()))  # the remaining elements separate words


#: Reader by the format's name or its last part; all other formats are read as text.
_READERS: Mapping[str, Callable[[SourceFile, Mapping[str, Any]], str]] = {
    "xml": _xml_text,
    "html": _html_text,
    "json": _json_text,
    "docx": _word_text,
    law_as_data.NAME: lambda source, rule: law_as_data.shown_text(source),
    **dict.fromkeys((tree.NAME, tree.JSON.name), lambda source, rule: tree.shown_text(source)),
}


@functools.cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    return data_file(__package__, "source_words.toml") | joined_section("source_words")
