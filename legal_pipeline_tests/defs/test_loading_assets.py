"""Every asset of the graph loads as its table, or says what it is instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from dagster import AssetKey, DagsterInstance, Definitions, materialize

from legal_pipeline.defs import partitions
from legal_pipeline.defs.corpus_assets import chunk_report, chunks_jsonl
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.launch import ingest_source
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.errors import DocumentError, NotATableError
from legal_pipeline.model.document import Document
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.views.asset_tables import LOADERS
from legal_pipeline_tests.defs.test_remote_sensors import write_amendment
from legal_pipeline_tests.defs.test_runs import Log
from legal_pipeline_tests.pipeline.test_practice_areas import judgment
from legal_pipeline_tests.small_laws import write_law

LAW, ACT, AREA = "se-sfs-2024-1", "se-sfs-2025-10", "criminal"

#: Rows of the law and of the amending act, which is never chunked; None: as many as there are chunks of the law.
ROWS: dict[str, tuple[int | None, int]] = {
    "raw_documents": (1, 1),
    "amendments": (0, 1),
    "provision_versions": (3, 0),
    "cross_references": (2, 2),
    "chunks": (None, 0),
    "chunks/paragraf": (None, 0),
    "chunks/semantic": (0, 0),
    "context_prefixes": (0, 0),
    "raptor_summaries": (0, 0),
    "quim_questions": (0, 0),
    "superseded_chunks": (0, 0),
    "chunk_embeddings": (None, 0),
    "question_embeddings": (0, 0),
}

NO_TABLE = {
    "source_items": "rows of the table `source_items` in PostgreSQL",
    "qdrant_chunks": "points of the collection `legal_chunks` in Qdrant",
    "qdrant_questions": "points of the collection `quim_questions` in Qdrant",
    "pgvector_chunks": "rows of the table `legal_chunks` in PostgreSQL",
    "practice_areas": "rows of the table `practice_area_leaves` in PostgreSQL",
    "retrieval_evaluation": "metadata",
    "reconciliation": "metadata",
}


class Loading:
    """The assets of a law, of an act that amends it, and of two judgments, as a notebook loads them."""

    def __init__(self, settings: Settings, instance: DagsterInstance) -> None:
        self.settings = settings
        self._definitions: Definitions = build_definitions(settings=settings)
        self._instance = instance

    def __call__(self, key: str, partition: str | None = None, kind: type = pa.Table) -> Any:
        return self._definitions.load_asset_value(
            AssetKey(key.split("/")), python_type=kind, instance=self._instance, partition_key=partition
        )

    @property
    def keys(self) -> set[tuple[str, ...]]:
        return {tuple(key.path) for key in self._definitions.resolve_asset_graph().get_all_asset_keys()}


@pytest.fixture
def loading(make_settings: Callable[..., Settings], folder: Path, instance: DagsterInstance) -> Loading:
    write_law(folder, 1)
    write_amendment(folder, base=1)
    for number in (7, 8):
        (folder / f"{number}.txt").write_text(judgment(number), encoding="utf-8")
    settings = make_settings()
    log = Log()
    ingest_source(settings, DirectorySource(folder), report=log)
    assert log.failed == set()
    assert materialize([chunks_jsonl, chunk_report], resources={"pipeline": PipelineResource(loaded=settings)}).success
    instance.add_dynamic_partitions(partitions.NAME, ["zz-9"])
    return Loading(settings, instance)


@pytest.mark.slow
def test_every_asset_loads_as_its_table_or_says_what_it_is(loading: Loading) -> None:
    tables, others = {}, set()
    for key in sorted("/".join(key) for key in loading.keys):
        if key in NO_TABLE:
            partition = LAW if key.startswith(("qdrant", "pgvector", "source")) else None
            with pytest.raises(NotATableError, match=NO_TABLE[key]):
                loading(key, partition)
        elif key.startswith("chunks/") or key in ROWS:
            tables[key] = [loading(key, document) for document in (LAW, ACT)]
        else:
            others.add(key)
    assert others == {"canonical_documents", "chunks_jsonl", "chunk_report", "practice_area_trees"}

    chunks = loading("chunks", LAW).num_rows
    assert chunks > 3
    rows = {key: (found[0].num_rows, found[1].num_rows) for key, found in tables.items()}
    expected = {key: (chunks if law is None else law, act) for key, (law, act) in ROWS.items()}
    assert rows == dict.fromkeys(tables, (0, 0)) | expected
    # what has no rows has the same columns all the same
    for key in ("chunks/semantic", "amendments", "provision_versions", "superseded_chunks"):
        assert tables[key][0].schema.names == tables[key][1].schema.names != [], key
    assert tables["chunks/semantic"][0].schema.equals(tables["chunks"][0].schema)
    assert tables["amendments"][1]["base_law"].to_pylist() == ["SFS 2024:1"]

    document = loading("canonical_documents", LAW, dict)[LAW]
    assert isinstance(document, Document)
    assert loading("chunks_jsonl", kind=Path).is_file()
    report = loading("chunk_report", kind=pd.DataFrame).set_index("document_id")
    assert (report.loc[LAW, "chunks"], report.loc[LAW, "coverage"]) == (chunks, 1.0)
    assert loading("practice_area_trees", AREA).num_rows > 0
    with Pipeline.open(loading.settings) as pipeline, pipeline.registry.database.connection() as connection:
        for named in ("legal_chunks", "practice_area_leaves", "source_items"):
            assert connection.execute(f"select 1 from {named}").fetchone(), "the rows are where the message says"


@pytest.mark.slow
def test_loading_a_partition_lists_no_folder_and_names_what_was_not_made(
    loading: Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[Sequence[str]] = []
    original = Warehouse.documents

    def documents(self: Warehouse, asset: Sequence[str], *how: Any) -> list[str]:
        listed.append(asset)
        return original(self, asset, *how)

    monkeypatch.setattr(Warehouse, "documents", documents)
    for key in (*ROWS, "canonical_documents"):
        loading(key, LAW, object)
        with pytest.raises(DocumentError, match=f"zz-9: {key} has not been made yet"):
            loading(key, "zz-9")
    assert listed == []
    assert loading("amendments").num_rows == 1
    assert listed == [("canonical_documents",)]


def test_every_asset_has_its_way_of_loading() -> None:
    keys = {tuple(key.path) for key in build_definitions().resolve_asset_graph().get_all_asset_keys()}
    assert set(LOADERS) == keys


def test_nothing_was_made_yet(settings: Settings, instance: DagsterInstance) -> None:
    loading = Loading(settings, instance)
    assert loading("chunks").schema.names == loading("chunks/paragraf").schema.names
    for key in ("chunk_report", "chunks_jsonl"):
        with pytest.raises(DocumentError, match=f"{key} has not been made yet"):
            loading(key)
