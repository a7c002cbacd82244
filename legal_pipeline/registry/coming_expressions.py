"""Texts with a future date: their document becomes due automatically on that day.

Not here: the choice of the current text of a day (`stages.raw_documents`).
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from legal_pipeline.registry.database import Database


def today() -> date:
    """Return the date that decides which text is current (UTC)."""
    return datetime.now(UTC).date()


def record_coming(database: Database, document_id: str, day: date) -> None:
    """Record that a text of the document has a future date."""
    with database.connection() as connection:
        connection.execute(
            "insert into coming_expressions (document_id, day) values (%s, %s) on conflict do nothing",
            (document_id, day),
        )


def reached(database: Database, day: date) -> list[str]:
    """Return documents whose current text on `day` is another than before, each once. This includes a clock that was set back.

    A document in a run is returned later: the run may have read the text of the day before.
    """
    with database.connection() as connection:
        rows = connection.execute(
            """update coming_expressions c set is_reached = not is_reached
               where (not is_reached and day <= %(day)s or is_reached and day > %(day)s) and not exists (select from source_documents d
                   where d.document_id = c.document_id and d.processing_status = 'processing')
               returning document_id""",
            {"day": day},
        ).fetchall()
    return sorted({row["document_id"] for row in rows})
