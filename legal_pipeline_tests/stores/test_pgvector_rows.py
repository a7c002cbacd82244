"""A point as a row of a pgvector table: which field of the payload each column is copied from."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from legal_pipeline.model.identity import point_id
from legal_pipeline.stores.pgvector_rows import COLUMNS, PENDING_COLUMNS, configuration, day, payload, row
from legal_pipeline.stores.point_table_store import alias_of, is_generation_of
from legal_pipeline_tests.stores.points import provision


def columns(text: str = "Fyren ska vara tänd.", **fields: Any) -> dict[str, Any]:
    """The row of a point with this payload."""
    point = provision("xx-act-1", "7", text)
    values = row(replace(point, payload={**point.payload, **fields}), {})
    return dict(zip((*COLUMNS, *PENDING_COLUMNS), values, strict=True))


@pytest.mark.parametrize(
    ("fields", "column", "expected"),
    [
        ({"source_section": "Section A", "path": "Part 1 > 7"}, "source_section", "Section A"),
        ({"path": "Part 1 > 7"}, "source_section", "7"),
        ({"section": None, "path": "Part 1 > 7"}, "source_section", "Part 1 > 7"),
        ({"chunk_index": 3, "seq": 9}, "chunk_index", 3),
        ({"seq": 9}, "chunk_index", 9),
        ({}, "chunk_index", 0),
        ({"is_winning_argument": True}, "is_winning_argument", True),
        ({"is_winning_argument": "no"}, "is_winning_argument", False),
        ({"doc_type": "act"}, "source_type", "act"),
        ({}, "source_type", "other"),
        ({"source_file": "laws/2031/act.html"}, "source_document", "act.html"),
        ({}, "source_document", "xx-act-1"),
        ({"parent_chunk_id": "xx-act-1/2"}, "parent_section_id", point_id("xx-act-1/2")),
        ({"valid_from": "2031-07-01T00:00:00"}, "valid_from", "2031-07-01"),
        ({"valid_from": "the day that the Board decides"}, "valid_from", None),
    ],
)
def test_a_column_has_the_first_of_its_fields_that_the_payload_has(
    fields: dict[str, Any], column: str, expected: Any
) -> None:
    found = columns(**fields)[column]
    assert found == expected or str(found) == expected


def test_the_words_of_a_row_are_normal_and_its_text_is_as_it_was_written() -> None:
    apart = unicodedata.normalize("NFD", "Fyren på ön är tänd.")
    found = columns(apart)
    assert (found["words_text"], found["chunk_text"]) == (unicodedata.normalize("NFC", apart), apart)


def test_words_are_stemmed_in_languages_with_a_stemmer_and_are_plain_in_the_others() -> None:
    found = [configuration(language) for language in ("swe", "eng", "lav", "")]
    assert found == ["pg_catalog.swedish", "pg_catalog.english", "pg_catalog.simple", "pg_catalog.simple"]


def test_the_text_of_a_chunk_is_stored_once_and_given_back_where_it_was() -> None:
    stored = columns("Fyren.")["payload"].obj
    assert stored["chunk_text"] is None
    assert payload(stored, "Fyren.")["chunk_text"] == "Fyren."
    question = replace(provision("xx-act-1", "7", "When?"), payload={"question": "When?"})
    (stored,) = (value.obj for value in row(question, {}) if isinstance(value, Jsonb))
    assert payload(stored, "When?") == {"question": "When?", "document_id": "xx-act-1"}
    with_header = columns("Fyrlag\n\nFyren.", chunk_text="Fyren.")
    assert (with_header["chunk_text"], with_header["words_text"]) == ("Fyren.", "Fyrlag\n\nFyren.")


def test_a_day_is_that_of_a_date_or_time_and_nothing_else_has_one() -> None:
    assert [str(day(value)) for value in ("2031-07-01", "2031-07-01T12:00:00+00:00", "2031", 20310701, None)] == [
        "2031-07-01",
        "2031-07-01",
        "None",
        "None",
        "None",
    ]


def test_a_collection_is_of_the_alias_that_its_name_begins_with() -> None:
    assert alias_of("legal_chunks_0a1b2c3d") == "legal_chunks"
    assert is_generation_of("legal_chunks_0a1b2c3d", "legal_chunks")
    for other in ("legal_chunks", "legal_chunks_questions_0a1b2c3d", "legal_chunks_0a1b2c3", "legal_chunks_0A1B2C3D"):
        assert not is_generation_of(other, "legal_chunks"), other
