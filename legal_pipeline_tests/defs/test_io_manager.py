"""Assets that users hang on ours: they get the rows of one document, of a range, or of all."""

# no `from __future__ import annotations`: Dagster reads the types of the assets' arguments
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from dagster import AssetSpec, DagsterInstance, asset, materialize

from legal_pipeline.defs.io_manager import WarehouseIOManager
from legal_pipeline.defs.partitions import NAME, documents
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.model.document import Document
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings

IDS = ["a-1", "b-2", "c-3"]
CHUNKS = AssetSpec("chunks", partitions_def=documents)
CANONICAL = AssetSpec("canonical_documents", partitions_def=documents)


@asset(partitions_def=documents)
def chunk_lengths(chunks: pa.Table) -> pa.Table:
    return chunks.append_column("length", pa.array([len(text) for text in chunks["chunk_text"].to_pylist()]))


@asset
def corpus_frame(context, chunks: pd.DataFrame) -> None:
    context.add_output_metadata({"documents": sorted(chunks["document_id"].unique().tolist())})


@asset(partitions_def=documents)
def titles(context, canonical_documents: dict) -> None:
    context.add_output_metadata({"titles": {key: document.title for key, document in canonical_documents.items()}})


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    warehouse = Warehouse(settings.warehouse_root)
    for document_id in IDS:
        rows = {"document_id": [document_id] * 2, "chunk_text": ["x", document_id * 3]}
        warehouse.write_table(("chunks",), document_id, pa.table(rows))
        document = Document(document_id, "Text.", (), f"Lag {document_id}", "se", "act", "swe", "plain", "1")
        warehouse.write_json(("canonical_documents",), document_id, document.dumps())
    return warehouse


def run(settings: Settings, assets: list, keys: list[str] = IDS, **how):
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(NAME, keys)
        return materialize(
            assets,
            instance=instance,
            resources={"io_manager": WarehouseIOManager(pipeline=PipelineResource(loaded=settings))},
            selection=[assets[-1]],
            **how,
        )


def test_a_partition_gets_and_writes_its_own_rows(settings: Settings, warehouse: Warehouse) -> None:
    assert run(settings, [CHUNKS, chunk_lengths], partition_key="b-2").success
    assert warehouse.documents(("chunk_lengths",)) == ["b-2"]
    assert warehouse.read_table(("chunk_lengths",), "b-2")["length"].to_pylist() == [1, 9]


def test_a_range_is_read_at_once_and_written_per_document(settings: Settings, warehouse: Warehouse) -> None:
    tags = {"dagster/asset_partition_range_start": "a-1", "dagster/asset_partition_range_end": "b-2"}
    assert run(settings, [CHUNKS, chunk_lengths], tags=tags).success
    assert warehouse.documents(("chunk_lengths",)) == ["a-1", "b-2"]
    assert warehouse.read_table(("chunk_lengths",), "a-1")["document_id"].to_pylist() == ["a-1", "a-1"]


def test_a_bucket_is_read_at_once_and_written_per_document(
    settings: Settings, warehouse: Warehouse, database: Database
) -> None:
    for document_id in IDS:
        Registry(database).register(RegisteredItem("files", document_id, document_id))
    buckets = settings.model_copy(update={"partitioning": "buckets", "buckets": 1})
    assert run(buckets, [CHUNKS, chunk_lengths], keys=["files/0"], partition_key="files/0").success
    assert warehouse.documents(("chunk_lengths",)) == IDS


def test_an_asset_without_partitions_gets_all_documents_as_a_data_frame(
    settings: Settings, warehouse: Warehouse
) -> None:
    result = run(settings, [CHUNKS, corpus_frame])
    metadata = result.asset_materializations_for_node("corpus_frame")[0].metadata
    assert metadata["documents"].value == IDS


def test_canonical_documents_come_as_documents(settings: Settings, warehouse: Warehouse) -> None:
    result = run(settings, [CANONICAL, titles], partition_key="c-3")
    metadata = result.asset_materializations_for_node("titles")[0].metadata
    assert metadata["titles"].value == {"c-3": "Lag c-3"}


def test_a_partition_that_was_not_made_is_named(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="a-1: chunks has not been made yet"):
        run(settings, [CHUNKS, chunk_lengths], partition_key="a-1")


def test_rows_of_another_document_are_refused(settings: Settings, warehouse: Warehouse) -> None:
    @asset(partitions_def=documents)
    def wrong(chunks: pa.Table) -> pa.Table:
        return pa.table({"document_id": ["c-3"]})

    with pytest.raises(Exception, match="c-3"):
        run(settings, [CHUNKS, wrong], partition_key="a-1")
    assert warehouse.documents(("wrong",)) == []
