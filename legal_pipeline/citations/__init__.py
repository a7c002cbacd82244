"""Citations of Acts, provisions and cases in running text, with what they point to: one grammar per jurisdiction.

Not here: dates, courts and people (`citations.entities`), and tables of references between documents (`citations.cross_references`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from legal_pipeline.citations.model import Citation, CitingDocument, EidIndex

__all__ = ["Citation", "CitingDocument", "EidIndex", "find", "jurisdictions"]

Grammar = Callable[[str, CitingDocument | None], Iterable[Citation]]


def find(text: str, jurisdiction: str, document: CitingDocument | None = None) -> list[Citation]:
    """The citations of `text`, read as lawyers of `jurisdiction` ("se", "in", "zw", "us", "fr", "de") write, in text order.

    With `document`, references to the text itself ("denna lag", "sub-section (2) above", "section 12") are resolved; `text` must then be
    that document's text, for its offsets are used. Empty for a jurisdiction without a grammar: see `jurisdictions`.
    """
    grammar = _grammar(jurisdiction)
    if grammar is None:
        return []
    return sorted(grammar(text, document), key=lambda citation: (citation.start, citation.end))


def jurisdictions() -> tuple[str, ...]:
    """Codes of the jurisdictions that have a grammar with names of their own; others of the common law are read without names."""
    return ("se", "in", "zw", "us", "fr", "de")


def _grammar(jurisdiction: str) -> Grammar | None:
    """Imported when asked for: a Swedish corpus needs no eyecite."""
    if jurisdiction == "se":
        from legal_pipeline.citations.sweden import find as grammar
    elif jurisdiction == "in":
        from legal_pipeline.citations.india import find as grammar
    elif jurisdiction == "zw":
        from legal_pipeline.citations.zimbabwe import find as grammar
    elif jurisdiction in ("us", "us-dc"):
        from legal_pipeline.citations.united_states import find as grammar
    elif jurisdiction == "fr":
        from legal_pipeline.citations.france import find as grammar
    elif jurisdiction == "de":
        from legal_pipeline.citations.germany import find as grammar
    else:
        from legal_pipeline.citations import other_common_law

        if jurisdiction not in other_common_law.CODES:
            return None
        return functools.partial(other_common_law.find, code=jurisdiction)
    return grammar
