"""A Haystack component (extra `haystack`). Not here: the content of text and metadata (`passages`)."""

from __future__ import annotations

from typing import Any

from legal_pipeline.adapters.passages import SearchesLaw, passages
from legal_pipeline.system.extras import extra

with extra("haystack", "the Haystack component"):
    from haystack import Document, component


@component
class LawRetriever:
    """Returns the best hits as documents with their scores. `reader` is a `LawReader` or a `Client`, which the caller closes; `options` are
    further arguments of its `search` (`filters` of a reader, `jurisdictions`, `as_of` … of a client)."""

    def __init__(self, reader: SearchesLaw, *, limit: int = 5, **options: Any) -> None:
        self._reader = reader
        self._limit = limit
        self._options = options

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        found = passages(self._reader, query, self._limit, self._options)
        return {
            "documents": [
                Document(id=passage.id, content=passage.text, meta=passage.metadata, score=passage.score)
                for passage in found
            ]
        }
