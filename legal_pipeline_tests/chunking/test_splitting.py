"""Where a provision over the budget of a chunk is divided, and what stays together."""

from __future__ import annotations

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline_tests.chunking.english import prose
from legal_pipeline_tests.chunking.plain import Part, document
from legal_pipeline_tests.chunking.promises import check_promises


def rows(*parts: Part) -> list[Chunk]:
    made = document(Part("section", "1. Lamps", "1", children=parts), Part("section", "2. A lamp is round.", "2"))
    result = chunk(made)
    check_promises(made, result)
    return [row for row in result.chunks if row.path.startswith("Section 1")]


def subsection(num: int, text: str) -> Part:
    return Part("subsection", f"({num}) {text}", str(num))


def test_a_proviso_that_does_not_fit_beside_its_text_is_a_chunk_of_its_own() -> None:
    found = rows(subsection(1, prose(32)), Part("proviso", f"Provided that {prose(32, 100)}"))
    assert [row.chunk_text[:8] for row in found] == ["1. Lamps", "Provided"]


def test_the_words_that_open_a_long_proviso_stay_with_the_text_that_it_qualifies() -> None:
    items = [Part("item", f"({letter}) {prose(30, start)}", letter) for letter, start in (("a", 100), ("b", 200))]
    opening = f"Provided that {prose(4, 300)} and that—"
    found = rows(
        subsection(1, prose(26)), subsection(2, prose(26, 50)), Part("proviso", opening, children=tuple(items))
    )
    assert [row.chunk_text[:3] for row in found] == ["1. ", "(2)", "(a)", "(b)"]
    assert found[1].chunk_text.endswith("and that—")


def test_a_subsection_with_a_page_number_inside_is_not_divided_there_if_it_fits_as_a_whole() -> None:
    whole = Part(
        "subsection",
        "(2) A lamp that smokes is taken down.",
        "2",
        children=(
            Part("block", prose(12, 100)),
            Part("page_number", "7"),
            Part("block", prose(24, 200)),
        ),
    )
    found = rows(subsection(1, prose(30)), whole)
    assert [row.chunk_text[:3] for row in found] == ["1. ", "(2)"]
    assert "\n7\n" not in found[1].chunk_text
