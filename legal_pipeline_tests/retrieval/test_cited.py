"""How well a chunk holds a place that a query cites, on places and payloads alone. Not here: reading the query (`test_citation_query`)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations
from legal_pipeline.retrieval.cited import citedness, conditions, conditions_of_first
from legal_pipeline.stores.store import AnyOf, Either

TODAY = datetime.date(2032, 1, 1)
WORK = "/akn/zw/act/2031/7"


def chunk(eid: str | None = "sec_3", **more: Any) -> dict[str, Any]:
    provision = (eid or "").rpartition("__")[2]
    return {"document_id": "lamps", "work_uris": [WORK], "eid": eid, "provisions": [provision], **more}


def best_first(points: dict[str, dict[str, Any]], *places: CitedPlace, is_bare: bool = False) -> list[str]:
    found = citedness(points, QueryCitations(places, is_bare=is_bare), TODAY)
    return sorted(found, key=lambda name: found[name].order)


def test_a_section_of_the_act_comes_before_that_of_a_schedule_and_after_it_if_it_is_not_in_force() -> None:
    schedule, own = chunk("sched_1__sec_3"), chunk()
    place = CitedPlace((WORK,), provision="sec_3")
    assert best_first({"schedule": schedule, "own": own}, place) == ["own", "schedule"]
    pending = {"pending": chunk(valid_from="2999-01-01"), "schedule": schedule}
    assert best_first(pending, place) == ["schedule", "pending"]


def test_a_section_of_a_chapter_is_not_that_of_a_chapter_of_a_schedule() -> None:
    points = {"schedule": chunk("sched_1__chp_2__sec_3"), "own": chunk("chp_2__sec_3")}
    assert best_first(points, CitedPlace((WORK,), ("chp_2",), "sec_3")) == ["own", "schedule"]
    found = citedness(points, QueryCitations((CitedPlace((WORK,), ("sched_1",), "sec_3"),)), TODAY)
    assert {name: one.in_schedule for name, one in found.items()} == {"schedule": False}


def test_the_summary_of_the_whole_act_comes_first_and_then_its_text_from_the_beginning() -> None:
    points = {
        "third": chunk("sec_3", chunk_index=3),
        "chapter": chunk(None, chunk_index=7, chunk_type="raptor_summary", raptor_level=1),
        "act": chunk(None, chunk_index=9, chunk_type="raptor_summary", raptor_level=0),
        "first": chunk("sec_1", chunk_index=1),
    }
    place = CitedPlace((WORK,))
    assert best_first(points, place, is_bare=True) == ["act", "first", "third", "chapter"]
    assert {found.exactness for found in citedness(points, QueryCitations((place,)), TODAY).values()} == {1}


def test_the_parts_of_a_section_come_in_their_order() -> None:
    points = {name: chunk(path=name) for name in ("s3#10", "s3#2", "s3")}
    assert best_first(points, CitedPlace((WORK,), provision="sec_3"), is_bare=True) == ["s3", "s3#2", "s3#10"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_chunk_that_two_places_mean_counts_by_the_one_that_it_holds_better(order: int) -> None:
    points = {"part": chunk(subdivisions=["sec_3__subsec_2"])}
    places = (CitedPlace((WORK,), provision="sec_3"), CitedPlace((WORK,), provision="sec_3", below=("subsec_2",)))
    assert citedness(points, QueryCitations(places[::order]), TODAY)["part"].exactness == 2


def test_of_acts_that_a_query_may_name_the_one_with_the_longest_title_is_meant() -> None:
    points = {
        title: {"jurisdiction": "zw", "language": "eng", "title": title, "provisions": ["sec_3"], "eid": "sec_3"}
        for title in ("Lamps Act", "Harbour Lamps Act", "Buoys Act")
    }
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",))
    found = citedness(points, QueryCitations((place,), text="s. 3 harbour lamps act"), TODAY)
    assert found.keys() == {"Harbour Lamps Act"}


def test_a_provision_in_the_form_of_a_language_is_one_of_an_act_in_it() -> None:
    points = {
        language: {"jurisdiction": "ke", "language": language, "provisions": ["art_3"], "eid": "art_3"}
        for language in ("por", "eng")
    }
    place = CitedPlace((), provision="art_3", languages=("por",))
    assert citedness(points, QueryCitations((place,)), TODAY).keys() == {"por"}


@pytest.mark.parametrize(("number", "meant"), [("7/2031", {"own"}), ("8/2031", set())])
def test_an_act_may_be_named_by_its_number_alone(number: str, meant: set[str]) -> None:
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",))
    titles = {"own": "Law 7/2031", "longer": "Law 17/2031"}
    points = {
        name: {"jurisdiction": "zw", "language": "eng", "title": title, "provisions": ["sec_3"], "eid": "sec_3"}
        for name, title in titles.items()
    }
    query = QueryCitations((place,), text=f"s. 3 {number}", names_an_act=True, numbers=frozenset({number}))
    assert citedness(points, query, TODAY).keys() == meant


def test_a_chapter_with_a_letter_is_looked_for_in_each_form_that_chunks_may_have() -> None:
    ((of, chapter),) = conditions(QueryCitations((CitedPlace((WORK,), ("chp_2a",)),)))
    assert (of, chapter) == (AnyOf("work_uris", (WORK,)), AnyOf("chapter", ("2a", "2 a", "2A")))


def test_of_a_whole_act_the_summaries_and_the_first_chunks_are_looked_for() -> None:
    ((of, beginning),) = conditions_of_first(QueryCitations((CitedPlace((WORK,)),)))
    assert of == AnyOf("work_uris", (WORK,))
    assert isinstance(beginning, Either)
    ((provision, *rest),) = [
        place for _, *place in conditions_of_first(QueryCitations((CitedPlace((WORK,), (), "sec_3"),)))
    ]
    assert (provision, rest) == (AnyOf("provisions", ("sec_3",)), [])
