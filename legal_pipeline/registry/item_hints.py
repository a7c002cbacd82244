"""What source items say of their documents beside the bytes (`source_items.hints`), for many documents at once.

Not here: the items themselves (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.registry.database import Database


def base_laws_of(database: Database, document_ids: Sequence[str]) -> set[str]:
    """The laws that the documents say they amend, by number."""
    return set(_hint(database, "base_law", document_ids).values())


def consolidated_through(database: Database, document_ids: Sequence[str]) -> dict[str, str]:
    """The last amending act that is worked into each document's text (`2025:732`); a document that does not say is left out."""
    return _hint(database, "consolidated_through", document_ids)


def withheld(database: Database, sources: Sequence[str]) -> set[str]:
    """Documents that must not be handed on: they come from one of `sources`, or an item of theirs says so (`may_export`)."""
    with database.connection() as connection:
        rows = connection.execute(
            """select distinct document_id from source_items
               where document_id is not null and (source = any(%s) or hints->'may_export' = 'false'::jsonb)""",
            (list(sources),),
        ).fetchall()
    return {row["document_id"] for row in rows}


def _hint(database: Database, name: str, document_ids: Sequence[str]) -> dict[str, str]:
    with database.connection() as connection:
        rows = connection.execute(
            """select document_id, max(hints->>%(name)s) as value from source_items
               where document_id = any(%(ids)s) and hints ? %(name)s and missing_since is null group by document_id""",
            {"name": name, "ids": list(document_ids)},
        ).fetchall()
    return {row["document_id"]: row["value"] for row in rows}
