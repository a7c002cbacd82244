"""Akoma Ntoso XML, versions 2.0 and 3.0: identity and metadata of one document.

Not here: the elements of the text (`akn.reader`).
"""

from __future__ import annotations

import re
from typing import Any

from legal_pipeline.akn.element import Element, from_xml
from legal_pipeline.akn.own import read_own
from legal_pipeline.akn.reader import Reader
from legal_pipeline.akn.writer import NAMESPACE as OWN_NAMESPACE
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.building.xml import parse_xml
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import document_id
from legal_pipeline.text.normalise import one_line

NAME = "akn_xml"
VERSION = "1"

_ROOT = re.compile(r"<(?:\w+:)?akomaNtoso\b")
_OWN_ID = f"{{{OWN_NAMESPACE}}}documentId"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DOCUMENTS = frozenset(
    {"act", "bill", "doc", "statement", "judgment", "amendment", "amendmentList", "debate", "debateReport", "documentCollection",
     "officialGazette", "portion"}
)  # fmt: skip


def sniff(source: SourceFile) -> float:
    head = source.head[:4000]
    if _ROOT.search(head):
        return CERTAIN
    return NEAR if "akomantoso" in head.lower() and head.lstrip().startswith("<") else NO


def parse(source: SourceFile) -> Document:
    """The document that the file holds. Raises `ParseError` where it holds none; see `parse_xml` for unsafe XML."""
    root = parse_xml(source)
    own = next((str(body.get(_OWN_ID)) for body in root.iter() if body.get(_OWN_ID)), None)
    tree = from_xml(root)
    document = tree.first(*_DOCUMENTS) if tree.name == "akomaNtoso" else None
    if document is None:
        raise ParseError(
            f"<{tree.name}> holds no document",
            document=source.name,
            format=NAME,
            expected="akomaNtoso with an act, a judgment, …",
        )
    meta = document.first("meta")
    builder = DocumentBuilder()
    warnings: list[str] = []
    if own is not None:
        read_own(builder, root)
    else:
        reader = Reader(builder, judgment=document.name == "judgment")
        reader.read(Element(document.name, content=list(document.content)))
        warnings = reader.warnings
    uris = [
        *list(_values(meta, "FRBRWork", "FRBRuri", "FRBRthis")),
        str(source.hints.get("work_uri") or ""),
        source.url or "",
    ]
    expressions = list(_values(meta, "FRBRExpression", "FRBRuri", "FRBRthis"))
    work = next((frbr for uri in uris if uri and (frbr := read_work_uri(uri))), None)
    expression = next((frbr for uri in expressions if (frbr := read_work_uri(uri))), None)
    title = _title(meta, document, source)
    if work is None:
        warnings.append("the source does not say which work it is")
    return builder.document(
        source,
        document_id=own or (work.document_id if work else _fallback_id(document.name, title, source)),
        title=title,
        jurisdiction=work.country if work else str(source.hints.get("jurisdiction") or "xx"),
        doc_type=_doc_type(document.name, work),
        language=_language(meta, expression, source),
        format=NAME,
        parser_version=VERSION,
        number=work.number if work else None,
        work_uri=work.work_uri if work else None,
        as_of_date=_expression_date(meta, expression) or source.hints.get("as_of_date"),
        warnings=tuple(warnings),
        metadata=_metadata(meta, work),
    )


def _identification(meta: Element | None, level: str) -> Element | None:
    identification = meta.first("identification") if meta else None
    return identification.first(level) if identification else None


def _values(meta: Element | None, level: str, *names: str) -> list[str]:
    part = _identification(meta, level)
    found = [item for name in names for item in (part.elements() if part else ()) if item.name == name]
    return [item.attributes.get("value") or item.attributes.get("language") or "" for item in found]


def _date(meta: Element | None, level: str) -> str | None:
    part = _identification(meta, level)
    date = part.first("FRBRdate") if part else None
    return date.attributes.get("date") if date else None


def _expression_date(meta: Element | None, expression: WorkIdentity | None) -> str | None:
    if expression is not None and expression.date:
        return expression.date
    date = _date(meta, "FRBRExpression")
    return date if date and _ISO_DATE.fullmatch(date) else None


def _language(meta: Element | None, expression: WorkIdentity | None, source: SourceFile) -> str:
    stated = next(iter(_values(meta, "FRBRExpression", "FRBRlanguage")), "")
    if re.fullmatch(r"[a-z]{3}", stated):
        return stated
    return (expression.language if expression else None) or str(source.hints.get("language") or "und")


def _title(meta: Element | None, document: Element, source: SourceFile) -> str:
    part = _identification(meta, "FRBRWork")
    for alias in part.elements() if part else ():
        if alias.name == "FRBRalias" and alias.attributes.get("value"):
            return alias.attributes["value"]
    if source.hints.get("title"):
        return str(source.hints["title"])
    for container in ("coverPage", "preface", "header"):
        for item in document.walk():
            if item.name == container and (line := next((p for p in item.walk() if p.name in ("docTitle", "p")), None)):
                return one_line(line.text())[:200]
    heading = next((item for item in document.walk() if item.name == "heading" and one_line(item.text())), None)
    return one_line(heading.text())[:200] if heading else source.name


def _fallback_id(kind: str, title: str, source: SourceFile) -> str:
    country = str(source.hints.get("jurisdiction") or "xx")
    return document_id(country, kind, title, source.sha256[:8])


def _doc_type(element: str, work: WorkIdentity | None) -> str:
    if element == "judgment":
        return "judgment"
    if element == "act" or (work is not None and work.type in ("judgment",)):
        return work.doc_type if work else "act"
    return "other"


def _metadata(meta: Element | None, work: WorkIdentity | None) -> dict[str, Any]:
    enacted = _date(meta, "FRBRWork") or ""
    publication = meta.first("publication") if meta else None
    published = publication.attributes.get("date", "") if publication else ""
    year = work.year if work else None
    return {
        "date_enacted": enacted if _ISO_DATE.fullmatch(enacted) and not enacted.startswith("0001") else None,
        "year_enacted": int(year[:4]) if year else None,
        "date_published": published if _ISO_DATE.fullmatch(published) and not published.startswith("0001") else None,
        "published_in": (publication.attributes.get("showAs") or publication.attributes.get("name") or None)
        if publication
        else None,
        "locality": work.locality if work else None,
    }


FORMAT = Format(NAME, "Akoma Ntoso XML (2.0 and 3.0)", sniff, parse, VERSION)
