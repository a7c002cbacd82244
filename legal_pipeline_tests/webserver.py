"""Dagster's webserver and daemon as `legal-pipeline dev` starts them, and what its UI asks through GraphQL.

Not here: the tests that use it.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
from dagster import DagsterInstance, DagsterRun
from dagster._core.storage.tags import AUTOMATION_CONDITION_TAG

from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import GROUPS
from legal_pipeline.defs.launch import process_environment
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes

#: What to kill (`Dagster.kill`), by a word of the command line; a run is a child of the process that it was forked from.
RUNS, DAEMON, EVERYTHING = "multiprocessing.forkserver", "dagster._daemon", None

#: Words of the command lines of Dagster's processes; a run has those of the process that it was forked from.
_PARTS = {
    RUNS: "runs",
    DAEMON: "daemon",
    "dagster_webserver": "webserver",
    "api grpc": "code server",
}

_SERVE = (
    "import sys; from legal_pipeline.settings import load_settings; from legal_pipeline.defs.launch import serve;"
    "sys.exit(serve(load_settings(), port=int(sys.argv[1])))"
)
_LAUNCH = """
mutation Launch($assets: [AssetKeyInput!]!, $partitions: [String!]!, $tags: [ExecutionTag!]) {
  launchPartitionBackfill(backfillParams: {assetSelection: $assets, partitionNames: $partitions, tags: $tags}) {
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
    """A running webserver, and the processes beside it."""

    def __init__(self, port: int, process: psutil.Process) -> None:
        self.port = port
        self._url = f"http://127.0.0.1:{port}/graphql"
        self._process = process
        self.killed = False

    def kill(self, word: str | None) -> None:
        """SIGKILL to those of its processes with `word` in their command line; None: to all of them at once, as a power cut does it."""
        found = []
        for process in [self._process, *self._process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                if word is None or (_has_word(word, process) and (word != RUNS or _has_word(word, process.parent()))):
                    process.kill()
                    found.append(process)
        assert found, f"no process has {word} in its command line"
        self.killed = word != RUNS
        psutil.wait_procs(found, timeout=10)

    def processor(self) -> Counter[str]:
        """Processor seconds of its processes so far, by the part of Dagster that they are; a run is counted when it has ended."""
        found: Counter[str] = Counter()
        for process in [self._process, *self._process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                words = " ".join(process.cmdline())
                name = next((name for word, name in _PARTS.items() if word in words), "other processes")
                found[name] += sum(process.cpu_times()[:4])
        return found

    def query(self, text: str, **variables: Any) -> Any:
        body = json.dumps({"query": text, "variables": variables}).encode()
        request = urllib.request.Request(self._url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            data = json.load(answer)
        assert "errors" not in data, data["errors"]
        return data["data"]

    def document_assets(self) -> list[list[str]]:
        """The assets that are partitioned by documents and made by runs."""
        nodes = self.query("{ assetNodes { assetKey { path } isMaterializable partitionDefinition { name } } }")[
            "assetNodes"
        ]
        return [
            node["assetKey"]["path"]
            for node in nodes
            if node["isMaterializable"] and (node["partitionDefinition"] or {}).get("name") == partitions.NAME
        ]

    def stats(self, *key: str) -> dict[str, int]:
        return self.query(_ASSET, key={"path": list(key)})["assetNodeOrError"]["partitionStats"]

    def backfill(
        self, assets: Sequence[Sequence[str]], documents: Sequence[str], tags: Mapping[str, str] | None = None
    ) -> str:
        """Ask for a backfill as the UI does; its id."""
        launched = self.query(
            _LAUNCH,
            assets=[{"path": list(path)} for path in assets],
            partitions=list(documents),
            tags=[{"key": key, "value": value} for key, value in (tags or {}).items()],
        )["launchPartitionBackfill"]
        assert "backfillId" in launched, launched
        return str(launched["backfillId"])

    def backfill_status(self, backfill: str) -> str | None:
        """How a backfill ended, None while it goes on."""
        status: str = self.query(_BACKFILL, id=backfill)["partitionBackfillOrError"]["status"]
        return status if status not in ("REQUESTED", "COMPLETING", "FAILING") else None


def lineage_path() -> str:
    """The path of the lineage page with every group open but the strategies: their eleven assets would make every other one small."""
    # before the name of a group stands its repository
    return (
        f"/asset-groups?expanded={quote(','.join(f'global@global:{name}' for name in GROUPS if name != 'strategies'))}"
    )


def _has_word(word: str, process: psutil.Process | None) -> bool:
    return process is not None and word in " ".join(process.cmdline())


def runs_of_documents(instance: DagsterInstance) -> list[DagsterRun]:
    """All runs, the latest first, but those that the automation sensor asked for: they make what is made of all documents."""
    return [run for run in instance.get_runs() if AUTOMATION_CONDITION_TAG not in run.tags]


def wait_for(what: str, condition: Callable[[], Any], seconds: float) -> Any:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            if value := condition():
                return value
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(0.5)


@contextlib.contextmanager
def serving(settings: Settings, folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Dagster]:
    """Webserver and daemon for the time of the block; `environment` is added to that of `settings`.

    What they say is printed on an error.
    """
    port = processes.free_port()
    log = (folder / "dagster.log").open("w+")
    process = processes.start(
        [sys.executable, "-c", _SERVE, str(port)],
        env={**process_environment(settings), **(environment or {})},
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd=folder,
    )
    server = Dagster(port, psutil.Process(process.pid))
    try:
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
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            assert process.wait(60) == 0 or server.killed, "an interrupt ends everything in order"
        finally:
            if process.poll() is None:
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
                process.kill()
            log.close()
