"""`question_embeddings`: one vector per question of `quim_questions` (seed 001).

Not here: how vectors are kept and reused (`processing.vectors`).
"""

from __future__ import annotations

from legal_pipeline.processing.enrichment import Row
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.processing.vectors import Text, VectorTable
from legal_pipeline.stages import quim_questions

KEY: AssetKey = ("question_embeddings",)


def text_of(row: Row) -> Text:
    return row["question_id"], row["question"]


STAGE = VectorTable(
    KEY,
    (quim_questions.KEY,),
    "question_id",
    lambda batch, document_id: [text_of(row) for row in quim_questions.load(batch, document_id)],
)
