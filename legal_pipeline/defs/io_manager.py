"""Reads and writes the warehouse for downstream assets of users: one document, a range of documents, or all.

Not here: the loaded type of each of our assets (`views.asset_tables`), and how they are written (the pipeline writes them itself).
"""

# no `from __future__ import annotations`: Dagster reads the types of the fields
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from dagster import AssetKey, ConfigurableIOManager, InputContext, OutputContext, ResourceDependency
from pydantic import Field

from legal_pipeline.defs.asset_keys import AssetKeys
from legal_pipeline.defs.partitioning import partitioning
from legal_pipeline.defs.partitions import NAME
from legal_pipeline.defs.resources import Pipelines
from legal_pipeline.processing.stage import AssetKey as Key
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.views.asset_tables import LOADERS, load

_COLUMN = "document_id"


class WarehouseIOManager(ConfigurableIOManager):
    """Loads the pipeline's assets for downstream assets, and stores the results of downstream assets.

    A downstream asset that takes `chunks` gets one `pyarrow.Table` (a `pandas.DataFrame` if the argument has that annotation) with the rows
    of its documents; `canonical_documents` gives `{document_id: Document}`, `chunks_jsonl` the path of its file. Assets that are not tables
    raise `NotATableError` (`views.asset_tables`). An asset that is not partitioned gets all documents.

    The table or data frame that a downstream asset returns is written per document by its column `document_id`; without that column only
    for a single partition. The warehouse is that of `pipeline`'s settings.
    """

    pipeline: ResourceDependency[Pipelines]
    key_prefix: list[str] = Field(default=[], description="The prefix of the pipeline's assets in this code location.")

    @property
    def _warehouse(self) -> Warehouse:
        return Warehouse(self.pipeline.settings.warehouse_root)

    def _own(self, asset: AssetKey) -> Key:
        """Return the asset's key in the warehouse: a pipeline asset without the prefix, a team's asset with its whole key."""
        own = AssetKeys.behind(self.key_prefix).own(asset)
        return own if own in LOADERS else tuple(asset.path)

    def load_input(self, context: InputContext) -> Any:
        partitions = self._documents(context) if context.has_asset_partitions else None
        loaded = load(self.pipeline.settings, self._own(context.asset_key), partitions)
        return loaded.to_pandas() if isinstance(loaded, pa.Table) and _wants_pandas(context) else loaded

    def _documents(self, context: InputContext | OutputContext) -> list[str]:
        """Return the documents in the context's partitions, or the partitions themselves if they are not of documents."""
        keys = list(context.asset_partition_keys)
        own = partitioning(self.pipeline.settings)
        if own.buckets is None or getattr(context.asset_partitions_def, "name", None) != NAME:
            return keys
        with self.pipeline.open() as pipeline:
            return [name for found in own.documents_of(pipeline.registry, keys).values() for name in found]

    def handle_output(self, context: OutputContext, obj: Any) -> None:
        if obj is None:
            return
        table = obj if isinstance(obj, pa.Table) else pa.Table.from_pandas(obj, preserve_index=False)
        asset = self._own(context.asset_key)
        keys = self._documents(context) if context.has_asset_partitions else []
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
