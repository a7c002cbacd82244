"""Speed of parsing and chunking Swedish statutes, beside tiktoken's own speed on the same texts in the same run.

`python -m legal_pipeline_tests.benchmarks.swedish_statutes CORPUS` prints MB of UTF-8 text per second of processor time on one core.
Chunking includes token counts, ids and all checks; annotations (citations, entities) are separate.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.annotate import read_annotations
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.header import StatuteHeader, clean_title
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline.text.tokens import encoding


def main(corpus: str) -> None:
    with gzip.open(Path(corpus) / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as rows:
        acts = [json.loads(row) for row in rows]
    megabytes = sum(len(act["body"].encode()) for act in acts) / 1e6
    encode = encoding().encode_ordinary
    documents: list[Document] = []

    def parse() -> None:
        for act in acts:
            header = StatuteHeader(number=act["sfs"].removeprefix("SFS "), title=clean_title(act["title"]))
            source = SourceFile(act["source_file"], act["body"].encode())
            documents.append(parse_statute_text(act["body"], header, source))

    parsing = timed(parse)
    chunking = timed(lambda: [chunk(document) for document in documents])
    tokens = timed(lambda: [encode(act["body"]) for act in acts])
    annotating = timed(lambda: [read_annotations(document) for document in documents[:100]])
    part = sum(len(document.text.encode()) for document in documents[:100]) / 1e6
    print(f"{len(acts)} Acts, {megabytes:.2f} MB")
    for name, size, seconds in (
        ("parse", megabytes, parsing),
        ("chunk", megabytes, chunking),
        ("parse + chunk", megabytes, parsing + chunking),
        ("tiktoken alone", megabytes, tokens),
        ("annotate", part, annotating),
    ):
        print(f"{name:16} {size / seconds:6.2f} MB/s  {seconds / size * megabytes / tokens:5.1f} x tiktoken")


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
