"""A process to be killed: asks for the prefixes of 30 documents and writes the answers to a file.

`python -m legal_pipeline_tests.enrichment.enrich_30 SERVER DATABASE MODE FILE`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.enricher import PrefixRequest
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import KEY
from legal_pipeline_tests.enrichment.conftest import PACE

CONCURRENCY = 4


def documents() -> list[PrefixRequest]:
    return [acts.prefix_request(f"act-{number:02d}", acts.sections(2 + number)) for number in range(30)]


def main(server: str, database_url: str, mode: str, file: str) -> None:
    settings = load_settings(
        anthropic_api_key=KEY, anthropic_base_url=server, database_url=database_url, llm_mode=mode,
        llm_concurrency=CONCURRENCY, _env_file=None,
    )  # fmt: skip
    with Database.open(settings) as database:
        engine = ClaudeEnricher(settings, database, policy=PACE)
        done = engine.context_prefixes(documents())
        engine.close()
    rows = [[answer.document_id, answer.chunk_id, answer.text, str(answer.generator)] for answer in done.answers]
    Path(file).write_text(json.dumps({"answers": rows, "unanswered": len(done.unanswered)}), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
