"""What Dagster's event log holds of a document: real Swedish Acts, run once, run again unchanged, and run as a backfill runs them.

`python -m legal_pipeline_tests.benchmarks.events ../shared/corpus [--documents 25] [--longest 4000]`. Counts rows and bytes of the tables
`event_logs` and `asset_event_tags` of a real PostgreSQL. Not here: the bounds, which are a test (`defs.test_event_log`).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy
from dagster import DagsterInstance
from pydantic import SecretStr

from legal_pipeline.defs.launch import dagster_instance, embedded_services, run_documents
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.benchmarks.backfill import registered, write_acts

_ROWS = sqlalchemy.text(
    "select coalesce(dagster_event_type, 'log') as kind, count(*), sum(length(event)) "
    "from event_logs where id > :after group by 1 order by 3 desc"
)
_TAGS = sqlalchemy.text(
    "select count(*), coalesce(sum(length(key) + length(coalesce(value, '')) + length(asset_key)), 0) "
    "from asset_event_tags where event_id > :after"
)


@dataclass(frozen=True)
class Written:
    """`rows` and `size` (bytes) of the events of assets, and of everything else that is in the log; tags are counted with their events."""

    by_kind: dict[str, tuple[int, int]]
    tags: tuple[int, int]

    @property
    def rows(self) -> int:
        return sum(rows for rows, _ in self.by_kind.values())

    @property
    def size(self) -> int:
        return sum(size for _, size in self.by_kind.values()) + self.tags[1]


def last_event(instance: DagsterInstance) -> int:
    return instance.event_log_storage.get_maximum_record_id() or 0


def written(instance: DagsterInstance, after: int) -> Written:
    """What the log holds behind the event `after`."""
    with instance.event_log_storage.index_connection() as connection:  # type: ignore[attr-defined]
        rows = connection.execute(_ROWS, {"after": after}).fetchall()
        tags = connection.execute(_TAGS, {"after": after}).fetchone()
    return Written({kind: (int(count), int(size)) for kind, count, size in rows}, (int(tags[0]), int(tags[1])))


class _Silent:
    def registration(self, found: object) -> None: ...

    def event(self, event: object) -> None: ...


def measure(instance: DagsterInstance, pipeline: Pipeline, documents: Sequence[str]) -> Written:
    """What one run of all assets of these documents writes."""
    before = last_event(instance)
    run_documents(instance, pipeline, list(documents), report=_Silent())
    return written(instance, before)


def _print(title: str, found: Written, documents: int) -> None:
    print(f"{title}: {found.rows / documents:.1f} events, {found.size / 1024 / documents:.1f} KB for each document")
    for kind, (rows, size) in found.by_kind.items():
        print(f"    {kind:32} {rows / documents:6.1f} {size / 1024 / documents:8.1f} KB")
    print(f"    {'(indexed tags)':32} {found.tags[0] / documents:6.1f} {found.tags[1] / 1024 / documents:8.1f} KB")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--documents", type=int, default=25)
    options.add_argument("--longest", type=int, default=4000, help="characters of the longest Act that is taken")
    chosen = options.parse_args()
    os.environ.pop("DAGSTER_HOME", None)
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        (home / "acts").mkdir()
        write_acts(chosen.corpus, home / "acts", chosen.documents, chosen.longest)
        with EmbeddedPostgres(home / "postgres") as server:
            settings = load_settings(
                home=home / "home", database_url=SecretStr(server.url), source_directory=home / "unwatched", anthropic_api_key=None
            )  # fmt: skip
            with (
                embedded_services(settings),
                dagster_instance(settings) as instance,
                Pipeline.open(settings) as pipeline,
            ):
                documents = registered(settings, home / "acts")
                _print("first run", measure(instance, pipeline, documents), len(documents))
                _print("second run, nothing changed", measure(instance, pipeline, documents), len(documents))


if __name__ == "__main__":
    main()
