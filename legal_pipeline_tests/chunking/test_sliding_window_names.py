"""`sliding_window`: the names, headers and types of windows, on small documents. Not here: sizes and overlap (`test_sliding_window`)."""

from __future__ import annotations

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.model.document import Document
from legal_pipeline_tests.chunking.english import prose
from legal_pipeline_tests.chunking.plain import Part, document

TITLE = "Lighthouses Act (Act 4 of 2099)"


def rows(made: Document) -> list[Chunk]:
    return list(chunk(made, RouterOptions("sliding_window")).chunks)


def section(num: int, text: str = "The lamp is lit.") -> Part:
    return Part("section", f"{num}. {text}", str(num))


def test_each_run_of_merged_sections_has_its_first_and_last_number() -> None:
    (row,) = rows(document(*(section(num) for num in (1, 2, 4, 5, 9))))
    assert (row.path, row.contextual_header) == ("Sections 1-2, 4-5, 9", f"{TITLE} > Sections 1-2, 4-5, 9")


def test_the_header_of_a_section_ends_with_its_name_however_many_windows_it_has() -> None:
    found = rows(document(Part("chapter", "Chapter 2", "2", children=[section(7, prose(40))])))
    (header,) = {row.contextual_header for row in found}
    assert header == f"{TITLE} > Chapter 2 > Section 7"
    assert [row.path for row in found] == [
        "Chapter 2 > Section 7",
        *(f"Chapter 2 > Section 7#{part}" for part in range(2, len(found) + 1)),
    ]


def test_a_section_that_is_not_short_does_not_join_a_short_one() -> None:
    assert [row.path for row in rows(document(section(1, prose(6)), section(2, prose(11, 50))))] == [
        "Section 1",
        "Section 2",
    ]


def test_text_between_sections_is_of_the_innermost_division_that_holds_it() -> None:
    note = Part("block", "A note on the oil of the lamps.")
    inner = Part("chapter", "Chapter 1 Oil and its care", "1", children=[section(1), note])
    made = document(
        "A circular to all keepers of lamps.",
        Part("part", "Part 1 Lamps and their care", "1", children=[inner]),
        Part("chapter", "Chapter 2 Wicks and their care", "2", children=[section(2)]),
    )
    paths = {row.chunk_text.split("\n")[-1]: row.path for row in rows(made)}
    assert paths["A circular to all keepers of lamps."] == "Text"
    assert paths["A note on the oil of the lamps."].startswith("Part 1 > Chapter 1 > Text")
    assert paths["Chapter 2 Wicks and their care"] == "Chapter 2 > Text"


def test_a_window_has_the_type_of_the_part_that_holds_most_of_it_and_not_of_the_longest_part() -> None:
    made = document(
        Part("background", prose(24)), Part("motivation", prose(90, 100)), doc_type="judgment", title="Keeper v Board"
    )
    types = [row.chunk_type for row in rows(made)]
    assert types[0] == "facts"
    assert set(types[1:]) == {"reasoning"}
