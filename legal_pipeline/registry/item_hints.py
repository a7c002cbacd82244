"""What source items say of their documents beside the bytes (`source_items.hints`), for many documents at once.

Not here: the items themselves (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.registry.database import Database


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a document comes from, as far as its source or its sidecar says so: address, licence, and the last amending act that is worked
    into its text."""

    source_url: str | None = None
    licence: str | None = None
    consolidated_through: str | None = None


def base_laws_of(database: Database, document_ids: Sequence[str]) -> set[str]:
    """The laws that the documents say they amend, by number."""
    return set(_hint(database, "base_law", document_ids).values())


def consolidated_through(database: Database, document_ids: Sequence[str]) -> dict[str, str]:
    """The last amending act that is worked into each document's text (`2025:732`); a document that does not say is left out."""
    return _hint(database, "consolidated_through", document_ids)


def provenances(database: Database, document_ids: Sequence[str]) -> dict[str, Provenance]:
    """By document, of those that a source still has. Of several items of one document the last in the order of the words counts."""
    with database.connection() as connection:
        rows = connection.execute(
            """select document_id, max(coalesce(url, hints->>'source_url')) as source_url, max(hints->>'licence') as licence,
                   max(hints->>'consolidated_through') as consolidated_through
               from source_items where document_id = any(%s) and missing_since is null group by document_id""",
            (list(document_ids),),
        ).fetchall()
    return {row.pop("document_id"): Provenance(**row) for row in rows}


def withheld(database: Database, sources: Sequence[str]) -> set[str]:
    """Documents that must not be handed on: they come from one of `sources`, or an item of theirs says so (`may_export`)."""
    with database.reading() as connection:
        rows = connection.execute(
            """select distinct document_id from source_items
               where document_id is not null and (source = any(%s) or hints->'may_export' = 'false'::jsonb)""",
            (list(sources),),
        ).fetchall()
    return {row["document_id"] for row in rows}


def audiences(database: Database) -> dict[str, list[frozenset[str]]]:
    """Documents that are not for everybody -> the audience of each of their items that names one (`metadata.audience`).

    An audience that is neither a name nor a list of names is nobody. Items that vanished from their source count too.
    """
    with database.reading() as connection:
        rows = connection.execute(
            """select document_id, hints->'metadata'->'audience' as audience from source_items
               where document_id is not null and hints->'metadata' ? 'audience'"""
        ).fetchall()
    found: dict[str, list[frozenset[str]]] = {}
    for row in rows:
        named = row["audience"] if isinstance(row["audience"], list) else [row["audience"]]
        group = frozenset(name for name in named if isinstance(name, str) and name)
        found.setdefault(row["document_id"], []).append(group)
    return found


def _hint(database: Database, name: str, document_ids: Sequence[str]) -> dict[str, str]:
    with database.reading() as connection:
        rows = connection.execute(
            """select document_id, max(hints->>%(name)s) as value from source_items
               where document_id = any(%(ids)s) and hints ? %(name)s and missing_since is null group by document_id""",
            {"name": name, "ids": list(document_ids)},
        ).fetchall()
    return {row["document_id"]: row["value"] for row in rows}
