"""What the words of a search must be: text, and no more of it than a question has.

Not here: what a query cites (`retrieval.citation_query`).
"""

from __future__ import annotations

import re

from legal_pipeline.errors import QueryError

#: Characters: some two pages. Every word of a query is looked up in every collection.
MAX_QUERY = 4000

#: What no UTF-8 holds, and what PostgreSQL stores in no text.
_NO_TEXT = re.compile(r"[\ud800-\udfff\x00]")


def verify_query(query: str) -> None:
    """Raise `QueryError` for a query that is too long or is not text."""
    if len(query) > MAX_QUERY:
        raise QueryError(f"the query has {len(query):,} characters, expected at most {MAX_QUERY:,}")
    verify_text("the query", query)


def verify_text(what: str, text: str) -> None:
    """Raise `QueryError` with the place of the first character that can be in no text."""
    found = _NO_TEXT.search(text)
    if found is not None:
        kind = "a lone surrogate" if found.group() != "\0" else "a NUL"
        raise QueryError(
            f"{what} has {kind} (U+{ord(found.group()):04X}) at character {found.start() + 1}, expected text in UTF-8",
            position=found.start(),
        )
