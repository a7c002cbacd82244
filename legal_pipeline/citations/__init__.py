"""Citations of Acts, provisions and cases in running text, with their targets.

Two steps: a scanner finds mentions in the text alone (`mention`), one resolver finds their targets in a document (`resolve`).
Not here: the scanners and names of single countries (`jurisdictions`), dates, courts and people (`chunking.entities`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from legal_pipeline.citations.country import Country
from legal_pipeline.citations.mention import Mention
from legal_pipeline.citations.model import CitingDocument, EidIndex, Reference
from legal_pipeline.citations.resolve import resolve as _resolve
from legal_pipeline.text.normalise import NON_BREAKING_HYPHEN

__all__ = ["CitingDocument", "Country", "EidIndex", "Mention", "Reference", "find", "mentions"]


def find(
    text: str, country: Country, document: CitingDocument | None = None, *, in_query: bool = False
) -> list[Reference]:
    """Return the references that `text` makes, by the citation forms of `country`, in text order.

    With `document`, references to the text itself ("denna lag", "sub-section (2) above", "section 12") are resolved; `text` must then be
    that document's text, because its offsets are used. In a query an annex without an Act is a reference; in a text it may be an exhibit
    of a party. Empty for a country without a grammar.
    """
    found = _resolve(mentions(text, country), document, in_query=in_query)
    return sorted(found, key=lambda reference: (reference.start, reference.end))


def mentions(text: str, country: Country) -> Iterable[Mention]:
    """Return the mentions of `text`, in text order, before they are resolved in a document. A non-breaking hyphen is read as a hyphen."""
    if country.scanner is None:
        return ()
    read = text.replace(NON_BREAKING_HYPHEN, "-")
    found = country.scanner(read)
    return found if read == text else [replace(each, raw=text[each.start : each.end]) for each in found]
