"""Cosine thresholds per embedding model: the same cosine means different things in different models. Not here: how they are used."""

from __future__ import annotations

from legal_pipeline.system.data_files import data_file


def calibrated(threshold: str, model: str | None, default: float) -> float:
    """Return the `threshold` of the model (its name up to the `@`); `default` for a model that was never calibrated."""
    return float(data_file(__package__, "calibration.toml")[threshold].get((model or "").partition("@")[0], default))
