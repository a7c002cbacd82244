"""Damages a content of the warehouse, as a defective disk does."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from legal_pipeline.registry.warehouse import Kind, Warehouse


def damage(warehouse: Warehouse, asset: Sequence[str], document_id: str, kind: Kind = "table") -> None:
    """Change a byte of one content. The others in its file stay as they are."""
    file = Path(warehouse.location(asset, document_id))
    name = f"{'/'.join(asset)}.{'arrows' if kind == 'table' else kind}.zst"
    with zipfile.ZipFile(file) as archive:
        entry = archive.getinfo(name)
        damaged = bytearray(file.read_bytes())
        damaged[entry.header_offset + 30 + len(name) + entry.file_size // 2] ^= (
            1  # 30: bytes of the entry's head before its name
        )
    file.write_bytes(damaged)
