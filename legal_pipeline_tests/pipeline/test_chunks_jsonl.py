"""`chunks.jsonl` from the warehouse: whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legal_pipeline.corpus import tables
from legal_pipeline.errors import ChunkingError, ConfigurationError, DocumentError
from legal_pipeline.stages.akn_files import write_akn_files
from legal_pipeline.stages.chunks import KEY
from legal_pipeline.stages.chunks_jsonl import Exported, write_chunks_jsonl
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")


def test_every_chunk_of_every_document_is_a_line_in_order(bench: Bench, law: Law, tmp_path: Path) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("bak.txt", law("2099:2", TEXTS[0], "Båken ska målas röd.", title="om båkar"))
    bench.ingest()
    target = tmp_path / "chunks.jsonl"
    exported = write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, target)
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert exported == Exported(documents=2, chunks=5, near_duplicates=1, withheld=0)
    assert [(line["doc_id"], line["section_path"]) for line in lines] == [
        *(("se-sfs-2099-10", f"kap0.§{number}") for number in (1, 2, 3)),
        *(("se-sfs-2099-2", f"kap0.§{number}") for number in (1, 2)),
    ]
    assert lines[3]["metadata"]["near_duplicate_of"] == lines[0]["chunk_id"]
    first = target.read_bytes()
    write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, target)
    assert target.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir() if "jsonl" in path.name] == ["chunks.jsonl"]


def test_a_document_that_must_not_be_handed_on_is_left_out_and_counted(bench: Bench, law: Law, tmp_path: Path) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("bak.txt", law("2099:2", "Båken ska målas röd.", title="om båkar"))
    bench.write("bak.txt.meta.json", json.dumps({"may_export": False}))
    bench.ingest()
    target = tmp_path / "chunks.jsonl"
    exported = write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, target)
    assert (exported.documents, exported.withheld) == (1, 1)
    assert 'se-sfs-2099-2"' not in target.read_text("utf-8")
    files = write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "akn")
    assert [file.name for file in files] == ["se-sfs-2099-10.xml"]
    with pytest.raises(DocumentError, match="forbids"):
        write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "akn", ["se-sfs-2099-2"])


def test_a_row_that_does_not_fit_leaves_the_old_file_and_nothing_beside_it(
    bench: Bench, law: Law, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.ingest()
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "chunks.jsonl"
    target.write_text("old\n")
    warehouse = bench.pipeline.warehouse
    found = warehouse.read_table(KEY, "se-sfs-2099-10").to_pylist()
    found[-1]["language"] = "Swedish"
    warehouse.write_table(KEY, "se-sfs-2099-10", tables.table(found, tables.CHUNKS))
    with pytest.raises(ChunkingError, match="language"):
        write_chunks_jsonl(bench.pipeline.registry, warehouse, target)
    assert target.read_text() == "old\n"
    assert [path.name for path in folder.iterdir()] == ["chunks.jsonl"]


def test_a_folder_that_is_not_there_is_a_configuration_error(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "nowhere" / "chunks.jsonl")
