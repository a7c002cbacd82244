"""The register's entry for a Swedish statute: header fields, and the document identity and metadata made from them.

Not here: reading the entry from a page or a JSON answer (one module per format).
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.work_identity import swedish_document
from legal_pipeline.text.normalise import one_line

#: The SFS number of an act before 1925 may be a number in a supplement ("1909:bih. 29 s.1").
SFS_NUMBER = re.compile(r"\d{4}:(?:\d+|bih\.?)(?:\s?\d*\s?s\.?\s?\d+)?")
_NUMBER_IN_TITLE = re.compile(r"\((\d{4}:[^)]{1,20})\)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_THROUGH = re.compile(r"t\.?\s?o\.?\s?m\.?\s+(?:SFS\s+)?(\d{4}:\d+)")
_LAYOUT = re.compile(r"^(?:/r\d/\s*)+")
_AMENDING = re.compile(
    r"\b(?:om|angående)\s+(?:ändring(?:ar)?\s+i|ändrad\s+lydelse\s+av|upphävande\s+av)\b", re.IGNORECASE
)
_AGENCY = re.compile(r"^\S+\s+(?:föreskrifter|tillkännagivande|kungörelse|cirkulär)", re.IGNORECASE)
_REGULATION = re.compile(
    r"^(?:Kungl\.\s+Maj:ts\s+)?\S*(?:förordning|kungörelse|föreskrifter|tillkännagivande|reglemente|instruktion|stadga|brev|cirkulär|resolution)\b",
    re.IGNORECASE,
)
#: The four fundamental laws (1 kap. 3 § regeringsformen).
FUNDAMENTAL_LAWS = frozenset({"1974:152", "1810:0926", "1949:105", "1991:1469"})


def iso_date(value: str | None) -> str | None:
    """Return the first ISO date in `value` that is a valid calendar date, or None."""
    for match in _ISO_DATE.finditer(value or ""):
        with contextlib.suppress(ValueError):
            return date.fromisoformat(match.group()).isoformat()
    return None


def consolidated_through(value: str | None) -> str | None:
    """`t.o.m. SFS 2023:349` -> `SFS 2023:349`."""
    match = _THROUGH.search(value or "")
    return f"SFS {match[1]}" if match else None


def clean_title(title: str) -> str:
    """Return a title as printed, without layout codes and without the semicolon at the end of old entries."""
    return _LAYOUT.sub("", one_line(title)).rstrip("; ")


def number_in_title(title: str) -> str | None:
    """`Arbetsmiljölag (1977:1160)` -> `1977:1160`."""
    match = _NUMBER_IN_TITLE.search(title)
    return match[1] if match else None


def statute_type(title: str, number: str) -> str:
    """Return the `doc_type` of a statute from its title: act, regulation, agency_regulation, amendment or constitution.

    >>> statute_type("Lag (2023:349) om ändring i arbetsmiljölagen (1977:1160)", "2023:349")
    'amendment'
    >>> statute_type("Förordning (2008:24) om avgifter", "2008:24"), statute_type("Tryckfrihetsförordning (1949:105)", "1949:105")
    ('regulation', 'constitution')
    """
    if number in FUNDAMENTAL_LAWS:
        return "constitution"
    if base_law(title) is not None:
        return "amendment"
    if _REGULATION.match(title):
        return "regulation"
    return "agency_regulation" if _AGENCY.match(title) else "act"


def base_law(title: str) -> str | None:
    """Return the SFS number of the act that an amending act changes, if its title contains the number.

    Of several numbers the last is the changed act: "om ändring i lagen (2009:1) om ändring i arbetsmiljölagen (1977:1160)".
    """
    match = _AMENDING.search(title)
    if match is None or "upphävande" in match.group().lower():
        return None
    numbers = _NUMBER_IN_TITLE.findall(title, match.end())
    return f"SFS {numbers[-1]}" if numbers else None


@dataclass(frozen=True)
class StatuteHeader:
    """A statute's entry in the register. Dates in `metadata` are ISO dates."""

    number: str
    title: str
    metadata: dict[str, Any] = field(default_factory=dict)

    def document(
        self,
        builder: DocumentBuilder,
        source: SourceFile,
        *,
        warnings: tuple[str, ...] = (),
        requires_manual_review: bool = False,
    ) -> Document:
        """Return the document with the content of `builder`. Raises `ParseError` if `number` is not an SFS number."""
        if not SFS_NUMBER.match(self.number):
            raise ParseError(f"{self.number!r} is not an SFS number", expected="an SFS number such as 1977:1160")
        return swedish_document(
            builder,
            source,
            "SFS",
            self.number,
            title=self.title or f"SFS {self.number}",
            doc_type=statute_type(self.title, self.number),
            warnings=warnings,
            requires_manual_review=requires_manual_review,
            metadata={"base_law": base_law(self.title), **self.metadata},
        )


#: Labels of the registers' pages (lower case, without colon) and the field that each fills.
LABELS = {
    "departement": "department",
    "departement/myndighet": "department",
    "utfärdad": "issued",
    "ikraft": "in_force",
    "upphävd": "repealed",
    "författningen har upphävts genom": "repealed_by",
    "upphävd genom": "repealed_by",
    "omtryck": "reprint",
    "ändring införd": "consolidated_through",
    "ändrad": "consolidated_through",
    "övrigt": "remarks",
    "tidsbegränsad": "expires",
}


def header_of_labels(number: str, title: str, labels: dict[str, str]) -> StatuteHeader:
    """Return the header from the label-value pairs of a page; unknown labels stay in the metadata under their own names."""
    metadata: dict[str, Any] = {}
    for label, value in labels.items():
        own_name = one_line(label).rstrip(":")
        name = LABELS.get(own_name.lower().replace("/ myndighet", "/myndighet"))
        if name is not None or value:
            metadata[name or own_name] = one_line(value)
    for name in ("issued", "in_force", "repealed"):
        text = metadata.get(name) or ""
        metadata[name] = day = iso_date(text)
        if name != "issued" and (note := text.replace(day or "", "").strip()):
            metadata[f"{name}_note"] = note
    expires = metadata.get("expires")
    metadata["expires"] = iso_date(expires) or expires or None
    metadata["consolidated_through"] = consolidated_through(metadata.get("consolidated_through"))
    return StatuteHeader(number, clean_title(title), metadata)
