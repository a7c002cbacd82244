"""Identify the work of a USLM file from its `meta` and the identifiers of its levels.

A compilation and the public law that it compiles are one work: `us-pl-89-304`. Not here: its text (`usa.uslm_xml`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from legal_pipeline.building.xml import local_name
from legal_pipeline.errors import ParseError
from legal_pipeline.model.identity import document_id
from legal_pipeline.model.slug import slug
from legal_pipeline.parsing.usa.inline import flat_text
from legal_pipeline.text.dates import first_date

_PUBLIC_LAW = re.compile(r"(?:Public Law|Pub\. ?L\.)\s+(\d+)[–-](\d+)")
_COMPILED = re.compile(r"/us/sComp/(\d+)/(\d+)\b")
_BILL = re.compile(r"/us/(?:bill|resolution)/(\d+)/([a-z]+)/(\d+)\b")
_CODE = re.compile(r"/us/usc/(t\d+a?)\b")
_BILL_TYPES = {
    "housebill": "hr", "senatebill": "s", "senateconcurrentresolution": "sconres", "houseconcurrentresolution": "hconres",
    "senatejointresolution": "sjres", "housejointresolution": "hjres", "senateresolution": "sres", "houseresolution": "hres",
}  # fmt: skip


@dataclass(frozen=True)
class UslmIdentity:
    document_id: str
    work_uri: str
    title: str
    number: str
    doc_type: str
    as_of_date: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


def uslm_identity(root: etree._Element) -> UslmIdentity:
    """Return the identity of the work. Raises `ParseError` when neither `meta` nor an identifier names the work."""
    meta = _Meta(root)
    kind = local_name(root)
    identifiers = " ".join(element.get("identifier", "") for element in root.iter() if element.get("identifier"))
    if kind in ("bill", "resolution"):
        return _bill(meta, kind, identifiers)
    if kind == "uscDoc" or _CODE.search(identifiers):
        match = _CODE.search(identifiers)
        title = match.group(1) if match else f"t{slug(meta.first('docNumber'))}"
        number = f"{title[1:].upper()} U.S.C."
        return UslmIdentity(document_id("us", "usc", title), f"/akn/us/act/usc/{title}", meta.first("title") or number, number, "act",
                            None, {"canonical_citation": number})  # fmt: skip
    compiled = _COMPILED.search(identifiers)
    law = _PUBLIC_LAW.search(" ".join(meta.all("citableAs")))
    named = compiled or law
    congress, number = named.groups() if named is not None else (meta.first("congress"), meta.first("docNumber"))
    if not (congress.isdigit() and number.isdigit()):
        raise ParseError(
            "the number of the law is not named",
            position="meta",
            expected="congress and docNumber, or a citation such as Public Law 89–304",
        )
    citation = f"Public Law {congress}-{number}"
    title = meta.first("title") or citation
    metadata: dict[str, Any] = {
        "canonical_citation": citation,
        "parallel_citations": [text for text in meta.all("citableAs") if " Stat. " in text] or None,
        "short_titles": meta.all("containsShortTitle") or None,
        "date_enacted": meta.first("approvedDate") or _approved(root),
        "current_through": _through(root) or meta.first("currentThroughPublicLaw") or None,
        "compilation": True if kind == "statuteCompilation" else None,
    }
    return UslmIdentity(
        document_id("us", "pl", congress, number),
        f"/akn/us/act/pl/{congress}/{number}",
        title,
        citation,
        "act",
        _amended_through(root) or (metadata["date_enacted"] if kind != "statuteCompilation" else None),
        metadata,
    )


class _Meta:
    """The texts of `meta` by element name."""

    def __init__(self, root: etree._Element) -> None:
        meta = next((child for child in root if local_name(child) == "meta"), None)
        self._children = list(meta) if meta is not None else []

    def all(self, name: str) -> list[str]:
        return [flat_text(child) for child in self._children if local_name(child) == name and flat_text(child)]

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")


def _bill(meta: _Meta, kind: str, identifiers: str) -> UslmIdentity:
    match = _BILL.search(identifiers)
    congress, number = meta.first("congress"), meta.first("docNumber")
    series = _BILL_TYPES.get(re.sub(r"[^a-z]", "", meta.first("type").lower()), "")
    if match:
        congress, series, number = match.groups()
    if not (congress and series and number):
        raise ParseError(
            "the number of the bill is not named", position="meta", expected="congress, type and docNumber"
        )
    citation = next((text for text in meta.all("citableAs") if "." in text), meta.first("citableAs"))
    stage = meta.first("docStage")
    return UslmIdentity(
        document_id("us", kind, congress, series, number),
        f"/akn/us/{'bill' if kind == 'bill' else 'resolution'}/{congress}/{series}/{number}",
        meta.first("title") or citation,
        citation or f"{congress} {series} {number}",
        "other",
        None,
        {"canonical_citation": citation or None, "stage": stage or None, "congress": congress},
    )


def _approved(root: etree._Element) -> str | None:
    for element in root.iter():
        if local_name(element) == "actionDescription" and "pproved" in (text := flat_text(element)):
            return first_date(text, "eng", "month first")
    return None


def _edition_note(root: etree._Element) -> etree._Element | None:
    return next((element for element in root.iter() if local_name(element) == "editionNote"), None)


def _amended_through(root: etree._Element) -> str | None:
    """Return the date of enactment of the last law included in a compilation."""
    note = _edition_note(root)
    if note is None:
        return None
    date = next((element.get("date") for element in note.iter() if local_name(element) == "date"), None)
    return date or first_date(flat_text(note), "eng", "month first")


def _through(root: etree._Element) -> str | None:
    note = _edition_note(root)
    through = (
        next((e for e in note.iter() if local_name(e) == "currentThroughPublicLaw"), None) if note is not None else None
    )
    return flat_text(through) if through is not None else None
