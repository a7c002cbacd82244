"""Which changes a subscription receives, and what becomes of its messages, on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.listing import look_up
from legal_pipeline.registry.registry import RegisteredItem, Registry
from legal_pipeline.registry.subscriptions import Subscription, Subscriptions, Wanted

HOOK = "https://hooks.example.org"


@pytest.fixture
def registry(database: Database) -> Registry:
    """Two Acts of two countries that were processed, and one of a part of the first country that is in processing."""
    registry = Registry(database)
    for document_id, country, work in (("a", "xx", "xx"), ("b", "yy", "yy"), ("c", "xx", "xx-north")):
        registry.register(RegisteredItem("files", f"/in/{document_id}", document_id, sha256=document_id))
        registry.describe(
            document_id, text_hash=document_id, doc_type="act", jurisdiction=country, work_uri=f"/akn/{work}/act/1"
        )
        registry.set_status(document_id, "processing" if document_id == "c" else "completed")
    return registry


@pytest.fixture
def subscriptions(registry: Registry) -> Subscriptions:
    return Subscriptions(registry.database)


def subscribe(subscriptions: Subscriptions, registry: Registry, **wanted: object) -> Subscription:
    since = registry.now() - timedelta(hours=1)
    return subscriptions.create(None, HOOK, Wanted(**{"since": since, **wanted}))  # type: ignore[arg-type]


def changed(subscriptions: Subscriptions, subscription: Subscription, hidden: Sequence[str] = ()) -> list[str]:
    return [document.document_id for document in subscriptions.changed_documents(subscription, hidden, 10)]


def note(subscriptions: Subscriptions, subscription: Subscription, document_id: str, *changes: str) -> None:
    document = look_up(subscriptions._database, document_id)
    assert document is not None
    subscriptions.note(subscription, document, changes)


def test_a_subscription_receives_the_changes_that_it_wants_when_they_are_processed(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    everything = subscribe(subscriptions, registry)
    assert changed(subscriptions, everything) == ["a", "b"]
    assert changed(subscriptions, everything, hidden=["a"]) == ["b"]
    registry.set_status("c", "completed")
    assert changed(subscriptions, everything) == ["a", "b", "c"]
    assert changed(subscriptions, subscribe(subscriptions, registry, jurisdictions=["xx"])) == ["a", "c"]
    assert changed(subscriptions, subscribe(subscriptions, registry, jurisdictions=["xx-north"])) == ["c"]
    one = subscribe(subscriptions, registry, document_id="b")
    assert changed(subscriptions, one) == ["b"]
    assert changed(subscriptions, subscribe(subscriptions, registry, since=registry.now())) == []
    registry.aliases.begin("b", "d")
    registry.describe("d", text_hash="d")
    registry.set_status("d", "completed")
    assert changed(subscriptions, one) == ["d"], "the document has another id now"


def test_a_state_of_a_document_is_compared_once_and_its_removal_is_another_state(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    one = subscribe(subscriptions, registry, document_id="a")
    note(subscriptions, one, "a")
    assert changed(subscriptions, one) == []
    assert subscriptions.due(one.subscription_id) is None, "no change that it wants"
    registry.describe("a", text_hash="another")
    assert changed(subscriptions, one) == ["a"]
    for _ in range(2):
        note(subscriptions, one, "a", "change 0", "change 1")
    found = []
    while message := subscriptions.due(one.subscription_id):
        found.append(message.change)
        subscriptions.settle(message, delivered=True)
    assert found == ["change 0", "change 1"]
    registry.tombstone("a")
    assert changed(subscriptions, one) == ["a"]


def test_a_message_that_failed_waits_and_the_time_of_the_first_failure_counts_until_one_is_delivered(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    one = subscribe(subscriptions, registry)
    note(subscriptions, one, "a", "change 0", "change 1")

    def state() -> tuple[int, bool, str | None]:
        found = subscriptions.get(one.subscription_id)
        assert found is not None
        return found.attempts, found.failing_since is not None, found.last_error

    subscriptions.postpone(one.subscription_id, "no answer", seconds=-1, disable=False)
    first = subscriptions.get(one.subscription_id)
    subscriptions.postpone(one.subscription_id, "no answer again", seconds=-1, disable=False)
    second = subscriptions.get(one.subscription_id)
    assert first is not None
    assert second is not None
    assert first.failing_since == second.failing_since
    assert state() == (2, True, "no answer again")
    left_out = subscriptions.due(one.subscription_id)
    assert left_out is not None
    subscriptions.settle(left_out, delivered=False)
    assert state() == (2, True, "no answer again")
    received = subscriptions.due(one.subscription_id)
    assert received is not None
    subscriptions.settle(received, delivered=True)
    assert state() == (0, False, None)
    note(subscriptions, one, "b", "change 0")
    subscriptions.postpone(one.subscription_id, "busy", seconds=60, disable=False)
    assert subscriptions.due(one.subscription_id) is None
    subscriptions.postpone(one.subscription_id, "gone", seconds=-1, disable=True)
    assert subscriptions.due(one.subscription_id) is None


def test_changes_come_in_the_order_in_which_they_happened_and_a_removal_at_once(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    one = subscribe(subscriptions, registry)
    registry.describe("a", text_hash="later")
    assert changed(subscriptions, one) == ["b", "a"]
    registry.tombstone("c")  # while it is in processing: no run will change it any more
    assert changed(subscriptions, one) == ["b", "a", "c"]


def test_a_change_that_was_received_is_not_sent_again_when_it_is_noted_again(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    one = subscribe(subscriptions, registry)
    note(subscriptions, one, "a", "change 0")
    message = subscriptions.due(one.subscription_id)
    assert message is not None
    subscriptions.settle(message, delivered=True)
    note(subscriptions, one, "a", "change 0", "change 1")
    later = subscriptions.due(one.subscription_id)
    assert later is not None
    assert later.change == "change 1"


def test_a_document_that_is_being_renamed_has_not_been_removed(
    subscriptions: Subscriptions, registry: Registry
) -> None:
    everything = subscribe(subscriptions, registry)
    registry.aliases.begin("b", "d")
    assert changed(subscriptions, everything) == ["a"]
