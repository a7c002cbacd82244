"""Rules of filters, on every store."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import point_id
from legal_pipeline.retrieval.filters import SearchFilters, jurisdictions_of
from legal_pipeline.stores.store import Point, VectorStore

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

NAME = "legal_chunks"

#: Each a point by its own name, with what is not shared.
POINTS: dict[str, dict[str, Any]] = {
    "plain": {"jurisdiction": "se", "doc_type": "act", "language": "swe", "strategy": "paragraf", "chunk_type": "statutory_text"},
    "old wording": {"superseded": True, "valid_from": "1990-01-01", "valid_to": "2010-01-01"},
    "new wording": {"valid_from": "2010-01-01"},
    "pending": {"valid_from": "2999-01-01"},
    "on a day to be set": {"valid_from": "den dag som regeringen bestämmer"},
    "until a day to be set": {"valid_to": "den dag som regeringen bestämmer"},
    "of a repealed act": {"repealed": "2015-01-01", "in_force": "1980-01-01"},
    "of a new act": {"in_force": "2012-01-01"},
    "summary": {"chunk_type": "raptor_summary", "strategy": "raptor"},
    "judgment": {"jurisdiction": "zw", "doc_type": "judgment", "language": "eng", "court": "ZWHHC", "date_decided": "2020-05-01"},
    "older judgment": {"jurisdiction": "in", "doc_type": "judgment", "language": "eng", "court": "INSC", "date_decided": "1999-05-01"},
    "winning": {"jurisdiction": "us", "doc_type": "appeal_decision", "criterion_tag": "judging", "is_winning_argument": True},
    "losing": {"jurisdiction": "us", "doc_type": "appeal_decision", "criterion_tag": "awards", "is_winning_argument": False},
    "standard": {"jurisdiction": "us", "subdivision": "us-dc", "doc_type": "precedent_case", "legal_standard": "preponderance_of_evidence"},
}  # fmt: skip
PENDING = {"pending", "on a day to be set"}


@pytest.fixture(scope="module")
def found(empty_store: VectorStore) -> Callable[[SearchFilters], set[str]]:
    vector = np.full(4, 0.5, dtype=np.float32)
    points = [
        Point(
            point_id(name),
            name.replace(" ", "-"),
            vector,
            "badplats",
            "swe",
            {"chunk_id": name, "row_hash": "1", **own},
        )
        for name, own in POINTS.items()
    ]
    empty_store.ensure_collection(NAME, len(vector))
    empty_store.upsert(NAME, points)

    def find(filters: SearchFilters) -> set[str]:
        lists = empty_store.query(NAME, dense=vector, text="badplats", filters=filters.conditions(), limit=100)
        dense, sparse = ({str(point.payload["chunk_id"]) for point in points} for points in (lists.dense, lists.sparse))
        assert dense == sparse
        return dense

    return find


def test_without_a_day_what_the_index_holds_today_is_shown_repealed_acts_included(
    found: Callable[[SearchFilters], set[str]],
) -> None:
    shown = found(SearchFilters())
    assert shown == POINTS.keys() - {"old wording"}
    assert "of a repealed act" in shown


def test_in_force_on_a_day_by_provision_and_by_act(found: Callable[[SearchFilters], set[str]]) -> None:
    now = POINTS.keys() - {"old wording"} - PENDING
    assert found(SearchFilters(in_force=datetime.date(2024, 1, 1))) == now - {"of a repealed act"}
    assert found(SearchFilters(in_force=datetime.date(2014, 12, 31))) == now
    assert found(SearchFilters(in_force=datetime.date(2009, 12, 31))) == now - {"new wording", "of a new act"}


def test_an_act_is_in_force_on_its_first_day_and_not_on_the_day_of_its_repeal(
    found: Callable[[SearchFilters], set[str]],
) -> None:
    assert "of a repealed act" in found(SearchFilters(in_force=datetime.date(1980, 1, 1)))
    assert "of a new act" in found(SearchFilters(in_force=datetime.date(2012, 1, 1)))
    assert "of a repealed act" not in found(SearchFilters(in_force=datetime.date(2015, 1, 1)))


def test_documents_are_excluded_beside_those_that_were_excluded_before(
    found: Callable[[SearchFilters], set[str]],
) -> None:
    filters = SearchFilters(excluded_document_ids=("plain",)).excluding(["losing", "winning"])
    assert found(filters) == found(SearchFilters()) - {"plain", "losing", "winning"}


def test_as_of_a_day_its_wordings_are_searched_and_no_summary(found: Callable[[SearchFilters], set[str]]) -> None:
    before = found(SearchFilters(as_of=datetime.date(2009, 12, 31)))
    assert "old wording" in before
    assert not before & {"new wording", "summary", *PENDING}
    after = found(SearchFilters(as_of=datetime.date(2010, 1, 1)))
    assert "new wording" in after
    assert not after & {"old wording", "summary"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (SearchFilters(jurisdictions=("zw", "in")), {"judgment", "older judgment"}),
        (SearchFilters(jurisdictions=("us-dc",)), {"standard"}),
        (SearchFilters(jurisdictions=("us",)), {"winning", "losing", "standard"}),
        (SearchFilters(jurisdictions=("us-dc", "in")), {"standard", "older judgment"}),
        (SearchFilters(doc_types=("act",), languages=("swe",)), {"plain"}),
        (SearchFilters(strategies=("raptor", "paragraf")), {"plain", "summary"}),
        (SearchFilters(chunk_types=("raptor_summary",)), {"summary"}),
        (SearchFilters(courts=("ZWHHC",)), {"judgment"}),
        (SearchFilters(criterion_tags=("judging",)), {"winning"}),
        (SearchFilters(is_winning_argument=True), {"winning"}),
        (SearchFilters(is_winning_argument=False, jurisdictions=("us",)), {"losing", "standard"}),
        (SearchFilters(legal_standards=("preponderance_of_evidence",)), {"standard"}),
        (SearchFilters(document_ids=("plain", "losing")), {"plain", "losing"}),
        (SearchFilters(decided_since=datetime.date(2000, 1, 1)), {"judgment"}),
        (SearchFilters(decided_until=datetime.date(1999, 5, 1)), {"older judgment"}),
    ],
)
def test_every_given_field_holds(
    found: Callable[[SearchFilters], set[str]], filters: SearchFilters, expected: set[str]
) -> None:
    assert found(filters) == expected


def test_a_period_may_be_one_day() -> None:
    day = datetime.date(2000, 1, 1)
    assert SearchFilters(decided_since=day, decided_until=day).decided_since == day


@pytest.mark.parametrize(
    "values",
    [
        {"strategies": ("nonsense",)},
        {"doc_types": ("law",)},
        {"chunk_types": ("summary",)},
        {"criterion_tags": ("juging",)},
        {"jurisdictions": ("Sweden",)},
        {"languages": ("sv",)},
        {"languages": ("swedish",)},
        {"languages": ("swe", "sv")},
        {"doc_types": ("act", "law")},
        {"decided_since": datetime.date(2001, 1, 1), "decided_until": datetime.date(2000, 1, 1)},
        {"in_force": datetime.date(2001, 1, 1), "as_of": datetime.date(2000, 1, 1)},
    ],
)
def test_a_value_that_no_document_has_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        SearchFilters(**values)


@pytest.mark.parametrize(("named", "usual"), [("uk", "gb"), ("uk-sct", "gb-sct"), ("swe", "se"), ("zw", "zw")])
def test_a_country_may_be_named_by_another_code(named: str, usual: str) -> None:
    assert SearchFilters(jurisdictions=(named,)).conditions() == SearchFilters(jurisdictions=(usual,)).conditions()


@pytest.mark.parametrize("codes", [(), ("se",), ("us-dc",), ("se", "us-dc"), ("se", "zw")])
def test_the_jurisdictions_that_filters_allow_are_those_given_among_other_filters(codes: tuple[str, ...]) -> None:
    filters = SearchFilters(jurisdictions=codes, doc_types=("act",), languages=("swe",))
    assert jurisdictions_of(filters.conditions()) == codes
