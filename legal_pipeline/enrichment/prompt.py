"""Prompt files, and the marks that separate document text from instructions.

Not here: the requests of a task (`enrichment.pages`).
"""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Iterable

from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.model.identity import sha256_hex


@functools.cache
def instructions(task: Task) -> str:
    return importlib.resources.files(__package__).joinpath("prompts", f"{task}.txt").read_text("utf-8").strip()


def data_block(text: str) -> str:
    """Return `text` between marks that contain its hash: no text can contain its own closing mark, so it cannot end the block early."""
    mark = f"data-{sha256_hex(text)[:16]}"
    return f"<{mark}>\n{text}\n</{mark}>"


def json_lines(rows: Iterable[dict[str, object]]) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def numbered_lines(text: str) -> str:
    """Return `text` with a number, from 1, and a bar before each line."""
    return "\n".join(f"{number}| {line}" for number, line in enumerate(text.split("\n"), 1))
