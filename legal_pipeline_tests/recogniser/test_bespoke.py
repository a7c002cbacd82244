"""A text format's own parser and the recogniser are held against the same truth."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.recogniser.bespoke import compared
from legal_pipeline_tests.recogniser.measure import Counts

_RULES = "".join(f"{number} § Fyr nummer {number} ska lysa om natten.\n\n" for number in range(1, 7))
_LAW = SourceFile("lag.txt", f"Lag (2031:7) om fyrar\n\n{_RULES}".encode())
_SECTIONS = "".join(
    f"## Section {number} - Lamp {number}.\n\nLamp {number} shall burn at night.\n\n" for number in range(1, 7)
)
_MARKDOWN = (
    "---\ntitle: The Lamps Act, 1931\nlanguage: en\npart: 1\nparts: 1\nsource: x\n---\n# The Lamps Act, 1931\n\n"
    f"Sections: 1 to 6\n\n{_SECTIONS}"
)
_ALL = Counts(6, 6, 6, 6)


def test_without_another_source_the_own_parser_counts_as_right() -> None:
    row = compared(_LAW, "sfst_text", {})
    assert row is not None
    assert (row.truth, row.own, row.generic) == ("own parser", _ALL, _ALL)


def test_a_marked_form_of_the_work_says_what_both_readers_miss() -> None:
    longer = SourceFile("lag.txt", f"Lag (2031:7) om fyrar\n\n{_RULES}7 § Fyrvaktaren har en hund.\n".encode())
    marked = parse(longer, "sfst_text")
    row = compared(_LAW, "sfst_text", {marked.document_id: marked})
    assert row is not None
    assert (row.truth, row.own, row.generic) == ("marked", Counts(7, 6, 6, 6), Counts(7, 6, 6, 6))


def test_the_number_of_sections_that_a_file_marks_has_no_parents() -> None:
    row = compared(SourceFile("lamps.md", _MARKDOWN.encode()), "india_code_markdown", {})
    assert row is not None
    assert (row.truth, row.own, row.generic.expected) == ("stated", Counts(6, 6, 6), 6)


def test_a_file_that_nothing_says_the_truth_about_is_left_out() -> None:
    assert compared(SourceFile("stadgar.txt", _RULES.encode()), "sfst_text", {}) is None
