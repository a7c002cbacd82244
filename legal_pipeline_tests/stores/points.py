"""Points of small invented provisions, for the tests of stores and search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from legal_pipeline.model.identity import point_id, text_hash
from legal_pipeline.stores.store import Point

DIMENSION = 8


def direction(seed: int, dimension: int = DIMENSION) -> np.ndarray[Any, np.dtype[np.float32]]:
    vector = np.random.default_rng(seed).normal(size=dimension)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def provision(
    document_id: str, section: str, text: str, *, seed: int | None = None, language: str = "swe", **payload: Any
) -> Point:
    key = f"{document_id}/{section}"
    return Point(
        id=point_id(key),
        document_id=document_id,
        vector=direction(len(text) if seed is None else seed),
        text=text,
        language=language,
        payload={"chunk_id": key, "section": section, "chunk_text": text, "row_hash": text_hash(text), **payload},
    )


def act(document_id: str, wordings: dict[str, str], **payload: Any) -> list[Point]:
    return [provision(document_id, section, text, **payload) for section, text in wordings.items()]


def row_hashes(points: Iterable[Point]) -> list[str]:
    """Of points that are to be stored; `sorted(store.point_hashes(…).values())` is of those that are."""
    return sorted(point.row_hash for point in points)
