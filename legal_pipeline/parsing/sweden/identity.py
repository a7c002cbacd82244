"""Facts read from the title and number of a Swedish statute: kind, dates in words, the act that an amending act changes.

Not here: the registers' headers (`parsing.sweden.header`), ids and URIs (`parsing.sweden.work_identity`).
"""

from __future__ import annotations

import re

from legal_pipeline.languages.language import language
from legal_pipeline.parsing.sweden import header
from legal_pipeline.text.dates import commencement

_MONTHS = {forms[0]: index for index, forms in enumerate(language("swe").section("dates")["months"], start=1)}
_DATE = re.compile(r"(\d{1,2})\s+(" + "|".join(_MONTHS) + r")\s+(\d{4})", re.IGNORECASE)
_NUMBER = re.compile(r"(?:(?P<series>[A-ZÅÄÖ][A-ZÅÄÖ-]{1,9}(?:FS)?)\s*)?(?P<number>\d{4}:\d+(?:\s?s\.?\s?\d+)?)")
_AMENDING = re.compile(r"\bom\s+(?:ändring(?:ar)?\s+(?:i|av)|ändrad\s+lydelse\s+av)\b")
_BASE = re.compile(r"\((?:(?P<series>[A-ZÅÄÖ-]{2,10})\s)?(?P<number>\d{4}:\d+)\)")


def date_in_words(words: str) -> str | None:
    """`den 1 januari 2026` -> `2026-01-01`; None when `words` contains no date."""
    match = _DATE.search(words)
    return f"{match[3]}-{_MONTHS[match[2].lower()]:02d}-{int(match[1]):02d}" if match else None


def in_force_date(text: str) -> str | None:
    """Return the first date after "träder i kraft" in `text`; None when the Government decides the date."""
    return commencement(text, "swe")


def split_number(text: str) -> tuple[str, str] | None:
    """(series, number) of `SFS 1977:1160`, `AFS 2023:1` or a bare `1977:1160` (which is SFS)."""
    match = _NUMBER.search(text)
    return (match["series"] or "SFS", match["number"]) if match else None


def document_type(title: str, series: str, number: str) -> str:
    """Return the doc_type of a statute in any series; outside SFS it is an agency regulation unless it changes another act."""
    if series == "SFS":
        return header.statute_type(title, number)
    return "amendment" if base_law(title) is not None else "agency_regulation"


def base_law(title: str) -> str | None:
    """Return the act that an amending act changes (`SFS 2011:1244`), in any series; of several numbers, the last."""
    match = _AMENDING.search(title)
    if match is None:
        return None
    found = list(_BASE.finditer(title, match.end()))
    return f"{found[-1]['series'] or 'SFS'} {found[-1]['number']}" if found else None
