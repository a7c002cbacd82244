"""eCFR XML: a title, part, subpart or section of the Code of Federal Regulations (DIV1 to DIV9).

The paragraphs of the source are flat; their hierarchy is recovered from the designators. Not here: that recovery (`usa.designators`).
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from lxml import etree

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.xml import local_name, parse_xml
from legal_pipeline.errors import ParseError
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.usa.cfr import (
    appendix_identity,
    part_identity,
    section_identity,
    source_amendments,
    title_identity,
)
from legal_pipeline.parsing.usa.inline import flat_text, inline, table_rows
from legal_pipeline.parsing.usa.paragraphs import Paragraph, add_paragraphs

NAME = "ecfr_xml"
VERSION = "2"

_NODE_TYPES = {
    "TITLE": "title", "SUBTITLE": "division", "CHAPTER": "chapter", "SUBCHAP": "subchapter", "PART": "part",
    "SUBPART": "subpart", "SUBJGRP": "division", "SECTION": "section", "APPENDIX": "schedule",
}  # fmt: skip
_DIV = re.compile(r"DIV[1-9]")
_ROOT = re.compile(r"<DIV[1-9]\s[^>]*\bTYPE\s*=\s*[\"'][A-Z]+[\"']")
_TITLE_NUMBER = re.compile(r"title-(\d+)|\b(\d+) CFR\b")
_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_HEAD_NUMBER = re.compile(
    r"(?:§+\s*(?P<section>[\w.\-–]+)|(?:TITLE|SUBTITLE|CHAPTER|SUBCHAPTER|PART|SUBPART|APPENDIX|Title|Subtitle|Chapter|Subchapter"
    r"|Part|Subpart|Appendix)\s+(?P<num>[\w.\-]+?))\s*(?:[—–:\u2003\u2002]|--|\s|$)\s*"
)
_ITALIC = {"I": "italic", "E": "italic"}
#: Elements that contain paragraphs; their text is read as part of the section.
_CONTAINERS = frozenset({"EXTRACT", "DIV", "REGTEXT", "LDRWK", "div"})
_REMARKS = frozenset(
    {"CITA", "SECAUTH", "PARAUTH", "EDNOTE", "EFFDNOT", "CROSSREF", "AUTH", "SOURCE", "APPRO", "AMDDATE", "NOTE"}
)
_TABLES = frozenset({"TABLE", "GPOTABLE"})
_SKIPPED = frozenset({"STARS", "PRTPAGE", "img", "GPH", "MATH"})


def sniff(source: SourceFile) -> float:
    """Certain with an eCFR DIV element of a known TYPE; near for other XML with DIVs."""
    match = _ROOT.search(source.head)
    if match is None:
        return NEAR if "<DIV" in source.head and source.head.lstrip().startswith("<?xml") else NO
    kind = re.search(r"TYPE\s*=\s*[\"']([A-Z]+)", match.group())
    return CERTAIN if kind is not None and kind.group(1) in _NODE_TYPES else NEAR


def parse(source: SourceFile) -> Document:
    """Parse a title, part, section or appendix as one document; raises `ParseError` when the title number is not found anywhere."""
    xml = parse_xml(source)
    roots = _outermost(xml)
    if not roots:
        raise ParseError("no DIV element", expected="DIV1 to DIV9 with a TYPE")
    title = _title_number(xml, roots[0], source)
    builder = DocumentBuilder()
    metadata: dict[str, Any] = {"title_number": title}
    for root in roots:
        _add_div(builder, root, metadata)
    kind, number = roots[0].get("TYPE", ""), _number(roots[0])
    if len(roots) == 1 and kind == "SECTION":
        identity, work_uri = section_identity(title, number)
        citation = f"{title} CFR {number}"
    elif len(roots) == 1 and kind == "PART":
        identity, work_uri = part_identity(title, number)
        citation = f"{title} CFR Part {number}"
    elif len(roots) == 1 and kind == "TITLE":
        identity, work_uri = title_identity(title)
        citation = f"{title} CFR"
    elif len(roots) == 1 and kind == "APPENDIX" and number:
        identity, work_uri = appendix_identity(title, number)
        citation = f"{title} CFR {number}"
    else:
        raise ParseError(
            f"{len(roots)} outermost divisions, the first a {kind or 'DIV'}",
            position=f"line {roots[0].sourceline}",
            expected="one TITLE, PART, SECTION or numbered APPENDIX",
        )
    metadata["canonical_citation"] = citation
    return builder.document(
        source,
        document_id=identity,
        work_uri=work_uri,
        title=_heading(roots[0]) or citation,
        number=citation,
        jurisdiction="us",
        doc_type="regulation",
        language="eng",
        metadata=metadata,
        as_of_date=source.hints.get("as_of_date") or _date_of(xml, source),
    )


def _outermost(xml: etree._Element) -> list[etree._Element]:
    if _DIV.fullmatch(local_name(xml)):
        return [xml]
    found: list[etree._Element] = []
    for child in xml:
        if local_name(child):
            found.extend(_outermost(child))
    return found


def _title_number(xml: etree._Element, root: etree._Element, source: SourceFile) -> str:
    """Return the title number from the document (TYPE, citation, path, NODE), else from the hint, the address or the file name."""
    for element in xml.iter():
        if not _DIV.fullmatch(local_name(element)):
            continue
        if element.get("TYPE") == "TITLE" and element.get("N"):
            return str(element.get("N")).strip()
        hierarchy = _hierarchy(element)
        for value in (hierarchy.get("citation", ""), hierarchy.get("path", "")):
            if match := _TITLE_NUMBER.search(str(value)):
                return match.group(1) or match.group(2)
        if match := re.match(r"(\d+):", element.get("NODE", "")):
            return match.group(1)
    hinted = source.hints.get("cfr_title")
    if hinted:
        return str(hinted)
    for text in (source.url or "", source.name):
        if match := _TITLE_NUMBER.search(text):
            return match.group(1) or match.group(2)
    raise ParseError(
        "the title of the CFR is not named",
        position=f"line {root.sourceline}",
        expected="hierarchy_metadata, NODE, a title-N address or the hint cfr_title",
    )


def _hierarchy(element: etree._Element) -> dict[str, Any]:
    """Return the content of the attribute hierarchy_metadata; some services escape its JSON twice."""
    value = element.get("hierarchy_metadata", "")
    for _ in range(3):
        try:
            data = json.loads(value)
        except ValueError:
            value = html.unescape(value)
            continue
        return data if isinstance(data, dict) else {}
    return {}


def _date_of(xml: etree._Element, source: SourceFile) -> str | None:
    for text in (
        str(_hierarchy(element).get("path", "")) for element in xml.iter() if element.get("hierarchy_metadata")
    ):
        if match := _DATE.search(text):
            return match.group(1)
    for text in (source.url or "", source.name):
        if match := _DATE.search(text):
            return match.group(1)
    return None


def _heading(div: etree._Element) -> str:
    head = next((child for child in div if local_name(child) == "HEAD"), None)
    return flat_text(head) if head is not None else ""


def _number(div: etree._Element) -> str:
    """Return the attribute N without the § sign; without N, the number in the heading."""
    number = div.get("N", "").replace("§", "").strip()
    match = _HEAD_NUMBER.match(_heading(div))
    if not number and match is not None:
        number = match.group("section") or match.group("num") or ""
    return number.rstrip(".")


def _add_div(builder: DocumentBuilder, div: etree._Element, metadata: dict[str, Any]) -> None:
    kind = div.get("TYPE", "")
    node_type = _NODE_TYPES.get(kind)
    if node_type is None:
        raise ParseError(
            f"a {local_name(div)} of TYPE {kind!r}", position=f"line {div.sourceline}", expected=", ".join(_NODE_TYPES)
        )
    heading = _heading(div)
    match = _HEAD_NUMBER.match(heading)
    title = heading[match.end() :].strip() if match is not None else heading
    with builder.node(node_type, _number(div) or None, title or None) as node:
        if "[Reserved]" in heading or "[Removed]" in heading:
            node.status = "omitted"
        if heading:
            builder.heading(heading)
        if node_type in ("section", "schedule"):
            add_paragraphs(builder, _paragraphs(div, node), jurisdiction("us").drafting("regulation"))
        else:
            _add_division_content(builder, div, node, metadata)


def _add_division_content(builder: DocumentBuilder, div: etree._Element, node: Node, metadata: dict[str, Any]) -> None:
    for child in div:
        name = local_name(child)
        if _DIV.fullmatch(name):
            _add_div(builder, child, metadata)
        elif name in ("AUTH", "SOURCE"):
            text = flat_text(child)
            key = "authority" if name == "AUTH" else "source"
            node.attributes[key] = re.sub(r"^(?:Authority|Source):\s*", "", text)
            metadata.setdefault(key, node.attributes[key])
            builder.block(text, "remark")
        elif name not in ("HEAD", "") and name not in _SKIPPED:
            add_paragraphs(builder, _paragraphs(child, node, include=True), jurisdiction("us").drafting("regulation"))


def _paragraphs(element: etree._Element, section: Node, include: bool = False) -> list[Paragraph]:
    """Return the blocks of a section in order, without empty `<P/>`. Source citations become amendments of `section`."""
    found: list[Paragraph] = []
    for child in [element] if include else element:
        name = local_name(child)
        if name in ("", "HEAD") or name in _SKIPPED:
            continue
        if name in _REMARKS:
            found.append(_remark(child, name, section))
        elif name in _TABLES:
            found.append(_table(child))
        elif name == "FTNT":
            text = flat_text(child)
            if text:
                found.append(_block(text, "footnote"))
        elif name in _CONTAINERS and len(child):
            if child.text and child.text.strip():
                found.append(_paragraph_of(child.text))
            found.extend(_paragraphs(child, section))
        elif re.fullmatch(r"HD[1-8]?|HED", name):
            text = flat_text(child)
            if text:
                found.append(_block(text, "heading"))
        else:
            text, marks = inline(child, kinds=_ITALIC)
            if text:
                italics = [(mark.start, mark.end) for mark in marks]
                found.append(Paragraph(text, italics if italics else None))
    return found


def _paragraph_of(text: str) -> Paragraph:
    return Paragraph(" ".join(text.split()))


def _block(text: str, node_type: str, **fields: Any) -> Paragraph:
    def emit(builder: DocumentBuilder) -> None:
        if text:
            builder.block(text, node_type, **fields)

    return Paragraph("", emit=emit)


def _remark(element: etree._Element, name: str, section: Node) -> Paragraph:
    text = flat_text(element)
    amendments = source_amendments(text) if name == "CITA" else ()
    if amendments:
        section.amendments = (*section.amendments, *amendments)
    return _block(text, "remark", amendments=amendments)


def _table(element: etree._Element) -> Paragraph:
    rows = table_rows(element, frozenset({"tr", "row", "boxhd"}), frozenset({"td", "th", "ent", "ched"}))
    title = next((flat_text(child) for child in element.iter() if local_name(child) in ("TTITLE", "CAPTION")), "")
    return _block("\n".join([title, *rows] if title else rows), "table")


FORMAT = Format(NAME, "eCFR XML (title, part or section)", sniff, parse, VERSION)
