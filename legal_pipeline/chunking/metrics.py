"""Figures of one document's chunks: counts, sizes, overlap, anomalies.

Not here: the checks that make a document unfit to publish (`chunking.assemble`), the histogram of sizes (`chunking.histogram`), and where
the figures are shown (`defs`).
"""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from legal_pipeline.chunking.windows import Sizes
from legal_pipeline.model.document import GONE, Document, Node
from legal_pipeline.text.tokens import count_tokens

#: Tokens of all parts of one provision together. The longest correct sections of the corpus are definitions sections of 9,000.
EXTREMELY_LONG = 10_000

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics of a list of sizes; all 0 for an empty list."""

    minimum: float
    median: float
    mean: float
    p95: float
    maximum: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        if not values:
            return cls(0, 0, 0, 0, 0)
        ranked = sorted(values)
        p95 = ranked[int(0.95 * len(ranked))]
        return cls(ranked[0], statistics.median(ranked), round(statistics.fmean(ranked), 4), p95, ranked[-1])


@dataclass(frozen=True, slots=True)
class Anomaly:
    """`kind`: `empty section`, `extremely long section`, `over 5,000 characters`, `under 100 tokens`, `oversized`."""

    kind: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class ChunkMetrics:
    """`overlap` holds, for each pair of chunks that overlap, the share (0 to 1) of the first chunk's tokens that the second repeats."""

    chunks: int
    by_strategy: dict[str, int]
    by_type: dict[str, int]
    tokens: Spread
    characters: Spread
    overlapping_pairs: int
    overlap: Spread
    overlap_boundaries: dict[str, int]
    anomalies: tuple[Anomaly, ...]

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def measure(rows: Iterable[Row], document: Document | None = None) -> ChunkMetrics:
    """Return the figures of the rows (of the chunk table, in text order); empty sections are found only if `document` is given."""
    chunks = list(rows)
    shares: list[float] = []
    for _, group in itertools.groupby(
        sorted(chunks, key=lambda row: str(row["strategy"])), key=lambda row: row["strategy"]
    ):
        shares.extend(_overlaps(list(group)))
    boundaries = Counter(found for row in chunks if (found := _metadata(row).get("overlap_boundary")))
    return ChunkMetrics(
        chunks=len(chunks),
        by_strategy=dict(Counter(str(row["strategy"]) for row in chunks)),
        by_type=dict(Counter(str(row["chunk_type"]) for row in chunks)),
        tokens=Spread.of([row["num_tokens"] for row in chunks]),
        characters=Spread.of([len(row["chunk_text"]) for row in chunks]),
        overlapping_pairs=len(shares),
        overlap=Spread.of(shares),
        overlap_boundaries=dict(boundaries),
        anomalies=(*_of_chunks(chunks), *(_of_sections(document) if document is not None else ())),
    )  # fmt: skip


def _metadata(row: Row) -> Mapping[str, Any]:
    return row.get("metadata") or {}


def _overlaps(rows: Sequence[Row]) -> Iterator[float]:
    """Yield for each pair of neighbours that overlap the share of the first chunk's tokens that the second repeats."""
    for before, row in itertools.pairwise(sorted(rows, key=lambda row: int(row["seq"]))):
        common = sum(max(0, end - max(start, row["start_char"])) for start, end in before["spans"])
        if common > 0 and row["start_char"] > before["start_char"]:
            tokens = _metadata(row).get("overlap_tokens") or count_tokens(before["chunk_text"][-common:])
            yield tokens / max(1, before["num_tokens"])


def _of_chunks(rows: Sequence[Row]) -> Iterator[Anomaly]:
    sizes = Sizes()
    whole: Counter[str] = Counter()
    for row in rows:
        path = str(row["path"])
        whole[path.partition("#")[0]] += row["num_tokens"]
        if _metadata(row).get("oversized"):
            yield Anomaly("oversized", path, f"{row['num_tokens']} tokens")
        if row["strategy"] != "sliding_window":
            continue
        if len(row["chunk_text"]) > sizes.cap:
            yield Anomaly(f"over {sizes.cap:,} characters", path, f"{len(row['chunk_text'])} characters")
        if row["num_tokens"] < sizes.minimum:
            yield Anomaly(f"under {sizes.minimum} tokens", path, f"{row['num_tokens']} tokens")
    for path, tokens in whole.items():
        if tokens > EXTREMELY_LONG:
            yield Anomaly("extremely long section", path, f"{tokens} tokens")


def _of_sections(document: Document) -> Iterator[Anomaly]:
    for node in document.provisions():
        if node.status not in GONE and is_empty(document, node):
            yield Anomaly("empty section", node.eid or node.type, document.text_of(node)[:80])


def is_empty(document: Document, node: Node) -> bool:
    """Whether a provision holds only its number and heading."""
    body = document.text_of(node)
    for child in node.children:
        if child.type in ("heading", "remark"):
            body = body.replace(document.text_of(child), "", 1)
    body = body.replace(node.heading or "", "", 1).replace(node.num or "", "", 1)
    return not any(sign.isalpha() for sign in body.replace("Section", "").replace("Article", ""))
