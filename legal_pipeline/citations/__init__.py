"""Citations of Acts, provisions and cases in running text, with what they point to.

Not here: the grammars and names of single countries (`jurisdictions`), dates, courts and people (`citations.entities`), and tables of
references between documents (`citations.cross_references`).
"""

from __future__ import annotations

from legal_pipeline.citations.country import Country, Grammar
from legal_pipeline.citations.model import Citation, CitingDocument, EidIndex

__all__ = ["Citation", "CitingDocument", "Country", "EidIndex", "Grammar", "find"]


def find(text: str, country: Country, document: CitingDocument | None = None) -> list[Citation]:
    """The citations of `text`, read as lawyers of `country` write, in text order.

    With `document`, references to the text itself ("denna lag", "sub-section (2) above", "section 12") are resolved; `text` must then be
    that document's text, for its offsets are used. Empty for a country without a grammar.
    """
    if country.grammar is None:
        return []
    return sorted(country.grammar(text, document), key=lambda citation: (citation.start, citation.end))
