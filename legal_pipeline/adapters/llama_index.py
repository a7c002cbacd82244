"""A LlamaIndex retriever (extra `llamaindex`). Not here: the content of text and metadata (`passages`)."""

from __future__ import annotations

import asyncio
from typing import Any

from legal_pipeline.adapters.passages import SearchesLaw, passages
from legal_pipeline.system.extras import extra

with extra("llamaindex", "the LlamaIndex retriever"):
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class LawRetriever(BaseRetriever):
    """Returns the best hits as nodes with their scores. `reader` is a `LawReader` or a `Client`, which the caller closes; `options` are
    further arguments of its `search` (`filters` of a reader, `jurisdictions`, `as_of` … of a client)."""

    def __init__(self, reader: SearchesLaw, *, limit: int = 5, **options: Any) -> None:
        super().__init__()
        self._reader = reader
        self._limit = limit
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(id_=passage.id, text=passage.text, metadata=passage.metadata), score=passage.score
            )
            for passage in passages(self._reader, query_bundle.query_str, self._limit, self._options)
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
