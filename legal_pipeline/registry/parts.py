"""Parts of a result over all documents: each part is made from a group of documents, so that one changed document remakes one part.

Not here: the results made from the parts (`corpus_assets.chunks_jsonl`).
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from legal_pipeline.errors import DocumentError
from legal_pipeline.registry.warehouse import Kind, Warehouse

if TYPE_CHECKING:
    import pyarrow as pa

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


class Parts:
    """Files under `folder`, each named by the hash of all its inputs: an existing part is up to date.

    `made` counts the parts that were made. A part that another process has removed meanwhile is made again.
    """

    def __init__(self, warehouse: Warehouse, *folder: str) -> None:
        self._warehouse = warehouse
        self._folder = folder
        self._used: set[str] = set()
        self.made = 0

    def table(self, made_from: str, make: Callable[[], pa.Table], columns: Sequence[str] | None = None) -> pa.Table:
        """Return the part of this name, only with `columns` if they are given."""
        self._used.add(made_from)
        with contextlib.suppress(DocumentError):  # missing or damaged
            return self._warehouse.read_table(self._folder, made_from, columns)
        table = make()
        self._warehouse.delete(self._folder, made_from)  # if it is damaged
        self._warehouse.write_table(self._folder, made_from, table)
        self.made += 1
        return table if columns is None else table.select(list(columns))

    def sweep(self) -> None:
        """Remove the parts that were not requested."""
        kinds: tuple[Kind, ...] = ("table", "raw")
        for kind in kinds:
            for name in set(self._warehouse.documents(self._folder, kind)) - self._used:
                self._warehouse.delete(self._folder, name, kind)
        self._warehouse.clean(self._folder)
