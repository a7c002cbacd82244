"""Akoma Ntoso XML, versions 2.0 and 3.0: one document with its identity and metadata.

Not here: the elements of the text (`akn.reader`), the paths of metadata (`akn.metadata`).
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from legal_pipeline.akn.element import Element, from_xml
from legal_pipeline.akn.metadata import Metadata, state_dates
from legal_pipeline.akn.own import read_own
from legal_pipeline.akn.reader import Reader
from legal_pipeline.akn.writer import NAMESPACE as OWN_NAMESPACE
from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.format import CERTAIN, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.work_identity import WorkIdentity, read_work_uri
from legal_pipeline.building.xml import local_name, parse_xml, take_struck
from legal_pipeline.errors import ParseError
from legal_pipeline.jurisdictions.countries import country_code
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import UNDETERMINED, UNKNOWN_COUNTRY, document_id, path_slug
from legal_pipeline.model.slug import slug
from legal_pipeline.text.normalise import one_line

NAME = "akn_xml"
VERSION = "10"

_ROOT = re.compile(r"<(?:\w+:)?akomaNtoso\b")
_OWN_ID = f"{{{OWN_NAMESPACE}}}documentId"
_DOCUMENTS = frozenset(
    {"act", "bill", "doc", "statement", "judgment", "amendment", "amendmentList", "debate", "debateReport", "documentCollection",
     "officialGazette", "portion"}
)  # fmt: skip
#: Documents whose versions are one work.
_LAWS = frozenset({"act", "bill", "judgment"})
_LEVELS = ("FRBRWork", "FRBRExpression")
#: Elements in which a title is printed.
_FRONTS = ("coverPage", "preface", "header")


def sniff(source: SourceFile) -> float:
    head = source.head[:4000]
    if _ROOT.search(head):
        return CERTAIN
    return NEAR if "akomantoso" in head.lower() and head.lstrip().startswith("<") else NO


def parse(source: SourceFile) -> Document:
    """Return the document of the file, with its components as schedules.

    Raises `ParseError` if there is none; see `parse_xml` for unsafe XML.
    """
    root = parse_xml(source)
    main = next((child for child in root if local_name(child) in _DOCUMENTS), None)
    if local_name(root) != "akomaNtoso" or main is None:
        raise ParseError(f"<{local_name(root)}> holds no document", expected="akomaNtoso with an act, a judgment, …")
    kind = local_name(main)
    stated = _Identity(main, source)
    builder = DocumentBuilder()
    warnings: list[str] = []
    own = next((str(body.get(_OWN_ID)) for body in root.iter() if body.get(_OWN_ID)), None)
    if own is not None:
        read_own(builder, root)
    else:
        take_struck(list(root.iter("{*}del")), source)
        reader = Reader(builder, judgment=kind == "judgment")
        reader.read(_elements(root, main, stated.metadata))
        warnings = reader.warnings
    document_id, work = stated.named(kind, own)
    if stated.work is None:
        warnings.append("the source does not say which work it is")
    return builder.document(
        source,
        document_id=document_id,
        title=stated.title,
        jurisdiction=stated.country,
        doc_type=_doc_type(kind, work),
        language=stated.language,
        number=stated.number,
        work_uri=work.work_uri if work else None,
        as_of_date=stated.as_of_date or source.hints.get("as_of_date"),
        warnings=tuple(warnings),
        metadata=stated.described(kind),
    )


def _elements(root: etree._Element, main: etree._Element, metadata: Metadata) -> Element:
    """Return the document, with the components that follow it in the file."""
    document = from_xml(main)
    state_dates(document, metadata)
    beside = [from_xml(child) for child in root if local_name(child) == "components"]
    return Element(document.name, content=[*document.content, *beside])


class _Identity:
    """The work and expression that the metadata of `main` name, and other stated facts."""

    def __init__(self, main: etree._Element, source: SourceFile) -> None:
        self._source = source
        self._main = main
        front = Metadata(main)
        self._uris = [uri for level in _LEVELS for uri in front.uris(level)]
        known = [*front.uris("FRBRWork"), str(source.hints.get("work_uri") or ""), source.url or ""]
        self.work = next((work for uri in known if uri and (work := read_work_uri(uri))), None)
        self._expression = next((work for uri in front.uris("FRBRExpression") if (work := read_work_uri(uri))), None)
        language = front.language() or (self._expression.language if self._expression else None)
        self.language = language or str(source.hints.get("language") or UNDETERMINED)
        self.metadata = Metadata(main, self.language)
        stated = country_code(self.metadata.first("country") or "")
        self.country = (
            self.work.country if self.work else stated or str(source.hints.get("jurisdiction") or UNKNOWN_COUNTRY)
        )
        stated = self.metadata.first("title") or str(source.hints.get("title") or "")
        self.title = stated or self._printed_title()

    def named(self, kind: str, own: str | None) -> tuple[str, WorkIdentity | None]:
        """Return the document's id and its work; a URI of unknown form names the work by its path if the country is known."""
        if self.work is not None:
            return own or self.work.document_id, self.work
        paths = [path for uri in self._uris if (path := urlsplit(uri).path.strip("/").removesuffix("/main"))]
        path, other = [*paths, "", ""][:2]
        if kind not in _LAWS and other.startswith(path):
            path = other  # an amendment may state the URI of the law it amends, and its own only as a part of that
        parts = tuple(filter(None, map(slug, path.split("/"))))
        is_name = len(parts) > 1 or any(map(str.isdigit, "".join(parts)))
        if self.country != UNKNOWN_COUNTRY and is_name:
            work = WorkIdentity(self.country, None, kind, parts)
            return own or work.document_id, work
        return own or document_id(self.country, kind, path_slug(self._source.path)), None

    @property
    def number(self) -> str | None:
        rule = jurisdiction(self.country).section("akoma_ntoso").get("number")
        if rule and (found := self.metadata.text_at(rule["path"])):
            return str(rule["form"]).format(found)
        return self.metadata.first("number") or (self.work.number if self.work else None)

    @property
    def as_of_date(self) -> str | None:
        if self._expression is not None and self._expression.date:
            return self._expression.date
        return self.metadata.date("as_of_date")

    def described(self, kind: str) -> dict[str, Any]:
        """Return dates, names and, for a judgment, its court and judges: `metadata` of the document."""
        year = self.work.year if self.work else None
        return {
            **{name: self.metadata.date(name) for name in ("date_enacted", "date_published", "in_force")},
            **(self.metadata.judgment() if kind == "judgment" else {}),
            "year_enacted": int(year[:4]) if year else None,
            "published_in": self.metadata.first("published_in"),
            "abbreviation": self.metadata.first("abbreviation"),
            "locality": self.work.locality if self.work else None,
        }

    def _printed_title(self) -> str:
        title = self._first_title()
        parties = self.metadata.judgment()["parties"] if self.language == "eng" else None
        if not parties or len(parties) != 2:
            return title
        # "Approved Judgment" names no party
        words = {word for party in parties for word in re.findall(r"\w{3,}", party.casefold())}
        return " v ".join(parties) if words.isdisjoint(re.findall(r"\w{3,}", title.casefold())) else title

    def _first_title(self) -> str:
        document = from_xml(self._main)
        fronts = [item for name in _FRONTS for item in document.walk() if item.name == name]
        for names in (("docTitle",), ("docTitle", "p")):
            for front in fronts:
                line = next((item for item in front.walk() if item.name in names and one_line(item.text())), None)
                if line is not None:
                    return one_line(line.text())[:200]
        heading = next((item for item in document.walk() if item.name == "heading" and one_line(item.text())), None)
        return one_line(heading.text())[:200] if heading else self._source.name_in_words


def _doc_type(element: str, work: WorkIdentity | None) -> str:
    if element == "judgment":
        return "judgment"
    if element == "act" or (work is not None and work.type == "judgment"):
        return work.doc_type if work else "act"
    return "other"


FORMAT = Format(NAME, "Akoma Ntoso XML (2.0 and 3.0)", sniff, parse, VERSION)
