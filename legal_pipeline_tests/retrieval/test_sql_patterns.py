"""The query patterns on a real PostgreSQL: each finds what it is for."""

from __future__ import annotations

from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg.rows import dict_row

from legal_pipeline.errors import ConfigurationError, StoreError
from legal_pipeline.registry.database import Database
from legal_pipeline.retrieval import sql_patterns
from legal_pipeline.settings import VectorType
from legal_pipeline.stores.pgvector import PgvectorStore
from legal_pipeline.stores.store import Point
from legal_pipeline_tests.stores.points import DIMENSION, provision

NAME = "legal_chunks"
QUERY = np.eye(1, DIMENSION, dtype=np.float32)[0]


def near(similarity: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A unit vector whose cosine with QUERY is `similarity`."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[:2] = similarity, np.sqrt(1 - similarity**2)
    return vector


def chunk(document: str, section: str, text: str, similarity: float, **payload: Any) -> Point:
    point = provision(document, section, text, language="eng", source_section=section, **payload)
    return Point(point.id, point.document_id, near(similarity), point.text, point.language, point.payload)


REGULATION: dict[str, Any] = {"doc_type": "regulation"}
PRECEDENT: dict[str, Any] = {"doc_type": "precedent_case", "legal_standard": "Final Merits Determination"}
APPEAL: dict[str, Any] = {"doc_type": "appeal_decision", "is_winning_argument": True}

POINTS = [
    chunk("us-cfr-1", "judging rule", "Evidence of service as a judge of others.", 0.9, **REGULATION, criterion_tag="judging", seq=2),
    chunk("us-cfr-1", "awards rule", "Evidence of lesser prizes.", 0.6, **REGULATION, criterion_tag="awards", seq=1),
    chunk("us-cfr-1", "merits rule", "All evidence is weighed.", 0.1, **REGULATION, legal_standard="Final Merits Determination", seq=3),
    chunk("us-case-1", "second step", "Then the totality is weighed.", 0.5, **PRECEDENT, seq=9),
    chunk("us-case-1", "first step", "First the criteria are counted.", 0.4, **PRECEDENT, seq=8),
    chunk("us-appeal-1", "Sjöberg: judging", "She reviewed papers for two journals.", 0.7, **APPEAL, criterion_tag="judging"),
    chunk("us-appeal-1", "Sjöberg: awards", "The prize is a national one.", 0.95, **APPEAL, criterion_tag="awards"),
    chunk("us-appeal-2", "Moyo: judging", "He judged a competition of engineers.", 0.8, **APPEAL, criterion_tag="judging"),
    chunk("us-appeal-2", "Moyo: background", "He filed in May.", 0.99, doc_type="appeal_decision", criterion_tag="judging"),
    chunk("se-sfs-1", "1 §", "Denna lag gäller fyrar.", 0.99, doc_type="act"),
]  # fmt: skip


@pytest.fixture(params=["vector", "halfvec"])
def filled(request: pytest.FixtureRequest, database: Database) -> Database:
    kind: VectorType = request.param
    store = PgvectorStore(database, vector_type=kind)
    store.ensure_collection(NAME, DIMENSION)
    for document_id in {point.document_id for point in POINTS}:
        store.replace_document(NAME, document_id, [point for point in POINTS if point.document_id == document_id])
    return database


def sections(rows: list[sql_patterns.Row]) -> list[str]:
    return [row["source_section"] for row in rows]


def test_semantic_search_of_one_type_of_source_and_of_all(filled: Database) -> None:
    found = sql_patterns.semantic(filled, QUERY, source_type="regulation")
    assert sections(found) == ["judging rule", "awards rule", "merits rule"]
    assert [row["similarity"] for row in found] == pytest.approx([0.9, 0.6, 0.1], abs=1e-3)
    assert found[0].keys() == {
        "id", "source_type", "source_document", "source_section", "chunk_text", "criterion_tag", "legal_standard", "similarity",
    }  # fmt: skip
    everywhere = sql_patterns.semantic(filled, QUERY, limit=3)
    assert set(sections(everywhere)) == {"Moyo: background", "1 §", "Sjöberg: awards"}
    enough = sql_patterns.semantic(
        filled, QUERY, source_type="regulation", least_similarity=sql_patterns.SIMILARITY_THRESHOLD
    )
    assert sections(enough) == ["judging rule"]


def test_a_criterion_finds_winning_arguments_alone(filled: Database) -> None:
    found = sql_patterns.winning_arguments(filled, QUERY, "judging")
    assert sections(found) == ["Moyo: judging", "Sjöberg: judging"]
    assert sql_patterns.winning_arguments(filled, QUERY, "membership") == []


def test_a_legal_standard_is_defined_by_precedents_and_regulations_in_their_order(filled: Database) -> None:
    found = sql_patterns.legal_standard(filled, "Final Merits Determination")
    assert sections(found) == ["first step", "second step", "merits rule"]


def test_the_hybrid_score_is_seven_parts_meaning_and_three_parts_criterion(filled: Database) -> None:
    found = sql_patterns.hybrid(filled, QUERY, "judging")
    scores = {row["source_section"]: row["combined_score"] for row in found}
    assert sections(found)[:3] == ["Moyo: background", "judging rule", "Moyo: judging"]
    assert scores["judging rule"] == pytest.approx(0.7 * 0.9 + 0.3, abs=1e-3)
    assert scores["Sjöberg: awards"] == pytest.approx(0.7 * 0.95, abs=1e-3)
    assert not {"1 §", "first step"} & scores.keys()


def test_validation_finds_denials_sizes_and_missing_embeddings(filled: Database) -> None:
    assert sql_patterns.denial_arguments(filled) == []
    assert sql_patterns.missing_embeddings(filled) == 0
    sizes = {row["source_type"]: row for row in sql_patterns.chunk_sizes(filled)}
    assert sizes["act"]["min_length"] == sizes["act"]["max_length"] == len("Denna lag gäller fyrar.")
    with filled.connection() as connection:
        connection.execute("update legal_chunks set embedding = null where source_section = '1 §'")
        connection.execute(
            "update legal_chunks set chunk_text = 'The Director denied it.' where source_section like 'Moyo%'"
        )
    assert sql_patterns.missing_embeddings(filled) == 1
    assert sections(sql_patterns.denial_arguments(filled)) == ["Moyo: judging"]


def test_the_threshold_is_the_same_but_for_a_model_with_a_scale_of_its_own() -> None:
    """A 99th of unrelated pairs is below 0.748 in multilingual-e5-small, where 0.7 would leave nothing out."""
    assert (
        sql_patterns.similarity_threshold("all-MiniLM-L6-v2@53aa/float32") == sql_patterns.SIMILARITY_THRESHOLD == 0.7
    )
    assert 0.748 < sql_patterns.similarity_threshold("multilingual-e5-small@1571/float32") < 1


#: The statements with their limits written out, as users of the table have them.
LITERAL = {
    "semantic": """SELECT id, source_type, source_document, source_section, chunk_text, criterion_tag, legal_standard,
        1 - (embedding <=> $1::vector) AS similarity
        FROM legal_chunks WHERE source_type = $2 ORDER BY embedding <=> $1::vector LIMIT 10;""",
    "winning_arguments": """SELECT id, source_section, chunk_text, 1 - (embedding <=> $1::vector) AS similarity
        FROM legal_chunks WHERE criterion_tag = $2 AND is_winning_argument = true AND source_type = 'appeal_decision'
        ORDER BY embedding <=> $1::vector LIMIT 5;""",
    "legal_standard": """SELECT id, source_section, chunk_text, legal_standard FROM legal_chunks
        WHERE legal_standard = $1 AND source_type IN ('regulation', 'precedent_case') ORDER BY source_type, chunk_index;""",
    "hybrid": """SELECT id, source_type, source_section, chunk_text, criterion_tag,
        (1 - (embedding <=> $1::vector)) * 0.7 + CASE WHEN criterion_tag = $2 THEN 0.3 ELSE 0 END AS combined_score
        FROM legal_chunks WHERE source_type IN ('appeal_decision', 'regulation') ORDER BY combined_score DESC LIMIT 10;""",
}


def test_statements_written_out_give_the_same_rows(filled: Database) -> None:
    literal = str(QUERY.tolist())
    found = {
        "semantic": (sql_patterns.semantic(filled, QUERY, source_type="regulation"), (literal, "regulation")),
        "winning_arguments": (sql_patterns.winning_arguments(filled, QUERY, "judging"), (literal, "judging")),
        "legal_standard": (sql_patterns.legal_standard(filled, "Final Merits Determination"), ("Final Merits Determination",)),
        "hybrid": (sql_patterns.hybrid(filled, QUERY, "judging"), (literal, "judging")),
    }  # fmt: skip
    with (
        psycopg.connect(filled.url, row_factory=dict_row) as connection,
        psycopg.RawCursor(connection, row_factory=dict_row) as cursor,
    ):
        for name, (rows, parameters) in found.items():
            assert rows, name
            assert cursor.execute(LITERAL[name].encode(), parameters).fetchall() == rows, name


def test_a_question_that_cannot_be_asked_says_why(database: Database) -> None:
    with pytest.raises(StoreError, match=r"no table legal_chunks .* pgvector_chunks makes it"):
        sql_patterns.semantic(database, QUERY)
    store = PgvectorStore(database)
    store.ensure_collection(NAME, DIMENSION)
    store.replace_document(NAME, "us-cfr-1", POINTS[:3])
    with pytest.raises(StoreError, match="different vector dimensions"):
        sql_patterns.semantic(database, np.ones(DIMENSION + 1, dtype=np.float32))
    with pytest.raises(ConfigurationError, match="limit is 0"):
        sql_patterns.winning_arguments(database, QUERY, "judging", limit=0)
