"""Citations of schedules of Swedish law: `bilaga 1 till miljöbalken`, `AFS 2023:1 bilaga 2`; the sentences are our own."""

from __future__ import annotations

import pytest

from legal_pipeline.citations import CitingDocument, find
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.retrieval.citation_query import read_citations

SE = jurisdiction("se")
BALKEN, AFS = "/akn/se/act/sfs/1998/808", "/akn/se/act/afs/2023/1"


@pytest.mark.parametrize(
    ("text", "work", "eids"),
    [
        ("enligt bilaga 1 till fyrförordningen (2031:7) gäller", "/akn/se/act/sfs/2031/7", ["sched_1"]),
        ("enligt bilaga 1 och 2 till miljöbalken", BALKEN, ["sched_1", "sched_2"]),
        ("enligt bilagorna 1–3 till miljöbalken", BALKEN, ["sched_1", "sched_2", "sched_3"]),
        ("enligt bilagan till fyrlagen (2031:7) om fyrar", "/akn/se/act/sfs/2031/7", ["sched_1"]),
        ("se bilaga 3 i fyrförordningen (2031:7)", "/akn/se/act/sfs/2031/7", ["sched_3"]),
        ("se bilaga A till miljöbalken", BALKEN, ["sched_a"]),
        ("se bilaga 1 till AFS 2023:1", AFS, ["sched_1"]),
        ("se bilaga 1 till Fyrarbete i storm (AFS 2023:1)", AFS, ["sched_1"]),
        ("se AFS 2023:1, bilaga 2 och 3", AFS, ["sched_2", "sched_3"]),
        ("se miljöbalkens bilaga 2", BALKEN, ["sched_2"]),
        ("se bilaga II till direktiv 2031/5/EU", "/akn/eu/act/directive/2031/5", ["sched_ii"]),
    ],
)
def test_a_schedule_is_cited_with_its_law(text: str, work: str, eids: list[str]) -> None:
    found = list(find(text, SE))
    assert [each.eid for each in found] == eids
    assert {each.work_uri for each in found} == {work}


@pytest.mark.parametrize(
    "text",
    ["se bilaga 2 till målet", "bilagan ska lämnas in", "bilaga 3 i akten", "Bilaga 1 till miljöbalken\nVissa fyrar"],
)
def test_an_enclosure_or_the_heading_of_a_schedule_is_no_citation(text: str) -> None:
    assert list(find(text, SE)) == []


def test_the_schedule_of_the_citing_law_is_its_own_and_its_heading_is_no_citation() -> None:
    section = "1 § Fyrar som anges i bilagan till denna lag ska lysa om natten.\n"
    text = f"{section}Bilaga 1 till fyrlagen (2031:7)\nFyren"
    law = CitingDocument("/akn/se/act/sfs/2031/7", "act", [("sec_1", 0, len(section)), ("sched_1", len(section), 99)])
    assert [(each.work_uri, each.eid) for each in find(text, SE, law)] == [("/akn/se/act/sfs/2031/7", "sched_1")]


@pytest.mark.parametrize(
    ("query", "work"),
    [
        ("bilaga 1 till miljöbalken", BALKEN),
        ("bilaga 1 miljöbalken", BALKEN),
        ("AFS 2023:1 bilaga 1", AFS),
        ("bilagan till AFS 2023:1", AFS),
        ("2031:7 bilaga 1", "/akn/se/act/sfs/2031/7"),
    ],
)
def test_a_query_for_a_schedule_means_that_schedule(query: str, work: str) -> None:
    (place,) = read_citations(query).places
    assert (place.works, place.containers, place.provision) == ((work,), ("sched_1",), None)
