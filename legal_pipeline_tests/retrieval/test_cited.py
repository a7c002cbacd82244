"""How well a chunk holds a place that a query cites, on places and payloads alone. Not here: reading the query (`test_citation_query`)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from legal_pipeline.retrieval.citation_query import CitedPlace, QueryCitations
from legal_pipeline.retrieval.cited import citedness, conditions, conditions_of_first
from legal_pipeline.stores.store import AnyOf, Either, Not

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


def act_chunk(title: str, eid: str = "sec_3", **more: Any) -> dict[str, Any]:
    return {"jurisdiction": "zw", "language": "eng", "title": title, "provisions": [eid], "eid": eid, **more}


def test_places_of_each_kind_are_looked_for_with_conditions_of_their_own() -> None:
    places = (
        CitedPlace((WORK,), provision="sec_3"),
        CitedPlace((WORK,), ("part_1", "chp_2")),
        CitedPlace((WORK,)),
        CitedPlace((), provision="art_5", languages=("por",)),
        CitedPlace((), provision="sec_9", jurisdictions=("zw",)),
        CitedPlace((), ("chp_4",), jurisdictions=("zw",)),
    )
    *known, (unknown, place) = conditions(QueryCitations(places, by_title=(CitedPlace((), provision="sec_8"),)))
    assert known == [
        (AnyOf("work_uris", (WORK,)), AnyOf("provisions", ("sec_3",))),
        (AnyOf("work_uris", (WORK,)), AnyOf("chapter", ("2",))),
        (AnyOf("work_uris", (WORK,)),),
        (AnyOf("language", ("por",)), AnyOf("provisions", ("art_5",))),
        (AnyOf("jurisdiction", ("zw",)), AnyOf("provisions", ("sec_9",))),
    ]
    assert place == AnyOf("provisions", ("sec_8",))
    assert isinstance(unknown, Not)
    assert isinstance(unknown.condition, AnyOf)
    assert "se" in unknown.condition.values
    assert not {"zw", "in"} & set(unknown.condition.values)


def test_schedules_and_chapters_of_one_act_are_looked_for_together() -> None:
    places = (CitedPlace((WORK,), ("sched_1",)), CitedPlace((WORK,), ("chp_2",)), CitedPlace((WORK,), ("chp_3",)))
    ((_, either),) = conditions(QueryCitations(places))
    wanted = (AnyOf("eid", ("sched_1",)), AnyOf("schedule", ("1",)), AnyOf("chapter", ("2", "3")))
    assert either == Either(tuple((each,) for each in wanted))


def test_of_several_acts_that_are_cited_as_a_whole_the_beginnings_are_looked_for_in_one_query() -> None:
    places = (CitedPlace((WORK,)), CitedPlace((f"{WORK}0",)), CitedPlace((WORK,), provision="sec_3"))
    whole, provision = conditions_of_first(QueryCitations(places))
    assert whole[0] == AnyOf("work_uris", (WORK, f"{WORK}0"))
    assert provision == (AnyOf("work_uris", (WORK,)), AnyOf("provisions", ("sec_3",)))


def test_acts_of_other_countries_with_the_title_are_meant_only_if_the_index_lacks_the_act() -> None:
    place, other = CitedPlace((WORK,), provision="sec_3"), CitedPlace((), provision="sec_3", title="Lamps Act")
    query = QueryCitations((place,), text="s. 3 lamps act", names_an_act=True, by_title=(other,))
    points = {"lamps": act_chunk("Lamps Act"), "buoys": act_chunk("Buoys Act")}
    assert citedness(points, query, TODAY).keys() == {"lamps"}
    assert citedness({**points, "own": chunk(title="Lights Act")}, query, TODAY).keys() == {"own"}


def test_an_act_that_is_known_by_its_number_or_title_is_meant_although_the_query_has_not_its_title() -> None:
    points = {"own": chunk(title="Lights Act"), "titled": act_chunk("Buoys Act")}
    for place, meant in (
        (CitedPlace((WORK,), provision="sec_3"), "own"),
        (CitedPlace((), provision="sec_3", title="Buoys Act"), "titled"),
    ):
        query = QueryCitations((place,), text="s. 3 of the lamp act", names_an_act=True, numbers=frozenset({"9/2031"}))
        assert citedness(points, query, TODAY).keys() == {meant}


@pytest.mark.parametrize("query", [{"names_an_act": True}, {}])
def test_a_provision_of_an_act_that_the_index_lacks_is_in_no_other_act(query: dict[str, Any]) -> None:
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",), names_unknown=not query)
    assert not citedness({"lamps": act_chunk("Lamps Act")}, QueryCitations((place,), text="s. 3 X", **query), TODAY)


def test_a_citation_in_the_title_of_an_act_that_the_query_names_is_not_one_of_its_own_provisions() -> None:
    title = "Lamp Rules under s. 6"
    points = {"third": act_chunk(title), "sixth": act_chunk(title, "sec_6")}
    third, sixth = (
        CitedPlace((), provision=f"sec_{number}", jurisdictions=("zw",), written=f"S. {number}", start=start)
        for number, start in ((3, 0), (6, 24))
    )
    named = QueryCitations((third, sixth), text="s. 3 of the lamp rules under s. 6")
    assert citedness(points, named, TODAY).keys() == {"third"}
    unnamed = QueryCitations((third, sixth), text="compare s. 3 to s. 6")
    assert citedness(points, unnamed, TODAY).keys() == {"third", "sixth"}
    alone = QueryCitations((sixth,), text="s. 6 lamp rules under s. 6")
    assert citedness(points, alone, TODAY).keys() == {"sixth"}


def test_among_other_words_the_parts_of_a_section_are_equal() -> None:
    points = {name: chunk(path=name) for name in ("s3", "s3#2")}
    found = citedness(points, QueryCitations((CitedPlace((WORK,), provision="sec_3"),)), TODAY)
    assert {item.place for item in found.values()} == {0}


def test_of_a_whole_act_the_schedules_count_as_much_as_the_sections() -> None:
    points = {"schedule": chunk("sched_1__sec_3", chunk_index=1), "own": chunk("sec_3", chunk_index=2)}
    assert best_first(points, CitedPlace((WORK,)), is_bare=True) == ["schedule", "own"]


def test_a_schedule_is_not_the_chapter_with_its_number() -> None:
    points = {"chapter": chunk("sec_3", chapter="2"), "schedule": chunk("sched_2__sec_3")}
    assert best_first(points, CitedPlace((WORK,), ("sched_2",), "sec_3")) == ["schedule"]
    assert best_first(points, CitedPlace((WORK,), ("chp_2",), "sec_3")) == ["chapter"]


def exactness(points: dict[str, dict[str, Any]], *below: str, provision: str = "art_9") -> dict[str, int]:
    place = CitedPlace((WORK,), provision=provision, below=below)
    return {name: item.exactness for name, item in citedness(points, QueryCitations((place,)), TODAY).items()}


def test_an_article_whose_sections_are_chunks_of_their_own_holds_no_cited_level_itself() -> None:
    article = {**chunk("art_9"), "document_id": "other"}
    section = chunk("art_9__sec_5", provisions=["art_9"], subdivisions=["art_9__sec_5__subsec_2"])
    assert exactness({"article": article}, "sec_5", "subsec_2") == {"article": 3}
    assert exactness({"article": article, "section": section}, "sec_5", "subsec_2") == {"article": 3, "section": 3}
    assert exactness({"article": chunk("art_9"), "section": section}, "sec_5", "subsec_2") == {
        "article": 1,
        "section": 3,
    }
    assert exactness({"section": section}, "sec_6", "subsec_2") == {"section": 1}


def test_the_levels_that_a_chunk_of_a_chapter_holds_are_counted_below_its_section() -> None:
    eid = "chp_2__sec_3"
    points = {
        "part": chunk(eid, subdivisions=[f"{eid}__subsec_1"]),
        "rest": chunk(eid, subdivisions=[f"{eid}__subsec_2"]),
    }
    assert exactness(points, "subsec_2", "para_a", provision="sec_3") == {"part": 1, "rest": 2}


def test_an_act_may_have_any_of_the_numbers_of_a_query() -> None:
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",))
    query = QueryCitations((place,), text="s. 3 of 7/2031 and 8/2031", numbers=frozenset({"7/2031", "8/2031"}))
    points = {number: act_chunk(f"Law {number}/2031") for number in ("7", "8", "9")}
    assert citedness(points, query, TODAY).keys() == {"7", "8"}


def test_two_chapters_of_one_part_are_both_looked_for() -> None:
    places = tuple(CitedPlace((WORK,), ("part_1", f"chp_{number}")) for number in (2, 3))
    ((_, chapters),) = conditions(QueryCitations(places))
    assert chapters == AnyOf("chapter", ("2", "3"))


def test_a_form_of_some_countries_means_acts_of_these_alone() -> None:
    points = {code: act_chunk("Lamps Act", jurisdiction=code) for code in ("zw", "in")}
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",))
    assert citedness(points, QueryCitations((place,)), TODAY).keys() == {"zw"}


def test_a_wording_is_in_force_on_its_first_day_and_no_longer_on_the_day_of_its_end() -> None:
    points = {
        "first day": chunk(valid_from="2032-01-01"),
        "end": chunk(valid_to="2032-01-01"),
        "last day": chunk(valid_from="2031-01-01", valid_to="2032-01-02"),
        "next day": chunk(valid_from="2032-01-02"),
    }
    found = citedness(points, QueryCitations((CitedPlace((WORK,), provision="sec_3"),)), TODAY)
    assert {name for name, item in found.items() if item.out_of_force} == {"end", "next day"}


def test_the_number_of_an_act_is_that_of_its_title_or_the_one_beside_it() -> None:
    place = CitedPlace((), provision="sec_3", jurisdictions=("zw",))
    query = QueryCitations((place,), text="s. 3 of 7/2031", names_an_act=True, numbers=frozenset({"7/2031"}))
    points = {
        "title": act_chunk("Law 7/2031", number="OJ 12"),
        "number": act_chunk("Lamps Law", number="7/2031"),
        "other": act_chunk("Lamps Law", number="17/2031"),
    }
    assert citedness(points, query, TODAY).keys() == {"title", "number"}


def test_a_provision_in_one_chunk_holds_the_cited_levels_also_if_it_names_none() -> None:
    for held in (None, []):
        assert exactness({"article": chunk("art_9", subdivisions=held)}, "subsec_2", "para_a") == {"article": 3}
