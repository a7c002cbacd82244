"""A LangChain retriever (extra `langchain`). Not here: the content of text and metadata (`passages`)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from legal_pipeline.adapters.passages import passages
from legal_pipeline.system.extras import extra

with extra("langchain", "the LangChain retriever"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


class LawRetriever(BaseRetriever):
    """Returns the best hits as documents, with the score in the metadata. `reader` is a `LawReader` or a `Client`, which the caller closes;
    `options` are further arguments of its `search` (`filters` of a reader, `jurisdictions`, `as_of` … of a client)."""

    reader: Any
    limit: int = 5
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [
            Document(page_content=passage.text, id=passage.id, metadata={**passage.metadata, "score": passage.score})
            for passage in passages(self.reader, query, self.limit, self.options)
        ]
