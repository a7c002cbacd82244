"""What Dagster's event log holds of a document: rows and bytes of the tables `event_logs` and `asset_event_tags`.

Not here: the bounds, which are a test (`defs.test_event_log`), and the documents that are run (`benchmarks.scale --dagster`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy
from dagster import DagsterInstance

from legal_pipeline.defs.launch import run_documents
from legal_pipeline.pipeline import Pipeline

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

    def later_texts(self, days: object) -> None: ...

    def event(self, event: object) -> None: ...


def measure(instance: DagsterInstance, pipeline: Pipeline, documents: Sequence[str]) -> Written:
    """What one run of all assets of these documents writes."""
    before = last_event(instance)
    run_documents(instance, pipeline, list(documents), report=_Silent())
    return written(instance, before)


def describe(title: str, found: Written, documents: int) -> None:
    """Print events and bytes for each document, by kind."""
    print(f"{title}: {found.rows / documents:.1f} events, {found.size / 1024 / documents:.1f} KB for each document")
    for kind, (rows, size) in found.by_kind.items():
        print(f"    {kind:32} {rows / documents:6.1f} {size / 1024 / documents:8.1f} KB")
    print(f"    {'(indexed tags)':32} {found.tags[0] / documents:6.1f} {found.tags[1] / 1024 / documents:8.1f} KB")
