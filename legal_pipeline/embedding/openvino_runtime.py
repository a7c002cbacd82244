"""Import the library OpenVINO with its telemetry switched off. Not here: models."""

from __future__ import annotations

import functools
import sys
from typing import Any


@functools.cache
def openvino() -> Any:
    """Return the module. A normal import sends an event to an analytics service every time, unless the user has refused."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


@functools.cache
def core() -> Any:
    """Return the OpenVINO core, one for all models of the process."""
    return openvino().Core()


def has_bfloat16() -> bool:
    """Return whether the processor has bfloat16 instructions: without them bfloat16 is slower than float32."""
    return "BF16" in core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
