"""Redis and Celery workers as docs/guides/celery.md says. Not here: webserver and daemon (`webserver`), and what is run."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from legal_pipeline.defs.launch import process_environment
from legal_pipeline.settings import Settings
from legal_pipeline_tests import processes
from legal_pipeline_tests.webserver import wait_for


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """The URL of a Redis on loopback."""
    port = processes.free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = processes.start(["redis-server", *options], stdout=subprocess.DEVNULL)

    def answers() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False

    try:
        wait_for("redis", answers, 20)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(20)


def celery_variables(home: Path, redis: str, repository: Path) -> dict[str, str]:
    """What webserver, daemon and workers share; `home` gets the repository's `dagster.yaml` for Celery."""
    home.mkdir()
    shutil.copy(repository / "deploy" / "celery" / "dagster.yaml", home)
    return {"DAGSTER_CELERY_BROKER_URL": redis, "DAGSTER_CELERY_BACKEND_URL": redis, "DAGSTER_HOME": str(home)}


def worker_environment(settings: Settings, shared: Mapping[str, str], repository: Path) -> dict[str, str]:
    path = os.pathsep.join([str(repository / "deploy" / "celery"), str(repository)])
    return {**process_environment(settings), **shared, "PYTHONPATH": path}


@contextlib.contextmanager
def worker(queues: str, environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker process of `queues`, started as the guide says."""
    with log.open("w+") as output:
        process = processes.start(
            [
                *(sys.executable, "-m", "celery", "--app", "dagster_celery.app", "worker", "--queues", queues),
                *("--concurrency", "1", "--hostname", f"{log.stem}@%h", "--loglevel", "INFO"),
            ],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
        )
        try:
            wait_for(f"worker of {queues}", lambda: "ready." in log.read_text() or process.poll() is not None, 60)
            yield process
        except BaseException:
            print(log.read_text()[-8000:])
            raise
        finally:
            process.terminate()
            process.wait(60)
