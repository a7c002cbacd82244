"""Headers are short, and a schedule that is law in sections or articles is cut section by section."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.headers import MAX_HEADER_CHARS, SEPARATOR, document_header, shorten
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.chunking.promises import check_promises

LONG = "The " + "Constitution of the Isles as amended by the people in every year since the great storm " * 17


def sections(
    count: int, kind: str = "section", text: str = "The keeper counts ships at night and lights the lamp."
) -> list[Part]:
    return [Part(kind, f"{number}. {text}", str(number), f"Lamp {number}") for number in range(1, count + 1)]


def schedule(*children: Part, heading: str = "Constitution") -> Part:
    return Part("schedule", "", "1", heading, children=(Part("heading", heading), *children))


def rows(*parts: Part) -> list[Chunk]:
    made = document(*parts)
    result = chunk(made)
    check_promises(made, result)
    return list(result.chunks)


def test_the_sections_of_a_constitution_in_a_schedule_are_provisions() -> None:
    chapter = Part("chapter", "", "2", "Lamps", children=tuple(sections(3)))
    found = rows(*sections(2), schedule(chapter, heading=LONG))
    paths = [row.path for row in found if row.chunk_type == "statutory_text"]
    assert paths[:2] == ["Section 1", "Section 2"]
    assert paths[2:] == [f"Schedule 1 > Chapter 2 > Section {number}" for number in (1, 2, 3)]
    assert {row.metadata.get("schedule") for row in found if row.path.startswith("Schedule 1 > Chapter")} == {"1"}
    assert all(len(row.contextual_header) <= MAX_HEADER_CHARS for row in found)


def test_the_heading_of_a_schedule_of_sections_is_in_their_headers_and_not_in_their_text() -> None:
    found = [row for row in rows(*sections(2), schedule(*sections(3))) if row.path.startswith("Schedule 1")]
    assert [row.chunk_text[:2] for row in found] == ["1.", "2.", "3."]
    assert all("Constitution" in row.contextual_header for row in found)


def test_a_document_that_is_only_a_schedule_of_articles_is_cut_article_by_article() -> None:
    found = rows(schedule(*sections(4, "article"), heading="Convention on Lamps"))
    assert [row.path for row in found if row.chunk_type == "statutory_text"] == [
        f"Schedule 1 > Article {n}" for n in (1, 2, 3, 4)
    ]


def test_a_long_heading_that_no_header_can_hold_is_text_of_the_first_section() -> None:
    found = rows(*sections(2), schedule(*sections(3), heading=LONG))
    assert any(" ".join(LONG.split()) in " ".join(row.chunk_text.split()) for row in found)


@pytest.mark.parametrize("quoted", [1, 2])
def test_a_form_that_quotes_sections_stays_whole(quoted: int) -> None:
    form = Part("block", "Form of application. " + "I hereby apply for a lamp. " * 30)
    found = rows(*sections(3), schedule(form, *sections(quoted), heading="Forms"))
    assert [row.chunk_type for row in found].count("schedule_entry") == 1


@pytest.mark.parametrize("length", [10, 400, 1500])
def test_a_header_is_at_most_300_characters_and_keeps_its_labels(length: int) -> None:
    header = SEPARATOR.join(
        [
            f"Act {'x ' * length}".strip(),
            f"Part II: {'of lamps ' * length}".strip(),
            f"Section 12A: {'night ' * length}".strip(),
        ]
    )
    short = shorten(header)
    assert len(short) <= MAX_HEADER_CHARS
    assert all(label in short for label in ("Act x", "Part II", "Section 12A"))
    assert shorten(short) == short


@example(["x" * 400])
@given(st.lists(st.text("ab: ", min_size=1, max_size=200), min_size=1, max_size=9))
def test_any_header_is_shortened(parts: list[str]) -> None:
    assert len(shorten(SEPARATOR.join(parts))) <= MAX_HEADER_CHARS


def test_a_regulation_of_an_agency_is_named_by_its_number_once() -> None:
    made = document(Part("section", "1 § Fyren.", "1"), title="KFS 2031:4 – Fyrar", number="KFS 2031:4")
    made = dataclasses.replace(made, doc_type="agency_regulation")
    assert document_header(made) == "KFS 2031:4 Fyrar"
