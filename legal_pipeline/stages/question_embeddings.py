"""`question_embeddings`: one vector per question of `quim_questions`.

Not here: storing and reusing vectors (`processing.vectors`).
"""

from __future__ import annotations

from legal_pipeline.processing.stage import AssetKey, Batch
from legal_pipeline.processing.vectors import Text, VectorTable
from legal_pipeline.stages import chunks, quim_questions

KEY: AssetKey = ("question_embeddings",)


def texts(batch: Batch, document_id: str) -> list[Text]:
    """Return the questions; the language of a question is that of the chunk that answers it."""
    rows = quim_questions.load(batch, document_id)
    languages = {row["chunk_id"]: row["language"] for row in chunks.load(batch, document_id)} if rows else {}
    return [Text(row["question_id"], row["question"], languages.get(row["source_chunk_id"], "")) for row in rows]


STAGE = VectorTable(
    KEY,
    (quim_questions.KEY,),
    "question_id",
    texts,
)
