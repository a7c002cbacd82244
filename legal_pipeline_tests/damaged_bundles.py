"""Damages a content of the warehouse, as a defective disk does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from legal_pipeline.registry import bundles
from legal_pipeline.registry.warehouse import Kind, Warehouse


def damage(warehouse: Warehouse, asset: Sequence[str], document_id: str, kind: Kind = "table") -> None:
    """Change a byte of one content. The others in its file stay as they are."""
    file = Path(warehouse.location(asset, document_id))
    members = bundles.load(file.read_bytes())
    name = f"{'/'.join(asset)}.{kind}"
    data = bytearray(members[name].data)
    data[len(data) // 2] ^= 1
    file.write_bytes(bundles.dump(members | {name: members[name]._replace(data=bytes(data))}))
