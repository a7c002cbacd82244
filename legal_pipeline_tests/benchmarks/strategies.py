"""Every strategy on every kind of real text, as a table: `python -m legal_pipeline_tests.benchmarks.strategies CORPUS --markdown`.

Documents go where the router sends them; throughput counts routing, cutting, hashing and token counting, not parsing, vectors,
entities or cross-references. Strategies by meaning get vectors of the packaged model for the first `SAMPLE` documents of a corpus
that they are used on; the others of that corpus are left out and the table says so. Not a test: speed depends on the machine.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions, route
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import forget_counts
from legal_pipeline_tests.real_documents import documents, swedish_bulk

#: Documents per corpus whose pieces are embedded, and characters above which a document is not one of them.
SAMPLE, LONGEST = 3, 60_000

FOLDERS = (
    "in/acts_json", "in/indiacode_md", "in/judgments_rr", "in/judgments_text", "in/judgments_pdf",
    "zw", "us", "tagged", "histories", "se",
)  # fmt: skip


@dataclass
class Row:
    """What one strategy made of one corpus."""

    documents: set[str] = field(default_factory=set)
    tokens: list[int] = field(default_factory=list)
    characters: int = 0
    covered: int = 0
    due: int = 0
    oversized: int = 0
    size: float = 0.0
    seconds: float = 0.0


class CachedEncoder:
    """The packaged model; what it has embedded once is not counted again as time of the strategy."""

    name = "packaged"

    def __init__(self) -> None:
        from legal_pipeline.embedding.registry import open_embedder

        self._embedder = open_embedder()
        self.seconds = 0.0

    def encode(self, texts: Any) -> Any:
        started = time.process_time()
        vectors = self._embedder.embed_passages(texts).vectors
        self.seconds += time.process_time() - started
        return vectors


def corpora(corpus: Path) -> Iterator[tuple[str, Iterator[tuple[str, Document]]]]:
    for folder in FOLDERS:
        yield folder, documents(corpus, folder)
    yield "se/bulk", swedish_bulk(corpus)


def measure(corpus: Path) -> tuple[dict[tuple[str, str], Row], dict[str, int]]:
    """(rows by strategy and corpus, documents left out of the sample by corpus)."""
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    left_out: dict[str, int] = defaultdict(int)
    encoder = CachedEncoder()
    for name, found in corpora(corpus):
        sampled = 0
        for where, document in found:
            segments, _ = route(document)
            if any(STRATEGIES[segment.strategy].pieces is not None for segment in segments):
                if sampled == SAMPLE or len(document.text) > LONGEST:
                    left_out[name] += 1
                    continue
                sampled += 1
            _add(rows, name, where, document, encoder)
    return rows, left_out


def _add(rows: dict[tuple[str, str], Row], name: str, where: str, document: Document, encoder: CachedEncoder) -> None:
    encoder.seconds = 0.0
    forget_counts()  # versions of one act repeat most of their text
    started = time.process_time()
    try:
        result = chunk(document, RouterOptions(), lambda _: encoder)
    except LegalPipelineError as error:
        print(f"{where}: {error}")
        return
    seconds = time.process_time() - started - encoder.seconds
    total = sum(row.end_char - row.start_char for row in result.chunks) or 1
    for strategy, group in itertools.groupby(
        sorted(result.chunks, key=lambda row: row.strategy), lambda row: row.strategy
    ):
        made: list[Chunk] = list(group)
        row = rows[strategy, name]
        share = sum(item.end_char - item.start_char for item in made) / total
        row.documents.add(where)
        row.tokens += [item.num_tokens for item in made]
        row.oversized += sum(bool(item.metadata.get("oversized")) for item in made)
        due = len(document.text) - sum(item.end - item.start for item in result.exclusions)
        row.due += due
        row.covered += round(due * result.coverage)
        row.size += share * len(document.text.encode()) / 1e6
        row.seconds += share * seconds


def table(rows: dict[tuple[str, str], Row], left_out: dict[str, int]) -> str:
    lines = [
        "| strategy | corpus | documents | chunks | tokens: median | p95 | max | coverage | oversized | MB/s |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (strategy, name), row in sorted(rows.items()):
        tokens = sorted(row.tokens)
        lines.append(
            f"| {strategy} | {name} | {len(row.documents)} | {len(tokens)} | {statistics.median(tokens):.0f} "
            f"| {tokens[math.ceil(0.95 * len(tokens)) - 1]} | {tokens[-1]} | {row.covered / row.due:.2%} | {row.oversized} "
            f"| {row.size / row.seconds if row.seconds > 0 else 0:.1f} |"
        )
    if left_out:
        lines.append("")
        lines.append(
            "Only a sample of the documents that are cut by meaning is embedded; left out: "
            + ", ".join(f"{count} of {name}" for name, count in sorted(left_out.items()))
            + "."
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument(
        "--markdown", action="store_true", help="the table alone, as it stands in docs/reference/strategies.md"
    )
    arguments = parser.parse_args()
    started = time.monotonic()
    print(table(*measure(arguments.corpus)))
    if not arguments.markdown:
        print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
