"""Which level a number belongs to follows from the whole sequence."""

from __future__ import annotations

import pytest

from legal_pipeline.numbering.search import Event, resolve
from legal_pipeline.numbering.styles import Style, style


def levels(sequence: str) -> str:
    """Levels of a sequence: `-` before a number: a dash announced it; `?`: its sentence runs on; `!`: a reference; D, P, T: a
    definition, a proviso, a text without a number."""
    events = []
    for sign in sequence.split():
        if sign in "DPT":
            events.append(Event({"D": "definition", "P": "proviso", "T": "text"}[sign]))
        else:
            mark, num = (sign[0], sign[1:]) if sign[0] in "-?!" else ("", sign)
            events.append(
                Event("number", num, closed=mark not in ("?", "!"), announced=mark == "-", reference=mark == "!")
            )
    return " ".join(str(place.level) for place in resolve(events, style("common_law")))


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        # (i) is a letter after (h) when (j) follows, and a numeral when (ii) does.
        ("a b c d e f g h i j k", "0 0 0 0 0 0 0 0 0 0 0"),
        ("a b c d e f g h -i ii iii i j", "0 0 0 0 0 0 0 0 1 1 1 0 0"),
        ("a b c d e f g h i ii iii j", "0 0 0 0 0 0 0 0 1 1 1 0"),
        # (v) and (x) likewise.
        ("s t u v w x y", "0 0 0 0 0 0 0"),
        ("u -i ii iii iv v vi v w", "0 1 1 1 1 1 1 0 0"),
    ],
)
def test_a_letter_or_a_numeral_is_decided_by_its_neighbours(sequence: str, expected: str) -> None:
    assert levels(sequence) == expected


def test_subsections_paragraphs_and_items_nest() -> None:
    assert levels("1 -a b -i ii c 2 -a b") == "0 1 1 2 2 1 0 1 1"


def test_a_number_that_goes_back_inside_a_sentence_is_a_reference() -> None:
    assert levels("1 2 3 ?2 -a b") == "0 0 0 -1 1 1"


def test_a_number_after_the_words_of_a_reference_is_part_of_it() -> None:
    assert levels("a b c !c d") == "0 0 0 -1 0"


def test_the_innermost_list_goes_on_where_an_outer_one_could_as_well() -> None:
    numbering = Style(
        series=("digit", "alpha", "roman"), beam=24, close_each=0.15, directly_inside=0.5, inside=0.5, later=2.5
    )
    events = [Event("number", num, announced=True) for num in ["5", "i", "ii", "a", "b", "i", "ii"]]
    events += [Event("number", "iii"), Event("number", "6")]
    assert [place.level for place in resolve(events, numbering)] == [0, 1, 1, 2, 2, 3, 3, 3, 0]


def test_of_two_open_lists_of_a_series_the_outer_one_begins_anew() -> None:
    assert levels("a -a a") == "0 1 0"


def test_inserted_numbers_stand_in_their_series() -> None:
    assert levels("1 2 2a 2b 3 -a aa b") == "0 0 0 0 0 1 1 1"


def test_a_repealed_number_leaves_a_gap_and_no_new_level() -> None:
    assert levels("1 2 4 5") == "0 0 0 0"


def test_words_after_a_list_close_it_unless_it_goes_on() -> None:
    assert levels("1 -a b T 2") == "0 1 1 1 0"
    assert levels("1 -a b T c 2") == "0 1 1 2 1 0"


def test_every_definition_has_a_list_of_its_own() -> None:
    assert levels("1 D -a b D -a b 2") == "0 1 2 2 1 2 2 0"


def test_a_list_in_a_proviso_ends_with_it() -> None:
    assert levels("1 P -i ii 2") == "0 1 2 2 0"


def test_double_letters_continue_z_or_open_below() -> None:
    assert levels("y z aa bb") == "0 0 0 0"
    assert levels("a -i -aa bb ii b") == "0 1 2 2 1 0"


def test_a_number_far_behind_the_last_one_of_its_list_is_not_in_it() -> None:
    numbering = Style(series=("digit",), beam=4, refuse_finished=5.0, gap=1.0, gap_longest=3)
    assert [place.level for place in resolve([Event("number", "1"), Event("number", "4")], numbering)] == [0, 0]
    assert [place.level for place in resolve([Event("number", "1"), Event("number", "5")], numbering)] == [0, -1]


def test_a_lettered_number_costs_more_than_the_next_one() -> None:
    numbering = Style(series=("digit",), beam=4, refuse_finished=1.0, next_lettered=2.0)
    assert [place.level for place in resolve([Event("number", "1"), Event("number", "2")], numbering)] == [0, 0]
    assert [place.level for place in resolve([Event("number", "1"), Event("number", "2a")], numbering)] == [0, -1]


def test_in_a_ladder_an_announced_list_opens_where_another_does_not() -> None:
    numbering = Style(ladder=("digit", "alpha"), beam=4, refuse_finished=1.0, open_unannounced=2.0, skipped_level=4.0)
    for announced, level in ((True, 1), (False, -1)):
        events = [Event("number", "1"), Event("number", "a", announced=announced)]
        assert [place.level for place in resolve(events, numbering)] == [0, level]


def test_a_definition_is_on_the_level_of_the_definition_before_it_whatever_list_that_holds() -> None:
    assert levels("1 D -1 2 D -a 2") == "0 1 2 2 1 2 0"


def test_an_explanation_stays_in_the_innermost_context_that_its_words_name_or_is_of_the_whole_provision() -> None:
    numbering = Style(series=("digit", "alpha"), beam=8, holds_text=("digit",))
    before = [Event("number", "1"), Event("proviso"), Event("proviso", within=("proviso",)), Event("number", "a")]
    for event, level in (
        (Event("explanation", within=("proviso",)), 3),
        (Event("explanation", within=("proviso",), outermost=True), 0),
    ):
        assert resolve([*before, event], numbering)[-1].level == level


def test_contexts_are_side_by_side_where_drafters_put_none_inside_another() -> None:
    def level(apart: bool) -> int:
        numbering = Style(series=("digit", "alpha"), beam=8, contexts_apart=apart, holds_text=("digit", "proviso"))
        events = [Event("number", "1"), Event("proviso"), Event("number", "a"), Event("explanation")]
        return resolve(events, numbering)[-1].level

    assert (level(apart=True), level(apart=False)) == (1, 2)
