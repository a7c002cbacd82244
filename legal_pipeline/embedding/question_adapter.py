"""The adapter that makes a packaged model read a question in everyday words as it reads the law that answers it.

An adapter is a low-rank addition to some linear layers of the model (LoRA, Hu et al. 2021, arXiv:2106.09685): a layer's output for x is
W x + B A x. It is used for questions alone, so the vectors of passages do not change, and nothing is embedded again when an adapter does.
Not here: how it is fitted (`legal_pipeline_tests.questions.fitting`), and which queries are questions (`retrieval.query_kind`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legal_pipeline.embedding.packaged_model import file_sha256

if TYPE_CHECKING:
    import torch

#: Ends of the names of the two matrices of a layer in an adapter's file; before them stands the layer's name in the model.
DOWN, UP = ".down", ".up"


def adapter_of(model: str) -> Path | None:
    """Return the adapter's file (safetensors) for a packaged model; None for a model without an adapter."""
    path = Path(__file__).with_name(f"questions-{model}.safetensors")
    return path if path.is_file() else None


@functools.cache
def adapter_hash(path: Path) -> str:
    """Return 16 hex digits that name the content of an adapter's file."""
    return file_sha256(path)[:16]


def read_adapter(path: Path) -> dict[str, torch.Tensor]:
    """Return the matrices in an adapter's file."""
    from safetensors.torch import load_file

    return load_file(path)


class Switch:
    """`factor` of the additions in all layers: 1 while the model reads questions, else 0. It is a tensor where a graph is traced."""

    def __init__(self) -> None:
        self.factor: float | torch.Tensor = 0.0


def adapt(model: Any, matrices: Mapping[str, torch.Tensor], switch: Switch) -> None:
    """Add the adapter with `matrices` (name of a layer and `DOWN` or `UP` -> values) to a torch model. Raises AttributeError if they belong
    to a model with other layers."""
    import torch

    class Adapted(torch.nn.Module):
        def __init__(self, layer: torch.nn.Module, down: torch.Tensor, up: torch.Tensor) -> None:
            super().__init__()
            self.layer = layer
            self.down = torch.nn.Parameter(down, requires_grad=False)
            self.up = torch.nn.Parameter(up, requires_grad=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            plain: torch.Tensor = self.layer(x)
            if isinstance(switch.factor, float) and not switch.factor:
                return plain
            return plain + switch.factor * ((x @ self.down.T) @ self.up.T)

    for name in sorted(name.removesuffix(DOWN) for name in matrices if name.endswith(DOWN)):
        parent, _, last = name.rpartition(".")
        holder = model.get_submodule(parent)
        down, up = (matrices[name + end].to(dtype=next(model.parameters()).dtype) for end in (DOWN, UP))
        setattr(holder, last, Adapted(getattr(holder, last), down, up))
