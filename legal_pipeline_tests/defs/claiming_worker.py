"""A run of due documents in a process of its own, some at a time; a stand-in makes the vectors.

`python -m … DATABASE_URL HOME PER_BATCH DOCUMENT_ID…` prints `ready`, waits for a line, and prints `begins` or `ends` with each document
that enters or leaves its runs. Not here: what must hold (`test_claims`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline, RunOptions
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.benchmarks.large_index import StandIn, stand_in_pipeline


def main(database_url: str, home: str, per_batch: str, *document_ids: str) -> None:
    settings = load_settings(home=Path(home), database_url=database_url, enrich="none", stores="qdrant")
    with stand_in_pipeline(settings, StandIn()) as pipeline:
        print("ready", flush=True)
        sys.stdin.readline()
        for first in range(0, len(document_ids), int(per_batch)):
            run(pipeline, document_ids[first : first + int(per_batch)])


def run(pipeline: Pipeline, document_ids: tuple[str, ...]) -> None:
    begun: set[str] = set()
    for event in pipeline.run(document_ids, options=RunOptions(due=True)):
        assert not isinstance(event, Failed), event
        if event.document_id not in begun:
            begun.add(event.document_id)
            print("begins", event.document_id, flush=True)
    for document_id in begun:
        print("ends", document_id, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
