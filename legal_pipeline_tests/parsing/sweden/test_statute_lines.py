"""What the lines of a Swedish statute are by what follows them: headings, tables, marks of time, schedules, commencements."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.parsing.sweden.plain_text import write_statute

_FIRST = "1 § Fyrar ska vara tända om natten.\n\n"
_LAST = "2 § Bojar ska vara röda.\n"
_TABLE = "Fyr        Ljus       Avgift\nRöd        vit        10\n"
_TRANSITION = "Denna lag träder i kraft den 1 juli 2031."


def built(text: str) -> DocumentBuilder:
    builder = DocumentBuilder()
    write_statute(text, builder)
    return builder


def outline(text: str) -> str:
    """Types and numbers of the nodes, with what is inside in brackets; of headings also the words."""

    def named(node: object) -> str:
        type, num = node.type, node.num  # type: ignore[attr-defined]
        words = builder.text[node.start : node.end] if type == "heading" else num or ""  # type: ignore[attr-defined]
        inner = " ".join(map(named, node.children))  # type: ignore[attr-defined]
        return f"{type} {words}".strip() + (f" ({inner})" if inner else "")

    builder = built(text)
    return "; ".join(map(named, builder.nodes))


_ONE = "section 1 (subsection 1)"
_TWO = "section 2 (subsection 1)"


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        ("Övergångsbestämmelser\n\nRubrik om fyrar\n\n", "heading Övergångsbestämmelser; heading Rubrik om fyrar"),
        ("Övergångsbestämmelser\n\n", "heading Övergångsbestämmelser"),
        ("Bojar\n\nRöda bojar\n\n", "heading Bojar; heading Röda bojar"),
        ("/Rubriken upphör att gälla U:2031-01-01/\nBojar\n\n", "remark; heading Bojar"),
    ],
)
def test_what_is_directly_above_a_section_is_its_heading(middle: str, expected: str) -> None:
    assert outline(_FIRST + middle + _LAST) == f"{_ONE}; {expected}; {_TWO}"


def test_a_sentence_below_the_heading_of_transitional_provisions_makes_it_one() -> None:
    found = outline(f"{_FIRST}Övergångsbestämmelser\n\n{_TRANSITION}\n\n{_LAST}")
    assert found == f"{_ONE}; transitional (heading Övergångsbestämmelser subsection 1 {_TWO})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{_FIRST}2031:7\n\n{_TRANSITION}\n",
            f"{_ONE}; transitional (transitional 2031:7 (heading 2031:7 subsection 1))",
        ),
        (f"{_FIRST}2031:7\n", f"{_ONE}; heading 2031:7"),
        ("2031:7\n\nFyrar ska lysa.\n", "heading 2031:7; subsection 1"),
    ],
)
def test_the_number_of_an_act_begins_its_transitional_provisions_if_text_follows_and_precedes_it(
    text: str, expected: str
) -> None:
    assert outline(text) == expected


def test_the_mark_of_an_act_below_a_table_is_not_a_row_of_it() -> None:
    builder = built(f"{_FIRST}{_TABLE}Lag (2098:5).\n\n{_LAST}")
    section = builder.nodes[0]
    (table,) = [node for node in section.walk() if node.type == "table"]
    assert builder.text[table.start : table.end] == "Fyr | Ljus | Avgift\nRöd | vit | 10"
    assert [item.by for item in section.amendments] == ["SFS 2098:5"]


def test_a_mark_of_time_above_a_table_is_a_remark_and_not_a_row() -> None:
    mark = "/Upphör att gälla U:2031-01-01/"
    assert outline(f"{_FIRST}{mark}\n\n{_TABLE}\n{_LAST}") == f"section 1 (subsection 1 remark table); {_TWO}"


def test_a_mark_on_its_own_line_leads_back_to_its_place_and_that_of_the_text_below_it() -> None:
    text = f"{_FIRST}/Träder i kraft I:2031-01-01/\n\n{_LAST}"
    builder = built(text)
    assert [node.valid_from for node in builder.nodes if node.type == "section"] == [None, "2031-01-01"]
    document_text, offsets = builder.text, dict(builder.offset_map)
    for position, raw in offsets.items():
        assert document_text[position] == text[raw]


def test_the_points_of_a_section_that_begins_with_one_are_items() -> None:
    found = outline("1 § 1. Bojar ska vara röda.\n\n2. De ska vara runda.\n\n2 § 3. Lotsen vakar.\n")
    assert found == "section 1 (item 1 item 2); section 2 (subsection 1)"


@pytest.mark.parametrize(
    ("schedule", "heading"),
    [
        ("Bilaga\n\nAvgifter\n\n", "Avgifter"),
        ("Bilaga 2 Avgifter\n\nTio kronor.\n\n", "Avgifter"),
        ("Bilaga\n\nTio kronor.\n\n", None),
    ],
)
def test_the_heading_of_a_schedule_is_beside_its_word_or_below_it(schedule: str, heading: str | None) -> None:
    node = built(f"{_FIRST}{schedule}{_TABLE}").nodes[-1]
    assert (node.type, node.heading) == ("schedule", heading)
