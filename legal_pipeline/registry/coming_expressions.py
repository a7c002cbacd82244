"""Texts with a future date: their document becomes due automatically on that day.

Not here: the choice of the current text of a day (`stages.raw_documents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from legal_pipeline.registry.database import Database

#: The first day after `%(today)s` on which a source dates a text, by document. A source that gave up a text, or corrected its date, names
#: that day no longer.
LATER_TEXTS = """select c.document_id, min(c.day) as day from coming_expressions c join source_items i
    on i.document_id = c.document_id and i.as_of_date = c.day and i.missing_since is null where c.day > %(today)s group by c.document_id"""


def today() -> date:
    """Return the date that decides which text is current (UTC)."""
    return datetime.now(UTC).date()


def record_coming(database: Database, document_id: str, day: date) -> None:
    """Record that a text of the document has a future date."""
    database.execute(
        "insert into coming_expressions (document_id, day) values (%s, %s) on conflict do nothing",
        (document_id, day),
    )


def reached(database: Database, day: date) -> list[str]:
    """Return documents whose current text on `day` is another than before, each once. This includes a clock that was set back.

    A document in a run is returned later: the run may have read the text of the day before.
    """
    rows = database.rows(
        """update coming_expressions c set is_reached = not is_reached
           where (not is_reached and day <= %(day)s or is_reached and day > %(day)s) and not exists (select from source_documents d
               where d.document_id = c.document_id and d.processing_status = 'processing')
           returning document_id""",
        {"day": day},
    )
    return sorted({row["document_id"] for row in rows})


def later_texts(database: Database, document_ids: Sequence[str] | None = None) -> dict[str, date]:
    """Return the documents that have a text of a later day than today, with the first such day, in the order of their ids.

    `document_ids`: only of these. A document that has no other text is among them.
    """
    rows = database.rows(
        f"""select later.document_id, later.day from ({LATER_TEXTS}) later join source_documents d using (document_id)
            where d.tombstoned_at is null and (%(ids)s::text[] is null or document_id = any(%(ids)s))
            order by document_id collate "C" """,  # noqa: S608
        {"today": today(), "ids": None if document_ids is None else list(document_ids)},
    )
    return {row["document_id"]: row["day"] for row in rows}
