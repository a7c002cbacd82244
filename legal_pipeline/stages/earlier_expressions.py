"""Texts of earlier dates that are in a source in addition to the current one: they join the history of their document.

Not here: the choice of the current text (`stages.raw_documents`), and the index of expressions (`processing.expressions`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.registry import RegisteredItem
from legal_pipeline.sources.registry import Sources
from legal_pipeline.stages.raw_documents import current_items, fetch, limits


def earlier_texts(
    batch: Batch, document_id: str, items: Sequence[RegisteredItem], read: Callable[[list[SourceFile]], Document]
) -> Iterator[tuple[Document | None, list[tuple[str, str]]]]:
    """Yield the document of each text that is older than the current one and not in the index of expressions, oldest first, with the
    names and hashes of its files; None for a text that cannot be read, is one of several of its date, or is another document."""
    latest = max((item.as_of_date for item in items if item.as_of_date is not None), default=None)
    dated = [item for item in items if latest is not None and item.as_of_date is not None and item.as_of_date < latest]
    if not dated:
        return
    known = {digest for held in expressions.index(batch, document_id) for _, digest in held.source_items}
    unknown = sorted((item for item in dated if item.sha256 not in known), key=lambda item: str(item.as_of_date))
    if not unknown:
        return
    settings = batch.resources.settings
    with Sources(settings, limits=limits(settings)) as origins:
        for _, group in itertools.groupby(unknown, key=lambda item: item.as_of_date):
            new = list(group)
            try:
                chosen = current_items(document_id, new)
                files = [fetch(item, origins)[item.location].with_hints(**item.hints) for item in chosen]
                document = read(files)
            except (DocumentError, KeyError):
                yield None, [(item.item_key, item.sha256) for item in new]
                continue
            is_same = document.document_id == document_id
            yield (document if is_same else None), [(source.name, source.sha256) for source in files]
