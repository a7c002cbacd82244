"""What it saves to embed chunks while the stages before embedding go on: the same documents with it and without it, in turns.

`python -m legal_pipeline_tests.benchmarks.overlap ../shared/corpus [--documents 250] [--longest 4000] [--rounds 2]`, or with
`--document FILE` over one file. Each build has a home, a process and a database server of its own. `idle` is the processor
time of the whole machine that nobody used meanwhile: where other work is going on it says more than seconds do. Not a test.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pydantic import SecretStr

from legal_pipeline.defs.launch import process_environment
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.embedding_ahead import EmbeddingAhead
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.benchmarks.backfill import registered, write_acts

WITH, WITHOUT = "with", "without"


def idle_seconds() -> float:
    """Processor time that nobody has used since the machine started, of all processors together; 0 where the machine does not say."""
    try:
        return int(Path("/proc/stat").read_text().split()[4]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def build(documents: list[str], way: str) -> None:
    """Build the documents in this process; print seconds, processor seconds and idle seconds."""
    if way == WITHOUT:
        EmbeddingAhead.put = lambda *_: None  # type: ignore[method-assign]
    with Pipeline.open(load_settings()) as pipeline:
        pipeline.resources.embedder.embed_passages(["lag"])  # loading the model is not what is compared
        begin, busy, idle = time.perf_counter(), time.process_time(), idle_seconds()
        for _ in pipeline.run(documents):
            pass
        figures = time.perf_counter() - begin, time.process_time() - busy, idle_seconds() - idle
    print(json.dumps(figures))


def build_apart(home: Path, database: str, acts: Path, way: str) -> tuple[float, float, float]:
    """What `build` prints, in a process of its own."""
    settings = load_settings(
        home=home, database_url=SecretStr(database), source_directory=home / "unwatched", anthropic_api_key=None
    )
    home.mkdir()
    ids = home / "ids.json"
    ids.write_text(json.dumps(registered(settings, acts)))
    command = [sys.executable, "-m", __spec__.name, str(acts), "--build", str(ids), way]
    done = subprocess.run(command, env=process_environment(settings), check=True, stdout=subprocess.PIPE, text=True)
    wall, processor, idle = json.loads(done.stdout.splitlines()[-1])
    return wall, processor, idle


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--documents", type=int, default=250)
    options.add_argument("--longest", type=int, default=4000, help="characters of the longest Act that is taken")
    options.add_argument("--document", type=Path, help="this file alone")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--build", nargs=2, help=argparse.SUPPRESS)  # this process builds: the file of ids, and how
    chosen = options.parse_args()
    if chosen.build:
        build(json.loads(Path(chosen.build[0]).read_text()), chosen.build[1])
        return
    seconds: dict[str, list[float]] = {WITH: [], WITHOUT: []}
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        acts = home / "acts"
        acts.mkdir()
        if chosen.document:
            shutil.copy(chosen.document, acts)
        else:
            write_acts(chosen.corpus, acts, chosen.documents, chosen.longest)
        for turn in range(2 * chosen.rounds):
            way = (WITH, WITHOUT)[turn % 2]
            load = os.getloadavg()[0]
            with EmbeddedPostgres(home / f"postgres-{turn}") as server:
                wall, processor, idle = build_apart(home / str(turn), server.url, acts, way)
            seconds[way].append(wall)
            print(
                f"{way:8} {wall:6.1f} s, {processor:6.1f} s of processor time, {idle:5.1f} s idle; load {load:.1f} before",
                flush=True,
            )
    print(f"ratio {statistics.median(seconds[WITHOUT]) / statistics.median(seconds[WITH]):.2f}")


if __name__ == "__main__":
    main()
