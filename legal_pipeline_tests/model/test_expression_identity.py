"""Which facts of two texts contradict that they are of one work."""

from __future__ import annotations

from legal_pipeline.model.expression_identity import ExpressionIdentity


def test_texts_without_a_file_are_not_the_same_file() -> None:
    held = ExpressionIdentity("Lampornas lag", "2031:7", "se", "html")
    other = ExpressionIdentity("Hamnens stadga", "2031:7", "se", "html")
    assert len(other.differences(held)) == 1
    in_file = [ExpressionIdentity(each.title, each.number, "se", "html", "law.html") for each in (held, other)]
    assert in_file[1].differences(in_file[0]) == []


def test_a_number_with_its_series_is_that_without_whichever_comes_first() -> None:
    bare, full = ExpressionIdentity(number="2031:7"), ExpressionIdentity(number="SFS 2031:7")
    assert bare.differences(full) == full.differences(bare) == []
    assert bare.differences(ExpressionIdentity(number="2031:8")) != []


def test_a_title_without_a_word_that_tells_laws_apart_contradicts_no_title() -> None:
    assert ExpressionIdentity(title="Lag 7").differences(ExpressionIdentity(title="Lampornas lag")) == []
