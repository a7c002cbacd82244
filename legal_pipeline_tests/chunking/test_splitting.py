"""Where a provision over the budget of a chunk is divided, and what stays together."""

from __future__ import annotations

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.splitting import split
from legal_pipeline.text.tokens import count_spans
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


def parts(limit: int, *below: Part) -> list[str]:
    """Return the texts of the parts of a section over the limit."""
    made = document(Part("section", num="1", children=below))
    found = split(made, made.nodes[0], [(0, len(made.text))], limit)
    return ["\n".join(made.text[start:end] for start, end in spans) for spans in found]


def tokens(text: str) -> int:
    return count_spans(text, ((0, len(text)),))


LONG = "The horn of the rock sounds in fog, and it is silent by day."
LAST = "A boat goes out at noon with oil and bread for the keepers."


def test_parts_are_as_long_as_the_limit_with_the_ends_of_lines_between_them() -> None:
    first, size = "The lamp is lit.", tokens("The lamp is lit.") + 1 + tokens(LONG)
    blocks = [Part("block", text) for text in (first, LONG, LAST)]
    assert parts(size, *blocks) == [f"{first}\n\n{LONG}", LAST]
    assert parts(size - 1, *blocks)[:2] == [first, LONG]


def test_only_the_text_behind_a_heading_has_less_room() -> None:
    limit = tokens(LONG)
    below = [Part("block", "It is lit."), Part("block", LONG), Part("block", LAST)]
    assert LONG in parts(limit, *below)
    headed = parts(limit, Part("heading", "Horns"), *below[1:])
    assert headed[0].startswith("Horns")
    assert headed[0] != "Horns"


def test_a_heading_of_more_than_half_a_chunk_leaves_the_text_below_it_whole() -> None:
    heading = "Of the horn, the bell, the boat and the rope of the rock"
    limit = tokens(LONG)
    assert limit / 2 < tokens(heading) < limit
    assert parts(limit, Part("heading", heading), Part("block", LONG)) == [heading, LONG]


def test_what_qualifies_a_text_that_leaves_it_no_room_is_a_part_of_its_own() -> None:
    proviso = "Provided that the lamp of a rock is lit at noon in fog."
    limit = tokens(LONG) + 1 + tokens(proviso)
    below = [Part("block", LAST), Part("block", LONG), Part("proviso", proviso)]
    assert parts(limit, *below) == [LAST, f"{LONG}\n\n{proviso}"]
    assert parts(limit - 1, *below)[-1] == proviso
