"""Offsets follow the text through changes of white space and small cuts."""

from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.parsing.pdf.alignment import align


def test_an_offset_moves_with_its_words() -> None:
    source = "The first clause of the Act.\n\nThe second clause stands on the next page."
    target = "The first clause of the Act.\nThe second   clause stands on the next page."
    assert align(source, target, [0, source.index("second"), len(source)]) == [0, target.index("second"), len(target)]


def test_a_cut_before_an_offset_does_not_move_it_off_its_words() -> None:
    source = "Section 1 [amended 2001] applies to every tower. Section 2 applies to every clock in the town hall."
    target = source.replace("[amended 2001] ", "")
    assert align(source, target, [source.index("Section 2")]) == [target.index("Section 2")]


@given(st.text(alphabet="ab \n", max_size=200), st.lists(st.integers(0, 200), max_size=5))
def test_equal_texts_keep_offsets_on_their_characters(text: str, offsets: list[int]) -> None:
    inside = [offset for offset in offsets if offset < len(text) and not text[offset].isspace()]
    assert align(text, text, inside) == inside
