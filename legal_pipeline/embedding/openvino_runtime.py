"""The library OpenVINO, imported so that it reports nothing to its maker. Not here: models."""

from __future__ import annotations

import functools
import sys
from typing import Any


@functools.cache
def openvino() -> Any:
    """The module. Imported plainly it sends an event to an analytics service with every import, unless the user has said no."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


@functools.cache
def core() -> Any:
    """One for all models of the process."""
    return openvino().Core()


def has_bfloat16() -> bool:
    """Whether the processor has instructions for bfloat16: without them the precision is slower than float32."""
    return "BF16" in core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
