"""D.C. Code XML: one section of the Code of the District of Columbia with its annotations.

Annotations (history, notes, cross references) are not law; they follow the section as remarks. The index of a title only includes
its sections by XInclude, so it is refused; nothing is fetched. Not here: finding sections (`sources`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from legal_pipeline.building.builder import BLOCK_SEPARATOR, DocumentBuilder
from legal_pipeline.building.format import CERTAIN, LIKELY, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import local_name, parse_xml
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.parsing.usa.inline import flat_text, inline, table_rows
from legal_pipeline.parsing.usa.paragraphs import LEVEL_TYPES
from legal_pipeline.text.dates import first_date

NAME = "dc_code_xml"
VERSION = "1"
NAMESPACE = "https://code.dccouncil.us/schemas/dc-library"

_EARLY_FORM = re.compile(
    r"<section\b[^>]*>\s*<num>\s*[\w:]+[-\u2013][\w.]+\s*</num>\s*<heading>[^<]*</heading>\s*<(?:para|text)>"
)
_NUM_SIGNS = re.compile(r"^[\s(\[]+|[\s)\].]+$")
_REPEALED = re.compile(r"^\[?(?P<what>Repealed|Omitted|Reserved|Expired|Transferred)\b", re.IGNORECASE)
_LAW = re.compile(r"D\.C\. Law \d+-\d+|Pub\. L\. \d+-\d+|\d+ Stat\. \d+(?:, ch\. \d+)?")


def sniff(source: SourceFile) -> float:
    """Certain with the namespace of the D.C. library, likely for the form without namespace in which the Code was published until 2017.

    The namespace is also that of the library's laws and indexes, which `parse` refuses.
    """
    if NAMESPACE in source.head:
        return CERTAIN
    return LIKELY if _EARLY_FORM.search(source.head) else NO


def parse(source: SourceFile) -> Document:
    """Parse one section. Raises `ParseError` for a container of references to sections and for any other root element."""
    root = parse_xml(source)
    name = local_name(root)
    if name == "container":
        sections = sum(local_name(element) == "include" for element in root.iter())
        raise ParseError(
            f"an index that includes {sections} other files and holds no text of its own",
            position="container",
            expected="the section files that it names, one by one",
        )
    if name != "section":
        raise ParseError(f"a {name or 'document without elements'}", position="root", expected="section")
    number = _text_of(_child(root, "num"))
    if not number:
        raise ParseError("a section without number", position="section/num", expected="num")
    heading = _text_of(_child(root, "heading"))
    builder = DocumentBuilder()
    with builder.node("section", number, heading or None) as section:
        builder.heading(f"§ {number}. {heading}".rstrip())
        _add_content(builder, root, 0)
    if section.end - section.start <= len(f"§ {number}. {heading}".rstrip()) and not _REPEALED.match(heading):
        raise EmptyDocumentError("the section has a heading and no text", expected="para or text in the section")
    if match := _REPEALED.match(heading):
        section.status = "repealed" if match.group("what").lower() == "repealed" else "omitted"
    section.amendments = _add_annotations(builder, root)
    return builder.document(
        source,
        document_id=document_id("us", "dc", "code", number),
        work_uri=f"/akn/us-dc/act/code/{number.lower()}",
        title=f"D.C. Code § {number}. {heading}".rstrip(),
        number=f"D.C. Code § {number}",
        jurisdiction="us",
        doc_type="act",
        language="eng",
        metadata={"canonical_citation": f"D.C. Code § {number}", "subdivision": "us-dc"},
    )


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _text_of(element: etree._Element | None) -> str:
    return flat_text(element) if element is not None else ""


def _add_content(
    builder: DocumentBuilder, children: Iterable[etree._Element], level: int, run_in: bool = False
) -> None:
    """Write texts, paras and tables in document order; with `run_in` the first para is on the line of its parent's number: (2)(A)."""
    for child in children:
        name = local_name(child)
        if name == "para" or (name == "text" and _child(child, "num") is not None):
            _add_para(builder, child, level, run_in)
        elif name in ("text", "aftertext"):
            text, _ = inline(child, skip=frozenset({"text", "table"}))
            builder.add(text)
            _add_content(builder, (inner for inner in child if local_name(inner) in ("text", "table")), level)
        elif name == "table":
            rows = table_rows(child, frozenset({"tr"}), frozenset({"td", "th"}))
            if rows:
                builder.block("\n".join(rows), "table")
        elif name not in ("num", "heading", "annotations", "") and (text := flat_text(child)):
            builder.add(text)
        run_in = False


def _add_para(builder: DocumentBuilder, para: etree._Element, level: int, run_in: bool) -> None:
    """Write one numbered paragraph: a `para`, or a `text` with a number."""
    printed, title = _text_of(_child(para, "num")), _text_of(_child(para, "heading"))
    node_type = LEVEL_TYPES[min(level, 2)]
    with builder.node(node_type, _NUM_SIGNS.sub("", printed) or None, title.rstrip(" .\u2014\u2013") or None) as node:
        if level >= 2:
            node.attributes["level"] = level + 1
        children = [child for child in para if local_name(child) not in ("num", "heading", "")]
        lead = " ".join(part for part in (printed, title) if part)
        text = ""
        if children and local_name(children[0]) == "text" and _child(children[0], "num") is None:
            text, _ = inline(children[0], skip=frozenset({"text", "table"}))
            children = [*(inner for inner in children[0] if local_name(inner) in ("text", "table")), *children[1:]]
        builder.add(f"{lead} {text}".strip(), separator="" if run_in else BLOCK_SEPARATOR)
        if match := _REPEALED.match(text):
            node.status = "repealed" if match.group("what").lower() == "repealed" else "omitted"
        _add_content(builder, children, level + 1, run_in=not text and not title and bool(printed))


def _annotations(element: etree._Element, group: str = "") -> Iterator[tuple[str, str, etree._Element]]:
    """Yield (kind, text, element) of every annotation; the older form groups annotations under headings, which give the kind."""
    for child in element:
        name = local_name(child)
        if name in ("annotation", "text"):
            yield child.get("type") or group, flat_text(child), child
        elif name == "annoGroup":
            yield from _annotations(child, _text_of(_child(child, "heading")))


def _add_annotations(builder: DocumentBuilder, root: etree._Element) -> tuple[Amendment, ...]:
    """Write a remark per annotation; return the acts of the history in order: those that made and changed the section."""
    history: list[Amendment] = []
    for part in root:
        if local_name(part) != "annotations":
            continue
        for kind, text, element in _annotations(part):
            if text:
                builder.block(text, "remark", attributes={"kind": kind} if kind else {})
            if kind == "History":
                named = element.get("doc") or (match.group() if (match := _LAW.search(text)) else "")
                if named:
                    history.append(
                        Amendment(named, element.get("eff") or first_date(text, "eng", "month first"), "amended")
                    )
    return tuple(history)


FORMAT = Format(NAME, "D.C. Code XML (one section)", sniff, parse, VERSION)
