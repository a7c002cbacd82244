"""Check that a document contains the sections and words of its source: sections are counted, words are compared.

Not here: counting the sections of a source (`parsing.stated_sections`), the words that it shows (`parsing.source_words`).
"""

from __future__ import annotations

import dataclasses

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import IncompleteDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.source_words import count_shown_words, lost_words
from legal_pipeline.parsing.stated_sections import found_sections, stated_sections

#: Minimum share of the sections marked in the source; with fewer sections the document is refused.
MIN_SECTIONS_SHARE = 0.9
#: Maximum share of lost words; a few lost words may be labels of a page.
MAX_LOST_SHARE = 0.01
_FEW_WORDS = 20
#: Maximum number of lost words that a warning lists; it also states their total.
_NAMED_WORDS = 8


def with_completeness(document: Document, source: SourceFile) -> Document:
    """Return `document` with a warning and `requires_manual_review` for sections and words of `source` that are missing in it.

    Raises `IncompleteDocumentError` when less than 90 % of the sections that the source marks were found, and when more than 1 % of its
    words (and more than 20) are not in the document.
    """
    warnings = []
    stated, found = stated_sections(source, document.format), found_sections(document)
    if stated is not None and found < stated:
        if found < MIN_SECTIONS_SHARE * stated:
            raise IncompleteDocumentError(
                f"{found:,} of the {stated:,} sections that the source marks were found",
                document=source.name,
                format=document.format,
                expected=f"at least {MIN_SECTIONS_SHARE:.0%} of them",
            )
        warnings.append(f"{found:,} of the {stated:,} sections that the source marks were found")
    lost = lost_words(source, document)
    shown = count_shown_words(source, document.format) if len(lost) > _FEW_WORDS else 0
    if shown and len(lost) > MAX_LOST_SHARE * shown:
        raise IncompleteDocumentError(
            f"the text lacks {len(lost):,} of the {shown:,} words that the source shows: {', '.join(lost[:_NAMED_WORDS])}, …",
            document=source.name,
            format=document.format,
            expected=f"at most {MAX_LOST_SHARE:.0%} of them, or an exclusion that names them (source_words.toml)",
        )
    if lost:
        named = ", ".join(repr(word) for word in dict.fromkeys(lost[:_NAMED_WORDS]))
        warnings.append(f"the text lacks {len(lost):,} of the words that the source shows: {named}")
    if not warnings:
        return document
    return dataclasses.replace(document, warnings=(*document.warnings, *warnings), requires_manual_review=True)
