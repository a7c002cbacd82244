"""How drafters number is data, and an error in it is said with its place."""

from __future__ import annotations

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction, countries
from legal_pipeline.numbering.search import Event, Search, resolve
from legal_pipeline.numbering.styles import SIGN, Style, read_style, style


def test_every_style_of_every_country_is_read() -> None:
    styles = [country.drafting(name) for country in countries() for name in country.section("drafting")]
    assert all(numbering.series or numbering.ladder for numbering in styles)
    assert styles


def test_a_cost_that_is_not_known_is_an_error_with_its_place() -> None:
    with pytest.raises(ConfigurationError, match=r"xx: drafting\.act: unknown gaps"):
        read_style({"act": {"beam": 1, "gaps": 2.0}}, "act", "xx: drafting.")
    with pytest.raises(ConfigurationError, match="no beam"):
        read_style({"act": {"series": ["digit"]}}, "act", "xx: drafting.")


def test_a_country_that_does_not_say_how_it_numbers_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"xx/jurisdiction\.toml: drafting\.act is missing"):
        Jurisdiction("xx").drafting("act")


def test_a_style_may_take_what_another_has() -> None:
    tables = {"statute": {"beam": 3, "gap": 1.0, "series": ["digit"]}, "rule": {"like": "statute", "gap": 2.0}}
    rule = Jurisdiction("xx", None, {"drafting": tables}).drafting("rule")
    assert (rule.beam, rule.gap, rule.series) == (3, 2.0, ("digit",))


def test_brackets_tell_lists_apart_where_drafters_mean_them_to() -> None:
    def levels(told: bool) -> list[int]:
        numbering = Style(series=("alpha",), brackets_tell=told, beam=8, directly_inside=2.0, later=2.0, repeated=0.5)
        events = [Event("number", num, bracket) for num, bracket in [("a", "()"), ("a", ")"), ("b", ")"), ("b", "()")]]
        return [placed.level for placed in resolve(events, numbering)]

    assert levels(True) == [0, 1, 1, 0]
    assert levels(False) == [0, 0, 0, 0]


def test_a_style_with_one_reading_decides_at_once() -> None:
    numbering = Style(series=("dot", "alpha"), beam=1, gap=2.0, open_announced=1.0, open_unannounced=1.0, later=5.0)
    search = Search(numbering)
    seen = []
    for num, bracket in [("1", "."), ("a", ")"), ("b", ")"), ("2", ".")]:
        search.add(Event("number", num, bracket))
        seen.append((search.last.level, [level.value for level in search.levels]))
    assert seen == [(0, [1]), (1, [1, 1]), (1, [1, 2]), (0, [2])]
    search.close_to(0)
    assert search.levels == ()


def test_a_marker_that_the_style_does_not_know_belongs_to_the_text_before() -> None:
    places = resolve([Event("number", "the")], style("common_law"))
    assert [place.level for place in places] == [-1]
    places = resolve([Event("number", "a")], Style(series=("digit",), beam=1))
    assert [place.level for place in places] == [-1]


def test_a_number_behind_the_sign_is_read_only_in_a_style_with_a_series_for_it() -> None:
    plain, signed = Style(series=("digit",), beam=1), Style(series=("digit", "sign"), beam=1)
    assert plain.readings("1", SIGN) == []
    assert [reading.kind for reading in signed.readings("1", SIGN)] == ["sign"]


def test_text_behind_a_list_in_a_context_that_holds_its_lists_belongs_to_the_last_item() -> None:
    costs = {"refuse_finished": 5.0, "beam": 4}
    events = [Event("illustration"), Event("number", "a", announced=True), Event("text")]
    held = Style(series=("alpha",), holds_lists=("illustration",), **costs)  # type: ignore[arg-type]
    assert [resolve(events, numbering)[-1].level for numbering in (held, Style(series=("alpha",), **costs))] == [2, 0]  # type: ignore[arg-type]


def test_no_list_opens_deeper_than_the_style_allows() -> None:
    events = [Event("number", num, announced=True) for num in ("1", "a", "i")]
    numbering = Style(series=("digit", "alpha", "roman"), beam=4, depth=2, refuse_finished=9.0)
    assert [placed.level for placed in resolve(events, numbering)] == [0, 1, -1]
