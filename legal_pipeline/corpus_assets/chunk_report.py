"""`chunk_report`: figures of every document's chunks as a table with a row per document, and their totals.

The rows are computed per group of documents (`registry.parts`); a change of one document recomputes only its group. Not here: the figures
of one document (`chunking.metrics`), and their display (`defs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from legal_pipeline.model import identity
from legal_pipeline.processing.stage import AssetKey, Batch, Resources
from legal_pipeline.registry.parts import Parts, groups
from legal_pipeline.stages import chunks

KEY: AssetKey = ("chunk_report",)

#: Name of the file with the whole table.
CORPUS = "corpus"

#: Incremented when the same chunks give other figures.
VERSION = "1"

_COUNTS = pa.map_(pa.string(), pa.int64())

SCHEMA = pa.schema(
    [
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("chunks", pa.int64(), nullable=False),
        pa.field("coverage", pa.float64(), nullable=False),
        pa.field("by_strategy", _COUNTS, nullable=False),
        pa.field("by_type", _COUNTS, nullable=False),
        pa.field("anomalies", _COUNTS, nullable=False),
        pa.field("tokens", pa.list_(pa.int64()), nullable=False),
    ]
)


@dataclass(frozen=True)
class Totals:
    """The figures of all documents with chunks. `sizes`: tokens of each chunk, ascending. Of `groups` groups of documents, the rows of
    `groups_made` groups were computed again."""

    documents: int
    by_strategy: dict[str, int]
    by_type: dict[str, int]
    anomalies: dict[str, int]
    sizes: list[int]
    lowest_coverage: float
    groups: int
    groups_made: int


def make_chunk_report(resources: Resources) -> Totals:
    """Write the table and return its totals. Documents without a chunk table are left out."""
    warehouse = resources.warehouse
    files = warehouse.file_versions(chunks.KEY)
    ids = [document.document_id for document in resources.registry.documents() if document.document_id in files]
    parts = Parts(warehouse, *KEY, "parts")
    members = list(groups(ids))
    found = [
        parts.table(
            identity.input_hash(KEY, VERSION, [[document_id, files[document_id]] for document_id in group]),
            lambda group=group: _rows(resources, group),  # type: ignore[misc]
        )
        for group in members
    ]
    table = pa.concat_tables([SCHEMA.empty_table(), *found])
    warehouse.write_table(KEY, CORPUS, table)
    parts.sweep()
    coverage = table["coverage"].to_pylist()
    return Totals(
        documents=table.num_rows,
        by_strategy=_sum(table["by_strategy"]),
        by_type=_sum(table["by_type"]),
        anomalies=_sum(table["anomalies"]),
        sizes=sorted(table["tokens"].combine_chunks().flatten().to_pylist()),
        lowest_coverage=min(coverage, default=1.0),
        groups=len(members),
        groups_made=parts.made,
    )


def _rows(resources: Resources, group: Sequence[str]) -> pa.Table:
    batch = Batch(list(group), resources)
    stamps = {document_id: batch.table_stamp(chunks.KEY, document_id) for document_id in group}
    rows = [_row(document_id, stamp.facts) for document_id, stamp in stamps.items() if stamp is not None]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _row(document_id: str, facts: dict[str, Any]) -> dict[str, Any]:
    anomalies = Counter(anomaly["kind"] for anomaly in facts["anomalies"])
    sizes = facts[chunks.SIZES]
    return {
        "document_id": document_id,
        "chunks": len(sizes),
        "coverage": float(facts["coverage"]),
        "by_strategy": list(facts["by_strategy"].items()),
        "by_type": list(facts["by_type"].items()),
        "anomalies": list(anomalies.items()),
        "tokens": sizes,
    }


def _sum(column: pa.ChunkedArray) -> dict[str, int]:
    """Return the sum of the counts of all documents, most frequent first."""
    total: Counter[str] = Counter()
    for counts in column.to_pylist():
        total.update(dict(counts))
    return dict(total.most_common())
