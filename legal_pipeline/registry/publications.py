"""What the points of each document in a collection were last made of: the table `publications`.

Not here: what readers see (`registry.manifests`), and the comparison with the store (`processing.publication`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from legal_pipeline.registry.database import Database


class Published(NamedTuple):
    """`made_from`: hash of the inputs; `data_version`: of the points; `row_hashes`: hash of the row hashes of all points."""

    made_from: str
    data_version: str
    row_hashes: str


def record(database: Database, found: Mapping[str, Published], store: str, collection: str) -> None:
    """Record these documents' points. Documents that are not in the registry are skipped."""
    database.execute(
        """insert into publications
           select document_id, %s, %s, made_from, data_version, row_hashes
           from unnest(%s::text[], %s::text[], %s::text[], %s::text[]) as new (document_id, made_from, data_version, row_hashes)
               join source_documents using (document_id)
           order by document_id
           on conflict (document_id, store, collection) do update set made_from = excluded.made_from,
               data_version = excluded.data_version, row_hashes = excluded.row_hashes""",
        (store, collection, list(found), *map(list, zip(*found.values(), strict=True))),
    )


def read(database: Database, document_ids: Sequence[str], store: str, collection: str) -> dict[str, Published]:
    """Return the records of the documents that have one."""
    rows = database.rows(
        """select document_id, made_from, data_version, row_hashes from publications
           where document_id = any(%s) and store = %s and collection = %s""",
        (list(document_ids), store, collection),
    )
    return {row.pop("document_id"): Published(**row) for row in rows}


def forget_collection(database: Database, store: str, collection: str) -> None:
    """Delete the records of a dropped collection."""
    database.execute("delete from publications where store = %s and collection = %s", (store, collection))
