"""The warehouse in an S3 store, over HTTP: which requests it makes, and that writers of one document lose nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest

from legal_pipeline.errors import StoreUnavailableError
from legal_pipeline.model import identity
from legal_pipeline.registry.warehouse import Warehouse, json_content, table_content
from legal_pipeline_tests import processes
from legal_pipeline_tests.s3_server import S3Server, s3_server

TABLE = pa.table({"chunk_id": ["a", "b"], "start_char": [0, 7]})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture
def warehouse(store: S3Server, request: pytest.FixtureRequest) -> Warehouse:
    found = Warehouse(f"s3://laws/{request.node.name}")
    store.requests()
    return found


def test_the_contents_of_a_stage_are_one_put_and_are_read_with_one_get(store: S3Server, warehouse: Warehouse) -> None:
    chunks, state = table_content(("chunks",), TABLE, "stamp"), json_content(("superseded_chunks",), "{}")
    warehouse.write("se-sfs-1999-1", chunks, state)
    assert store.methods()["PUT"] == 1
    assert warehouse.read_table(("chunks",), "se-sfs-1999-1").equals(TABLE)
    assert store.methods() == {"GET": 1}
    assert warehouse.read_stamp(("chunks",), "se-sfs-1999-1") == "stamp"
    assert store.methods() == {"GET": 1}
    warehouse.write("se-sfs-1999-1", chunks)  # equal: nothing is written
    assert store.methods()["PUT"] == 0
    assert not warehouse.exists(("chunks",), "se-sfs-1999-2")
    warehouse.delete(("chunks",), "se-sfs-1999-1")
    warehouse.delete(("superseded_chunks",), "se-sfs-1999-1", "json")
    assert warehouse.files() == []


def test_documents_are_listed_with_one_request_for_a_thousand(store: S3Server, warehouse: Warehouse) -> None:
    expected = [f"se-sfs-1999-{number}" for number in range(1, 31)]
    for document_id in expected:
        warehouse.write_table(("chunks",), document_id, TABLE)
    warehouse.write_table(("chunk_report", "parts"), "0a", TABLE)
    store.requests()
    assert sorted(warehouse.file_versions(("chunks",))) == sorted(expected)
    assert store.methods() == {"GET": 1}
    assert warehouse.file_versions(("chunk_report",)) == {}


def test_a_long_index_is_read_whole(store: S3Server, warehouse: Warehouse) -> None:
    # stamps longer than what is read for a stamp
    stamps = [identity.sha256_hex(str(number)) for number in range(3000)]
    many = [json_content(("expressions", stamp), stamp, stamp) for stamp in stamps]
    warehouse.write("se-sfs-1999-1", *many)
    assert warehouse.read_stamp(("expressions", stamps[-1]), "se-sfs-1999-1", "json") == stamps[-1]
    assert warehouse.read_json(("expressions", stamps[-1]), "se-sfs-1999-1") == stamps[-1]
    assert store.methods()["GET"] == 4  # to write; a stamp needs a second; to read


def test_processes_that_write_different_assets_of_a_document_lose_none(warehouse: Warehouse) -> None:
    code = (
        "import sys; from legal_pipeline.registry.warehouse import Warehouse\n"
        "for number in range(8): Warehouse(sys.argv[1]).write_json((sys.argv[2],), 'a', str(number))"
    )
    assets = ("chunks", "context_prefixes", "quim_questions")
    writers = [
        processes.start([sys.executable, "-c", code, warehouse.root, asset], stderr=subprocess.PIPE, text=True)
        for asset in assets
    ]
    assert [(writer.communicate(timeout=60)[1], writer.returncode) for writer in writers] == [("", 0)] * 3
    assert [warehouse.read_json((asset,), "a") for asset in assets] == ["7"] * 3


@pytest.mark.parametrize("variable", ["AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID"])
def test_a_store_that_does_not_answer_is_named(
    variable: str, store: S3Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No server at the address, and no credentials."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    if variable == "AWS_ENDPOINT_URL":
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    else:
        monkeypatch.delenv(variable)
        monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    fsspec.get_filesystem_class(
        "s3"
    ).clear_instance_cache()  # clients of the other tests have an address and credentials
    try:
        warehouse = Warehouse("s3://laws/unreachable")
        for call in (warehouse.files, lambda: warehouse.write_table(("chunks",), "se-sfs-1999-1", TABLE)):
            with pytest.raises(StoreUnavailableError, match="the warehouse at s3://laws/unreachable cannot be used: "):
                call()
    finally:
        fsspec.get_filesystem_class("s3").clear_instance_cache()
