"""The metadata of a materialization in the UI: numbers and texts, lists and counts as tables, sizes as quantiles and bars, and links.

Not here: the facts that a stage reports (`stages`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dagster import MetadataValue, TableColumn, TableRecord, TableSchema

from legal_pipeline.chunking.histogram import histogram_line
from legal_pipeline.pipeline import STRATEGIES, Materialized
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.stages import amendments, pgvector_chunks, qdrant_chunks, qdrant_questions
from legal_pipeline.stages.chunks import SIZES

#: Assets that are rows or points of a database and have no file.
_NO_FILE = frozenset({amendments.KEY, pgvector_chunks.KEY, qdrant_chunks.KEY, qdrant_questions.KEY})

#: The quantiles shown for a distribution of sizes; the UI plots them over time.
_QUANTILES = ("median", "p95", "maximum")

#: Maximum rows of a table: the anomalies of an Act with thousands of sections would fill the log.
_MOST_ROWS = 50

#: The fact that counts the rows of an asset's table, or its points in a store.
ROW_COUNTS = ("rows", "chunks", "citations", "vectors", "points")

_Cell = str | int | float | bool | None


def event_metadata(event: Materialized, warehouse: Warehouse) -> dict[str, Any]:
    """Return the facts of an event, its number of rows, the link to its file, and `reused` if the result was reused."""
    rows = [event.metadata[name] for name in ROW_COUNTS if name in event.metadata]
    count = {"dagster/row_count": rows[0]} if rows else {}
    return {**shown(event.metadata), **count, **_file(event, warehouse), **({"reused": True} if event.reused else {})}


def shown(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts as metadata: numbers and texts as they are, lists of rows and counts as tables."""
    metadata: dict[str, Any] = {}
    for name, value in facts.items():
        metadata |= _shown(name, value)
    return metadata


def _shown(name: str, value: Any) -> dict[str, Any]:
    """Return the metadata of one fact; empty values are not shown."""
    if value is None or (isinstance(value, Sequence | Mapping) and not value):
        return {}
    if isinstance(value, str):
        return {name: MetadataValue.url(value) if value.startswith(("http://", "https://")) else value}
    if isinstance(value, int | float):
        return {name: value}
    if name == SIZES:
        return {"tokens_per_chunk": histogram_line(value)}
    if isinstance(value, Mapping):
        if value.keys() >= {*_QUANTILES, "minimum", "mean"}:
            if not any(value.values()):
                return {}
            return {f"{name}_{quantile}": value[quantile] for quantile in _QUANTILES}
        if all(map(_is_cell, value.values())):
            return _rows(name, [{"of": key, "count": cell} for key, cell in value.items()])
        return {name: MetadataValue.json(value)}
    rows = list(value)
    if all(isinstance(row, Mapping) and all(map(_is_cell, row.values())) for row in rows):
        return _rows(name, rows)
    if all(isinstance(row, str) for row in rows):
        return _rows(name, [{name: row} for row in rows])
    return {name: MetadataValue.json(value)}


def _rows(name: str, rows: Sequence[Mapping[str, _Cell]]) -> dict[str, Any]:
    """Return a table; for a long table its first rows and the total number."""
    more = {f"{name}_in_all": len(rows)} if len(rows) > _MOST_ROWS else {}
    return {name: _table(rows[:_MOST_ROWS]), **more}


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _table(rows: Sequence[Mapping[str, _Cell]]) -> MetadataValue[Any]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [TableColumn(name, _column_type([row.get(name) for row in rows])) for name in names]
    records = [TableRecord({name: _plain(row.get(name)) for name in names}) for row in rows]
    return MetadataValue.table(records=records, schema=TableSchema(columns))


def _plain(cell: _Cell) -> _Cell:
    """Return members of our own enumerations (`Task`) as plain texts, because Dagster cannot write them."""
    return str(cell) if isinstance(cell, str) else cell


def _column_type(cells: Sequence[_Cell]) -> str:
    kinds = {type(cell) for cell in cells if cell is not None}
    return {int: "int", float: "float", bool: "bool"}.get(kinds.pop(), "string") if len(kinds) == 1 else "string"


def _file(event: Materialized, warehouse: Warehouse) -> dict[str, Any]:
    has_lost_its_chunks = event.asset_key in STRATEGIES and not event.metadata["chunks"]
    if event.asset_key in _NO_FILE or has_lost_its_chunks:
        return {}
    place = warehouse.location(event.asset_key, event.document_id)
    return {"warehouse_file": MetadataValue.path(place) if warehouse.is_local else MetadataValue.url(place)}
