"""Facts read from the title and number of a Swedish statute: kind, number, the act that an amending act changes.

Not here: the registers' headers (`parsing.sweden.header`), ids and URIs (`parsing.sweden.work_identity`).
"""

from __future__ import annotations

import re

from legal_pipeline.parsing.sweden import header

_NUMBER = re.compile(r"(?:(?P<series>[A-ZÅÄÖ][A-ZÅÄÖ-]{1,9}(?:FS)?)\s*)?(?P<number>\d{4}:\d+(?:\s?s\.?\s?\d+)?)")
_AMENDING = re.compile(r"\bom\s+(?:ändring(?:ar)?\s+(?:i|av)|ändrad\s+lydelse\s+av)\b")
_BASE = re.compile(r"\((?:(?P<series>[A-ZÅÄÖ-]{2,10})\s)?(?P<number>\d{4}:\d+)\)")


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
