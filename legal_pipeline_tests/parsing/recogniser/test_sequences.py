"""Which numbers follow which, the best sequence of labels, and which labels head divisions; on labels made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.divisions import ranks, without_counted, without_other_kinds, without_repeated
from legal_pipeline.parsing.recogniser.inserted import with_inserted
from legal_pipeline.parsing.recogniser.labels import FAIR, STRONG, Label
from legal_pipeline.parsing.recogniser.numbers import Number, inserted_number, range_number, read_number
from legal_pipeline.parsing.recogniser.raised import with_lost, without_marks
from legal_pipeline.parsing.recogniser.sequence import best_run
from legal_pipeline.parsing.recogniser.words import words_of
from legal_pipeline.parsing.registry import parse


def number(text: str) -> Number:
    found = read_number(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("before", "after", "missing"),
    [
        ("1", "2", 0), ("1", "4", 2), ("2", "1", None), ("2", "2", None), ("2", "2A", 0), ("2A", "3", 0), ("2B", "2C", 0),
        ("2B", "2D", 0), ("2A", "2AB", 0), ("2AB", "2B", 0), ("2AB", "2C", 1), ("5", "5.1", 0), ("5", "5.2", 1), ("5.1", "6", 0),
        ("5.1", "5.2", 0), ("1.1", "2.1", 0), ("453-2", "453-2.5", 0), ("10-12", "13", 0), ("10-12", "14", 3), ("A", "E", 3),
    ],
)  # fmt: skip
def test_how_many_numbers_are_missing(before: str, after: str, missing: int | None) -> None:
    assert number(after).follows(number(before)) == missing


def test_a_range_has_a_higher_last_number_of_the_same_series() -> None:
    def ranged(first: str, last: str) -> bool:
        return range_number(f"{first}–{last}", number(first), number(last)) is not None

    assert (ranged("3", "4"), ranged("3", "3"), ranged("4", "3"), ranged("3", "IV")) == (True, False, False, False)
    assert range_number("3–x", number("3"), None) is None
    found = range_number("3–5", number("3"), number("5"))
    assert found is not None
    assert number("6").follows(found) == 0


@pytest.mark.parametrize(
    ("text", "first", "begins", "hundred"),
    [
        ("1", True, False, False), ("0", True, False, False), ("2", False, False, False), ("1A", True, False, False),
        ("100", False, False, False), ("101", False, True, False), ("200", False, False, True), ("201", False, True, False),
        ("202", False, False, False), ("45.301", False, True, False), ("707-700", False, True, False), ("45.1", True, False, False),
    ],
)  # fmt: skip
def test_the_first_numbers_of_laws_and_of_their_divisions(text: str, first: bool, begins: bool, hundred: bool) -> None:
    found = number(text)
    assert (found.is_first, found.begins_hundred, found.is_hundred) == (first, begins, hundred)


def test_a_provision_counted_in_parts_has_a_value_in_each() -> None:
    found = inserted_number(("十", "二"))
    assert found is not None
    assert (found.text, found.follows(number("10"))) == ("10-2", 0)
    assert inserted_number(()) is None


def label(
    index: int, text: str, kinds: Sequence[str] = ("section",), *, strength: float = STRONG, style: str = "word", alone: bool = False
) -> Label:  # fmt: skip
    return Label(index, tuple(kinds), number(text), len(text), strength, style, alone)


def run(texts: str, divisions: Sequence[int] = (), **fields: object) -> str:
    labels = [label(index, text, **fields) for index, text in enumerate(texts.split())]  # type: ignore[arg-type]
    return " ".join(found.number.text for found in best_run(labels, divisions).labels)


@pytest.mark.parametrize(
    ("texts", "divisions", "expected"),
    [
        ("1 2 3 4", (), "1 2 3 4"),
        ("1 2 99 3 4", (), "1 2 3 4"),
        ("1 2 4 5", (), "1 2 4 5"),
        ("1 2 1 3", (), "1 2 3"),
        ("1 2 3 1 2 3", (3,), "1 2 3 1 2 3"),
        ("7 1 2 3", (), "1 2 3"),
        ("1 2 2 3", (), "1 2 2 3"),
        ("5 6 7", (), "5 6 7"),
    ],
)
def test_the_best_sequence_leaves_out_what_does_not_continue_it(
    texts: str, divisions: tuple[int, ...], expected: str
) -> None:
    assert run(texts, divisions) == expected


def test_a_sequence_knows_its_gaps_its_steps_and_where_it_begins_anew() -> None:
    found = best_run([label(index, text) for index, text in enumerate("12412")], [3])
    assert (found.gaps, found.steps, found.restarts) == ((("2", "4"),), 2, 1)
    assert found.regularity == pytest.approx(3 / 4)
    assert best_run([label(0, "1")], []).regularity == 1.0
    assert best_run([], []).labels == ()


def test_a_law_that_a_law_publishes_begins_anew_and_the_law_goes_on_behind_it() -> None:
    labels = [label(index, text) for index, text in enumerate("1212343")]
    assert [found.number.text for found in best_run(labels, [], frozenset({2})).labels] == list("1212343")


def test_a_word_with_two_meanings_is_a_division_if_a_sure_word_has_all_its_numbers() -> None:
    def kinds(*unsure: str, alone: bool = True) -> list[tuple[str, ...]]:
        sure = [label(index, str(index + 1)) for index in range(3)]
        others = [label(9 + place, text, ("section", "chapter"), alone=alone) for place, text in enumerate(unsure)]
        return [found.kinds for found in without_other_kinds([*sure, *others])[3:]]

    both = ("section", "chapter")
    assert kinds("1", "2") == [("chapter",)] * 2
    assert kinds("1", "9") == [both] * 2
    assert kinds("1", "2", "3") == [both] * 3
    assert kinds("1", "2", alone=False) == [both] * 2


def test_a_division_printed_again_behind_its_contents_is_one() -> None:
    first, again, third = (label(index, "1", ("part",)) for index in (0, 5, 9))
    pair = [(first, "part"), (again, "part")]
    assert without_repeated(pair, [(1, 4)], [6, 7]) == [(again, "part")]
    assert without_repeated(pair, [], [6, 7]) == pair
    assert without_repeated(pair, [(1, 4)], [2, 6]) == pair
    assert without_repeated(pair, [(6, 8)], [6, 7]) == pair
    assert without_repeated([(first, "part"), (again, "chapter")], [(1, 4)], [6]) == [
        (first, "part"),
        (again, "chapter"),
    ]
    assert without_repeated([(first, "part"), (third, "part")], [(1, 4)], [9]) in (
        [(first, "part"), (third, "part")],
        [(third, "part")],
    )


def test_schedules_counted_in_the_heading_of_a_section_are_no_schedule() -> None:
    words = words_of("eng")
    counted = [label(0, "2", ()), label(4, "3", ("schedule",), style="behind:"), label(4, "3", ())]
    assert without_counted(counted, words) == [counted[0], counted[2]]
    assert without_counted([counted[0], counted[1]], words) == [counted[0], counted[1]]
    later = [label(0, "5", ()), *counted[1:]]
    assert without_counted(later, words) == later
    before = [counted[0], label(4, "3", ("schedule",), style="word"), counted[2]]
    assert without_counted(before, words) == before


def test_the_depth_of_divisions_is_that_of_their_levels_else_of_their_order() -> None:
    def depth(*kinds: str, levels: Sequence[int] = ()) -> dict[str, int]:
        numbers: dict[str, int] = {}
        divisions = []
        for index, kind in enumerate(kinds):
            numbers[kind] = numbers.get(kind, 0) + 1
            divisions.append((label(2 * index, str(numbers[kind]), (kind,)), kind))
        blocks = [Block("x", level=levels[index // 2] if levels else 0) for index in range(2 * len(kinds))]
        return dict(ranks(divisions, blocks, [2 * index + 1 for index in range(len(kinds))]))

    assert depth("chapter", "part", levels=(1, 2)) == {"chapter": 0, "part": 1}
    assert depth("chapter", "part", levels=(2, 1)) == {"part": 0, "chapter": 1}
    assert depth("part", "chapter", levels=(1, 1)) == {"part": 0, "chapter": 1}
    assert depth("part", "chapter", levels=(0, 1)) == {"part": 0, "chapter": 1}
    assert depth() == {}


def test_digits_that_may_be_raised_are_read_so_only_in_several_cases() -> None:
    def lost(texts: str, sign: str = "") -> str:
        labels = [label(index, text) for index, text in enumerate(texts.split())]
        return " ".join(found.number.text for found in with_lost(labels, sign))

    assert lost("66 67 671 672 68") == "66 67 67¹ 67² 68"
    assert lost("66 67 671 672 68", ".") == "66 67 67.1 67.2 68"
    assert lost("66 67 673 68") == "66 67 673 68"
    assert lost("66 67 672 68") == "66 67 67² 68"
    assert lost("66 67 671 69") == "66 67 671 69"
    assert lost("66 67 672 671 68") == "66 67 672 671 68"
    assert lost("5 6 61 7") == "5 6 61 7"
    assert lost("5 6 61 7 8 81 9") == "5 6 6¹ 7 8 8¹ 9"
    assert lost("5 6 601 7 8 81 9") == "5 6 601 7 8 81 9"


def test_raised_digits_are_marks_unless_half_of_them_continue_a_number() -> None:
    def kept(texts: str) -> str:
        return " ".join(
            found.number.text
            for found in without_marks([label(place, text) for place, text in enumerate(texts.split())])
        )

    assert kept("1 2¹ 3 4²") == "1 2 3 4"
    assert kept("1 2 2¹ 3") == "1 2 2¹ 3"
    assert kept("1 2 2¹ 3 4²") == "1 2 2¹ 3 4²"
    assert kept("1 2 2¹ 3⁵ 4⁶") == "1 2 2 3 4"
    assert kept("1 2 3") == "1 2 3"


def test_inserted_numbers_are_provisions_below_a_sentence_in_at_most_half_of_the_law() -> None:
    def inserted(*texts: str) -> tuple[list[str], tuple[str, ...]]:
        blocks = [Block(text) for text in texts]
        own = [
            Label(index, (), number(text.split(".")[0]), text.index(" "), FAIR, "bare:.:", False)
            for index, text in enumerate(texts) if text.split(" ")[0].count(".") == 1
        ]  # fmt: skip
        found, unsure = with_inserted(best_run(own, []), blocks, len(blocks))
        return [item.number.text for item in found.labels], unsure

    whole = "The keeper lights the lamp."
    assert inserted(f"1. {whole}", f"2. {whole}", f"2.1. {whole}", f"3. {whole}") == (["1", "2", "2.1", "3"], ())
    assert inserted(f"1. {whole}", "2. The keeper:", f"2.1. {whole}", f"3. {whole}") == (["1", "2", "3"], ())
    assert inserted("1. Lamps", f"1.1. {whole}", f"2. {whole}", f"2.1. {whole}", f"3. {whole}", f"4. {whole}") == (
        ["1", "2", "3", "4"], ("1.1", "2.1"),
    )  # fmt: skip
    assert inserted(f"1. {whole}", f"1.1. {whole}", f"2. {whole}", f"2.1. {whole}", f"3. {whole}") == (
        ["1", "2", "3"],
        ("1.1", "2.1"),
    )


def test_an_article_that_its_publisher_printed_behind_later_ones_is_a_provision() -> None:
    def law(numbers: Sequence[int]) -> list[str | None]:
        lines = [
            "LEY DE FAROLES",
            *(f"Artículo {number}.- El farero enciende la lámpara {number}." for number in numbers),
        ]
        return [node.num for node in parse(SourceFile("ley.txt", "\n\n".join(lines).encode())).provisions()]

    order = [*range(1, 15), 16, 17, 18, 19, 15, *range(20, 30)]
    assert law(order) == [str(number) for number in order]
    # a number that the law has itself, and one that is far away, are those of other laws
    assert law([*range(1, 20), 12, *range(20, 30)]) == [str(number) for number in range(1, 30)]
    assert law([*range(1, 15), *range(16, 40), 15, *range(40, 50)]) == [str(n) for n in range(1, 50) if n != 15]
    # an act that sets out articles of others
    assert law([1, 2, 5, 17, 18, 3, 4, 6, 7, 8]) == ["1", "2", "3", "4", "6", "7", "8"]
