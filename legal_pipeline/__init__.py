"""legal_pipeline: from Acts, regulations and judgments to a search index that stays up to date as the law changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from legal_pipeline.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load the clients on first use: every module of the package imports this module first."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from legal_pipeline import client

    return getattr(client, name)
