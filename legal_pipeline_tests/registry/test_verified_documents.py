"""Which documents a reconciliation need not compare again, on a real PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import AmendingAct, RegisteredItem, Registry
from legal_pipeline.registry.verified_documents import Verified, VerifiedDocuments

TODAY = date(2031, 5, 1)
ITEM = RegisteredItem("files", "/in/act.html", "xx-1", sha256="aa")


@pytest.fixture
def registry(database: Database) -> Registry:
    registry = Registry(database)
    registry.register(ITEM)
    registry.register(replace(ITEM, item_key="/in/later.html", sha256="bb", as_of_date=TODAY))
    registry.set_status("xx-1", "completed")
    return registry


def test_a_text_counts_from_its_day_on(registry: Registry) -> None:
    documents = VerifiedDocuments(registry.database)
    before, on_it, after = (documents.states(TODAY + timedelta(days=shift))[0].rows_hash for shift in (-1, 0, 1))
    assert before != on_it == after


def test_a_document_is_verified_until_it_is_forgotten_and_only_a_completed_one_has_a_state(registry: Registry) -> None:
    documents, verified = VerifiedDocuments(registry.database), Verified("xx-1", "print", "plain_text", None)
    documents.record([verified, replace(verified, document_id="erased")])
    (state,) = documents.states(TODAY)
    assert state.verified == verified
    registry.manifests.publish("xx-1", "laws", {"xx-1/1": "h"})
    assert documents.states(TODAY)[0].rows_hash != state.rows_hash
    documents.forget(["xx-1"])
    assert [found.verified for found in documents.states(TODAY)] == [None]
    registry.set_status("xx-1", "failed", error="bad")
    assert documents.states(TODAY) == []


def test_an_amending_act_belongs_to_its_own_number_and_to_that_of_its_law(registry: Registry) -> None:
    documents = VerifiedDocuments(registry.database)
    act = AmendingAct("SFS 2031:7", "Lag om ändring", "SFS 2030:1", "")
    registry.record_amendment(act)
    before = documents.amending_acts()
    assert before.keys() == {"SFS 2031:7", "SFS 2030:1"}
    registry.record_amendment(replace(act, document_number="SFS 2031:8"))
    after = documents.amending_acts()
    assert after["SFS 2031:7"] == before["SFS 2031:7"]
    assert after["SFS 2030:1"] != before["SFS 2030:1"]
