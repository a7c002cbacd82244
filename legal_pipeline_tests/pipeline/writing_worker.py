"""A worker that embeds by a backend of its own and writes documents into the stores of a home.

`python -m … DATABASE_URL HOME BACKEND PRECISION DOCUMENT_ID…` opens the backend and prints what it is, waits for a line, then runs the
documents one by one. Not here: what must hold (`test_mixed_backends`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from legal_pipeline.embedding.model_embedder import ModelEmbedder
from legal_pipeline.embedding.query_batches import QueryBatches
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.settings import load_settings


def main(database_url: str, home: str, backend: str, precision: str, *document_ids: str) -> None:
    settings = load_settings(
        home=Path(home), database_url=database_url, embedding_backend=backend, embedding_precision=precision
    )
    with Pipeline.open(settings) as pipeline:
        batches = pipeline.resources.embedders.other
        assert isinstance(batches, QueryBatches)
        embedder = batches.inner
        assert isinstance(embedder, ModelEmbedder)
        print(embedder.backend.description, flush=True)
        sys.stdin.readline()
        for document_id in document_ids:
            failures = [event.error for event in pipeline.run([document_id]) if isinstance(event, Failed)]
            assert failures == []


if __name__ == "__main__":
    main(*sys.argv[1:])
