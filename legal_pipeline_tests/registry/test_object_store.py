"""The warehouse in an S3 store, over HTTP: which requests it makes, and that writers of one document lose nothing."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from legal_pipeline.model import identity
from legal_pipeline.registry.warehouse import Warehouse, json_content, table_content
from legal_pipeline_tests import processes
from legal_pipeline_tests.webserver import wait_for

pytest.importorskip("s3fs", reason="the package s3fs is not installed (`pip install 'legal-pipeline[dev]'`)")
pytest.importorskip("moto", reason="the package moto is not installed (`pip install 'legal-pipeline[dev]'`)")

TABLE = pa.table({"chunk_id": ["a", "b"], "start_char": [0, 7]})
_REQUEST = re.compile(r'"([A-Z]+) /laws\S* HTTP')


class Store:
    """A bucket of a server for this module, and the requests that it has got."""

    def __init__(self, url: str, log: Path) -> None:
        self.url, self._log, self._seen = url, log, 0

    def requests(self) -> Counter[str]:
        """The requests since the last call, by method."""
        text = self._log.read_text()
        new, self._seen = text[self._seen :], len(text)
        return Counter(_REQUEST.findall(new))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url, log = f"http://127.0.0.1:{port}", tmp_path_factory.mktemp("s3") / "log"
    with processes.ended(), log.open("w") as output, pytest.MonkeyPatch.context() as environment:
        for name, value in (
            ("AWS_ENDPOINT_URL", url), ("AWS_ACCESS_KEY_ID", "law"), ("AWS_SECRET_ACCESS_KEY", "law"), ("AWS_DEFAULT_REGION", "us-east-1"),
        ):  # fmt: skip
            environment.setenv(name, value)
        processes.start(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stderr=output, stdout=output
        )

        def is_up() -> bool:
            try:
                urllib.request.urlopen(urllib.request.Request(f"{url}/laws", method="PUT"), timeout=5).close()
            except OSError:
                return False
            return True

        wait_for("the S3 server", is_up, 60)
        yield Store(url, log)


@pytest.fixture
def warehouse(store: Store, request: pytest.FixtureRequest) -> Warehouse:
    found = Warehouse(f"s3://laws/{request.node.name}")
    store.requests()
    return found


def test_the_contents_of_a_stage_are_one_put_and_are_read_with_one_get(store: Store, warehouse: Warehouse) -> None:
    chunks, state = table_content(("chunks",), TABLE, "stamp"), json_content(("superseded_chunks",), "{}")
    warehouse.write("se-sfs-1999-1", chunks, state)
    assert store.requests()["PUT"] == 1
    assert warehouse.read_table(("chunks",), "se-sfs-1999-1").equals(TABLE)
    assert store.requests() == {"GET": 1}
    assert warehouse.read_stamp(("chunks",), "se-sfs-1999-1") == "stamp"
    assert store.requests() == {"GET": 1}
    warehouse.write("se-sfs-1999-1", chunks)  # equal: nothing is written
    assert store.requests()["PUT"] == 0
    assert not warehouse.exists(("chunks",), "se-sfs-1999-2")
    warehouse.delete(("chunks",), "se-sfs-1999-1")
    warehouse.delete(("superseded_chunks",), "se-sfs-1999-1", "json")
    assert warehouse.files() == []


def test_documents_are_listed_with_one_request_for_a_thousand(store: Store, warehouse: Warehouse) -> None:
    expected = [f"se-sfs-1999-{number}" for number in range(1, 31)]
    for document_id in expected:
        warehouse.write_table(("chunks",), document_id, TABLE)
    warehouse.write_table(("chunk_report", "parts"), "0a", TABLE)
    store.requests()
    assert sorted(warehouse.file_versions(("chunks",))) == sorted(expected)
    assert store.requests() == {"GET": 1}
    assert warehouse.file_versions(("chunk_report",)) == {}


def test_a_long_index_is_read_whole(store: Store, warehouse: Warehouse) -> None:
    # stamps longer than what is read for a stamp
    stamps = [identity.sha256_hex(str(number)) for number in range(3000)]
    many = [json_content(("expressions", stamp), stamp, stamp) for stamp in stamps]
    warehouse.write("se-sfs-1999-1", *many)
    assert warehouse.read_stamp(("expressions", stamps[-1]), "se-sfs-1999-1", "json") == stamps[-1]
    assert warehouse.read_json(("expressions", stamps[-1]), "se-sfs-1999-1") == stamps[-1]
    assert store.requests()["GET"] == 4  # to write; a stamp needs a second; to read


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
