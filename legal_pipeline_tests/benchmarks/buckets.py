"""Many documents in buckets: cost per document, events, ticks, documents that cannot be read, one amendment, and switching back and forth.

`python -m legal_pipeline_tests.benchmarks.buckets 2000 --buckets 64` (`100000 --buckets 1024` needs hours). `--buckets 0` measures
partitions of one document. A stand-in makes the vectors, and its time is left out. Each run is a Dagster run in this process. Figures
depend on the machine. Ends with an error if other documents fail than the bad ones, or if one of the others is not published.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from dagster import DagsterInstance, SensorResult, SkipReason, build_sensor_context

from legal_pipeline.defs import partitions, sensors
from legal_pipeline.defs.launch import dagster_instance, embedded_services, run_documents
from legal_pipeline.defs.partitioning import Partitioning, partitioning
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.defs.storage import EVENT_BATCH
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing.stage import StageEvent
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.benchmarks import switched
from legal_pipeline_tests.benchmarks.events import describe, last_event, written
from legal_pipeline_tests.benchmarks.large_index import StandIn, stand_in_pipeline
from legal_pipeline_tests.benchmarks.meter import Meter, Spent
from legal_pipeline_tests.benchmarks.scale import small_statutes
from legal_pipeline_tests.small_laws import write_bad

_PER_FOLDER = 500
_WORD = "kvarnstensprov"


class _Home:
    """A folder of documents, and the home that follows it."""

    def __init__(self, settings: Settings, instance: DagsterInstance, pipeline: Pipeline, meter: Meter) -> None:
        self.settings, self.instance, self.pipeline, self.meter = settings, instance, pipeline, meter
        self.partitioning = partitioning(settings)
        self.failed: set[str] = set()
        self._cursor: str | None = None

    def registration(self, found: object) -> None: ...

    def later_texts(self, days: object) -> None: ...

    def event(self, event: StageEvent) -> None:
        if isinstance(event, Failed):
            self.failed.add(event.document_id)

    def poll(self) -> set[str]:
        """Poll the folder; return the partitions that the poll asks runs for."""
        context = build_sensor_context(instance=self.instance, cursor=self._cursor)
        result = sensors.poll_folder(context, PipelineResource(loaded=self.settings))
        assert not isinstance(result, SkipReason), result
        self._cursor = result.cursor
        for request in result.dynamic_partitions_requests or ():
            self.instance.add_dynamic_partitions(partitions.NAME, list(request.partition_keys))
        return self._asked(result)

    def _asked(self, result: SensorResult) -> set[str]:
        order = list(self.instance.get_dynamic_partitions(partitions.NAME))
        asked: set[str] = set()
        for request in result.run_requests or ():
            first = request.partition_key or request.tags["dagster/asset_partition_range_start"]
            last = request.partition_key or request.tags["dagster/asset_partition_range_end"]
            asked.update(order[order.index(first) : order.index(last) + 1])
        return asked

    def run(self, keys: Sequence[str], *, due: bool) -> None:
        """Run the documents of these partitions, as many per run as the settings say."""
        by_key = self.partitioning.documents_of(self.pipeline.registry, keys, due=due)
        run_documents(self.instance, self.pipeline, [name for found in by_key.values() for name in found], report=self)


@contextlib.contextmanager
def _home(path: Path, folder: Path) -> Iterator[_Home]:
    settings = load_settings(home=path, source_directory=folder, anthropic_api_key=None, removal_grace_seconds=0)
    embedder = StandIn()
    with (
        embedded_services(settings) as settings,
        dagster_instance(settings) as instance,
        stand_in_pipeline(settings, embedder) as pipeline,
    ):
        yield _Home(settings, instance, pipeline, Meter(settings.home / "postgres", lambda: embedder.seconds))


def measure(documents: int, bad: int) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        folder = Path(name) / "sources"
        for place, (filename, data) in enumerate(itertools.islice(small_statutes(), documents)):
            path = folder / f"{place // _PER_FOLDER:04}" / filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for place in range(bad):
            write_bad(folder, f"trasig-{place}.html")
        with _home(Path(name) / "home", folder) as home:
            _measure(home, folder, documents + bad, bad)


def _measure(home: _Home, folder: Path, documents: int, bad: int) -> None:
    begin = last_event(home.instance)
    registration, polls, asked = Spent(), 0, set[str]()
    while True:
        with home.meter.measured(registration):
            found = home.poll()
        if not found:
            break
        asked |= found
        polls += 1
    per_document = 1000 / documents
    print(f"{documents:,} documents, {len(asked):,} partitions ({home.partitioning}), registered in {polls} polls")
    print(
        f"registration: {registration.ours * per_document:.1f} + {registration.postgres * per_document:.1f} ms (ours, PostgreSQL)"
    )
    with home.meter.measured() as runs:
        home.run(sorted(asked), due=True)
    number = len(home.instance.get_runs())
    print(
        f"runs: {runs.ours * per_document:.1f} + {runs.postgres * per_document:.1f} ms for each document, {number} runs"
    )
    describe("first run", written(home.instance, begin), documents)
    _verify(home, documents, bad)
    with home.meter.measured() as idle:
        assert home.poll() == set()
    print(f"idle poll: {idle.processor:.2f} s")
    begin = last_event(home.instance)
    with home.meter.measured() as again:
        home.run(sorted(asked), due=False)
    print(
        f"runs, nothing changed: {again.ours * per_document:.1f} + {again.postgres * per_document:.1f} ms for each document"
    )
    describe("second run", written(home.instance, begin), documents)
    _amend(home, folder)
    if home.partitioning.buckets is not None:
        switched.describe(
            switched.switch_there_and_back(home.instance, home.pipeline, home.meter, Partitioning()), documents
        )


def _verify(home: _Home, documents: int, bad: int) -> None:
    """End with an error unless exactly the bad documents failed, and all others are published."""
    counts = home.pipeline.registry.counts()
    if len(home.failed) != bad or any(not name.startswith("unreadable-") for name in home.failed):
        raise SystemExit(f"these failed: {sorted(home.failed)[:10]}")
    published = home.pipeline.registry.manifests.published_counts("legal_chunks")
    if counts != {"completed": documents - bad, "failed": bad} or len(published) != documents - bad:
        raise SystemExit(f"{counts}, {len(published)} published")
    print(f"{bad} documents failed, which are the bad ones; {len(published):,} are published")


def _amend(home: _Home, folder: Path) -> None:
    """One document changes: the poll, the run of its partition and a search."""
    path = next(folder.rglob("sfs-*.txt"))
    path.write_text(path.read_text("utf-8").replace("1 § ", f"1 § {_WORD} ", 1), "utf-8")
    before = {row.document_id: row.processed_at for row in home.pipeline.registry.documents()}
    with home.meter.measured() as spent:
        (key,) = home.poll()
        home.run([key], due=True)
        hits = home.pipeline.search(_WORD)
    after = {row.document_id: row.processed_at for row in home.pipeline.registry.documents()}
    (changed,) = (name for name in after if after[name] != before[name])
    if not any(_WORD in str(hit.payload["chunk_text"]) and hit.document_id == changed for hit in hits):
        raise SystemExit(f"a search for {_WORD} does not find it in {changed}")
    print(
        f"amendment of {changed} in {key}: {spent.processor:.2f} s from the poll to the search, no other document was processed"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("documents", type=int)
    options.add_argument("--buckets", type=int, default=64, help="per source; 0: partitions of one document")
    options.add_argument("--bad", type=int, default=3, help="files that cannot be read")
    chosen = options.parse_args()
    os.environ.pop("DAGSTER_HOME", None)
    os.environ.update([EVENT_BATCH])
    os.environ["LEGAL_PIPELINE_PARTITIONING"] = "buckets" if chosen.buckets else "documents"
    os.environ["LEGAL_PIPELINE_BUCKETS"] = str(chosen.buckets or 1)
    began = time.monotonic()
    measure(chosen.documents, chosen.bad)
    print(f"{time.monotonic() - began:.0f} s in all")


if __name__ == "__main__":
    main()
