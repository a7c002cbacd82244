"""The list of strategies. A new strategy is one module and one line in `STRATEGIES`.

Not here: when a strategy is used (`chunking.router`).
"""

from __future__ import annotations

from legal_pipeline.chunking import (
    markdown_merge,
    page_level,
    paragraf,
    recursive_semantic,
    semantic,
    statute_boundary,
)
from legal_pipeline.chunking.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        paragraf.STRATEGY,
        statute_boundary.STRATEGY,
        page_level.STRATEGY,
        markdown_merge.STRATEGY,
        recursive_semantic.STRATEGY,
        semantic.STRATEGY,
    )
}
