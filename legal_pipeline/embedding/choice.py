"""Choose the backends that can run a model here, with device and precision, fastest first, and with the reason. Does not import torch.

Not here: the backends, and the check of their vectors (`embedding.admission`).
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.embedding.backend import BackendName, Precision
from legal_pipeline.embedding.openvino_runtime import has_bfloat16
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.errors import ConfigurationError


@dataclass(frozen=True)
class Choice:
    """A backend with its device and precision. `reason` is text for people."""

    backend: BackendName
    device: str
    precision: Precision
    reason: str

    def __str__(self) -> str:
        where = "" if self.backend == "http" else f" on {self.device} in {self.precision}"
        return f"{self.backend}{where} ({self.reason})"


@dataclass(frozen=True)
class Hardware:
    """The hardware that the choice depends on. `gpu`: a device that the installed torch can use, or None; `reason` is text for people."""

    gpu: str | None
    reason: str
    bfloat16: bool

    @classmethod
    def of_this_machine(cls) -> Hardware:
        return cls(*_gpu(), _openvino_is_installed() and has_bfloat16())


def choices(options: BackendOptions, hardware: Hardware | None = None) -> tuple[Choice, ...]:
    """Return the backends that `options` allow on the hardware (default: this machine), fastest first.

    A later choice is for a model that the earlier choice cannot run, or not accurately enough. Raises ConfigurationError for options that
    contradict each other.
    """
    if options.backend == "http" or (options.backend == "auto" and options.server is not None):
        if options.server is None:
            raise ConfigurationError(
                "the embedding backend http needs the address of a server: set LEGAL_PIPELINE_EMBEDDING_URL"
            )
        return (Choice("http", "server", "float32", f"the server {options.server.shown} is configured"),)
    if options.backend == "openvino" and options.device not in ("auto", "cpu"):
        raise ConfigurationError(
            f"the embedding backend openvino runs on the device cpu, not on {options.device}: set LEGAL_PIPELINE_EMBEDDING_DEVICE to cpu "
            "or auto, or LEGAL_PIPELINE_EMBEDDING_BACKEND to torch"
        )
    hardware = hardware or Hardware.of_this_machine()
    found = tuple(
        Choice(backend, device, precision, f"{reason}{more}")
        for backend, device, reason in _backends(options, hardware)
        for precision, more in _precisions(options, backend, device, hardware.bfloat16)
    )
    if not found:
        raise ConfigurationError(
            "the embedding backend openvino is not installed: install it, or set LEGAL_PIPELINE_EMBEDDING_BACKEND to auto"
        )
    return found


def _backends(options: BackendOptions, hardware: Hardware) -> Iterator[tuple[BackendName, str, str]]:
    """Yield (backend, device, reason)."""
    asked, device = options.backend, options.device
    reason = "configured"
    if device == "auto":
        reason = "configured" if asked == "openvino" else hardware.reason
        if asked != "openvino" and hardware.gpu is not None:
            yield "torch", hardware.gpu, reason
    elif device != "cpu":
        yield "torch", device, reason
        return
    if asked != "torch" and _openvino_is_installed():
        yield "openvino", "cpu", reason
    if asked != "openvino":
        yield "torch", "cpu", reason


def _precisions(
    options: BackendOptions, backend: BackendName, device: str, bfloat16: bool
) -> Iterator[tuple[Precision, str]]:
    """Yield (precision, addition to the reason)."""
    if options.precision != "auto":
        if backend == "openvino" and options.precision == "float16":
            if options.backend == "openvino":
                raise ConfigurationError(
                    "OpenVINO on a processor has no precision float16, expected float32 or bfloat16"
                )
            return
        yield options.precision, ""
        return
    if backend == "openvino" and bfloat16:
        yield "bfloat16", ", the processor has bfloat16"
    elif backend == "torch" and device != "cpu":
        yield "float16", ""
    yield "float32", ""


def _openvino_is_installed() -> bool:
    return importlib.util.find_spec("openvino") is not None


def _gpu() -> tuple[str | None, str]:
    """Return (device, reason): a GPU that the installed torch can use, or None."""
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return "mps", "a GPU of Apple"
    if not _cuda_devices():
        return None, "no GPU was found"
    if _torch_has_cuda():
        return "cuda", "a GPU of NVIDIA"
    return None, "there is a GPU of NVIDIA, but the installed torch has no CUDA"


def _cuda_devices() -> int:
    """Return the number of devices that the driver reports; 0 without a driver."""
    with contextlib.suppress(OSError, AttributeError):
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
            return count.value
    return 0


def _torch_has_cuda() -> bool:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return False
    return any((Path(spec.origin).parent / "lib").glob("libtorch_cuda*"))
