"""Groups of documents of a result over all documents: one changed document changes one group.

Not here: the results made from the groups (`corpus_assets.chunks_jsonl`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from legal_pipeline.registry.warehouse import Warehouse

#: Mean number of documents in a group. Smaller groups mean more files to join, larger groups more work for one change.
GROUP_DOCUMENTS = 32


def groups(document_ids: Sequence[str], mean: int = GROUP_DOCUMENTS) -> Iterator[tuple[str, ...]]:
    """Yield the sorted `document_ids` in order, in groups of about `mean`.

    The ids themselves decide where a group begins: a document that is added or removed changes only its own group (two groups if a group
    begins with it).
    """
    group: list[str] = []
    for document_id in document_ids:
        if group and zlib.crc32(document_id.encode("utf-8")) % mean == 0:
            yield tuple(group)
            group = []
        group.append(document_id)
    if group:
        yield tuple(group)


def delete_parts(warehouse: Warehouse, *folder: str) -> None:
    """Delete the parts that an earlier release stored under `folder`."""
    for name in warehouse.file_versions(folder):
        warehouse.delete_files([folder], name, last=folder)
