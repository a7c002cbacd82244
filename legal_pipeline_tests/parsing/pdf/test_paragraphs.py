"""Lines of pages as paragraphs: by their distance, and by the label of a provision where a page ends."""

from __future__ import annotations

from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.pdf.layout import PageLayout, lay_out
from legal_pipeline.parsing.pdf.paragraphs import text_blocks

_LEFT, _RIGHT, _SIZE = 72.0, 432.0, 12.0
_WRAP, _PARAGRAPH = 14.0, 23.0
#: Sixty characters of six points fill a line.
_FULL = "The keeper of the tower winds up the clock on every morning,"
_ENDED = "The keeper of the tower winds up the clocks on every morning"


def page(number: int, paragraphs: list[list[str]]) -> PageLayout:
    """A page of `paragraphs`, each a list of lines as they are printed."""
    layout = PageLayout(number, _LEFT, _RIGHT)
    baseline = 700.0
    for paragraph in paragraphs:
        for text in paragraph:
            layout.lines.append(Line(text, _LEFT, _LEFT + 6 * len(text), baseline, _SIZE, number))
            baseline -= _WRAP
        baseline -= _PARAGRAPH - _WRAP
    return layout


def test_paragraphs_of_one_line_that_fill_it_stay_apart_where_wrapped_lines_stand_closer() -> None:
    wrapped = [[_FULL, "and it rings at noon."]] * 6
    full = [[f"{_ENDED}."]] * 20
    blocks = text_blocks([page(1, [*wrapped, *full])], _SIZE)
    assert [block.text for block in blocks] == [f"{_FULL} and it rings at noon."] * 6 + [f"{_ENDED}."] * 20


def test_a_provision_at_the_top_of_a_page_is_not_joined_to_the_full_line_below_which_the_page_ended() -> None:
    for label in (
        "Article 7 The clock",
        "Art. 7. The clock rings.",
        "§ 7 The clock rings.",
        "Article L433-3",
        "7A. Clocks",
        "Article 7 (1) The clock",
    ):
        blocks = text_blocks([page(1, [[_FULL, f"{_ENDED}."]]), page(2, [[label], ["It rings."]])], _SIZE)
        assert [block.text for block in blocks] == [f"{_FULL} {_ENDED}.", label, "It rings."]


def test_a_sentence_that_goes_on_behind_the_end_of_a_page_is_one_paragraph() -> None:
    for first, second in ((_FULL, "Article 7 or not"), (f"{_ENDED}.", "Nobody may stop it")):
        (block,) = text_blocks([page(1, [[first]]), page(2, [[second]])], _SIZE)
        assert block.text == f"{first} {second}"


def test_a_provision_behind_a_full_line_of_close_print_is_not_joined_to_it() -> None:
    layout = page(1, [[_FULL, f"{_ENDED}.", "Article 7. The clock rings at noon."], [_FULL]])
    assert text_blocks([layout], _SIZE)[0].text == f"{_FULL} {_ENDED}."
    layout = page(1, [[_FULL, f"{_ENDED}.", "On 18.04.2011 the clock rang."]])
    assert len(text_blocks([layout], _SIZE)) == 1


def test_a_heading_at_the_foot_of_a_page_is_not_joined_to_its_provision_on_the_next() -> None:
    heading = "Making and winding of the clocks of the tower and of its bells"
    blocks = text_blocks([page(1, [[heading]]), page(2, [["Article 7. The clock"], ["It rings."]])], _SIZE)
    assert [block.text for block in blocks] == [heading, "Article 7. The clock", "It rings."]
    cut = "The keeper winds up the clock in the tower as is laid down in"
    (block, _) = text_blocks([page(1, [[cut]]), page(2, [["Article 7. The clock"], ["It rings."]])], _SIZE)
    assert block.text == f"{cut} Article 7. The clock"


def _bold(layout: PageLayout, *lines: tuple[int, bool, bool]) -> PageLayout:
    """`layout` with lines (index, whether it begins and whether it ends in bold)."""
    for index, first, last in lines:
        layout.lines[index].bold = (first, last)
    return layout


def test_a_heading_in_bold_is_not_joined_to_the_text_around_it() -> None:
    """In close print, below a full line that ends without a stop, the weight of the type alone parts them."""
    layout = _bold(
        page(1, [[_FULL, "Section 8: Clocks of the town and of the towers and of churches", _FULL]]), (1, True, True)
    )
    first, heading, text = text_blocks([layout], _SIZE)
    assert (first.bold, heading.bold, text.bold) == (False, True, False)
    assert heading.text.startswith("Section 8")


def test_words_in_bold_inside_a_paragraph_part_nothing() -> None:
    layout = _bold(page(1, [[_FULL, _FULL, _FULL]]), (0, False, True), (1, True, True), (2, True, False))
    (block,) = text_blocks([layout], _SIZE)
    assert not block.bold


def test_a_heading_in_bold_that_runs_into_its_text_stays_with_it() -> None:
    layout = _bold(
        page(1, [["8. Clocks of the town and of the towers and of the churches", "here.—The keeper winds them up."]])
    )
    layout = _bold(layout, (0, True, True), (1, True, False))
    (block,) = text_blocks([layout], _SIZE)
    assert block.text.endswith("The keeper winds them up.")


def test_a_provision_below_an_item_that_fills_its_line_is_not_joined_to_it() -> None:
    item = f"(2) {_ENDED[:-3]}."
    for label in (
        "Article 7 The clock rings",
        "7. § The clock rings",
        "„Article 7 The clock rings",
        "7.¹ pants. The clock rings",
    ):
        (first, second) = text_blocks([page(1, [[item, label]])], _SIZE)
        assert (first.text, second.text) == (item, label)


def test_the_end_of_a_sentence_that_many_pages_share_is_not_their_footer() -> None:
    foot = [Line("and it rings over the harbour.", _LEFT, _LEFT + 180, 60.0, _SIZE, number) for number in (1, 2, 3)]
    pages = [Page(number, 595, 842, [*page(number, [[_FULL]]).lines, foot[number - 1]]) for number in (1, 2, 3)]
    assert [layout.lines[-1].text for layout in lay_out(pages)] == [line.text for line in foot]


def test_a_short_line_with_a_number_is_not_joined_to_the_next_line_in_close_print() -> None:
    lines = [
        "7. Keepers", "The board appoints a keeper for each lamp.", "(2) A keeper holds office for three years.",
        "7A. Deputies", "The board appoints a deputy.", "(2) After section 11 insert—", "“Oil", "12. The oil is free.”",
    ]  # fmt: skip
    assert [block.text for block in text_blocks([page(1, [lines, [_FULL]])], _SIZE)][: len(lines)] == lines


def test_lines_of_a_page_without_long_lines_are_not_full() -> None:
    def segments(number: int, texts: list[str]) -> Page:
        lines = [
            Line(text, _LEFT, _LEFT + 6 * len(text), 700.0 - 14 * i, _SIZE, number) for i, text in enumerate(texts)
        ]
        return Page(number, 595, 842, lines)

    layouts = lay_out([segments(1, ["Contents", "The Parliament enacts:", "1 Title"]), segments(2, [_FULL] * 6)])
    assert [block.text for block in text_blocks(layouts[:1], _SIZE)] == [
        "Contents",
        "The Parliament enacts:",
        "1 Title",
    ]


def test_a_bold_heading_with_a_number_without_stop_begins_a_paragraph() -> None:
    layout = _bold(page(1, [[f"{_ENDED}.", "40 Keepers of the lamps", "A keeper lights the lamp."]]), (1, True, True))
    assert [block.text for block in text_blocks([layout], _SIZE)][1] == "40 Keepers of the lamps"


def test_a_bold_number_inside_a_sentence_begins_none() -> None:
    layout = _bold(page(1, [[_FULL, "12 Lamps and more."]]), (1, True, True))
    assert len(text_blocks([layout], _SIZE)) == 1


_HEADER = [
    "LAMPS ACT 2031",
    "Chamber of Harbours",
    "General Secretariat",
    "Secretariat of Lamps",
    "Last amendment 2033",
]

_KEEPERS = ("Anna", "Bo", "Carl", "Disa", "Eva", "Frida", "Gun", "Hans")


def _printed(header: list[str], number: int) -> Page:
    texts = [*header, f"{_KEEPERS[number - 1]} lights the lamp,", "and it burns until the sun has risen."]
    lines = [
        Line(words, _LEFT, _LEFT + 6 * len(words), 780.0 - _WRAP * place, _SIZE, number)
        for place, words in enumerate(texts)
    ]
    return Page(number, 595.0, 800.0, lines)


def test_a_page_header_of_five_lines_is_left_out_of_the_text() -> None:
    layouts = lay_out([_printed(_HEADER, number) for number in range(1, 7)])
    assert [layout.lines[0].text for layout in layouts] == [f"{name} lights the lamp," for name in _KEEPERS[:6]]
    assert [matter.text for matter in layouts[0].matter][:5] == _HEADER


def test_a_line_below_the_header_is_text_if_only_some_pages_begin_with_it() -> None:
    pages = [_printed([*_HEADER[:3], "Article amended in 2033"], number) for number in (1, 2, 3, 4)]
    layouts = lay_out([*pages, *(_printed(_HEADER[:3], number) for number in range(5, 9))])
    assert [layout.lines[0].text for layout in layouts[3:5]] == ["Article amended in 2033", "Eva lights the lamp,"]


def test_a_label_with_a_dash_begins_a_paragraph_also_below_a_full_line_that_is_a_heading() -> None:
    heading = "The duties of the keeper where the keeper of another harbour"
    for label in ("MADDE 13 –(1) The clock rings.", "Madde 13 – The clock rings."):
        blocks = text_blocks([page(1, [[heading, label]])], _SIZE)
        assert [block.text for block in blocks] == [heading, label]


def test_headings_in_capitals_end_before_a_label() -> None:
    lines = [
        "TITLE TWO OF THE JUDGES WHO HEAR THE KEEPERS OF ALL HARBOURS",
        "CHAPTER 1: THE COURTS OF THE HARBOURS AND THEIR KEEPERS ALL",
        "Article 149: The courts of the harbours are independent.",
    ]
    assert [block.text for block in text_blocks([page(1, [lines])], _SIZE)] == lines
    wrapped = ["THE RULES THAT THE BOARD OF THE HARBOURS MAKES OF ALL UNDER", "SECTION 12 OF THE HARBOURS ACT"]
    assert [block.text for block in text_blocks([page(1, [wrapped])], _SIZE)] == [" ".join(wrapped)]
