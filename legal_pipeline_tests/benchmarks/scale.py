"""Cost by corpus size: from the first poll to the stores, idle polls, reconciliation, status, searches, an amendment, a switch to buckets.

`python -m legal_pipeline_tests.benchmarks.scale ../shared/corpus 1000 10000 [--small] [--dagster] [--model MODEL] [--json FILE]
[--skip reconcile] [--registry 1000000]`. Each size has a process, a home and a database of its own; the last column divides the largest
size by the smallest. Documents are the Acts of the bulk sample under ever new numbers, or with `--small` synthetic statutes of three to
five sections. A stand-in or `--model` makes the vectors, and that time is told apart. `--dagster` runs the documents as Dagster runs and
counts events. `--registry`: polls of a folder whose documents are in the registry alone. Figures depend on the machine. Not a test, and
not here: documents per hour with a model (`benchmarks.backfill`), searches with a model (`benchmarks.searcher`).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from dagster import DagsterInstance, SensorResult, SkipReason, build_sensor_context

from legal_pipeline.corpus_assets.chunk_report import make_chunk_report
from legal_pipeline.corpus_assets.chunks_jsonl import write_chunks_jsonl
from legal_pipeline.defs import partitions, sensors
from legal_pipeline.defs.launch import dagster_instance, embedded_services, run_documents
from legal_pipeline.defs.partitioning import of_buckets
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.storage import EVENT_BATCH
from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing.stage import StageEvent
from legal_pipeline.reconcile import reconcile
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.benchmarks import switched
from legal_pipeline_tests.benchmarks.events import describe, last_event, written
from legal_pipeline_tests.benchmarks.large_index import StandIn, acts_under_new_numbers, chunks_of, stand_in_pipeline
from legal_pipeline_tests.benchmarks.meter import Meter, OwnMemory, Spent, disk_of, peak_megabytes
from legal_pipeline_tests.benchmarks.registry_ticks import PER_FOLDER, registry_ticks

Figures = dict[str, float]

_FIRST_YEAR, _PER_YEAR = 1920, 9999
_CHANGED, _QUERIES, _IDLE_POLLS = 10, 20, 3

#: The first line of section 1.
_FIRST_SECTION = re.compile(r"(?m)^((?:1 kap\. )?1 ?§ .*)$")

_SECTIONS = (
    "Denna lag gäller skötsel av enskild väg i område {place}. Lagen gäller inte broar eller färjelägen.",
    "Vägföreningen ska hålla vägen framkomlig under hela året och ska märka ut hinder av slag {place}.",
    "Regeringen får meddela föreskrifter om snöröjning och om avgifter enligt 2 § för väg {place}.",
    "Den som skadar en väg enligt 1 § ska ersätta skadan. Ersättningen får jämkas om den är oskälig.",
    "Beslut enligt denna lag får överklagas till allmän förvaltningsdomstol inom tre veckor.",
)


def small_statutes() -> Iterator[tuple[str, bytes]]:
    """(name, bytes) without end: statutes of three to five sections, 0.6 to 0.9 KB each."""
    for place in itertools.count():
        number = f"{_FIRST_YEAR + place // _PER_YEAR}:{place % _PER_YEAR + 1}"
        sections = [f"{at + 1} § {text.format(place=place)}" for at, text in enumerate(_SECTIONS[: 3 + place % 3])]
        year = number.partition(":")[0]
        text = "\n\n".join(
            [
                f"SFS nr: {number}\nDepartement/myndighet: Landsbygdsdepartementet\nUtfärdad: {year}-03-07\n"
                f"Rubrik: Lag ({number}) om skötsel av enskild väg {place}",
                *sections,
                f"Övergångsbestämmelser\n\n{number}\n\nDenna lag träder i kraft den 1 juli {year}.\n",
            ]
        )
        yield f"sfs-{number.replace(':', '-')}.txt", text.encode()


class _Timed:
    """The models of the settings; `seconds` is the processor time that they took so far, on all cores."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.name, self.dimension, self.max_tokens = model.name, model.dimension, model.max_tokens
        self.seconds = 0.0

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        began = time.process_time()
        found = self._model.embed_passages(texts)
        self.seconds += time.process_time() - began
        return found

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._model.embed_queries(texts)


@dataclass
class _Report:
    """Receives the events of a run; documents that failed are printed."""

    failed: list[str] = field(default_factory=list)

    def registration(self, found: object) -> None: ...

    def later_texts(self, days: object) -> None: ...

    def event(self, event: StageEvent) -> None:
        if isinstance(event, Failed):
            self.failed.append(event.document_id)
            print(f"failed: {event.document_id}: {event.error}", flush=True)


@dataclass
class _Bench:
    """One size: its documents are files under `folder`."""

    settings: Settings
    folder: Path
    instance: DagsterInstance
    pipeline: Pipeline
    meter: Meter
    embedder: StandIn | _Timed
    by_dagster: bool
    report: _Report = field(default_factory=_Report)
    cursor: str | None = None

    def poll(self) -> list[str]:
        """What a tick of the directory sensor does; the documents that it asks runs for."""
        context = build_sensor_context(instance=self.instance, cursor=self.cursor)
        result = sensors.poll_folder(context, PipelineResource(loaded=self.settings))
        assert not isinstance(result, SkipReason), result
        self.cursor = result.cursor
        self._add_partitions(result)
        if not result.run_requests:
            return []
        return sorted(document.document_id for document in self.pipeline.registry.documents(status="pending"))

    def _add_partitions(self, result: SensorResult) -> None:
        for request in result.dynamic_partitions_requests or ():
            self.instance.add_dynamic_partitions(partitions.NAME, list(request.partition_keys))

    def run(self, document_ids: Sequence[str]) -> None:
        if self.by_dagster:
            run_documents(self.instance, self.pipeline, list(document_ids), report=self.report)
            return
        for event in self.pipeline.run(document_ids):
            self.report.event(event)

    def database_bytes(self) -> int:
        with self.pipeline.registry.database.connection() as connection:
            row = connection.execute("select pg_database_size(current_database()) as size").fetchone()
            return int(row["size"])


@contextlib.contextmanager
def _bench(home: Path, folder: Path, *, by_dagster: bool, model: str | None) -> Iterator[_Bench]:
    settings = load_settings(home=home, source_directory=folder, anthropic_api_key=None, removal_grace_seconds=0)
    embedder = StandIn() if model is None else _Timed(open_embedder(model))
    with (
        embedded_services(settings) as settings,
        dagster_instance(settings) as instance,
        stand_in_pipeline(settings, embedder) as pipeline,
    ):
        meter = Meter(settings.home / "postgres", lambda: embedder.seconds)
        yield _Bench(settings, folder, instance, pipeline, meter, embedder, by_dagster)


def measure(
    corpus: Path, documents: int, *, small: bool, by_dagster: bool, model: str | None, skip: Sequence[str]
) -> Figures:
    """All figures of one size, by name."""
    os.environ.pop("DAGSTER_HOME", None)
    os.environ.update([EVENT_BATCH])
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        folder = Path(name) / "sources"
        files = itertools.islice(small_statutes() if small else acts_under_new_numbers(corpus), documents)
        size = 0
        for place, (filename, data) in enumerate(files):
            path = folder / f"{place // PER_FOLDER:04}" / filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            size += len(data)
        with _bench(Path(name) / "home", folder, by_dagster=by_dagster, model=model) as bench:
            figures: Figures = {"documents": documents, "source: KB per document": size / 1024 / documents}
            memory = OwnMemory()
            for measured in (_backfill, _disk, _idle_polls, _reconcile, _views, _amendment, _exports, _switch):
                if measured.__name__.strip("_") not in skip:
                    began = time.monotonic()
                    found = measured(bench, documents)
                    found[f"{measured.__name__.strip('_')}: own memory, peak so far, MB"] = memory.peak
                    figures |= found
                    title = f"{documents:,}: {measured.__name__.strip('_')}: {time.monotonic() - began:.0f} s"
                    print(f"{title}\n{table([found])}", flush=True)  # at once: all of it can take hours
            figures["failed documents"] = len(bench.report.failed)
            return figures | {"own memory: peak MB": memory.peak, "with mapped files: peak MB": peak_megabytes()}


def _backfill(bench: _Bench, documents: int) -> Figures:
    """Poll and run until nothing is due."""
    before = bench.database_bytes()
    first_event = last_event(bench.instance)
    registration, runs, by_batch = Spent(), Spent(), []
    seen: set[str] = set()
    with bench.pipeline.kept_open():  # as a command with several runs
        while True:
            with bench.meter.measured() as poll:
                due = bench.poll()
            if not due:
                break
            registration = Spent(
                *(getattr(registration, each) + getattr(poll, each) for each in ("wall", "ours", "postgres"))
            )
            seen.update(due)
            step = bench.settings.partitions_per_run
            for start in range(0, len(due), step):
                batch = due[start : start + step]
                with bench.meter.measured(runs), bench.meter.measured() as of_batch:
                    bench.run(batch)
                by_batch.append(of_batch.processor / len(batch))
            print(f"{len(seen):,} of {documents:,} documents, {np.mean(by_batch) * 1000:.1f} ms each", flush=True)
    if len(seen) != documents:
        raise SystemExit(f"{len(seen)} documents were registered, and {documents} were written")
    tenth = max(1, len(by_batch) // 10)
    chunks = chunks_of(bench.pipeline)
    figures = {
        "chunks per document": chunks / documents,
        "embedding: processor ms per chunk": bench.embedder.seconds / chunks * 1000,
        "registration: processor ms per document": registration.ours / documents * 1000,
        "registration: PostgreSQL ms per document": registration.postgres / documents * 1000,
        "runs: processor ms per document": runs.ours / documents * 1000,
        "runs: PostgreSQL ms per document": runs.postgres / documents * 1000,
        "runs: last tenth / mean": float(np.mean(by_batch[-tenth:]) / np.mean(by_batch)),
        "runs: documents per second (wall)": documents / runs.wall,
        "database: KB per document": (bench.database_bytes() - before) / 1024 / documents,
    }
    return figures | (_events(bench, first_event, sorted(seen)) if bench.by_dagster else {})


def _events(bench: _Bench, first_event: int, ids: Sequence[str]) -> Figures:
    """What the runs wrote, and what a run of documents writes that are up to date."""
    first = written(bench.instance, first_event)
    again = ids[: bench.settings.partitions_per_run]
    before = last_event(bench.instance)
    bench.run(again)
    reused = written(bench.instance, before)
    describe("first run", first, len(ids))
    describe("second run, nothing changed", reused, len(again))
    return {
        "events per document, first run": first.rows / len(ids),
        "event log: KB per document, first run": first.size / 1024 / len(ids),
        "events per document, reused": reused.rows / len(again),
        "event log: KB per document, reused": reused.size / 1024 / len(again),
    }


def _disk(bench: _Bench, documents: int) -> Figures:
    warehouse, points = disk_of(bench.settings.home / "warehouse"), disk_of(bench.settings.home / "qdrant")
    return {
        "warehouse: files per document": warehouse.files / documents,
        "warehouse: KB per document": warehouse.size / 1024 / documents,
        "warehouse: KB on disk per document": warehouse.allocated / 1024 / documents,
        "warehouse: most entries in a folder": warehouse.most_entries,
        "Qdrant Edge: KB on disk per document": points.allocated / 1024 / documents,
    }


def _idle_polls(bench: _Bench, documents: int) -> Figures:
    for _ in range(_IDLE_POLLS):
        with bench.meter.measured() as spent:
            asked = bench.poll()
        assert asked == [], asked
    return {"idle poll: wall s": spent.wall, "idle poll: processor s": spent.processor}


def _reconcile(bench: _Bench, documents: int) -> Figures:
    """The first one after the backfill, one of an unchanged corpus, and one after changes of some documents."""
    figures: Figures = {}
    for name in ("first", "unchanged", f"{_CHANGED} changed"):
        if name.endswith("changed") and name != "unchanged":
            for place in range(_CHANGED):
                _amend(bench, place + 1)
            bench.run(bench.poll())
        with bench.meter.measured() as spent:
            found = reconcile(bench.pipeline)
        if not found.is_clean:
            print(f"reconcile finds {found.counts()}, {found.forgotten}, {found.unclaimed}", flush=True)
        figures |= {f"reconcile, {name}: processor s": spent.ours, f"reconcile, {name}: PostgreSQL s": spent.postgres}
    return figures


def _views(bench: _Bench, documents: int) -> Figures:
    """What `status` reads, and searches for words of documents: with `--small`, words of all documents, and words that name one of them."""
    pipeline = bench.pipeline
    with bench.meter.measured() as status:
        pipeline.registry.counts(), pipeline.registry.documents(status="failed"), pipeline.collections()
    files = sorted(bench.folder.rglob("*.txt"))
    words = [path.read_text("utf-8").split() for path in files[:: max(1, len(files) // _QUERIES)][:_QUERIES]]
    figures = {"status: wall s": status.wall}
    pipeline.search("".join(words[0][:1]))  # opens the index
    for name, first in (("search", 20), ("search, words of one document", 22)):
        queries = [" ".join(of_file[first : first + 6]) for of_file in words]
        seconds = []
        with bench.meter.measured() as searches:
            for query in queries:
                began = time.perf_counter()
                pipeline.search(query)
                seconds.append(time.perf_counter() - began)
        figures[f"{name}: p50 ms"] = float(np.median(seconds)) * 1000
        figures[f"{name}: processor ms"] = searches.processor / len(queries) * 1000
    return figures


def _exports(bench: _Bench, documents: int) -> Figures:
    """The first export and report, and those after a change of one document."""
    pipeline, figures = bench.pipeline, Figures()
    target = bench.settings.home / "chunks.jsonl"
    for name in ("first", "1 changed"):
        if name != "first":
            _amend(bench, _CHANGED + 1)
            bench.run(bench.poll())
        with bench.meter.measured() as exported:
            write_chunks_jsonl(pipeline.registry, pipeline.warehouse, target)
        with bench.meter.measured() as reported:
            make_chunk_report(pipeline.resources)
        figures[f"export, {name}: processor s"] = exported.processor
        figures[f"chunk report, {name}: processor s"] = reported.processor
    return figures


def _switch(bench: _Bench, documents: int) -> Figures:
    """To 1,024 buckets and back to a partition for each document, with the same stores and answers."""
    figures = Figures()
    for found, spent in switched.switch_there_and_back(bench.instance, bench.pipeline, bench.meter, of_buckets(1024)):
        figures[f"switch to {found.after}: processor ms per document"] = spent.processor / documents * 1000
    return figures


def _amend(bench: _Bench, place: int) -> str:
    """Add a word of its own to the first section of the `place`-th document that has numbered sections; the word."""
    word = f"kvarnstensprov{place}"
    texts = ((path, path.read_text("utf-8")) for path in sorted(bench.folder.rglob("*.txt")))
    path, text = next(
        itertools.islice(((path, text) for path, text in texts if _FIRST_SECTION.search(text)), place, None)
    )
    path.write_text(_FIRST_SECTION.sub(rf"\1 {word}", text, count=1), "utf-8")
    return word


def _amendment(bench: _Bench, documents: int) -> Figures:
    """One document changes: the poll that sees it, its run, and the search that finds the new word."""
    word = _amend(bench, 0)
    with bench.meter.measured() as poll:
        due = bench.poll()
    assert len(due) == 1, due
    with bench.meter.measured() as run:
        bench.run(due)
    with bench.meter.measured() as search:
        hits = bench.pipeline.search(word)
    if not any(word in str(hit.payload["chunk_text"]) and hit.document_id == due[0] for hit in hits):
        raise SystemExit(f"a search for {word} does not find it in {due[0]}")
    total = poll.processor + run.processor + search.processor
    return {
        "amendment: poll, processor s": poll.processor,
        "amendment: run, processor s": run.processor,
        "amendment: search, processor s": search.processor,
        "amendment: all, processor s": total,
        "amendment: all, wall s": poll.wall + run.wall + search.wall,
    }


def table(found: Sequence[Figures]) -> str:
    """One row per figure, one column per size, and the ratio of the largest to the smallest size."""
    names = list(dict.fromkeys(name for figures in found for name in figures))
    rows = []
    for name in names:
        values = [figures.get(name) for figures in found]
        first, last = values[0], values[-1]
        ratio = f"{last / first:.2f}" if len(values) > 1 and first and last is not None else ""
        rows.append([name, *("" if value is None else f"{value:,.6g}" for value in map(_rounded, values)), ratio])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(widths[0]) if not at else cell.rjust(widths[at]) for at, cell in enumerate(row))
        for row in rows
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 0 if value >= 1000 else 1 if value >= 100 else 3)


def _in_own_process(arguments: Sequence[str], documents: int) -> Figures:
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        command = [sys.executable, "-m", str(__spec__.name), *arguments, "--one", str(documents), "--json", answer.name]
        subprocess.run(command, check=True)
        figures: Figures = json.loads(Path(answer.name).read_text())
        return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("sizes", type=int, nargs="*", help="default: 1000, without --registry")
    options.add_argument("--small", action="store_true", help="synthetic statutes of three to five sections")
    options.add_argument("--dagster", action="store_true", help="run documents as Dagster runs, and count events")
    options.add_argument(
        "--skip",
        action="append",
        default=[],
        choices=["disk", "idle_polls", "reconcile", "views", "amendment", "exports", "switch"],
    )
    options.add_argument("--model", help="embed with this model in place of the stand-in: `multilingual-e5-small`")
    options.add_argument("--registry", type=int, action="append", default=[], help="documents in the registry alone")
    options.add_argument("--json", type=Path, help="file for the figures")
    options.add_argument("--one", type=int, help=argparse.SUPPRESS)  # this process measures this size
    chosen = options.parse_args()
    if chosen.one:
        figures: Any = measure(
            chosen.corpus,
            chosen.one,
            small=chosen.small,
            by_dagster=chosen.dagster,
            model=chosen.model,
            skip=chosen.skip,
        )
    else:
        flags = [str(chosen.corpus), *(["--small"] if chosen.small else []), *(["--dagster"] if chosen.dagster else [])]
        flags += ["--model", chosen.model] if chosen.model else []
        flags += [text for name in chosen.skip for text in ("--skip", name)]
        figures = [_in_own_process(flags, size) for size in chosen.sizes or ([] if chosen.registry else [1000])]
        figures += [{"documents": size, **registry_ticks(size)} for size in chosen.registry]
        print(table(figures))
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
