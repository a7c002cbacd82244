"""The warehouse on a folder and on an object store's interface."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.registry.warehouse import Content, Warehouse, json_content, table_content
from legal_pipeline_tests import processes
from legal_pipeline_tests.damaged_bundles import damage

TABLE = pa.table({"chunk_id": ["a", "b"], "start_char": [0, 7]})


@pytest.fixture(params=["folder", "object store"])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path / "w" if request.param == "folder" else f"memory://{uuid.uuid4().hex}/w")


def test_what_is_written_is_read(warehouse: Warehouse) -> None:
    warehouse.write_table(("chunks", "paragraf"), "se-sfs-1999-1", TABLE)
    warehouse.write_json(("canonical_documents",), "se-sfs-1999-1", '{"title":"Lag om ö"}')
    warehouse.write("se-sfs-1999-1", Content(("raw_documents",), "raw", b"\x00\xff"))
    assert warehouse.read_table(("chunks", "paragraf"), "se-sfs-1999-1").equals(TABLE)
    assert warehouse.read_table(("chunks", "paragraf"), "se-sfs-1999-1", ["chunk_id"]).column_names == ["chunk_id"]
    assert warehouse.read_json(("canonical_documents",), "se-sfs-1999-1") == '{"title":"Lag om ö"}'
    assert warehouse.read_bytes(("raw_documents",), "se-sfs-1999-1") == b"\x00\xff"


def test_equal_tables_give_equal_bytes(warehouse: Warehouse) -> None:
    warehouse.write_table(("chunks",), "a", TABLE)
    warehouse.write_table(("chunks",), "b", TABLE)
    assert warehouse.read_bytes(("chunks",), "a", "table") == warehouse.read_bytes(("chunks",), "b", "table")


def test_documents_are_listed_without_those_of_assets_below(warehouse: Warehouse) -> None:
    assert warehouse.documents(("chunks",)) == []
    for document_id in ("us-cfr-8-204.5", "se-sfs-1999-1"):
        warehouse.write_table(("chunks",), document_id, TABLE)
    warehouse.write_table(("chunks", "paragraf"), "zw-act-1985-16", TABLE)
    assert warehouse.documents(("chunks",)) == ["se-sfs-1999-1", "us-cfr-8-204.5"]
    warehouse.delete(("chunks",), "se-sfs-1999-1")
    warehouse.delete(("chunks",), "se-sfs-1999-1")
    assert warehouse.documents(("chunks",)) == ["us-cfr-8-204.5"]
    assert not warehouse.exists(("chunks",), "se-sfs-1999-1")


def test_what_was_not_made_is_named(warehouse: Warehouse) -> None:
    with pytest.raises(DocumentError, match=r"se-sfs-1999-1: chunks/paragraf has not been made"):
        warehouse.read_table(("chunks", "paragraf"), "se-sfs-1999-1")


def test_a_damaged_table_is_named(warehouse: Warehouse) -> None:
    warehouse.write_table(("chunks",), "a", TABLE)
    (path,) = warehouse.files()
    warehouse.write_file(path, b"PAR1 and no more")
    for use in (warehouse.read_table, warehouse.read_stamp):
        with pytest.raises(DocumentError, match="a: chunks is damaged"):
            use(("chunks",), "a")
    with pytest.raises(DocumentError, match="is damaged"):  # what else it held is not known
        warehouse.write_table(("chunks",), "a", TABLE)
    assert warehouse.exists(("chunks",), "a")
    warehouse.delete(("chunks",), "a")
    assert not warehouse.exists(("chunks",), "a")


@pytest.mark.parametrize("wrong", ["../a", "a/b", "", ".", "..", "a\\b", "a\x00", "Å", "a" * 300, "/etc/passwd", "a\n"])
def test_a_document_id_is_never_a_path(warehouse: Warehouse, wrong: str) -> None:
    with pytest.raises(DocumentError):
        warehouse.write(wrong, Content(("raw_documents",), "raw", b""))


@pytest.mark.parametrize("wrong", ["../a", "a/../b", "a/..", "a//b", "/a", "./a", "a\\b", ""])
def test_a_file_of_a_backup_is_never_written_outside_of_the_warehouse(warehouse: Warehouse, wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="is not the path of a file of a warehouse"):
        warehouse.write_file(wrong, b"PAR1")


@pytest.mark.parametrize("wrong", [(), "chunks", ("..",), ("a/b",), ("",), (".hidden",)])
def test_an_asset_key_is_never_a_path(warehouse: Warehouse, wrong: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="asset key"):
        warehouse.write("a", Content(wrong, "raw", b""))


def test_a_writer_killed_half_way_leaves_the_old_file_and_a_leftover_that_is_cleaned(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.write("a", Content(("raw_documents",), "raw", b"old"))
    code = (
        "import os, signal, sys; from legal_pipeline.registry.warehouse import Content, Warehouse;"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL);"
        "Warehouse(sys.argv[1]).write('a', Content(('raw_documents',), 'raw', b'new'))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)]).returncode == -signal.SIGKILL
    assert warehouse.read_bytes(("raw_documents",), "a") == b"old"
    assert warehouse.documents(("raw_documents",), "raw") == ["a"]
    folder = Path(warehouse.location(("raw_documents",), "a")).parent
    assert len(os.listdir(folder)) == 2
    assert warehouse.clean(("raw_documents",)) == 0  # it could belong to a writer that is still at work
    assert warehouse.clean(("raw_documents",), older_than=0) == 1
    assert os.listdir(folder) == ["a.zip"]


def test_an_unknown_kind_of_root_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="nosuch://x"):
        Warehouse("nosuch://x")


def test_assets_that_are_made_together_are_one_file_and_none_is_lost(warehouse: Warehouse) -> None:
    warehouse.write_table(("chunks",), "a", TABLE, "made from 1")
    warehouse.write(
        "a", table_content(("superseded_chunks",), TABLE.slice(0, 0)), json_content(("superseded_chunks",), "{}")
    )
    assert len(warehouse.files()) == 1
    assert warehouse.read_stamp(("chunks",), "a") == "made from 1"
    assert warehouse.read_stamp(("superseded_chunks",), "a") is None
    warehouse.write("a", json_content(("chunks", "team"), "[]", "of another"))
    assert warehouse.read_stamps(("raptor_summaries",), "a") == {
        ("chunks",): "made from 1",
        ("chunks", "team"): "of another",
    }
    assert warehouse.read_stamps(("chunks",), "b") == {}
    assert warehouse.read_table(("superseded_chunks",), "a").equals(TABLE.slice(0, 0))  # made, and empty
    assert not warehouse.exists(("raptor_summaries",), "a")  # not made
    assert (warehouse.documents(("chunks",)), warehouse.documents(("raptor_summaries",))) == (["a"], [])
    warehouse.delete(("chunks",), "a")
    assert warehouse.read_json(("superseded_chunks",), "a") == "{}"
    with pytest.raises(ValueError, match="unpack"):  # not one write
        warehouse.write("a", table_content(("chunks",), TABLE), table_content(("chunk_embeddings",), TABLE))


def test_an_equal_write_leaves_the_file_as_it_was(warehouse: Warehouse) -> None:
    warehouse.write_table(("chunks",), "a", TABLE, "1")
    before = warehouse.file_versions(("chunks",))
    warehouse.write_table(("chunks",), "a", pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1)]), "1")
    assert warehouse.file_versions(("chunks",)) == before
    warehouse.write_table(("chunks",), "a", TABLE, "2")
    assert warehouse.file_versions(("chunks",)) != before


def test_a_damaged_content_is_named_and_the_others_in_its_file_are_read(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    for asset in ("chunks", "context_prefixes"):
        warehouse.write_table((asset,), "a", TABLE)
    damage(warehouse, ("chunks",), "a")
    warehouse.write_table(("quim_questions",), "a", TABLE)
    with pytest.raises(DocumentError, match="a: chunks is damaged: wrong checksum"):
        warehouse.read_table(("chunks",), "a")
    assert warehouse.read_table(("context_prefixes",), "a").equals(TABLE)


def test_a_file_with_a_damaged_index_is_set_aside_and_leaves_with_its_document(tmp_path: Path) -> None:
    """A repair deletes one content; the texts of the history in the same file are nowhere else."""
    warehouse = Warehouse(tmp_path)
    for asset in ("chunks", "context_prefixes"):
        warehouse.write_table((asset,), "a", TABLE)
    file = Path(warehouse.location(("chunks",), "a"))
    damaged = file.read_bytes()[:-40]
    file.write_bytes(damaged)
    warehouse.delete(("chunks",), "a")
    assert not warehouse.exists(("chunks",), "a")
    aside = file.with_name(f"{file.name}.damaged")
    assert aside.read_bytes() == damaged
    warehouse.write_table(("chunks",), "a", TABLE)
    assert warehouse.documents(("chunks",)) == ["a"]
    warehouse.delete_files([("chunks",)], "a", last=("chunks",))
    assert warehouse.files() == []


def test_processes_that_write_different_assets_of_a_document_lose_none(tmp_path: Path) -> None:
    code = (
        "import sys; from legal_pipeline.registry.warehouse import Warehouse\n"
        "for number in range(40): Warehouse(sys.argv[1]).write_json((sys.argv[2],), f'a-{number % 2}', str(number))"
    )
    assets = ("chunks", "context_prefixes", "quim_questions")
    writers = [processes.start([sys.executable, "-c", code, str(tmp_path), asset]) for asset in assets]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    for asset in assets:
        assert [Warehouse(tmp_path).read_json((asset,), f"a-{number}") for number in (0, 1)] == ["38", "39"]


def test_a_million_documents_are_at_most_a_thousand_in_a_folder(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    # every hundredth of them, so that a folder has a hundredth of its files
    places = Counter(
        Path(warehouse.location(("chunks",), f"se-sfs-{1900 + number % 125}-{number}")).parent
        for number in range(0, 1_000_000, 100)
    )
    assert max(places.values()) < 1000 / 50
    assert len({place.parent for place in places}) == 16
    assert max(Counter(place.parent for place in places).values()) <= 256


def test_folders_that_became_empty_are_deleted_with_those_above_them(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    for asset in ("chunks", "raw_documents"):
        warehouse.write_table((asset,), "a", TABLE)
    warehouse.delete(("chunks",), "a")
    warehouse.delete_empty_folders()
    assert not (tmp_path / "chunks").exists()
    assert warehouse.read_table(("raw_documents",), "a").equals(TABLE)
