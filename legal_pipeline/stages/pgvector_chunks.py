"""`pgvector_chunks`: the points of `qdrant_chunks` as rows of PostgreSQL, for searches with SQL.

Not here: the content of points (`stages.qdrant_chunks`), the table (`stores.pgvector`) and the searches (`retrieval.sql_patterns`).
"""

from __future__ import annotations

from dataclasses import replace

from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.stages import qdrant_chunks

KEY: AssetKey = ("pgvector_chunks",)

#: The table.
COLLECTION = "legal_chunks"

STAGE = replace(qdrant_chunks.STAGE, key=KEY, collection=COLLECTION, store_name="pgvector")
