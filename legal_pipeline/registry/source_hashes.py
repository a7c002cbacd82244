"""Checks whether the registry has the hashes of the bytes that a document was made from, and corrects them.

Not here: fetching the bytes (`stages.raw_documents`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.registry.database import Database

#: (source, item key, location)
ItemKey = tuple[str, str, str]

#: The hash of a single item, or the hash of the items' hashes in the order of their keys.
_EXPECTED = """(select case count(*) when 1 then min(sha256)
        else encode(sha256(string_agg(sha256, ',' order by source, item_key, location)::bytea), 'hex') end
    from source_items where document_id = {document_id} and missing_since is null)"""
_EXPECTED_OF_ONE, _EXPECTED_OF_EACH = (
    _EXPECTED.format(document_id=name) for name in ("%(document_id)s", "each.document_id")
)


def source_hashes(database: Database, document_ids: Sequence[str]) -> dict[str, str | None]:
    """Return the correct `source_sha256` of each document; None for one without items, or of a single item without a hash."""
    rows = database.rows(
        f"select each.document_id, {_EXPECTED_OF_EACH} as found from unnest(%s::text[]) as each (document_id)",  # noqa: S608
        (list(document_ids),),
    )
    return {row["document_id"]: row["found"] for row in rows}


def correct_hashes(database: Database, document_id: str, items: Mapping[ItemKey, str] = {}) -> None:
    """Record the hashes of the bytes fetched from these items, and compute the document's own hash again.

    The revision stays: no text changed, only the registry's record was wrong.
    """
    with database.connection() as connection:
        # as `Registry.register` does, so that neither overwrites the other's
        connection.execute("select from source_documents where document_id = %s for update", (document_id,))
        for (source, key, location), sha256 in items.items():
            connection.execute(
                "update source_items set sha256 = %s where source = %s and item_key = %s and location = %s",
                (sha256, source, key, location),
            )
        write_source_hash(connection, document_id)


def write_source_hash(connection: Any, document_id: str) -> None:
    """In the caller's transaction: compute the document's own hash from those of its items."""
    connection.execute(
        f"update source_documents set source_sha256 = coalesce({_EXPECTED_OF_ONE}, source_sha256)"  # noqa: S608
        " where document_id = %(document_id)s",
        {"document_id": document_id},
    )
