"""Cosine thresholds per embedding model: the same cosine means different things in different models. Not here: how they are used."""

from __future__ import annotations

import functools
import importlib.resources
import tomllib


def calibrated(threshold: str, model: str | None, default: float) -> float:
    """Return the `threshold` of the model (its name up to the `@`); `default` for a model that was never calibrated."""
    return _thresholds()[threshold].get((model or "").partition("@")[0], default)


@functools.cache
def _thresholds() -> dict[str, dict[str, float]]:
    data = tomllib.loads(importlib.resources.files(__package__).joinpath("calibration.toml").read_text("utf-8"))
    return {name: {model: float(value) for model, value in values.items()} for name, values in data.items()}
