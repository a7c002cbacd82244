"""Erased documents: their removal from the registry, and the record that prevents their return.

The record has hashes, a reason and a time: no text, and no id, because an id may name the parties of a judgment. Not here: stores, files
and Dagster (`erasure`, `defs.erasing`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database

#: In place of a source: the key is the hash of the bytes of an erased item.
_CONTENT = "content"

#: In this order. The costs of paid answers stay: the sums of the budget do not change.
_ERASE = (
    """update llm_requests set state = 'failed', document_id = 'erased', answer = null, error = 'erased'
       where document_id = any(%(names)s) or document_id = any(%(trees)s)""",
    "delete from chunk_aliases where old_id = any(%(chunks)s) or chunk_id = any(%(chunks)s)",
    "delete from published_manifest where document_id = any(%(names)s)",
    "delete from subscription_messages where document_id = any(%(names)s)",
    "delete from subscriptions where document_id = any(%(names)s)",
    "delete from amendments where document_number = any(%(numbers)s)",
    "delete from practice_area_leaves where document_id = any(%(names)s)",
    # the next export compares them again
    """delete from chunk_sketches where document_id in (
           select document_id from chunk_repeats where earlier_document_id = any(%(names)s))""",
    "delete from source_items where document_id = any(%(names)s)",
    "delete from document_aliases where document_id = any(%(names)s) or old_id = any(%(names)s)",
    "delete from source_documents where document_id = any(%(names)s)",
)


class Erasures:
    """The operations on the record. Safe in any number of threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def names(self, document_id: str) -> list[str]:
        """Return the id and the former ids of the document."""
        rows = self._database.rows(
            "select old_id from document_aliases where document_id = %s order by old_id", (document_id,)
        )
        return [document_id, *(row["old_id"] for row in rows)]

    def record(self, names: Sequence[str], reason: str) -> None:
        """Record the erasure: from now on no source brings the document back under these ids, or by an item with only this document.

        Raises `ConfigurationError` while the document is in processing: its run would write it again.
        """
        with self._database.connection() as connection:
            busy = connection.execute(
                """select processing_status as status from source_documents
                   where document_id = any(%(names)s) and processing_status in ('processing', 'waiting')
                   union all select 'waiting' from llm_requests
                   where document_id = any(%(names)s) and state in ('submitting', 'submitted')""",
                {"names": list(names)},
            ).fetchone()
            if busy is not None:
                raise ConfigurationError(
                    f"{names[0]} is {busy['status']}: erase it when its run has ended (`legal-pipeline status` shows it)"
                )
            for name in names:
                connection.execute(
                    "insert into erasures (document_sha256, reason) values (%s, %s) on conflict do nothing",
                    (sha256_hex(name), reason),
                )
            items = connection.execute(
                """select distinct source, item_key from source_items i where document_id = any(%(names)s) and not exists (
                       select from source_items other where other.source = i.source and other.item_key = i.item_key
                           and not other.document_id = any(%(names)s))""",
                {"names": list(names)},
            ).fetchall()
            held = connection.execute(
                "select distinct sha256 from source_items where document_id = any(%s) and sha256 <> ''", (list(names),)
            ).fetchall()
            hashes = [_item_hash(item["source"], item["item_key"]) for item in items]
            for hash in (*hashes, *(_item_hash(_CONTENT, row["sha256"]) for row in held)):
                connection.execute(
                    "insert into erased_items (item_sha256, document_sha256) values (%s, %s) on conflict do nothing",
                    (hash, sha256_hex(names[0])),
                )

    def erase(
        self, names: Sequence[str], *, trees: Sequence[str], chunks: Collection[str], numbers: Sequence[str]
    ) -> None:
        """Delete the document from all tables except those of stores.

        This includes its `names`, the ids of its `chunks`, the amending acts of these `numbers`, and the paid answers about its `trees`.
        """
        values = {"names": list(names), "trees": list(trees), "chunks": list(chunks), "numbers": list(numbers)}
        with self._database.connection() as connection:
            for statement in _ERASE:
                connection.execute(statement, values)

    def exist(self) -> bool:
        """Return whether any document was ever erased."""
        return self._database.row("select 1 from erasures limit 1") is not None

    def erased_by(self, document_id: str, sha256: str = "") -> str | None:
        """Return the hash of the erased document with this id, or with an item of these bytes; None if there is none."""
        row = self._database.row(
            """select document_sha256 from erasures where document_sha256 = %s
               union all select document_sha256 from erased_items where item_sha256 = %s limit 1""",
            (sha256_hex(document_id), _item_hash(_CONTENT, sha256)),
        )
        return str(row["document_sha256"]) if row is not None else None

    def items(self, source: str, keys: Iterable[str]) -> frozenset[str]:
        """Return those of `keys` that contained only an erased document."""
        by_hash = {_item_hash(source, key): key for key in keys}
        rows = self._database.rows("select item_sha256 from erased_items where item_sha256 = any(%s)", (list(by_hash),))
        return frozenset(by_hash[row["item_sha256"]] for row in rows)

    def note_item(self, source: str, key: str, document_sha256: str) -> None:
        """Record a new item that contains only an erased document."""
        self._database.execute(
            "insert into erased_items (item_sha256, document_sha256) values (%s, %s) on conflict do nothing",
            (_item_hash(source, key), document_sha256),
        )

    def lift(self, document_id: str) -> bool:
        """Lift an erasure: the next poll of its source registers the document again. Returns False if it was not erased."""
        statement = "delete from erasures where document_sha256 = %s"
        return self._database.execute(statement, (sha256_hex(document_id),)) == 1


def _item_hash(source: str, key: str) -> str:
    return sha256_hex(f"{source}\0{key}")
