"""Which backend runs a model here, on which device and in which precision, and why. Imports no torch to find out.

Not here: the backends, and whether a backend's vectors are those of the model (`embedding.admission`).
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.metadata
import importlib.util
import platform
import sys
from dataclasses import dataclass

from legal_pipeline.embedding.backend import BackendName, Precision
from legal_pipeline.embedding.openvino_runtime import has_bfloat16
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.errors import ConfigurationError


@dataclass(frozen=True)
class Choice:
    """`reason` is for people. `is_free` says that nobody asked for this backend: another one may take its place."""

    backend: BackendName
    device: str
    precision: Precision
    reason: str
    is_free: bool = False

    def __str__(self) -> str:
        return f"{self.backend} on {self.device} in {self.precision} ({self.reason})"


def choose(options: BackendOptions) -> Choice:
    """What `options` ask for, and the fastest that this machine has where they leave it open. Raises ConfigurationError for what does
    not go together."""
    backend, device, reason = _backend(options)
    precision, why = (options.precision, "") if options.precision != "auto" else _precision(backend, device)
    reasons = ", ".join(part for part in (reason, why) if part)
    if backend == "openvino" and device != "cpu":
        raise ConfigurationError(f"the backend openvino runs on the device cpu, not on {device}")
    return Choice(backend, device, precision, reasons, is_free=options.backend == "auto")


def torch_choice(options: BackendOptions, reason: str) -> Choice:
    """Torch on the processor, for a model that the chosen backend cannot run."""
    precision: Precision = "float32" if options.precision == "auto" else options.precision
    return Choice("torch", "cpu", precision, reason)


def _backend(options: BackendOptions) -> tuple[BackendName, str, str]:
    asked = options.backend
    if asked == "openvino" or (asked == "auto" and options.device == "cpu"):
        if asked == "auto" and importlib.util.find_spec("openvino") is None:
            return "torch", "cpu", "openvino is not installed"
        return "openvino", "cpu" if options.device == "auto" else options.device, "configured"
    found, why = _gpu()
    if options.device != "auto":
        return "torch", options.device, "configured"
    if found is not None:
        return "torch", found, why
    if asked == "torch" or importlib.util.find_spec("openvino") is None:
        return "torch", "cpu", why
    return "openvino", "cpu", why


def _precision(backend: BackendName, device: str) -> tuple[Precision, str]:
    if backend == "openvino":
        return (
            ("bfloat16", "the processor has bfloat16")
            if has_bfloat16()
            else ("float32", "the processor has no bfloat16")
        )
    if backend == "torch" and device != "cpu":
        return "float16", ""
    return "float32", ""


def _gpu() -> tuple[str | None, str]:
    """(device, why): a GPU that the installed torch can use."""
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return "mps", "a GPU of Apple"
    devices = _cuda_devices()
    if not devices:
        return None, "no GPU was found"
    if _torch_has_cuda():
        return "cuda", "a GPU of NVIDIA"
    return None, "there is a GPU of NVIDIA, but the installed torch has no CUDA"


def _cuda_devices() -> int:
    """How many devices the driver has; 0 without a driver."""
    with contextlib.suppress(OSError, AttributeError):
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
            return count.value
    return 0


def _torch_has_cuda() -> bool:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        files = importlib.metadata.files("torch") or ()
        return any(file.name == "libtorch_cuda.so" for file in files)
    return False
