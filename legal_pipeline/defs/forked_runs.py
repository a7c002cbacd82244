"""Runs start by forking a process that has imported everything, in place of a new interpreter for each run; only on Linux.

Dagster's code server starts the process of a run with `spawn` and has no setting for it: 2 s of processor time for the same imports before
the first document of every run. A process beside the code server imports them once (`forkserver` of the standard library), and ends
with it: code that is reloaded gets a new one. It has no thread and no connection that a fork could break. Not here: the launcher
(`defs.launcher`).
"""

from __future__ import annotations

import multiprocessing
import sys
from typing import Any

#: What a run imports in any case. The module of the definitions has been imported by the code server before.
_PRELOADED = (
    "legal_pipeline.definitions",
    "legal_pipeline.defs.storage",
    "dagster._grpc.impl",
    "psycopg_pool",
    "qdrant_edge",
)


def fork_runs() -> None:
    """In a code server: fork the processes of its runs. Elsewhere nothing happens."""
    server: Any = sys.modules.get("dagster._grpc.server")
    if server is None or sys.platform != "linux":
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_PRELOADED))
    start_run = server.DagsterApiServer.StartRun

    def forked(self: Any, request: Any, grpc_context: Any) -> Any:
        self._mp_ctx = context
        return start_run(self, request, grpc_context)

    server.DagsterApiServer.StartRun = forked
