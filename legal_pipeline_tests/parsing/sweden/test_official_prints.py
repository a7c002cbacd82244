"""The paragraphs of an official Swedish print: cover, contents, enacting words, provisions, commencement, signature and schedules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.sweden.official_print import parse_swedish_print

_FRONT = ("Svensk författningssamling", "Förordning om fyrar;", "utfärdad den 4 mars 2031.")
_ENACTED = "Regeringen föreskriver följande."
_SECTION = "1 § Fyren ska lysa."
_CLOSING = ("Denna förordning träder i kraft den 1 juli 2031.", "På regeringens vägnar", "ADA FYR", "Bo Boj")


def found(
    paragraphs: Sequence[str], headings: Sequence[str] = (), beside: Sequence[str] = ("SFS 2031:77",)
) -> Document | None:
    return parse_swedish_print(SourceFile("x.pdf", b"-"), paragraphs, [text in headings for text in paragraphs], beside)


def read(*paragraphs: str, headings: Sequence[str] = ()) -> Document:
    document = found([*_FRONT, *paragraphs], headings)
    assert document is not None
    return document


def top(document: Document) -> list[tuple[str, str | None, str]]:
    return [(node.type, node.num, document.text_of(node)) for node in document.nodes]


def test_a_print_is_its_cover_preamble_provisions_commencement_and_signature() -> None:
    document = read(_ENACTED, _SECTION, *_CLOSING)
    assert (document.document_id, document.title) == ("se-sfs-2031-77", "Förordning om fyrar")
    assert (document.metadata["issued"], document.metadata["in_force"]) == ("2031-03-04", "2031-07-01")
    assert [kind for kind, _, _ in top(document)] == ["header", "preamble", "section", "transitional"]
    signatures = [document.text_of(node) for node in document.walk() if node.type == "signature"]
    assert signatures == ["På regeringens vägnar", "ADA FYR", "Bo Boj"]


@pytest.mark.parametrize(
    ("paragraphs", "beside"),
    [
        ([*_FRONT, _ENACTED, _SECTION], ["Sida 1"]),
        ([_FRONT[1], _ENACTED, _SECTION], ["SFS 2031:77"]),
        ([*_FRONT, "Fyren lyser.", "Bojen är röd."], ["SFS 2031:77"]),
        ([*_FRONT, *["Fyren lyser."] * 6, _SECTION], ["SFS 2031:77"]),
    ],
)
def test_a_text_without_number_date_enacting_words_or_a_section_is_no_print(
    paragraphs: list[str], beside: list[str]
) -> None:
    assert found(paragraphs, (), beside) is None


def test_the_number_of_a_print_may_be_among_its_first_paragraphs_and_a_section_may_follow_the_date() -> None:
    document = found(["SFS 2031:78", *_FRONT, _SECTION], (), ["Sida 1"])
    assert document is not None
    assert document.document_id == "se-sfs-2031-78"
    assert [node.num for node in document.provisions()] == ["1"]


def test_contents_of_at_least_three_entries_are_a_list_of_contents() -> None:
    entries = ["Fyrar ........ 1", "Bojar ........ 2", "Lotsar ........ 3"]
    document = found([_FRONT[0], *entries, *_FRONT[1:], _ENACTED, _SECTION])
    assert document is not None
    assert [kind for kind, _, _ in top(document)][:4] == ["header", "toc", "header", "preamble"]
    document = found([_FRONT[0], *entries[:2], *_FRONT[1:], _ENACTED, _SECTION])
    assert document is not None
    assert [kind for kind, _, _ in top(document)][:2] == ["header", "preamble"]


def test_chapters_headings_and_items_are_found_without_larger_type() -> None:
    document = read(
        _ENACTED, "1 kap. Fyrar", "Fyrens ljus", _SECTION, "Den ska", "1. lysa,", "a) rött,", "b) grönt,", "2. synas.",
        "Bojar", "Om bojar", "2 § Bojen ska vara röd.", "enligt bilagan",
    )  # fmt: skip
    (chapter,) = [node for node in document.nodes if node.type == "chapter"]
    assert (chapter.num, chapter.heading) == ("1", "Fyrar")
    assert [node.num for node in document.provisions()] == ["1", "2"]
    items = [(node.num, document.text_of(node).split("\n")[0]) for node in document.walk() if node.type == "item"]
    assert items == [("1", "1. lysa,"), ("a", "a) rött,"), ("b", "b) grönt,"), ("2", "2. synas.")]
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert "Fyrens ljus" in headings
    assert "Om bojar" in headings
    assert "Bojar" not in headings


def test_a_line_that_goes_on_or_is_not_directly_above_a_provision_is_no_heading() -> None:
    document = read(_ENACTED, _SECTION, "Bojar,", "2 § Bojen är röd.", "om lotsar", "3 § Lotsen vakar.", "Lotsar")
    headings = [document.text_of(node) for node in document.walk() if node.type == "heading"]
    assert not {"Bojar,", "om lotsar", "Lotsar"} & set(headings)
    large = read(_ENACTED, _SECTION, "Lotsar", "Lotsen vakar.", headings=["Lotsar"])
    assert "Lotsar" in [large.text_of(node) for node in large.walk() if node.type == "heading"]


def test_schedules_follow_the_commencement_or_are_in_larger_type() -> None:
    document = read(_ENACTED, _SECTION, *_CLOSING, "Bilaga 1 Avgifter", "Tio kronor.")
    assert top(document)[-1] == ("schedule", "1", "Bilaga 1 Avgifter\n\nTio kronor.")
    inside = read(_ENACTED, _SECTION, "Bilaga 1 Avgifter", "Tio kronor.")
    assert "schedule" not in [node.type for node in inside.walk()]
    large = read(_ENACTED, _SECTION, "Bilaga", "Tio kronor.", headings=["Bilaga"])
    assert top(large)[-1] == ("schedule", None, "Bilaga\n\nTio kronor.")


def test_further_commencements_belong_to_the_acts_that_their_numbers_name() -> None:
    document = read(
        _ENACTED, _SECTION, _CLOSING[0], "SFS 2032:5", "1. Äldre fyrar får lysa.", "2. Äldre bojar får vara gula."
    )
    assert document.metadata["in_force"] == "2031-07-01"
    transitional = [node for node in document.walk() if node.type == "transitional"]
    assert "Äldre fyrar får lysa." in document.text_of(transitional[-1])
    assert not [node for node in document.walk() if node.type == "signature"]


def test_general_advice_ends_at_the_next_section() -> None:
    document = read(
        _ENACTED, _SECTION, "Allmänna råd", "Ljuset bör vara vitt.", "2 § Bojen ska vara röd.", "Den är rund."
    )
    roles = {document.text_of(node): node.role for node in document.walk() if node.type == "subsection"}
    assert roles["Ljuset bör vara vitt."] == roles["Allmänna råd"] is not None
    assert roles["Den är rund."] == roles["Fyren ska lysa."] != roles["Allmänna råd"]
