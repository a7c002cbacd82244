"""What a run costs before its first document, and how long an amended law takes from the poll that sees it to the search that finds it.

`python -m legal_pipeline_tests.benchmarks.run_start [--laws 3] [--amendments 3]`. The real webserver, daemon and embedding models, a folder
with short laws of our own, one of which is amended. A process of its own does what a run does, with its processor time after each step.
Figures depend on the machine: compare processor times where it has other work. Not a test, and not here: throughput (`backfill`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import psutil
from dagster import DagsterEventType, DagsterInstance
from pydantic import SecretStr

from legal_pipeline.defs.launch import dagster_instance, embedded_services, process_environment
from legal_pipeline.defs.launcher import process_of
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.small_laws import write_law
from legal_pipeline_tests.webserver import runs_of_documents, serving, wait_for

_AMENDED = "se-sfs-2024-1"
_SAMPLE_SECONDS = 0.05

#: What a run's process does, step by step; prints JSON lines of (step, processor seconds so far).
_STEPS = """
import json, sys, time
def step(name): print(json.dumps([name, time.process_time()]), flush=True)
step("interpreter")
import dagster, dagster._grpc.impl, dagster._cli
step("import of Dagster")
import legal_pipeline.definitions
step("import of the definitions")
from dagster import DagsterInstance
with DagsterInstance.get() as instance:
    instance.get_runs(limit=1)
    step("Dagster's instance")
    legal_pipeline.definitions.defs.resolve_job_def("process_document")
    step("the job")
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.processing.stage import RunOptions
    from legal_pipeline.settings import load_settings
    with Pipeline.open(load_settings()) as pipeline:
        pipeline.registry.counts()
        step("registry and warehouse")
        for event in pipeline.run([sys.argv[1]], None, RunOptions(force=sys.argv[2] == "force")):
            step("/".join(event.asset_key))
        step("end of the run")
    step("closing")
"""


class Watch:
    """The processor time of the descendants of a process, sampled by a thread: pid -> (clock time, processor seconds) in order."""

    def __init__(self, pid: int) -> None:
        self._root = psutil.Process(pid)
        self._over = threading.Event()
        self.samples: dict[int, list[tuple[float, float]]] = {}

    @contextmanager
    def sampling(self) -> Iterator[None]:
        thread = threading.Thread(target=self._sample, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _sample(self) -> None:
        while not self._over.wait(_SAMPLE_SECONDS):
            for process in self._root.children(recursive=True):
                try:
                    spent = process.cpu_times()
                except psutil.Error:
                    continue
                self.samples.setdefault(process.pid, []).append((time.time(), spent.user + spent.system))

    def spent(self, pid: int, until: float) -> float:
        """Processor seconds of a process up to a clock time."""
        return max((seconds for moment, seconds in self.samples.get(pid, ()) if moment <= until), default=0.0)

    def spent_by_all(self) -> float:
        """Processor seconds of all descendants that were ever seen."""
        return sum(samples[-1][1] for samples in self.samples.values())


def steps(settings: Settings, document_id: str, *, force: bool) -> list[tuple[str, float]]:
    """(step, its processor seconds) of a process that runs one document, beginning with nothing imported."""
    done = subprocess.run(
        [sys.executable, "-c", _STEPS, document_id, "force" if force else "reuse"],
        env=process_environment(settings),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    marks = [("", 0.0), *map(json.loads, done.stdout.splitlines())]
    return [(name, seconds - before) for (_, before), (name, seconds) in pairwise(marks)]


def print_steps(title: str, found: list[tuple[str, float]]) -> None:
    print(f"{title}: {sum(seconds for _, seconds in found):.2f} s of processor time")
    for name, seconds in found:
        if seconds >= 0.05:
            print(f"    {name:32} {seconds:6.2f}")


@dataclass(frozen=True)
class Timeline:
    """Clock times of a run: asked for, its process answers, its first asset is made, ended. `pid`: its process."""

    pid: int
    asked: float
    started: float
    first: float
    ended: float


def timeline(instance: DagsterInstance, run_id: str) -> Timeline:
    record = instance.get_run_record_by_id(run_id)
    started = process_of(instance, run_id)
    assert record is not None
    assert started is not None
    made = instance.all_logs(run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION)
    first = min(entry.timestamp for entry in made)
    return Timeline(started[0], record.create_timestamp.timestamp(), started[1], first, record.end_time or 0.0)


def print_runs(instance: DagsterInstance, watch: Watch) -> None:
    """When the runs of the first load made their first asset, and what that had cost."""
    for run in reversed(runs_of_documents(instance)):
        found = timeline(instance, run.run_id)
        print(
            f"run of the first load: first asset {found.first - found.asked:.1f} s after it was asked for, "
            f"{watch.spent(found.pid, found.first):.2f} s of processor time; ended after {found.ended - found.asked:.1f} s, "
            f"{watch.spent(found.pid, found.ended):.2f} s"
        )


def amend(instance: DagsterInstance, reader: Pipeline, laws: Path, number: int, watch: Watch) -> None:
    """Amend a law and print when the poll, the run and the search have seen it, in seconds after the poll asked for a run."""
    word = f"tjällossning{chr(ord('a') + number)}"
    known = {run.run_id for run in runs_of_documents(instance)}
    changed, before = time.time(), watch.spent_by_all()
    write_law(laws, 1, f"\n2 a § Vägföreningen ska varna för {word}.\n")
    wait_for("the search", lambda: any(word in str(hit.payload["chunk_text"]) for hit in reader.search(word)), 120)
    seen = time.time()
    (run,) = [run for run in runs_of_documents(instance) if run.run_id not in known]
    wait_for("its end", lambda: (record := instance.get_run_record_by_id(run.run_id)) and record.end_time, 60)
    found = timeline(instance, run.run_id)
    others = watch.spent_by_all() - before - watch.spent(found.pid, found.ended)
    print(
        f"amendment {number}: the poll asked for a run {found.asked - changed:.1f} s after the file changed; after that"
    )
    for what, moment in (
        ("its process answers", found.started),
        ("first asset is made", found.first),
        ("the search finds the new words", seen),
        ("the run has ended", found.ended),
    ):
        spent = watch.spent(found.pid, moment)
        print(f"    {what:32} {moment - found.asked:6.1f} s, {spent:6.2f} s of its processor time")
    print(
        f"    the daemon, the webserver and the code server, from the change to the end: {others:.2f} s of processor time"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--laws", type=int, default=3)
    options.add_argument("--amendments", type=int, default=3)
    chosen = options.parse_args()
    os.environ.pop("DAGSTER_HOME", None)
    watch = Watch(os.getpid())
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name, watch.sampling():
        home = Path(name)
        laws = home / "laws"
        for number in range(1, chosen.laws + 1):
            write_law(laws, number)
        with EmbeddedPostgres(home / "postgres") as server:
            settings = load_settings(
                home=home / "home", database_url=SecretStr(server.url), source_directory=laws, anthropic_api_key=None,
                sensor_interval_seconds=5,
            )  # fmt: skip
            with (
                embedded_services(settings),
                dagster_instance(settings) as instance,
                serving(settings, home) as dagster,
                Pipeline.open(settings) as reader,
            ):
                wait_for("the laws", lambda: dagster.stats("pgvector_chunks")["numMaterialized"] == chosen.laws, 300)
                wait_for("the end", lambda: all(run.is_finished for run in runs_of_documents(instance)), 60)
                print_runs(instance, watch)
                print_steps("a run in which one law is made anew", steps(settings, _AMENDED, force=True))
                print_steps("a run in which it is up to date", steps(settings, _AMENDED, force=False))
                reader.search("väg", limit=1)
                for number in range(chosen.amendments):
                    amend(instance, reader, laws, number, watch)


if __name__ == "__main__":
    main()
