"""What begins anew in the second chapter, schedule or division of a statute, and what a second text of one section adds. Own texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Amendment, Document, Node, check_tree
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.blocks import Blocks
from legal_pipeline.parsing.sweden.header import StatuteHeader, header_of_labels
from legal_pipeline.parsing.sweden.marks import temporal_marks
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text
from legal_pipeline.parsing.sweden.writer import StatuteWriter

_HEADER = StatuteHeader(number="2031:7", title="Lag (2031:7) om fyrar")
_FIRST = "1 kap. Fyrar\n\n1 § Fyren är röd.\n\n2 § Fyren lyser om natten.\n\n7 § Fyren släcks i gryningen.\n\n"


def parsed(text: str, header: StatuteHeader = _HEADER) -> Document:
    document = parse_statute_text(text, header, SourceFile("fyrar.txt", text.encode()))
    check_tree(document)
    return document


def places(document: Document) -> list[tuple[str | None, str | None]]:
    """The number of the division around each section, and its own."""
    return [
        (parents[-1].num if parents else None, node.num)
        for node, parents in document.walk_with_ancestors()
        if node.type == "section"
    ]


def of_type(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


def test_the_sections_of_each_chapter_count_from_one_without_a_warning() -> None:
    document = parsed(f"{_FIRST}2 kap. Bojar\n\n1 § Bojen är grön.\n\n2 § Bojen flyter.\n")
    assert places(document) == [("1", "1"), ("1", "2"), ("1", "7"), ("2", "1"), ("2", "2")]
    assert document.warnings == ()


def test_an_inserted_section_has_a_higher_number_than_the_one_before_it() -> None:
    document = parsed("1 § Fyren är röd.\n\n1 a § Bojen är grön.\n\n3 § Pricken är vit.\n\n2 § Vaktaren betalas.\n")
    assert document.warnings == ("2 § comes after 3 § (character 62)",)


@pytest.mark.parametrize(("head", "place"), [("2 kap. Bojar", "2"), ("Bilaga 2", "2")])
def test_a_first_section_behind_a_colon_is_one_where_the_numbers_begin_anew(head: str, place: str) -> None:
    document = parsed(f"{_FIRST}{head}\n\nFöljande gäller:\n\n1 § Bojen är grön.\n\n2 § Bojen flyter.\n")
    assert places(document)[3:] == [(place, "1"), (place, "2")]


def test_a_division_ends_the_one_before_it() -> None:
    text = "AVD. I FYRAR\n\n1 kap. Ljus\n\n1 § Fyren är röd.\n\nAVD. II BOJAR\n\n2 kap. Färg\n\n1 § Bojen är grön.\n"
    document = parsed(text)
    assert [(node.type, node.num) for node in document.nodes] == [("division", "I"), ("division", "II")]


def test_an_amending_act_at_two_paragraphs_of_a_section_is_named_once() -> None:
    (section,) = of_type(parsed("1 § Fyren är röd. Lag (2099:1).\n\nDen lyser om natten. Lag (2099:1).\n"), "section")
    assert [item.by for item in section.amendments] == ["SFS 2099:1"]


def test_a_layout_code_before_a_mark_of_time_hides_it_not() -> None:
    (section,) = of_type(parsed("/r1/ /Upphör att gälla U:2099-07-01/ 1 § Fyren är röd.\n"), "section")
    assert section.valid_to == "2099-07-01"


def test_a_mark_before_an_item_dates_the_item() -> None:
    text = "1 § Fyren har\n\n1. olja,\n\n/Upphör att gälla U:2099-07-01/ 2. veke, och\n\n3. glas.\n"
    assert [(node.num, node.valid_to) for node in of_type(parsed(text), "item")] == [
        ("1", None),
        ("2", "2099-07-01"),
        ("3", None),
    ]


def test_the_day_of_a_mark_has_no_further_words() -> None:
    marks = temporal_marks(
        "/Upphör att gälla U:2099-07-01 kl. 12/ Fyren är röd. /Träder i kraft I:den dag som bestäms/"
    )
    assert [(mark.when, mark.ends) for mark in marks] == [("2099-07-01", True), ("den dag som bestäms", False)]


def test_the_act_that_the_register_names_comes_before_that_of_the_first_line() -> None:
    text = "Har upphävts genom lag (2098:4).\n\n1 § Fyren är röd.\n"
    assert parsed(text).metadata["repealed_by"] == "SFS 2098:4"
    header = replace(_HEADER, metadata={"repealed_by": "SFS 2099:1"})
    assert parsed(text, header).metadata["repealed_by"] == "SFS 2099:1"


def test_the_base_law_that_the_register_states_comes_before_that_of_the_title() -> None:
    header = StatuteHeader("2031:9", "Lag (2031:9) om ändring i fyrlagen (2020:1)")
    assert parsed("1 § Fyren är röd.\n", header).metadata["base_law"] == "SFS 2020:1"
    stated = replace(header, metadata={"base_law": "SFS 2020:2"})
    assert parsed("1 § Fyren är röd.\n", stated).metadata["base_law"] == "SFS 2020:2"


def test_words_beside_the_day_of_issue_are_no_note() -> None:
    labels = {"Utfärdad": "2031-01-02 i Visby", "Ikraft": "2031-02-01 överg.best.", "Upphävd": "2032-03-01 delvis"}
    metadata = header_of_labels("2031:7", "Lag (2031:7) om fyrar", labels).metadata
    assert (metadata["issued"], metadata["in_force"], metadata["repealed"]) == (
        "2031-01-02",
        "2031-02-01",
        "2032-03-01",
    )
    assert {key: value for key, value in metadata.items() if key.endswith("_note")} == {
        "in_force_note": "överg.best.",
        "repealed_note": "delvis",
    }


def written(*paragraphs: str, continues: str = "") -> tuple[DocumentBuilder, list[str]]:
    builder = DocumentBuilder()
    blocks = Blocks(StatuteWriter(builder))
    blocks.section("1 §")
    for text in paragraphs:
        blocks.paragraph(text, continues=text == continues)
    blocks.finish()
    return builder, blocks.warnings


def test_a_section_without_mark_up_begins_behind_an_ended_text_alone() -> None:
    builder, warnings = written("Fyren är röd.", "2 § Bojen är grön.")
    assert [node.num for node in builder.nodes] == ["1", "2"]
    assert warnings == []
    builder, warnings = written("Fyren sköts enligt", "2 § Bojen är grön.")
    assert [node.num for node in builder.nodes] == ["1"]
    assert warnings == ["2 § has no mark-up and is inside 1 §"]


def test_a_mark_of_time_behind_the_last_paragraph_is_not_lost() -> None:
    builder, _ = written("Fyren är röd.", "/Upphör att gälla U:2099-07-01/")
    assert builder.text.endswith("/Upphör att gälla U:2099-07-01/")


def test_a_further_paragraph_of_an_item_does_not_end_the_list() -> None:
    items = ("Fyren har", "1. olja", "a) av fisk,", "Fisken ska vara färsk.", "b) av raps, och", "2. veke.")
    builder, _ = written(*items, continues="Fisken ska vara färsk.")
    found = [node for top in builder.nodes for node in top.walk() if node.type == "item"]
    assert [(node.num, [child.num for child in node.children if child.type == "item"]) for node in found] == [
        ("1", ["a", "b"]),
        ("a", []),
        ("b", []),
        ("2", []),
    ]


def test_sections_that_count_on_in_the_next_chapter_are_not_missing() -> None:
    front = "---\nbeteckning: 2031:7\nrubrik: Lag (2031:7) om fyrar\n---\n\n# Lag (2031:7) om fyrar\n\n"
    chapters = "".join(
        f"## {chapter} kap. Fyrar\n\n"
        + "".join(f"#### {number} §\n\nFyr {number} lyser om natten.\n\n" for number in numbers)
        for chapter, numbers in ((1, (1, 2, 3)), (2, (4, 5)), (3, (1, 2)))
    )
    document = parse(SourceFile("sfs-2031-7.md", (front + chapters).encode()))
    assert (document.format, document.warnings) == ("selex_markdown", ())


def test_a_mark_of_time_may_name_the_act_that_ends_the_text() -> None:
    (mark,) = temporal_marks("/Upphör att gälla U:2099-07-01 genom lag (2098:4)./")
    assert mark.amendment == Amendment(by="SFS 2098:4", date="2099-07-01", action="repealed")
