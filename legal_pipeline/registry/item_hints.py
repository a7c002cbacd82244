"""Facts about documents from the hints of their source items (`source_items.hints`), for many documents at once.

Not here: the items themselves (`registry.registry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.registry.database import Database


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a document, as far as its source or its sidecar states it: address, licence, last consolidated amending act."""

    source_url: str | None = None
    licence: str | None = None
    consolidated_through: str | None = None


def base_laws_of(database: Database, document_ids: Sequence[str]) -> set[str]:
    """Return the numbers of the laws that the documents state they amend."""
    return set(_hint(database, "base_law", document_ids).values())


def consolidated_through(database: Database, document_ids: Sequence[str]) -> dict[str, str]:
    """Return the last amending act consolidated into each document's text (`2025:732`); documents that do not state it are left out."""
    return _hint(database, "consolidated_through", document_ids)


def provenances(database: Database, document_ids: Sequence[str]) -> dict[str, Provenance]:
    """Return the provenance by document, for items still in their source.

    Address and licence are of one item: one that has both, else one with a licence. The amending act is the last that any item states.
    """
    with database.reading() as connection:
        rows = connection.execute(
            """select distinct on (document_id) document_id, coalesce(url, hints->>'source_url') as source_url,
                   hints->>'licence' as licence, max(hints->>'consolidated_through') over (partition by document_id) as consolidated_through
               from source_items where document_id = any(%s) and missing_since is null
               order by document_id, hints->>'licence' is null, coalesce(url, hints->>'source_url') is null, source, item_key, location""",
            (list(document_ids),),
        ).fetchall()
    return {row.pop("document_id"): Provenance(**row) for row in rows}


def withheld(database: Database, sources: Sequence[str]) -> set[str]:
    """Return documents that must not be redistributed: they come from one of `sources`, or an item forbids it (`may_export`)."""
    with database.reading() as connection:
        rows = connection.execute(
            """select distinct document_id from source_items
               where document_id is not null and (source = any(%s) or hints->'may_export' = 'false'::jsonb)""",
            (list(sources),),
        ).fetchall()
    return {row["document_id"] for row in rows}


def audiences(database: Database) -> dict[str, list[frozenset[str]]]:
    """Return restricted documents -> the audience of each of their items that names an audience (`metadata.audience`).

    An audience that is neither a name nor a list of names matches no reader. Items that vanished from their source are included.
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
