"""Texts of a day to come: their document becomes due on that day by itself.

Not here: which text is current on a day (`stages.raw_documents`).
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from legal_pipeline.registry.database import Database


def today() -> date:
    """The day by which texts are current (UTC)."""
    return datetime.now(UTC).date()


def record_coming(database: Database, document_id: str, day: date) -> None:
    """A text of the document is of a day to come."""
    with database.connection() as connection:
        connection.execute(
            "insert into coming_expressions (document_id, day) values (%s, %s) on conflict do nothing",
            (document_id, day),
        )


def reached(database: Database, day: date) -> list[str]:
    """Documents of which another text is current on `day` than before, each returned once. A clock that was put back is a change too.

    A document that a run is working on is returned later: the run may have read the text of the day before.
    """
    with database.connection() as connection:
        rows = connection.execute(
            """update coming_expressions c set is_reached = not is_reached where is_reached <> (day <= %s)
               and not exists (select from source_documents d
                   where d.document_id = c.document_id and d.processing_status = 'processing')
               returning document_id""",
            (day,),
        ).fetchall()
    return sorted({row["document_id"] for row in rows})
