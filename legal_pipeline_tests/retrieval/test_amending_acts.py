"""Rules of the acts that are shown with a hit."""

from __future__ import annotations

import datetime

from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.retrieval.amending_acts import ReadAct, amendments_of

BASE = "SFS 1999:1"


def act(number: str, *provisions: tuple[str, str, str]) -> ReadAct:
    named = [
        {name: value for name, value in zip(("chapter", "section", "action"), one, strict=True) if value}
        for one in provisions
    ]
    return ReadAct(
        AmendingAct(number, f"Lag om ändring i badplatslagen ({number})", BASE, "", datetime.date(2005, 7, 1)), named
    )


ACTS = [
    act("SFS 2005:10", ("2", "3", "amended"), ("2", "3 a", "inserted")),
    act("SFS 2006:20", ("3", "3", "repealed")),
    act("SFS 2007:30", ("4", "", "inserted")),
    act("SFS 2008:40", ("2", "3 a–3 d", "renumbered")),
    act("SFS 2009:50"),
]


def numbers(chapter: str | None, section: str | None, **more: str) -> list[str]:
    return [one.number for one in amendments_of({"chapter": chapter, "section": section, **more}, ACTS)]


def test_only_acts_that_name_the_provision_are_attached() -> None:
    assert numbers("2", "3 §") == ["SFS 2005:10"]
    assert numbers("3", "3 §") == ["SFS 2006:20"]
    assert numbers("2", "3 b §") == numbers("2", "3 d §") == ["SFS 2008:40"]
    assert numbers("2", "3 a §") == ["SFS 2005:10", "SFS 2008:40"]
    assert numbers("2", "3 e §") == []
    assert numbers("4", "1 §") == ["SFS 2007:30"]
    assert numbers("5", "9 §") == []


def test_an_act_that_names_a_whole_chapter_does_not_touch_a_provision_outside_the_chapters() -> None:
    assert numbers(None, "9 §") == []


def test_the_chapter_counts_only_where_the_provision_has_one() -> None:
    assert numbers(None, "3 §") == ["SFS 2005:10", "SFS 2006:20"]


def test_an_act_that_touched_a_provision_twice_is_shown_with_the_later_date() -> None:
    history = [
        {"by": "Act 17 of 2002", "date": "2002-05-01", "action": "inserted"},
        {"by": "Act 17 of 2002", "date": "2003-01-01", "action": "amended"},
        {"by": "Act 3 of 2001", "date": "2001-01-01", "action": "repealed"},
    ]
    payload = {"section": "Section 12A", "amended_by": "Act 17 of 2002", "amendment_history": history}
    (found,) = amendments_of(payload, ())
    assert (found.in_force_date, found.action) == ("2003-01-01", "amended")


def test_every_act_belongs_to_what_is_no_provision() -> None:
    assert numbers(None, None) == [read.act.document_number for read in ACTS]


def test_the_act_that_the_provision_names_itself_is_never_missing() -> None:
    assert numbers("5", "9 §", amended_by="SFS 2009:50") == ["SFS 2009:50"]
    (unknown,) = amendments_of({"section": "Section 12A — Beaches", "amended_by": "Act 17 of 2002"}, ())
    assert (unknown.number, unknown.title, unknown.in_force_date) == ("Act 17 of 2002", None, None)


def test_an_amendment_says_what_it_did_when_and_to_which_provisions() -> None:
    (found,) = amendments_of({"chapter": "2", "section": "3 a §"}, ACTS[:1])
    assert found.in_force_date == "2005-07-01"
    assert found.provisions == ("2 kap. 3 §", "2 kap. 3 a §")
    assert found.action == "inserted"


def test_of_the_acts_that_name_another_provision_none_counts_as_one_of_unknown_provisions() -> None:
    payload = {"chapter": "5", "section": "9 §"}
    assert [found.number for found in amendments_of(payload, ACTS, or_any_unnamed=True)] == ["SFS 2009:50"]


def test_the_act_that_the_provision_names_itself_has_its_title_although_it_names_other_provisions() -> None:
    payload = {"chapter": "5", "section": "9 §", "amended_by": "SFS 2006:20"}
    (found,) = amendments_of(payload, ACTS)
    assert (found.title, found.in_force_date) == ("Lag om ändring i badplatslagen (SFS 2006:20)", "2005-07-01")


def test_sections_with_a_capital_letter_and_a_heading_are_compared_by_their_number() -> None:
    acts = [act("Act 2 of 2031", ("", "12A", "amended")), act("Act 3 of 2032", ("", "12A–12C", "repealed"))]

    def found(section: str) -> list[str]:
        return [item.number for item in amendments_of({"section": section}, acts)]

    assert found("Section 12A — Bathing on Sundays") == ["Act 2 of 2031", "Act 3 of 2032"]
    assert found("Section 12B") == ["Act 3 of 2032"]
    assert found("Section 12D — Huts") == []


def test_an_act_without_a_date_and_without_words_for_what_it_did_is_shown_with_what_is_known() -> None:
    undated = ReadAct(AmendingAct("SFS 2031:7", "Lag", BASE, "", None), [{"chapter": "4"}])
    (found,) = amendments_of({"chapter": "4", "section": "1 §"}, [undated])
    assert (found.in_force_date, found.action, found.provisions) == (None, None, ("4 kap.",))


def test_an_act_that_names_no_chapter_touches_the_section_in_any_chapter() -> None:
    acts = [act("SFS 2031:8", ("", "3", "amended"))]
    found = amendments_of({"chapter": "2", "section": "3 §"}, acts)
    assert [(item.number, item.provisions) for item in found] == [("SFS 2031:8", ("3 §",))]


def test_what_is_no_provision_has_all_that_an_act_did_and_no_act_of_a_note() -> None:
    found = amendments_of({"amended_by": "SFS 2031:9"}, ACTS[:2])
    assert [(item.number, item.action) for item in found] == [
        ("SFS 2005:10", "amended, inserted"),
        ("SFS 2006:20", "repealed"),
    ]


def test_a_section_whose_number_is_no_number_is_in_no_range_and_case_and_spaces_do_not_count() -> None:
    acts = [act("Act 3 of 2032", ("", "12A–12C", "repealed")), act("Act 4 of 2033", ("", "3 A", "amended"))]

    def found(section: str) -> list[str]:
        return [item.number for item in amendments_of({"section": section}, acts)]

    assert found("Section A1") == []
    assert found("3 a §") == ["Act 4 of 2033"]
