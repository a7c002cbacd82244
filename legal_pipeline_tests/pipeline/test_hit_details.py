"""The marks and facts of a hit from the registry. Not here: acts whose own text is read (`test_pending_amendments`)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from legal_pipeline.processing.stage import Resources
from legal_pipeline.registry.coming_expressions import record_coming
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import AmendingAct, RegisteredItem, Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.retrieval.hit import Hit, make_hit
from legal_pipeline.settings import Settings
from legal_pipeline.views.hit_details import with_amendments, with_facts

ROAD, BUOY = "se-sfs-2024-7", "se-sfs-2024-8"


def _never(*_: object) -> Any:
    raise AssertionError("no model and no store is needed")


@pytest.fixture
def resources(settings: Settings, database: Database) -> Resources:
    """With two acts that amend one law, one of them before that law, and one that amends another; their own texts are not known."""
    registry = Registry(database)
    for day, (number, base) in enumerate((("2023:5", ROAD), ("2025:9", ROAD), ("2025:10", ROAD), ("2025:11", BUOY)), 1):
        law = f"SFS {base[-6:].replace('-', ':')}"
        registry.record_amendment(AmendingAct(f"SFS {number}", "Lag om ändring", law, "", date(2025, 3, day)))
    return Resources(settings, Warehouse(settings.warehouse_root), registry, _never, _never, _never)


def register(resources: Resources, document_id: str, url: str | None = None, **hints: str) -> None:
    resources.registry.register(RegisteredItem("files", f"/in/{document_id}", document_id, url=url, hints=hints))


def payload(document_id: str, **fields: Any) -> dict[str, Any]:
    number = f"SFS {document_id[-6:].replace('-', ':')}"
    return {"document_id": document_id, "chunk_id": document_id, "section": "2 §", "number": number, **fields}


def hit(document_id: str, **fields: Any) -> Hit:
    return make_hit(payload(document_id, **fields), 1.0, {}, frozenset())


@pytest.mark.parametrize(
    ("through", "fields", "expected"),
    [
        (None, {}, ["SFS 2025:9", "SFS 2025:10"]),
        ("SFS 2025:9", {}, ["SFS 2025:10"]),
        ("SFS 2025:10", {}, []),
        (None, {"amended_by": "SFS 2025:9"}, ["SFS 2025:10"]),
        ("SFS 2025:9", {"amended_by": "SFS 2025:10"}, []),
        ("SFS 2025:10", {"amended_by": "SFS 2025:9"}, []),
        ("SFS 2022:1", {}, ["SFS 2025:9", "SFS 2025:10"]),
        (None, {"superseded": True}, []),
    ],
)
def test_an_act_is_pending_if_it_is_later_than_the_law_its_last_act_and_that_of_the_provision(
    resources: Resources, through: str | None, fields: dict[str, Any], expected: list[str]
) -> None:
    register(resources, ROAD, **({"consolidated_through": through} if through else {}))
    (found,) = with_facts(resources, [hit(ROAD, **fields)])
    assert [act.number for act in found.pending_amendments] == expected


def test_every_hit_has_the_acts_of_its_own_law(resources: Resources) -> None:
    hits = [hit(ROAD), hit(BUOY), hit(ROAD), hit("xx-note")]
    expected = [["SFS 2025:9", "SFS 2025:10"], ["SFS 2025:11"], ["SFS 2025:9", "SFS 2025:10"], []]
    assert [[act.number for act in found.pending_amendments] for found in with_facts(resources, hits)] == expected
    named = [hit(ROAD, amended_by="SFS 2025:9"), hit(BUOY, amended_by="SFS 2025:11")]
    found = with_amendments(resources, named)
    assert [[act.number for act in each.amendments or ()] for each in found] == [["SFS 2025:9"], ["SFS 2025:11"]]


def test_every_text_of_an_answer_has_the_origin_of_its_own_document(resources: Resources) -> None:
    register(resources, ROAD, "https://example.org/road", licence="open")
    register(resources, BUOY, "https://example.org/buoy")
    register(resources, "fi-act-1", None, licence="closed")
    road = make_hit(
        payload(ROAD, source_url="https://example.org/before"),
        1.0,
        {},
        frozenset(),
        [payload(BUOY)],
        (),
        [payload("fi-act-1")],
    )
    plain = hit("fi-act-1", source_url="https://example.org/chunk")
    first, second = with_facts(resources, [road, plain])
    assert (first.source_url, first.provenance.licence) == ("https://example.org/road", "open")
    assert [each.provenance.source_url for each in first.duplicates] == ["https://example.org/buoy"]
    assert [each.provenance.licence for each in first.other_languages] == ["closed"]
    assert (second.source_url, second.provenance.licence) == ("https://example.org/chunk", "closed")


def test_a_hit_says_when_its_source_removed_its_document_and_from_when_another_text_is_known(
    resources: Resources,
) -> None:
    registry = resources.registry
    register(resources, ROAD)
    register(resources, BUOY)
    days = [date(year, 1, 1) for year in (3000, 2999)]
    for day in days:
        registry.register(RegisteredItem("files", f"/in/{day}", BUOY, as_of_date=day))
        record_coming(registry.database, BUOY, day)
    registry.tombstone(ROAD)
    removed = registry.documents(ids=[ROAD], tombstoned=True)[0].tombstoned_at
    assert removed is not None
    found = with_facts(resources, [hit(ROAD), hit(BUOY)])
    assert [(each.removed_on, each.later_text_from) for each in found] == [
        (removed.date().isoformat(), None),
        (None, "2999-01-01"),
    ]
