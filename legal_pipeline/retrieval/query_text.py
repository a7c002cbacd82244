"""Validation of a query's text: it must be text, and not longer than a question.

Not here: what a query cites (`retrieval.citation_query`).
"""

from __future__ import annotations

import re

from legal_pipeline.errors import QueryError

#: Characters: some two printed pages. Every word of a query is searched for in every collection.
MAX_QUERY = 4000

#: Characters that UTF-8 cannot encode, and the character that PostgreSQL does not store in text.
_NO_TEXT = re.compile(r"[\ud800-\udfff\x00]")


def verify_query(query: str) -> None:
    """Raise `QueryError` for a query that is too long or is not text."""
    if len(query) > MAX_QUERY:
        raise QueryError(f"the query has {len(query):,} characters, expected at most {MAX_QUERY:,}")
    verify_text("the query", query)


def verify_text(what: str, text: str) -> None:
    """Raise `QueryError` with the position of the first character that is not allowed in text."""
    found = _NO_TEXT.search(text)
    if found is not None:
        kind = "a lone surrogate" if found.group() != "\0" else "a NUL"
        raise QueryError(
            f"{what} has {kind} (U+{ord(found.group()):04X}) at character {found.start() + 1}, expected text in UTF-8",
            position=found.start(),
        )
