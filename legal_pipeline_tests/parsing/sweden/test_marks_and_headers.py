"""Marks of amendments and of time in Swedish statutes, last sentences, and the fields of the registers' headers."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.parsing.sweden.header import (
    base_law,
    clean_title,
    consolidated_through,
    header_of_labels,
    statute_type,
)
from legal_pipeline.parsing.sweden.last_sentences import is_last_sentence, may_be_last_sentence
from legal_pipeline.parsing.sweden.lists import MARKER, Lists
from legal_pipeline.parsing.sweden.marks import leading_marks, repealed_by, temporal_marks, trailing_amendments


@pytest.mark.parametrize(
    ("text", "mark", "acts"),
    [
        ("Fyren ska lysa. Lag (2098:5).", "Lag (2098:5).", ["SFS 2098:5"]),
        ("Fyren ska lysa. Lag (2098:5)", "Lag (2098:5)", ["SFS 2098:5"]),
        ("Fyren ska lysa. Lag (2098:5, 2099:7).", "Lag (2098:5, 2099:7).", ["SFS 2098:5", "SFS 2099:7"]),
        ("Lysa. Lag (2098:5) och Förordning (2099:7).", "Lag (2098:5) och Förordning (2099:7).", ["SFS 2098:5", "SFS 2099:7"]),
        ("Fyren ska lysa. /Lag (2098:5)./", "/Lag (2098:5)./", ["SFS 2098:5"]),
        ("Lag (2098:5).", "Lag (2098:5).", ["SFS 2098:5"]),
        ("Fyren ska lysa. Lag (2098:5", "Lag (2098:5", ["SFS 2098:5"]),
        ("Fyren ska lysa enligt lag (2098:5) om fyrar.", "", []),
        ("Fyren ska lysa enligt lag (2098:5).", "", []),
        ("Fyren ska lysa 2098", "", []),
        ("Fyren ska lysa.", "", []),
    ],
)  # fmt: skip
def test_amendment_marks_are_at_the_end_and_begin_with_a_capital(text: str, mark: str, acts: list[str]) -> None:
    start, amendments = trailing_amendments(text)
    assert (text[start:], [item.by for item in amendments]) == (mark, acts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/Upphör att gälla U:2024-11-01/", (True, "2024-11-01", None, "")),
        ("/Träder i kraft I:2024-11-01/", (False, "2024-11-01", None, "")),
        ("/Rubriken upphör att gälla U:2024-11-01/", (True, "2024-11-01", None, "rubriken")),
        ("/Upphör att gälla U:2024-11-01 genom lag (2098:5)./", (True, "2024-11-01", "SFS 2098:5", "")),
        ("/Träder i kraft I: den dag regeringen bestämmer./", (False, "den dag regeringen bestämmer", None, "")),
    ],
)
def test_a_mark_of_time_says_what_happens_when_and_by_which_act(
    text: str, expected: tuple[bool, str, str | None, str]
) -> None:
    (mark,) = temporal_marks(text)
    assert (mark.ends, mark.when, mark.by, mark.scope) == expected
    if mark.by is not None:
        assert mark.amendment is not None
        assert (mark.amendment.date, mark.amendment.action) == ("2024-11-01", "repealed")


def test_an_act_that_begins_a_text_on_a_day_not_yet_known_amends_it_without_a_date() -> None:
    (mark,) = temporal_marks("/Träder i kraft I:den dag som bestäms genom lag (2098:5)/")
    assert mark.amendment is not None
    assert (mark.amendment.by, mark.amendment.date, mark.amendment.action) == ("SFS 2098:5", None, "amended")


@pytest.mark.parametrize(
    ("text", "count", "rest"),
    [
        ("/Upphör att gälla U:2024-11-01/  /r2/ Fyrar", 2, "Fyrar"),
        ("/r1//r2/Fyrar", 2, "Fyrar"),
        ("Fyrar /Upphör att gälla U:2024-11-01/", 0, "Fyrar /Upphör att gälla U:2024-11-01/"),
        ("/Fyrar/ och bojar", 0, "/Fyrar/ och bojar"),
        ("/Träder i kraft I:2024-11-01/ Fyrar /Upphör att gälla U:2025-01-01/", 1, "Fyrar /Upphör att gälla U:2025-01-01/"),
    ],
)  # fmt: skip
def test_marks_at_the_beginning_end_where_the_text_begins(text: str, count: int, rest: str) -> None:
    marks, start = leading_marks(text)
    assert (len(marks), text[start:]) == (count, rest)


@pytest.mark.parametrize(
    ("text", "is_repealed", "acts"),
    [
        ("Har upphävts genom lag (1988:942).", True, ["SFS 1988:942"]),
        ("Paragrafen har upphört att gälla enligt lag (1988:942) och (1989:1).", True, ["SFS 1988:942", "SFS 1989:1"]),
        ("Upphävd.", True, []),
        ("Har upphävts enligt 3 § lagen.", False, []),
        (f"Upphävd {'av riksdagen ' * 12}.", True, []),
        (f"Upphävd {'av riksdagen ' * 13}.", False, []),
        ("Fyren har upphävts.", False, []),
    ],
)
def test_a_text_that_only_records_its_repeal_names_the_acts(text: str, is_repealed: bool, acts: list[str]) -> None:
    found, amendments = repealed_by(text)
    assert (found, [item.by for item in amendments]) == (is_repealed, acts)
    assert all(item.action == "repealed" for item in amendments)


@pytest.mark.parametrize(
    ("text", "before", "is_last"),
    [
        ("Lagen gäller inte bojar", "Fyrar ska lysa.", True),
        ("Lagen gäller inte bojar", "Fyrar ska lysa. Lag (2098:5).", False),
        ("Bojar. Lag (2098:5).", "Fyrar ska lysa.", True),
        ("Gäller lagen bojar?", "Fyrar ska lysa.", False),
        ("Bojar ska vara röda", "Fyrar ska lysa.", False),
        ("Bojar ska vara röda enligt denna lag", "Fyrar ska lysa.", True),
        ("Bojar ska vara röda m.m.", "Fyrar ska lysa.", True),
        ("Bojar som ska vara röda m.m.", "Fyrar ska lysa.", False),
        ("/r2/ Den ska vara röd", "Fyrar ska lysa.", True),
    ],
)
def test_a_line_without_a_full_stop_is_the_last_sentence_if_it_is_a_main_clause_that_refers(
    text: str, before: str, is_last: bool
) -> None:
    assert is_last_sentence(text, before) is is_last


def test_a_main_clause_may_be_a_last_sentence_unless_it_ends_with_its_verb() -> None:
    assert may_be_last_sentence("Bojar ska vara röda", "Fyrar ska lysa.")
    assert not may_be_last_sentence("Bojar som lyser", "Fyrar ska lysa.")
    assert not may_be_last_sentence("Vad lagen omfattar", "Fyrar ska lysa.")
    assert not may_be_last_sentence("Lagen gäller", "Fyrar ska lysa.")


def levels(*lines: str) -> list[tuple[int, bool]]:
    found: list[tuple[int, bool]] = []
    lists = Lists()
    for line in lines:
        match = MARKER.match(line)
        assert isinstance(match, re.Match)
        marker, level = lists.level(match)
        found.append((level, marker.is_first))
    return found


def test_items_of_a_list_know_their_level_and_whether_they_are_the_first() -> None:
    assert levels("1. fyr", "a) röd", "b) grön", "2. boj") == [(0, True), (1, True), (1, False), (0, False)]
    assert levels("- fyr", "- boj") == [(0, True), (0, True)]
    assert levels("1. fyr", "1 a. lykta", "2. boj") == [(0, True), (0, False), (0, False)]
    lists = Lists()
    for line in ("3. fyr", "a) röd"):
        match = MARKER.match(line)
        assert match is not None
        lists.level(match)
    assert lists.point == 3
    lists.end()
    assert lists.point == 0


def test_the_labels_of_a_register_are_fields_and_unknown_ones_keep_their_names() -> None:
    header = header_of_labels(
        "2031:7",
        "/r1/ Fyrlag  (2031:7); ",
        {
            "Utfärdad:": "2031-02-03",
            "Ikraft:": "2031-07-01 övergångsbest.",
            "Upphävd:": "2031-13-01",
            "Tidsbegränsad:": "tills vidare",
            "Ändring införd:": "t.o.m. SFS 2032:9",
            "Departement/ myndighet:": "Sjöfartsdepartementet",
            "Fyrnummer:": "12",
            "Övrigt:": "",
            "Tom:": "",
        },
    )
    assert header.title == "Fyrlag (2031:7)"
    assert header.metadata == {
        "issued": "2031-02-03", "in_force": "2031-07-01", "in_force_note": "övergångsbest.", "repealed": None,
        "repealed_note": "2031-13-01", "expires": "tills vidare", "consolidated_through": "SFS 2032:9",
        "department": "Sjöfartsdepartementet", "Fyrnummer": "12", "remarks": "",
    }  # fmt: skip
    assert (
        header_of_labels("2031:7", "Fyrlag", {"Tidsbegränsad": "2035-01-01 eller senare"}).metadata["expires"]
        == "2035-01-01"
    )
    assert header_of_labels("2031:7", "Fyrlag", {}).metadata["expires"] is None


@pytest.mark.parametrize(
    ("title", "kind", "base"),
    [
        ("Lag (2031:7) om ändring i fyrlagen (2030:1)", "amendment", "SFS 2030:1"),
        ("Lag (2031:7) om upphävande av fyrlagen (2030:1)", "act", None),
        ("Lag (2031:7) om ändring i fyrlagen", "act", None),
        ("Kungl. Maj:ts brev (1920:7) om fyrar", "regulation", None),
        ("Sjöfartsverkets föreskrifter (2031:7) om fyrar", "agency_regulation", None),
        ("Fyrlag (2031:7)", "act", None),
    ],
)
def test_the_title_of_a_statute_says_its_type_and_what_it_changes(title: str, kind: str, base: str | None) -> None:
    assert (statute_type(title, "2031:7"), base_law(title)) == (kind, base)
    assert statute_type(title, "1974:152") == "constitution"


def test_a_state_without_a_number_is_not_known() -> None:
    assert consolidated_through("t o m SFS 2032:9") == "SFS 2032:9"
    assert consolidated_through("2032:9") is None
    assert clean_title("/r1/ /r2/ Fyrlag ; ") == "Fyrlag"
