"""`cross_references`: one row per citation, (document, eid) -> (work, eid): a knowledge graph as a table.

Not here: finding citations (`citations`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from legal_pipeline.chunking.annotate import Annotations, read_annotations
from legal_pipeline.model import identity
from legal_pipeline.model.tables import optional, required
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document
from legal_pipeline.stages import canonical_documents

KEY: AssetKey = ("cross_references",)

#: Incremented when a grammar finds different citations in any text.
VERSION = "19"

SCHEMA = pa.schema(
    [
        *required("document_id"),
        *optional("eid"),
        *required("start", "end", type=pa.int64()),
        *required("raw"),
        *optional("target_work_uri", "target_eid"),
        *required("kind"),
    ]
)


class CrossReferences:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`."""
        stamp = batch.table_stamp(KEY, document_id)
        version = batch.input_stamp(canonical_documents.KEY, document_id).data_version
        return stamp is not None and is_made_of(stamp, version)

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return _expected("")

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        def work(document_id: str) -> Materialized:
            canonical = batch.input_stamp(canonical_documents.KEY, document_id)
            inputs = {"canonical_documents": canonical.data_version}
            expected = _expected(canonical.data_version)
            old = batch.table_stamp(KEY, document_id)
            if old is not None and old.input_hash == expected and not batch.options.force:
                return Materialized(KEY, document_id, old.data_version, inputs, old.facts, True)
            references = annotations_of(batch, document_id).references
            facts = {"citations": len(references), "resolved": sum(item.work_uri is not None for item in references)}
            rows = [reference.row(document_id) for reference in references]
            stamp = Stamp(expected, identity.input_hash([list(row.values()) for row in rows]), facts)
            batch.write_table(KEY, document_id, pa.Table.from_pylist(rows, schema=SCHEMA), stamp)
            return Materialized(KEY, document_id, stamp.data_version, inputs, facts, False)

        yield from per_document(batch.document_ids, KEY, work)


def is_made_of(stamp: Stamp, canonical_version: str) -> bool:
    """Return whether a table with this stamp is of the text of this version, found by the present grammars."""
    return stamp.input_hash == _expected(canonical_version)


def _expected(canonical_version: str) -> str:
    return identity.input_hash("cross_references", VERSION, canonical_version)


def annotations_of(batch: Batch, document_id: str) -> Annotations:
    """Return citations and entities of a document, extracted once per run."""
    known = batch.annotations.get(document_id)
    if known is None:
        known = batch.annotations[document_id] = read_annotations(canonical_documents.load(batch, document_id))
    return known
