"""The one `Definitions` object that Dagster loads. Importing this leaves torch, spacy and sentence_transformers unloaded.

Not here: how it is built (`defs.graph`), and the single definitions (`defs`).
"""

from __future__ import annotations

from legal_pipeline.defs.forked_runs import fork_runs
from legal_pipeline.defs.graph import build_definitions

defs = build_definitions()
fork_runs()

__all__ = ["build_definitions", "defs"]
