"""Documents that were compared in full without a difference, and the fingerprint of what was compared: the table `verified_documents`.

Not here: the fingerprints (`fingerprints`) and the comparison (`comparison`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from legal_pipeline.registry.database import Database


@dataclass(frozen=True, slots=True)
class RegistryState:
    """What the registry knows about a completed document.

    `rows_hash` changes with every row of the registry that its comparison reads, except amending acts. `verified` is its last full
    comparison, at `verified_at`; None if it was never compared or a difference was found.
    """

    document_id: str
    rows_hash: str
    verified: Verified | None
    verified_at: datetime | None


@dataclass(frozen=True, slots=True)
class Verified:
    """A document without a difference: a row of `verified_documents`."""

    document_id: str
    fingerprint: str
    format: str
    number: str | None


#: `xmin` is the transaction that wrote a row: every update changes it. `current`: texts of a day to come are not read yet.
_STATES = """
    with items as (
        select document_id, sum(hashtextextended(concat_ws(' ', source, item_key, location, xmin), 0)) as hash,
            count(*) filter (where as_of_date <= %(today)s) as current
        from source_items where document_id is not null group by document_id),
    manifests as (
        select document_id, sum(hashtextextended(concat_ws(' ', collection, xmin), 0)) as hash from published_manifest group by document_id)
    select d.document_id, concat_ws(' ', d.xmin, items.hash, items.current, manifests.hash) as rows_hash,
        v.fingerprint, v.format, v.number, v.verified_at
    from source_documents d left join verified_documents v using (document_id) left join items using (document_id)
        left join manifests using (document_id)
    where d.tombstoned_at is null and d.processing_status = 'completed'"""

_AMENDING_ACTS = """select number, sum(hashtextextended(concat_ws(' ', document_number, version), 0))::text as hash
    from (select document_number, xmin as version, document_number as number from amendments
          union all select document_number, xmin, base_law from amendments) as named group by number"""


class VerifiedDocuments:
    """The operations on verified documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def states(self, today: date) -> list[RegistryState]:
        """Return the state of every completed document on the day `today`; one statement for any number of documents."""
        return [
            RegistryState(
                row["document_id"],
                row["rows_hash"],
                Verified(row["document_id"], row["fingerprint"], row["format"], row["number"])
                if row["fingerprint"]
                else None,
                row["verified_at"],
            )
            for row in self._database.rows(_STATES, {"today": today})
        ]

    def amending_acts(self) -> dict[str, str]:
        """Return number of an act -> hash of the amending acts that have this number or amend this act."""
        return {row["number"]: row["hash"] for row in self._database.rows(_AMENDING_ACTS)}

    def record(self, documents: Sequence[Verified]) -> None:
        """Record the documents as compared now without a difference. Documents that were erased meanwhile are left out."""
        self._database.execute(
            """insert into verified_documents (document_id, fingerprint, format, number)
               select document_id, fingerprint, format, number
               from unnest(%s::text[], %s::text[], %s::text[], %s::text[]) as made (document_id, fingerprint, format, number)
                   join source_documents using (document_id)
               on conflict (document_id) do update set fingerprint = excluded.fingerprint, format = excluded.format,
                   number = excluded.number, verified_at = now()""",
            [
                [getattr(document, name) for document in documents]
                for name in ("document_id", "fingerprint", "format", "number")
            ],
        )

    def forget(self, document_ids: Collection[str]) -> None:
        """Delete the records: the next reconciliation compares the documents in full."""
        self._database.execute("delete from verified_documents where document_id = any(%s)", (list(document_ids),))
