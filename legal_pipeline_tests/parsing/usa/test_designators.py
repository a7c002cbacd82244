"""How deep a designator stands is told by what follows, not by its look."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.designated_paragraphs import Paragraph, add_paragraphs
from legal_pipeline.building.designators import designators_of
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.numbering.search import Event, resolve
from legal_pipeline.numbering.styles import Style

REGULATION = jurisdiction("us").drafting("regulation")
STATUTE = jurisdiction("us").drafting("statute")


def levels(*nums: str, numbering: Style = REGULATION) -> list[int]:
    return [place.level for place in resolve([Event("number", num) for num in nums], numbering)]


def test_an_i_after_h_is_the_next_letter() -> None:
    assert levels("g", "h", "i", "j") == [0, 0, 0, 0]


def test_an_i_before_ii_is_a_numeral() -> None:
    assert levels("h", "1", "2", "i", "ii", "iii", "3") == [0, 1, 1, 2, 2, 2, 1]


def test_an_i_after_a_closed_list_that_is_followed_by_j_is_a_letter() -> None:
    assert levels("h", "1", "2", "i", "j") == [0, 1, 1, 0, 0]


def test_a_v_between_iv_and_vi_is_a_numeral_even_after_u() -> None:
    assert levels("u", "1", "i", "ii", "iii", "iv", "v", "vi", "v") == [0, 1, 2, 2, 2, 2, 2, 2, 0]


def test_statutes_put_capital_letters_above_numerals() -> None:
    assert levels("b", "1", "A", "i", "ii", "B", "i", "I", "II", "2", numbering=STATUTE) == [
        0,
        1,
        2,
        3,
        3,
        2,
        3,
        4,
        4,
        1,
    ]


def test_words_between_two_numbers_belong_to_the_first_and_words_after_a_list_to_what_opened_it() -> None:
    builder = DocumentBuilder()
    texts = ["(a) Fees:", "(1) A fee.", "It is paid once.", "(2) A charge.", "Both are due in May."]
    texts += ["(b) Refunds.", "They are paid in June."]
    with builder.node("section", "1"):
        add_paragraphs(builder, [Paragraph(text) for text in texts], REGULATION)
    first = builder.nodes[0].children[0]
    assert [builder.text[node.start : node.end] for node in first.children] == [
        "(1) A fee.\n\nIt is paid once.",
        "(2) A charge.",
    ]
    assert builder.text[first.start : first.end].endswith("Both are due in May.")
    assert builder.text[(last := builder.nodes[0].children[-1]).start : last.end].endswith("They are paid in June.")


def test_the_fifth_level_is_italic_digits() -> None:
    series = [("a", False), ("1", False), ("i", False), ("A", False), ("1", True), ("2", True), ("B", False)]
    events = [Event("number", num, announced=True, italic=italic) for num, italic in series]
    assert [place.level for place in resolve(events, REGULATION)] == [0, 1, 2, 3, 4, 4, 3]
    upright = [*events[:5], Event("number", "2", italic=False)]
    assert [place.level for place in resolve(upright, REGULATION)] == [0, 1, 2, 3, 4, 1]


def test_a_paragraph_may_open_several_levels() -> None:
    text = "(h) Grants\u2014(1) General. (i) An applicant may file a form."
    assert [item.num for item in designators_of(text, REGULATION)] == ["h", "1", "i"]


@pytest.mark.parametrize(
    "text",
    [
        "(3) The rule of paragraph (a)(1) applies to each applicant.",
        "(3) Applicants under section 5. (2) is no first number.",
        "(3) A person who (i) files late pays a fee.",
    ],
)
def test_a_reference_within_a_sentence_opens_no_level(text: str) -> None:
    assert [item.num for item in designators_of(text, REGULATION)] == ["3"]


@given(
    st.lists(st.sampled_from(["a", "b", "i", "ii", "v", "1", "2", "A", "B", "x", "(", "zz", "iv", "10"]), max_size=40)
)
def test_every_readable_designator_gets_one_level(nums: list[str]) -> None:
    series = [found[0].num for num in nums if (found := designators_of(f"({num}) text", REGULATION))]
    result = levels(*series)
    assert len(result) == len(series)
    assert all(0 <= level < len(REGULATION.ladder) for level in result)


def test_a_number_behind_a_heading_counts_only_as_the_first_of_a_list() -> None:
    nums = [[item.num for item in designators_of(f"(a) Lamps. ({num}) Horns", REGULATION)] for num in ("1", "d")]
    assert nums == [["a", "1"], ["a"]]
    assert [item.num for item in designators_of("(h)(2) Horns", REGULATION)] == ["h", "2"]


def _write_table(builder: DocumentBuilder) -> None:
    builder.add("red | white")


def test_a_list_below_a_table_is_that_which_the_words_above_the_table_announce() -> None:
    builder = DocumentBuilder()
    table = Paragraph("", emit=_write_table)
    lines = [Paragraph("(a) Lamps are:"), table, Paragraph("(i) red; or"), Paragraph("(ii) white.")]
    with builder.node("section", "1") as section:
        add_paragraphs(builder, lines, REGULATION)
    assert [(node.type, node.num) for node in section.walk()][1:] == [
        ("subsection", "a"),
        ("item", "i"),
        ("item", "ii"),
    ]


def test_words_in_italics_before_a_full_stop_are_a_heading_and_a_single_letter_is_not() -> None:
    builder = DocumentBuilder()
    lines = [Paragraph("(a) Lamps. A lamp is lit.", [(4, 9)]), Paragraph("(b) n: the number of lamps.", [(4, 5)])]
    with builder.node("section", "1") as section:
        add_paragraphs(builder, lines, REGULATION)
    assert [node.heading for node in section.children] == ["Lamps", None]
