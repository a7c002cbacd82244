"""The list of strategies. A new strategy is one module and one line in `STRATEGIES`.

Not here: when a strategy is used (`chunking.router`).
"""

from __future__ import annotations

from legal_pipeline.chunking import (
    judgment_structural,
    llm_plan,
    markdown_merge,
    page_level,
    paragraf,
    proposition,
    recursive_semantic,
    semantic,
    sliding_window,
    statute_boundary,
    tagged_paragraph,
)
from legal_pipeline.chunking.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        paragraf.STRATEGY,
        statute_boundary.STRATEGY,
        judgment_structural.STRATEGY,
        page_level.STRATEGY,
        markdown_merge.STRATEGY,
        proposition.STRATEGY,
        recursive_semantic.STRATEGY,
        semantic.STRATEGY,
        sliding_window.STRATEGY,
        llm_plan.STRATEGY,
        tagged_paragraph.STRATEGY,
    )
}
