"""Asset checks of the table `legal_chunks` of PostgreSQL, among them the validation queries of `retrieval/sql`.

Not here: the queries (`retrieval.sql_patterns`) and all other checks (`defs.checks`).
"""

from __future__ import annotations

from dagster import MetadataValue

from legal_pipeline.corpus_assets.chunk_figures import figures
from legal_pipeline.defs.check_outcome import NAMED, Checks, Outcome
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.listing import document_ids
from legal_pipeline.retrieval import sql_patterns
from legal_pipeline.stages import pgvector_chunks


def _rows(pipeline: Pipeline) -> Outcome:
    """Check the rows; `characters` has [least, mean, most] of each type of source."""
    if not _there(pipeline):
        return True, {"rows": 0}
    database = pipeline.registry.database
    found = database.rows("select document_id, count(*) as n from legal_chunks group by document_id")
    rows = {str(row["document_id"]): int(row["n"]) for row in found}
    missing = sql_patterns.missing_embeddings(database)
    points = {row["document_id"]: row["points"] for row in figures(database, "points")}
    # a completed document without figures has lost its chunks
    wrong = sorted(name for name in document_ids(database, "completed") if rows.get(name, 0) != points.get(name))
    return not wrong and missing == 0, {
        "rows": sum(rows.values()),
        "documents": len(rows),
        "missing_embeddings": missing,
        "wrong": len(wrong),
        "first_wrong": MetadataValue.json(wrong[:NAMED]),
        "characters": MetadataValue.json(
            {
                row["source_type"]: [int(row["min_length"]), round(float(row["avg_length"])), int(row["max_length"])]
                for row in sql_patterns.chunk_sizes(database)
            }
        ),
    }


def _denials(pipeline: Pipeline) -> Outcome:
    found = sql_patterns.denial_arguments(pipeline.registry.database) if _there(pipeline) else []
    named = [row["source_section"] or str(row["id"]) for row in found[:NAMED]]
    return not found, {"wrong": len(found), "first_wrong": MetadataValue.json(named)}


def _there(pipeline: Pipeline) -> bool:
    """Return whether the store is on and has its table."""
    if "pgvector" not in pipeline.resources.settings.store_names:
        return False
    return pipeline.resources.pgvector.exists(pgvector_chunks.COLLECTION)


PGVECTOR_CHECKS: Checks = {
    "pgvector_rows": (
        pgvector_chunks.KEY,
        "PostgreSQL holds a row for each chunk and summary of every completed document, each with its embedding.",
        _rows,
    ),
    "denial_arguments": (
        pgvector_chunks.KEY, "No winning argument of an appeal decision holds a denial of the Director.", _denials,
    ),
}  # fmt: skip
