"""Reads and writes the warehouse for assets that users hang on ours: one document, a range of them, or all.

Not here: our own assets, which the pipeline writes itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from dagster import InputContext, IOManager, OutputContext

from legal_pipeline.corpus.document import Document
from legal_pipeline.corpus.warehouse import Warehouse
from legal_pipeline.errors import DocumentError
from legal_pipeline.settings import Settings, load_settings

_COLUMN = "document_id"


class WarehouseIOManager(IOManager):
    """A downstream asset that takes `chunks` gets one `pyarrow.Table` (a `pandas.DataFrame` where the argument is annotated so) with
    the rows of its documents; `canonical_documents` gives `{document_id: Document}`. An asset that is not partitioned gets all documents.

    What a downstream asset returns, a table or a data frame, is written per document by its column `document_id`; without that
    column only for a single partition.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings

    @property
    def _warehouse(self) -> Warehouse:
        return Warehouse((self._settings or load_settings()).warehouse_root)

    def load_input(self, context: InputContext) -> Any:
        warehouse = self._warehouse
        asset = tuple(context.asset_key.path)
        json_documents = warehouse.documents(asset, "json")
        kind = "json" if json_documents else "parquet"
        there = json_documents or warehouse.documents(asset)
        if context.has_asset_partitions:
            keys: Sequence[str] = context.asset_partition_keys
            wanted = frozenset(keys)
            there = [document_id for document_id in there if document_id in wanted]
            if not there:
                raise DocumentError(f"{'/'.join(asset)} has not been made yet", document=", ".join(sorted(wanted)[:5]))
        if kind == "json":
            return {document_id: Document.loads(warehouse.read_json(asset, document_id)) for document_id in there}
        tables = [warehouse.read_table(asset, document_id).replace_schema_metadata(None) for document_id in there]
        table = pa.concat_tables(tables, promote_options="permissive") if tables else pa.table({})
        return table.to_pandas() if _wants_pandas(context) else table

    def handle_output(self, context: OutputContext, obj: Any) -> None:
        if obj is None:
            return
        table = obj if isinstance(obj, pa.Table) else pa.Table.from_pandas(obj, preserve_index=False)
        asset = tuple(context.asset_key.path)
        keys = list(context.asset_partition_keys) if context.has_asset_partitions else []
        if _COLUMN not in table.column_names:
            if len(keys) != 1:
                raise ValueError(f"{'/'.join(asset)}: a table for {len(keys)} documents needs a column {_COLUMN}")
            self._warehouse.write_table(asset, keys[0], table)
            return
        found = set(table[_COLUMN].to_pylist())
        if keys and (strange := found - set(keys)):
            raise ValueError(f"{'/'.join(asset)}: rows of documents that this run is not about: {sorted(strange)[:5]}")
        for document_id in keys or sorted(found):
            rows = table.filter(pc.equal(table[_COLUMN], document_id))
            self._warehouse.write_table(asset, document_id, rows)


def _wants_pandas(context: InputContext) -> bool:
    wanted = getattr(context.dagster_type, "typing_type", None)
    return getattr(wanted, "__module__", "").startswith("pandas")
