"""A code location of a team's own: the pipeline's assets behind a prefix, and an asset of the team's that is made from `chunks`."""

import pyarrow as pa
from dagster import AssetIn, Definitions, asset

from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.partitions import documents


@asset(key_prefix="team", ins={"chunks": AssetIn(key_prefix="law")}, partitions_def=documents)
def word_counts(chunks: pa.Table) -> pa.Table:
    """Words of each chunk. The IO manager hands in the rows of the run's documents, and writes what is returned document by document."""
    words = [len(text.split()) for text in chunks["chunk_text"].to_pylist()]
    return chunks.select(["document_id", "chunk_id"]).append_column("words", pa.array(words))


def code_location(**options) -> Definitions:
    pipeline = build_definitions(key_prefix="law", only=["documents", "strategies", "chunks"], **options)
    return Definitions.merge(pipeline, Definitions(assets=[word_counts]))


defs = code_location()
