"""The marker file with the metadata of a collection of Qdrant Edge, and atomic writes of small files.

Not here: the points (`stores.edge_shard`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.files import replacing
from legal_pipeline.stores.edge_damage import damaged

FORMAT = "legal-pipeline/2"
MARKER = "collection.json"
SHARD = "shard"


def read_marker(folder: Path) -> dict[str, Any]:
    """Return the metadata of the collection, also of one whose words an earlier release cut in another way: it is searched until the one
    that is built beside it is complete."""
    path = folder / MARKER
    try:
        marker = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        if (folder / SHARD).is_dir():
            raise damaged(folder, error) from error
        raise ConfigurationError(
            f"{folder} is not a collection of this package (no readable {MARKER}); nothing was written. Name another folder or remove it"
        ) from error
    if not isinstance(marker, dict) or marker.get("format") != FORMAT:
        raise ConfigurationError(
            f"{path} is of another version of this package; nothing was written. Index into a new folder"
        )
    return marker


def write_whole(path: Path, content: Mapping[str, Any]) -> None:
    """Write the file atomically: if killed, it has its old content or the new content."""
    with replacing(path) as file:
        file.write(json.dumps(content).encode())
