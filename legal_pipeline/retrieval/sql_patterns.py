"""Four query patterns and three validation queries over the table `legal_chunks` of pgvector.

`winning_arguments`, `legal_standard`, `hybrid` and `denial_arguments` are for decisions on appeals in the immigration law of the United
States (docs/guides/postgresql.md), and of no use for other documents.

Each is a file in `sql/` that other programs can use unchanged: `$1` is the query's vector in the form of pgvector
(`[0.1,0.2,…]`), and the same statements read a table of `halfvec`. Their `LIMIT`s are parameters. `iterative_scan` is pgvector's
`hnsw.iterative_scan`: how a filtered search continues if the nearest rows of the HNSW index do not match the filter. `strict_order` and
`relaxed_order` read on until enough rows match, `off` does not; a search that then has too few rows is repeated over every row. Not here:
the table (`stores.pgvector`) and search with words, citations and amendments (`retrieval.search`).
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import ConfigurationError, StoreError, StoreUnavailableError
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import IterativeScan
from legal_pipeline.stores.pgvector import set_hnsw
from legal_pipeline.stores.store import Vector
from legal_pipeline.system.data_files import data_file

if TYPE_CHECKING:
    from psycopg import Connection

#: The threshold of `similarity_threshold` for a model that `similarity.toml` does not list. It was chosen for Gemini's vectors: for another
#: model, measure its own (`python -m legal_pipeline_tests.benchmarks.calibrate_semantic`).
SIMILARITY_THRESHOLD = 0.7

Row = dict[str, Any]


def semantic(
    database: Database,
    vector: Vector,
    *,
    source_type: str | None = None,
    limit: int = 10,
    least_similarity: float = -1.0,
    iterative_scan: IterativeScan = "strict_order",
) -> list[Row]:
    """The `limit` chunks nearest to `vector`, best first, of one `source_type` (regulation, precedent_case, appeal_decision, act,
    …) or of any: id, source_type, source_document, source_section, chunk_text, criterion_tag, legal_standard, similarity (cosine).

    Chunks with a smaller cosine than `least_similarity` are left out; by default none are. `similarity_threshold(model)` gives a value
    below which hits are seldom about the query. Raises StoreError if there is no table
    or the vector does not fit it, StoreUnavailableError if PostgreSQL does not respond.
    """
    if source_type is None:
        found = _nearest(database, "semantic_everywhere", (_literal(vector), limit), limit, iterative_scan)
    else:
        found = _nearest(database, "semantic", (_literal(vector), source_type, limit), limit, iterative_scan)
    return [row for row in found if row["similarity"] >= least_similarity]


@functools.cache
def similarity_threshold(model: str) -> float:
    """Return `least_similarity` for vectors of the embedder of this name: `SIMILARITY_THRESHOLD`, or its value on the model's own scale."""
    values = data_file(__package__, "similarity.toml")
    return float(values.get(model.partition("@")[0], SIMILARITY_THRESHOLD))


def winning_arguments(
    database: Database,
    vector: Vector,
    criterion: str,
    *,
    limit: int = 5,
    iterative_scan: IterativeScan = "strict_order",
) -> list[Row]:
    """The winning arguments of appeal decisions for `criterion` (`judging`) nearest to `vector`, best first: id, source_section,
    chunk_text, similarity. Raises as `semantic` does."""
    return _nearest(database, "winning_arguments", (_literal(vector), criterion, limit), limit, iterative_scan)


def legal_standard(database: Database, standard: str) -> list[Row]:
    """All chunks of regulations and precedents that define `standard`, precedents first, in the order of their documents: id,
    source_section, chunk_text, legal_standard. Raises StoreError where there is no table."""
    return _run(database, "legal_standard", (standard,))


def hybrid(database: Database, vector: Vector, criterion: str, *, limit: int = 10) -> list[Row]:
    """Chunks of regulations and appeal decisions by 0.7 · similarity + 0.3 where they are tagged `criterion`, best first: id,
    source_type, source_section, chunk_text, criterion_tag, combined_score. Raises as `semantic` does.

    No index orders by such a sum: the time grows with the number of regulations and decisions.
    """
    return _run(database, "hybrid", (_literal(vector), criterion, limit))


def denial_arguments(database: Database) -> list[Row]:
    """Winning arguments that may contain the denial of the Director instead: id, source_section, chunk_text. Should be none."""
    return _run(database, "denial_arguments")


def chunk_sizes(database: Database) -> list[Row]:
    """For each source_type: avg_length, min_length, max_length in characters."""
    return _run(database, "chunk_sizes")


def missing_embeddings(database: Database) -> int:
    """How many chunks have no embedding of any model. Should be 0."""
    return int(_run(database, "missing_embeddings")[0]["count"])


@functools.cache
def statement(name: str) -> str:
    """The text of the file `sql/<name>.sql`, with PostgreSQL's own placeholders `$1`, `$2`, …"""
    return importlib.resources.files(__package__).joinpath("sql", f"{name}.sql").read_text("utf-8")


def _nearest(
    database: Database, name: str, parameters: Sequence[object], limit: int, iterative_scan: IterativeScan
) -> list[Row]:
    if limit < 1:
        raise ConfigurationError(f"limit is {limit}, expected at least 1")
    return _run(database, name, parameters, limit=limit, iterative_scan=iterative_scan)


def _run(
    database: Database,
    name: str,
    parameters: Sequence[object] = (),
    *,
    limit: int | None = None,
    iterative_scan: IterativeScan = "off",
) -> list[Row]:
    """Run the statement `name`; `limit` is given if the statement may use the HNSW index."""
    import psycopg

    try:
        with database.connection() as connection:
            connection.execute("set transaction read only")
            if limit is None:
                return _fetch(connection, name, parameters)
            set_hnsw(connection, iterative_scan, limit)
            found = _fetch(connection, name, parameters)
            if len(found) < limit:
                connection.execute("set local enable_indexscan = off")
                found = _fetch(connection, name, parameters)
            # rows of another model's vectors have no similarity; `relaxed_order` leaves the others slightly out of order
            alike = [row for row in found if row["similarity"] is not None]
            return sorted(alike, key=lambda row: -row["similarity"])
    except psycopg.errors.UndefinedTable as error:
        raise StoreError(
            f"there is no table legal_chunks at {database.place}; the asset pgvector_chunks makes it"
        ) from error
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(f"PostgreSQL at {database.place} failed at the query {name}: {error}") from error
    except psycopg.errors.DataException as error:
        raise StoreError(f"PostgreSQL at {database.place} refused the query {name}: {error}") from error


def _fetch(connection: Connection[Any], name: str, parameters: Sequence[object]) -> list[Row]:
    import psycopg
    from psycopg.rows import dict_row

    # a raw cursor accepts $1, so the file is executed unchanged
    with psycopg.RawCursor(connection, row_factory=dict_row) as cursor:
        cursor.execute(statement(name), parameters)
        return cursor.fetchall()


def _literal(vector: Vector) -> str:
    from pgvector import Vector as PgVector

    return str(PgVector(vector).to_text())
