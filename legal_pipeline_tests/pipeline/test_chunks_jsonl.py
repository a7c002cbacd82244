"""`chunks.jsonl` and the chunk report from the warehouse: whole or not at all, and at the cost of what changed."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from legal_pipeline.corpus_assets.chunk_report import make_chunk_report
from legal_pipeline.corpus_assets.chunks_jsonl import Exported, write_chunks_jsonl
from legal_pipeline.errors import ChunkingError, ConfigurationError, DocumentError
from legal_pipeline.model import identity, tables
from legal_pipeline.pipeline import Failed
from legal_pipeline.registry.parts import groups
from legal_pipeline.registry.warehouse import Kind, Warehouse
from legal_pipeline.stages.chunks import KEY
from legal_pipeline.views.akn_files import write_akn_files
from legal_pipeline_tests.pipeline.conftest import Bench, Law

TEXTS = ("En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda.")


def test_every_chunk_of_every_document_is_a_line_in_order(bench: Bench, law: Law, tmp_path: Path) -> None:
    bench.write("fyr.txt", law("2099:10", *TEXTS))
    bench.write("bak.txt", law("2099:2", TEXTS[0], "Båken ska målas röd.", title="om båkar"))
    bench.ingest()
    target = tmp_path / "chunks.jsonl"
    exported = write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, target)
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert exported == Exported(documents=2, chunks=5, near_duplicates=1, withheld=0, groups=1, groups_made=1)
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
    written = write_akn_files(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "akn")
    assert [file.name for file in written.files] == ["se-sfs-2099-10.xml"]
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


def test_a_document_whose_chunks_are_made_again_is_left_out_until_then(bench: Bench, law: Law, tmp_path: Path) -> None:
    for number in (10, 11):
        bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS))
    bench.ingest()
    registry, warehouse, target = bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "chunks.jsonl"
    write_chunks_jsonl(registry, warehouse, target)
    whole = target.read_text()
    warehouse.delete(
        KEY, "se-sfs-2099-10"
    )  # as a reconciliation does with a damaged table; its prefixes stay in the file
    write_chunks_jsonl(registry, warehouse, target)
    assert ("2099:10" in target.read_text(), "2099:11" in target.read_text()) == (False, True)
    assert not [event for event in bench.pipeline.run(["se-sfs-2099-10"]) if isinstance(event, Failed)]
    write_chunks_jsonl(registry, warehouse, target)
    assert target.read_text() == whole


def test_a_folder_that_is_not_there_is_a_configuration_error(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        write_chunks_jsonl(bench.pipeline.registry, bench.pipeline.warehouse, tmp_path / "nowhere" / "chunks.jsonl")


TO_CHUNKS = (("raw_documents",), ("canonical_documents",), ("cross_references",), KEY)


class CountingWarehouse(Warehouse):
    """The warehouse; counts the chunk tables that are opened."""

    opened = 0

    def read_table(self, asset: Sequence[str], document_id: str, columns: Sequence[str] | None = None) -> pa.Table:
        self.opened += tuple(asset) == KEY
        return super().read_table(asset, document_id, columns)

    def read_stamp(self, asset: Sequence[str], document_id: str, kind: Kind = "table") -> str | None:
        self.opened += tuple(asset) == KEY
        return super().read_stamp(asset, document_id, kind)

    def read_stamps(self, asset: Sequence[str], document_id: str) -> dict[tuple[str, ...], str]:
        self.opened += tuple(asset) == KEY
        return super().read_stamps(asset, document_id)


def chunk(bench: Bench, *document_ids: str) -> None:
    events = list(bench.pipeline.run(document_ids, TO_CHUNKS))
    assert len(events) >= 4 * len(document_ids)


def write_laws(bench: Bench, law: Law, numbers: range) -> None:
    """Registered laws with the chunks of the first of them: parsing is not what is counted here."""
    for number in numbers:
        bench.write(f"{number}.txt", law(f"2099:{number}", *TEXTS, f"Fyr {number} ska vara vit."))
    first, *others = bench.register().to_run
    chunk(bench, first)
    warehouse = bench.pipeline.warehouse
    table, stamp = warehouse.read_table(KEY, first), warehouse.read_stamp(KEY, first)
    for document_id in others:
        rows = [
            {**row, "document_id": document_id, "chunk_id": identity.sha256_hex(f"{document_id} {row['seq']}")[:16]}
            for row in table.to_pylist()
        ]
        warehouse.write_table(KEY, document_id, pa.Table.from_pylist(rows, schema=table.schema), stamp)


def export(bench: Bench, target: Path) -> tuple[Any, Any, int]:
    """(the export, the report, chunk tables that were opened for both)"""
    warehouse = CountingWarehouse(bench.pipeline.warehouse.root)
    resources = dataclasses.replace(bench.pipeline.resources, warehouse=warehouse)
    exported = write_chunks_jsonl(bench.pipeline.registry, warehouse, target)
    return exported, make_chunk_report(resources), warehouse.opened


def test_a_changed_document_costs_the_same_in_a_corpus_of_any_size(bench: Bench, law: Law, tmp_path: Path) -> None:
    target = tmp_path / "chunks.jsonl"
    opened = []
    for numbers in (range(100, 137), range(137, 174), range(174, 248)):
        write_laws(bench, law, numbers)
        export(bench, target)
        bench.write("110.txt", law("2099:110", *TEXTS, f"Fyr 110 ska målas {len(opened)} gånger."))
        chunk(bench, *bench.register().to_run)
        exported, totals, tables_read = export(bench, target)
        assert (exported.groups_made, totals.documents_read) == (1, 1)
        assert exported.chunks == len(totals.sizes) == 4 * exported.documents
        opened.append(tables_read)
    assert exported.documents == 148
    assert opened[2] == opened[1] == opened[0] > 0, "chunk tables that are opened at n, 2n and 4n documents"
    assert export(bench, target)[2] == 0, "nothing has changed"
    copied = target.read_bytes()
    target.unlink()
    assert export(bench, target)[0].groups_made == exported.groups > 2
    assert target.read_bytes() == copied


def test_an_export_after_changes_is_the_export_made_anew(bench: Bench, law: Law, tmp_path: Path) -> None:
    target = tmp_path / "chunks.jsonl"
    write_laws(bench, law, range(100, 180))
    export(bench, target)
    bench.write("150.txt", law("2099:150", *TEXTS[:2], "En båk ska stå på varje skär."))
    bench.write(
        "0.txt", law("2099:0", *TEXTS, title="om alla fyrar")
    )  # the first: what it says is repeated by all others
    bench.write("9.txt", law("2099:99", "En båk ska stå på varje skär."))
    (bench.folder / "170.txt").unlink()
    chunk(bench, *bench.register().to_run)
    bench.register()
    exported, totals, _ = export(bench, target)
    after_changes = target.read_bytes()
    shutil.rmtree(Path(bench.pipeline.warehouse.root) / "chunks_jsonl")
    with bench.pipeline.registry.database.connection() as connection:
        connection.execute("truncate chunk_figures")
        connection.execute("truncate chunk_sketches cascade")
    anew, totals_anew, _ = export(bench, target)
    assert target.read_bytes() == after_changes
    assert exported.documents == 81
    assert dataclasses.replace(exported, groups_made=0) == dataclasses.replace(anew, groups_made=0)
    assert dataclasses.replace(totals, documents_read=0) == dataclasses.replace(totals_anew, documents_read=0)
    assert totals_anew.documents_read == 81
    assert anew.groups_made == anew.groups > 1


def test_a_file_that_something_else_changed_is_made_again_and_parts_of_earlier_releases_leave(
    bench: Bench, law: Law, tmp_path: Path
) -> None:
    target = tmp_path / "chunks.jsonl"
    write_laws(bench, law, range(102, 105))
    bench.pipeline.warehouse.write_json(("chunks_jsonl", "sketches"), "0123abcd", "{}")
    export(bench, target)
    first = target.read_bytes()
    root = Path(bench.pipeline.warehouse.root) / "chunks_jsonl"
    assert not [*(root / "sketches").rglob("*.zip")]
    target.write_bytes(first[:-10])  # not by the export
    assert export(bench, target)[0].groups_made == 1
    assert target.read_bytes() == first
    target.unlink()
    assert export(bench, target)[0].groups_made == 1
    assert target.read_bytes() == first


def test_a_new_document_changes_the_group_that_it_stands_in_alone() -> None:
    ids = [f"se-sfs-2099-{number:05}" for number in range(0, 20_000, 2)]
    before = set(groups(ids))
    assert [document_id for group in groups(ids) for document_id in group] == ids
    assert 20 < len(ids) / len(before) < 45
    for number in range(1, 20_000, 200):
        after = set(groups(sorted([*ids, f"se-sfs-2099-{number:05}"])))
        assert len(before - after) == 1
        assert len(after - before) <= 2
