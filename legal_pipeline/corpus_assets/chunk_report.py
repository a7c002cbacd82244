"""`chunk_report`: figures of every document's chunks as a table with a row per document, and their totals.

The rows are those of the registry (`corpus_assets.chunk_figures`); only documents whose chunks changed are read. Not here: the figures of
one document (`chunking.metrics`), and their display (`defs`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa

from legal_pipeline.corpus_assets import chunk_figures
from legal_pipeline.model.tables import required
from legal_pipeline.processing.stage import AssetKey, Resources
from legal_pipeline.registry.parts import delete_parts
from legal_pipeline.stores.replacement import batches

KEY: AssetKey = ("chunk_report",)

#: Name of the file with the whole table.
CORPUS = "corpus"

#: Rows that are Python objects at a time.
_GROUP = 1000

#: Columns of counts by name.
_COUNTED = ("by_strategy", "by_type", "anomalies")

SCHEMA = pa.schema(
    [
        *required("document_id"),
        *required("chunks", type=pa.int64()),
        *required("coverage", type=pa.float64()),
        *required(*_COUNTED, type=pa.map_(pa.string(), pa.int64())),
        *required("tokens", type=pa.list_(pa.int64())),
    ]
)


@dataclass(frozen=True)
class Totals:
    """The figures of all documents with chunks, `documents_read` of which were read again. `sizes`: tokens of each chunk, ascending."""

    documents: int
    by_strategy: dict[str, int]
    by_type: dict[str, int]
    anomalies: dict[str, int]
    sizes: list[int]
    lowest_coverage: float
    documents_read: int


def make_chunk_report(resources: Resources) -> Totals:
    """Write the table and return its totals. Documents without a chunk table are left out."""
    documents_read = chunk_figures.refresh(resources)
    columns = ("coverage", *_COUNTED, "tokens")
    rows = (
        {
            **row,
            **{name: list(row[name].items()) for name in _COUNTED},
            "chunks": len(row["tokens"]),
        }
        for row in chunk_figures.figures(resources.registry.database, *columns)
    )
    made = [pa.Table.from_pylist(group, schema=SCHEMA) for group in batches(rows, _GROUP)]
    table = pa.concat_tables([SCHEMA.empty_table(), *made])
    resources.warehouse.write_table(KEY, CORPUS, table)
    delete_parts(resources.warehouse, *KEY, "parts")  # earlier releases stored the rows here
    coverage = table["coverage"].to_pylist()
    return Totals(
        documents=table.num_rows,
        by_strategy=_sum(table["by_strategy"]),
        by_type=_sum(table["by_type"]),
        anomalies=_sum(table["anomalies"]),
        sizes=sorted(table["tokens"].combine_chunks().flatten().to_pylist()),
        lowest_coverage=min(coverage, default=1.0),
        documents_read=documents_read,
    )


def _sum(column: pa.ChunkedArray) -> dict[str, int]:
    """Return the sum of the counts of all documents, most frequent first."""
    total: Counter[str] = Counter()
    for chunk in column.iterchunks():
        for counts in chunk.to_pylist():
            total.update(dict(counts))
    return dict(total.most_common())
