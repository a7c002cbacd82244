"""A process to be killed: takes 30 Acts through the pipeline to their enrichment, with Claude.

`python -m legal_pipeline_tests.enrichment.run_30 SERVER DATABASE HOME FOLDER MODE`
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.enrichment.anthropic_server import KEY
from legal_pipeline_tests.enrichment.claude_bench import UP_TO_ENRICHMENT
from legal_pipeline_tests.pipeline.lighthouse_act import act

CONCURRENCY = 4
DOCUMENTS = 30


def write_acts(folder: Path) -> None:
    for number in range(1, DOCUMENTS + 1):
        text = act(number=f"2099:{number}", chapters=2)
        (folder / f"{number:02}.txt").write_text(text, "utf-8")


def main(server: str, database_url: str, home: str, folder: str, mode: str) -> None:
    settings = load_settings(
        anthropic_api_key=KEY, anthropic_base_url=server, database_url=database_url, home=Path(home), llm_mode=mode,
        llm_concurrency=CONCURRENCY, llm_batch_poll_seconds=0.02, llm_batch_hold_seconds=120, _env_file=None,
    )  # fmt: skip
    with Pipeline.open(settings) as pipeline:
        found = register(DirectorySource(Path(folder)), pipeline.registry, grace=timedelta(0))
        events = list(pipeline.run([*found.to_run, *found.listed], UP_TO_ENRICHMENT))
    if failures := [event for event in events if isinstance(event, Failed)]:
        sys.exit(f"{len(failures)} failed, the first: {failures[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
