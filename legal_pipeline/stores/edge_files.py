"""Creates a collection folder of Qdrant Edge, completely or not at all.

Not here: who may open it (`stores.edge_collection`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from qdrant_edge import EdgeShard

from legal_pipeline.errors import StoreError
from legal_pipeline.registry.disk_space import verify_space
from legal_pipeline.settings import Quantization
from legal_pipeline.stores import bm25
from legal_pipeline.stores.edge_marker import FORMAT, MARKER, SHARD, write_whole
from legal_pipeline.stores.edge_points import configuration
from legal_pipeline.stores.edge_shard import ROOM, Shard
from legal_pipeline.stores.replacement import verify_points
from legal_pipeline.stores.store import Model, Point


def create(folder: Path, dimension: int, model: Model, quantization: Quantization) -> None:
    """Build the collection in a temporary folder and rename it when complete: if killed, the collection exists or does not exist."""
    building = folder.with_name(f".{folder.name}.building")
    build(building, dimension, model, quantization)
    os.replace(building, folder)


def fill(folder: Path, documents: Iterable[Sequence[Point]]) -> int:
    """Write the points into a folder that no other process knows of; return their number."""
    shard = Shard.load(folder)
    written = 0
    try:
        for points in documents:
            verify_points(points, shard.dimensions)
            shard.write({shard.stored_id(point): point for point in points})
            written += len(points)
        if (held := shard.count(None)) != written:
            raise StoreError(f"{folder}: {held} points after writing {written}; nothing was replaced")
    finally:
        shard.close()
    return written


def build(building: Path, dimension: int, model: Model, quantization: Quantization) -> None:
    verify_space(building, ROOM)
    shutil.rmtree(building, ignore_errors=True)
    (building / SHARD).mkdir(parents=True)
    shard = EdgeShard.create(str(building / SHARD), configuration(model.dimensions(dimension), quantization != "none"))
    shard.close()
    marker = {
        "format": FORMAT,
        "dimension": dimension,
        "bm25": bm25.BM25_VERSION,
        **model.dump(),
        "quantization": quantization,
    }
    write_whole(building / MARKER, marker)
