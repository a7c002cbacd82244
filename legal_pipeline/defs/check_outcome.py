"""The outcome of an asset check, and what each of our checks is. Not here: the checks (`defs.checks` lists them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dagster import MetadataValue

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing.stage import AssetKey

#: Maximum number of offenders listed; a figure gives their total.
NAMED = 20

#: Whether the check passed, and its metadata.
Outcome = tuple[bool, dict[str, Any]]

#: Name of a check -> its asset, its description, and what it does.
Checks = dict[str, tuple[AssetKey, str, Callable[[Pipeline], Outcome]]]


def outcome(wrong: Iterable[str], documents: int, **figures: Any) -> Outcome:
    """Return the outcome of a check of `documents`, of which those `wrong` fail it."""
    named = sorted(wrong)
    return not named, {
        "documents": documents, "wrong": len(named), "first_wrong": MetadataValue.json(named[:NAMED]), **figures,
    }  # fmt: skip
