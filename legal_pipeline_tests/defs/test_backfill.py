"""The main job as its users see it: webserver and daemon as `legal-pipeline dev` starts them, driven through GraphQL."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
from dagster import DagsterInstance

from legal_pipeline.defs import partitions
from legal_pipeline.defs.launch import process_environment
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.defs.conftest import write_bad, write_law

_SERVE = (
    "import sys; from legal_pipeline.settings import load_settings; from legal_pipeline.defs.launch import serve;"
    "sys.exit(serve(load_settings(), port=int(sys.argv[1])))"
)
_LAUNCH = """
mutation Launch($assets: [AssetKeyInput!]!, $partitions: [String!]!) {
  launchPartitionBackfill(backfillParams: {assetSelection: $assets, partitionNames: $partitions}) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message }
  }
}
"""
_BACKFILL = """
query State($id: String!) {
  partitionBackfillOrError(backfillId: $id) { __typename ... on PartitionBackfill { status } ... on PythonError { message } }
}
"""
_ASSET = """
query Asset($key: AssetKeyInput!) {
  assetNodeOrError(assetKey: $key) {
    ... on AssetNode { partitionStats { numMaterialized numFailed numMaterializing numPartitions } }
  }
}
"""


class Dagster:
    """A running webserver."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/graphql"

    def query(self, text: str, **variables: Any) -> Any:
        body = json.dumps({"query": text, "variables": variables}).encode()
        request = urllib.request.Request(self._url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            data = json.load(answer)
        assert "errors" not in data, data["errors"]
        return data["data"]

    def stats(self, *key: str) -> dict[str, int]:
        return self.query(_ASSET, key={"path": list(key)})["assetNodeOrError"]["partitionStats"]


def wait_for(what: str, condition: Callable[[], Any], seconds: float) -> Any:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            if value := condition():
                return value
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(0.5)


@pytest.fixture
def dagster(make_settings: Callable[..., Settings], instance: DagsterInstance, tmp_path: Path) -> Iterator[Dagster]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # the sensor watches another folder than the test's, or it would ask for runs of its own
    environment = process_environment(make_settings(source_directory=tmp_path / "unwatched", partitions_per_run=15))
    log = (tmp_path / "dagster.log").open("w+")
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(port)],
        env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path,
    )  # fmt: skip
    try:
        server = Dagster(port)
        loaded = "{ repositoriesOrError { ... on RepositoryConnection { nodes { name } } } }"
        wait_for(
            "webserver", lambda: process.poll() is not None or server.query(loaded)["repositoriesOrError"]["nodes"], 90
        )
        yield server
    except BaseException:
        log.seek(0)
        print(log.read()[-8000:])
        raise
    finally:
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(60) == 0, "an interrupt ends everything in order"
        finally:
            if process.poll() is None:
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
                process.kill()
            log.close()


@pytest.mark.slow
def test_a_backfill_with_one_bad_document_shows_it_failed_and_the_others_materialized(
    make_settings: Callable[..., Settings], instance: DagsterInstance, folder: Path, dagster: Dagster
) -> None:
    for number in range(1, 30):
        write_law(folder, number)
    write_bad(folder)
    with Pipeline.open(make_settings()) as pipeline:
        documents = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0)).new
    assert len(documents) == 30
    instance.add_dynamic_partitions(partitions.NAME, list(documents))

    assets = [
        ("raw_documents",),
        ("canonical_documents",),
        ("chunks", "paragraf"),
        ("chunks",),
        ("chunk_embeddings",),
        ("qdrant_chunks",),
    ]
    everything = instance_assets(dagster)
    launched = dagster.query(_LAUNCH, assets=[{"path": path} for path in everything], partitions=list(documents))
    backfill = launched["launchPartitionBackfill"]["backfillId"]

    def finished() -> str | None:
        status: str = dagster.query(_BACKFILL, id=backfill)["partitionBackfillOrError"]["status"]
        return status if status not in ("REQUESTED", "COMPLETING", "FAILING") else None

    status = wait_for("backfill", finished, 280)
    assert status == "COMPLETED_FAILED"
    stats = {path: dagster.stats(*path) for path in assets}
    for path in assets[1:]:
        assert (stats[path]["numMaterialized"], stats[path]["numFailed"]) == (29, 1), (path, stats[path])
    assert all(figures["numPartitions"] == 30 for figures in stats.values())
    with Pipeline.open(make_settings()) as pipeline:
        assert pipeline.registry.counts() == {"completed": 29, "failed": 1}
    runs = instance.get_runs()
    assert len(runs) == 2, [(run.job_name, run.status, run.tags) for run in runs]  # no retry of what cannot succeed


def instance_assets(dagster: Dagster) -> list[list[str]]:
    nodes = dagster.query("{ assetNodes { assetKey { path } } }")["assetNodes"]
    return [node["assetKey"]["path"] for node in nodes]
