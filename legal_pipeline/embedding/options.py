"""Options for running a model, as the user set them. `auto` leaves the choice to `embedding.choice`. Not here: the choice of model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from legal_pipeline.embedding.backend import BackendName, Precision
from legal_pipeline.embedding.server import Server

Auto = Literal["auto"]


@dataclass(frozen=True)
class BackendOptions:
    """`device`: `cpu`, `cuda`, `cuda:1`, `mps`. `server`: the embedding server, if there is one."""

    backend: BackendName | Auto = "auto"
    device: str = "auto"
    precision: Precision | Auto = "auto"
    server: Server | None = None
