"""Answers of the register's JSON API (beta.rkrattsbaser.gov.se): plain text with CRLF line ends, and the register of amending acts.

Not here: the plain layout itself (`parsing.sweden.plain_text`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.parsing.sweden.header import (
    SFS_NUMBER,
    StatuteHeader,
    clean_title,
    consolidated_through,
    iso_date,
)
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline.text.normalise import one_line, prepare

NAME = "rkrattsbaser_json"
VERSION = "3"

#: Notes on the commencement or repeal of a statute, by the end of the API's name for them; the last of several applies.
_NOTES = {
    "Overgangsbestammelse": "överg.best.",
    "DenDagenRegeringenBestammer": "den dag som regeringen bestämmer",
}


def sniff(source: SourceFile) -> float:
    head = source.head[:64_000]
    return CERTAIN if head.lstrip().startswith("{") and '"beteckning"' in head and '"fulltext"' in head else NO


def parse(source: SourceFile) -> Document:
    """Parse the answer. Raises `EmptyDocumentError` without `forfattningstext`, `TruncatedDocumentError` for truncated JSON."""
    data = parse_json(source)
    if not isinstance(data, dict):
        raise ParseError("the answer is not an object", expected="an object with beteckning and fulltext")
    fulltext = data.get("fulltext")
    raw = fulltext.get("forfattningstext") if isinstance(fulltext, dict) else None
    if not isinstance(raw, str) or not raw.strip():
        raise EmptyDocumentError(
            "the answer holds no text of a statute", position="fulltext.forfattningstext", expected="text"
        )
    return parse_statute_text(prepare(raw), _header(data), source)


def _text(data: Any, key: str) -> str | None:
    value = data.get(key) if isinstance(data, dict) else None
    return one_line(value) or None if isinstance(value, str) else None


def _header(data: dict[str, Any]) -> StatuteHeader:
    number = _text(data, "beteckning")
    if not number or not SFS_NUMBER.match(number):
        raise ParseError("no SFS number", position="beteckning", expected="an SFS number such as 1977:1160")
    fulltext, register = data["fulltext"], data.get("register")
    metadata: dict[str, Any] = {
        "department": _text(data.get("organisation"), "namnOchEnhet"),
        "issued": iso_date(_text(fulltext, "utfardadDateTime")),
        "in_force": iso_date(_text(data, "ikraftDateTime")),
        "repealed": iso_date(_text(data, "upphavdDateTime")),
        "repealed_by": _text(fulltext, "upphavdGenom"),
        "reprint": _text(fulltext, "omtryck"),
        "consolidated_through": consolidated_through(_text(fulltext, "andringInford")),
        "remarks": _text(fulltext, "ovrigt"),
        "preparatory_works": _text(register, "forarbeten"),
        "celex": _text(register, "celexnummer"),
        "expires": iso_date(_text(data, "tidsbegransadDateTime")),
        "source_updated": _text(fulltext, "uppdateradDateTime"),
    }
    if acts := _amending_acts(data.get("andringsforfattningar")):
        metadata["amending_acts"] = acts
    for event, name in (("ikraft", "in_force_note"), ("upphavd", "repealed_note")):
        for flag, note in _NOTES.items():
            if data.get(event + flag) is True:
                metadata[name] = note
    return StatuteHeader(number, clean_title(data.get("rubrik") or ""), metadata)


def _amending_acts(entries: Any) -> list[dict[str, str]]:
    """Return the API's register of amending acts: number, title, note ("ändr. 5 kap. 9 §"), in_force, preparatory_works."""
    acts = []
    for entry in entries if isinstance(entries, list) else []:
        if not (number := _text(entry, "beteckning")):
            continue
        act = {
            "number": f"SFS {number}",
            "title": _text(entry, "rubrik"),
            "note": _text(entry, "anteckningar"),
            "in_force": iso_date(_text(entry, "ikraftDateTime")),
            "preparatory_works": _text(entry, "forarbeten"),
        }
        acts.append({key: value for key, value in act.items() if value})
    return acts


FORMAT = Format(NAME, "Statute from the JSON API of rkrattsbaser.gov.se (Sweden)", sniff, parse, VERSION)
