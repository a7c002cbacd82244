"""The list of strategies. A new strategy is one module and one line in `STRATEGIES`.

Not here: when a strategy is used (`chunking.router`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from legal_pipeline.chunking import markdown_merge, paragraf
from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment
from legal_pipeline.corpus.document import Document


@dataclass(frozen=True)
class Strategy:
    """`version` is raised whenever the strategy's chunks change for any document: it makes what was cut before stale."""

    name: str
    chunk: Callable[[Document, Segment], tuple[list[Draft], list[Exclusion]]]
    version: str


STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy(paragraf.NAME, paragraf.chunk, paragraf.VERSION),
        Strategy(markdown_merge.NAME, markdown_merge.chunk, markdown_merge.VERSION),
    )
}
