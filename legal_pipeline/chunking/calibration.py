"""Thresholds of cosine, which belong to an embedding model: what is alike in one is not in another. Not here: what they decide."""

from __future__ import annotations

import functools
import importlib.resources
import tomllib


def calibrated(threshold: str, model: str | None, default: float) -> float:
    """The `threshold` of the model of this name (what stands before its `@`); `default` for one that was never calibrated."""
    return _thresholds()[threshold].get((model or "").partition("@")[0], default)


@functools.cache
def _thresholds() -> dict[str, dict[str, float]]:
    data = tomllib.loads(importlib.resources.files(__package__).joinpath("calibration.toml").read_text("utf-8"))
    return {name: {model: float(value) for model, value in values.items()} for name, values in data.items()}
