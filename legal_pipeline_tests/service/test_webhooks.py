"""Subscriptions: whom they tell of what, signed, in order, until it was received; where messages may be sent."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.subscriptions import Subscription, Subscriptions, Wanted
from legal_pipeline.service.deliveries import Deliveries
from legal_pipeline.service.webhooks import AllowedReceivers, NotDeliveredError, WebhookSender
from legal_pipeline.settings import Settings
from legal_pipeline.system.retries import RetryPolicy
from legal_pipeline_tests import processes
from legal_pipeline_tests.indexed_laws import LAW, NOTE
from legal_pipeline_tests.processes import free_port
from legal_pipeline_tests.service.conftest import Server, environment
from legal_pipeline_tests.service.receiver import Received, Receiver

YESTERDAY = datetime.now(UTC) - timedelta(1)
AT_ONCE = RetryPolicy(attempts=100, first_wait=0)


class Sending:
    """Subscriptions of one test and the loop that serves them, look by look."""

    def __init__(self, reader: LawReader, database: Database) -> None:
        self.database = database
        self.subscriptions = Subscriptions(database)
        self._reader = reader
        self.made: list[Subscription] = []

    def subscribe(self, address: str, key_id: str | None = None, **wanted: object) -> Subscription:
        one = self.subscriptions.create(key_id, address, Wanted(**{"since": YESTERDAY, **wanted}))  # type: ignore[arg-type]
        self.made.append(one)
        return one

    def poll(self, *, seconds: float = 5, give_up: timedelta = timedelta(1), retries: RetryPolicy = AT_ONCE) -> None:
        sender = WebhookSender(AllowedReceivers.parse("127.0.0.1"), seconds=seconds)
        Deliveries(self._reader, sender, give_up=give_up, retries=retries).poll()

    def now(self, one: Subscription) -> Subscription:
        found = self.subscriptions.get(one.subscription_id)
        assert found is not None
        return found


@pytest.fixture(scope="module")
def opened(law_index: Settings) -> Iterator[tuple[LawReader, Database]]:
    with Pipeline.open(law_index) as pipeline:
        yield LawReader(pipeline), pipeline.registry.database


@pytest.fixture
def sending(opened: tuple[LawReader, Database]) -> Iterator[Sending]:
    found = Sending(*opened)
    yield found
    for one in found.made:
        found.subscriptions.delete(one.subscription_id)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().running() as running:
        yield running


def told(receiver: Receiver) -> list[tuple[str, str]]:
    return [(one.data["document_id"], one.data["kind"]) for one in receiver.received]


def test_changes_are_sent_once_signed_and_in_order(sending: Sending, receiver: Receiver) -> None:
    one = sending.subscribe(receiver.address, document_id=LAW)
    for _ in range(2):
        sending.poll()
    assert told(receiver) == [(LAW, "added"), (LAW, "changed"), (LAW, "changed")]
    assert [message.data["summary"] for message in receiver.received] == ["", "3 § ändrad", "3 § ändrad"]
    assert all(message.is_signed_with(one.secret) for message in receiver.received)
    assert not receiver.received[0].is_signed_with("whsec_" + "A" * 43 + "=")
    assert len({message.id for message in receiver.received}) == 3


def test_a_subscription_to_a_provision_is_told_of_its_changes_alone(sending: Sending, receiver: Receiver) -> None:
    sending.subscribe(receiver.address, document_id=LAW, eid="sec_3")
    sending.subscribe(receiver.address, document_id=LAW, eid="sec_1")
    sending.poll()
    assert told(receiver) == [(LAW, "changed"), (LAW, "changed")]


def test_what_came_before_the_subscription_is_not_sent(sending: Sending, receiver: Receiver) -> None:
    sending.subscribe(receiver.address, since=None)
    sending.poll()
    assert receiver.received == []


def test_what_a_key_may_not_see_is_not_sent(sending: Sending, receiver: Receiver) -> None:
    keys = ApiKeys(sending.database)
    for audiences, is_told in (((), False), (("firm-a",), True)):
        key, _ = keys.create("webhooks", audiences=audiences)
        sending.subscribe(receiver.address, key.key_id, jurisdictions=["se"])
        receiver.received.clear()
        sending.poll()
        assert (LAW, "added") in told(receiver)
        assert ((NOTE, "added") in told(receiver)) == is_told
        keys.revoke(key.key_id)


def test_a_message_that_was_noted_for_a_key_that_saw_more_is_not_sent(sending: Sending, receiver: Receiver) -> None:
    key, _ = ApiKeys(sending.database).create("webhooks", audiences=["firm-a"])
    receiver.answer = lambda _: 503
    sending.subscribe(receiver.address, key.key_id, document_id=NOTE)
    sending.poll()
    assert told(receiver) == [(NOTE, "added")]
    with sending.database.connection() as connection:
        connection.execute("update api_keys set audiences = '{}' where key_id = %s", (key.key_id,))
    receiver.answer = lambda _: 204
    sending.poll()
    assert len(receiver.received) == 1


def test_a_failed_message_is_sent_again_before_the_next(sending: Sending, receiver: Receiver) -> None:
    statuses = iter([500, 204, 429])
    receiver.answer = lambda _: next(statuses, 204)
    one = sending.subscribe(receiver.address, document_id=LAW)
    sending.poll()
    assert (sending.now(one).attempts, sending.now(one).last_error) == (1, "HTTP 500")
    sending.poll()
    sending.poll()
    ids = [message.id for message in receiver.received]
    assert ids == [ids[0], ids[0], ids[2], ids[2], ids[4]]
    assert all(message.is_signed_with(one.secret) for message in receiver.received)
    assert (sending.now(one).attempts, sending.now(one).failing_since) == (0, None)


def test_a_failed_message_waits(sending: Sending, receiver: Receiver) -> None:
    receiver.answer = lambda _: (503, {"retry-after": "120"})
    one = sending.subscribe(receiver.address, document_id=LAW)
    for _ in range(2):
        sending.poll()
    assert len(receiver.received) == 1
    assert sending.now(one).next_attempt_at > datetime.now(UTC) + timedelta(seconds=100)


def test_a_receiver_cannot_put_a_message_off_for_longer_than_the_longest_wait(
    sending: Sending, receiver: Receiver
) -> None:
    receiver.answer = lambda _: (503, {"retry-after": "7200"})
    one = sending.subscribe(receiver.address, document_id=LAW)
    sending.poll(retries=RetryPolicy(attempts=100, first_wait=0, longest_wait=600))
    assert sending.now(one).next_attempt_at < datetime.now(UTC) + timedelta(seconds=601)


def test_a_short_wait_that_a_receiver_asks_for_does_not_shorten_the_growing_one(
    sending: Sending, receiver: Receiver
) -> None:
    one = sending.subscribe(receiver.address, document_id=LAW)
    receiver.answer = lambda _: (503, {"retry-after": "1"})
    sending.poll(retries=RetryPolicy(attempts=100, first_wait=600))
    assert sending.now(one).next_attempt_at > datetime.now(UTC) + timedelta(minutes=4)


@pytest.mark.parametrize("answer", ["hangs", "redirects", "is not there"])
def test_an_address_that_takes_no_message_fails_alone(sending: Sending, receiver: Receiver, answer: str) -> None:
    with Receiver().running() as other:
        reason, address = "no answer", receiver.address
        if answer == "hangs":
            receiver.answer = lambda _: time.sleep(2) or 204
            reason = "0.3 seconds"
        elif answer == "redirects":
            receiver.answer = lambda _: (302, {"location": other.address})
            reason = "redirects are not followed"
        else:
            address, reason = f"http://127.0.0.1:{free_port()}", "no connection"
        failing = sending.subscribe(address, document_id=LAW)
        sending.subscribe(other.address, document_id=NOTE)
        begun = time.monotonic()
        sending.poll(seconds=0.3)
        assert time.monotonic() - begun < 1.5
        assert told(other) == [(NOTE, "added")]
    assert reason in (sending.now(failing).last_error or "")


def test_a_dead_address_is_given_up(sending: Sending, receiver: Receiver) -> None:
    receiver.answer = lambda _: 500
    one = sending.subscribe(receiver.address, document_id=LAW)
    sending.poll(give_up=timedelta(hours=1))
    assert sending.now(one).disabled_at is None
    sending.poll(give_up=timedelta(0))
    assert sending.now(one).disabled_at is not None
    sending.poll()
    assert len(receiver.received) == 2


def test_who_is_gone_or_has_no_key_any_more_is_sent_nothing(sending: Sending, receiver: Receiver) -> None:
    receiver.answer = lambda _: 410
    gone = sending.subscribe(receiver.address, document_id=LAW)
    key, _ = ApiKeys(sending.database).create("webhooks")
    revoked = sending.subscribe(receiver.address, key.key_id, document_id=LAW)
    ApiKeys(sending.database).revoke(key.key_id)
    sending.poll()
    assert len(receiver.received) == 1
    assert sending.now(gone).disabled_at is not None
    assert sending.now(revoked).last_error == "its API key was revoked"


def test_two_servers_do_not_send_twice(sending: Sending, receiver: Receiver) -> None:
    receiver.answer = lambda _: time.sleep(0.1) or 204
    sending.subscribe(receiver.address, document_id=LAW)
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda _: sending.poll(), range(3)))
    assert len(receiver.received) == 3


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_killed_server_skips_nothing(
    sending: Sending, receiver: Receiver, law_index: Settings, tmp_path: Path
) -> None:
    """It dies after the second message was received, and before that is recorded."""
    killed = threading.Event()

    def answer(_: Received) -> int:
        if len(receiver.received) == 2:
            killed.wait(10)
        return 204

    receiver.answer = answer
    sending.subscribe(receiver.address, document_id=LAW)
    command = [sys.executable, "-m", "legal_pipeline.cli.app", "serve", "--port", str(free_port())]
    process = processes.start(command, env=environment(law_index), cwd=tmp_path)
    wait_for(lambda: len(receiver.received) == 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed.set()
    wait_for(lambda: sending.poll() or len(receiver.received) >= 4)
    ids = [message.id for message in receiver.received]
    assert ids == [ids[0], ids[1], ids[1], ids[3]]
    assert [message.data["seen_on"] for message in receiver.received][:1] != []
    assert [message.data["expression"] for message in receiver.received][1:3] == [
        receiver.received[1].data["expression"]
    ] * 2


# -- over HTTP --------------------------------------------------------------------------------------------------------


def test_each_key_has_subscriptions_of_its_own(server: Server, receiver: Receiver) -> None:
    asked = {"address": receiver.address, "id": "3 § lagen (2099:10)", "since": YESTERDAY.date().isoformat()}
    with server.client("stranger") as client, server.client("firm") as other, server.client("admin") as admin:
        made = client.post("/v1/subscriptions", json=asked)
        assert made.status_code == 201
        secret, id = made.json()["secret"], made.json()["subscription_id"]
        assert made.json()["provision_id"] == f"{LAW}~sec_3"
        wait_for(lambda: len(receiver.received) == 2)
        assert all(message.is_signed_with(secret) for message in receiver.received)
        wait_for(lambda: client.get(f"/v1/subscriptions/{id}").json()["delivered_at"] is not None)
        assert client.get(f"/v1/subscriptions/{id}").json()["state"] == "active"
        assert secret not in client.get("/v1/subscriptions").text
        for one, seen in ((client, True), (other, False), (admin, True)):
            assert (id in one.get("/v1/subscriptions").text) == seen
            assert (one.get(f"/v1/subscriptions/{id}").status_code == 200) == seen
        assert other.delete(f"/v1/subscriptions/{id}").status_code == 404
        assert client.delete(f"/v1/subscriptions/{id}").status_code == 204
        assert client.get(f"/v1/subscriptions/{id}").status_code == 404


def test_a_country_may_be_subscribed_to_by_another_code(server: Server, receiver: Receiver) -> None:
    asked = {"address": receiver.address, "jurisdictions": ["uk", "swe"]}
    with server.client("stranger") as client:
        made = client.post("/v1/subscriptions", json=asked).json()
        assert made["jurisdictions"] == ["gb", "se"]
        assert client.delete(f"/v1/subscriptions/{made['subscription_id']}").status_code == 204


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ({"address": "https://hooks.example.org"}, 400, "LEGAL_PIPELINE_WEBHOOK_HOSTS"),
        ({"address": "http://127.0.0.1/", "id": NOTE}, 404, "no document"),
        ({"address": "http://127.0.0.1/", "jurisdictions": ["Sweden"]}, 400, "country code"),
        ({"address": "ftp://127.0.0.1/"}, 400, "not an address"),
        ({}, 422, "address"),
    ],
)
def test_a_wrong_subscription_is_refused(server: Server, asked: dict[str, object], status: int, told: str) -> None:
    with server.client("stranger") as client:
        answer = client.post("/v1/subscriptions", json=asked)
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True)


# -- where messages may be sent ---------------------------------------------------------------------------------------

ALLOWED = AllowedReceivers.parse("hooks.example.org, *.firm.example, localhost, 10.1.0.0/16, [::1]")


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.example.org/x?y=1",
        "https://HOOKS.example.org./x",
        "https://a.firm.example:8443",
        "https://10.1.2.3",
        "http://10.1.2.3:80/",
        "https://[::1]/",
    ],
)
def test_a_listed_address_is_allowed(address: str) -> None:
    ALLOWED.check(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org",
        "https://hooks.example.org.evil.example",
        "https://firm.example",
        "https://user:password@hooks.example.org",
        "https://10.2.0.1",
        "https://127.0.0.1",
        "https://127.1",
        "https://0x7f000001",
        "https://2130706433",
        "https://[::ffff:127.0.0.1]",
        "file:///etc/passwd",
        "https://hooks.example.org/\x00",
        "https://hooks.example.org/\ud800",
        "https://h\u00f6oks.example.org",
        "https://xn--a/",
        "https://hooks.example.org:99999",
        "https://[::1",
        "https://hooks.example.org@evil.example",
    ],
)
def test_any_other_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError):
        ALLOWED.check(address)


def test_without_listed_networks_messages_go_over_https() -> None:
    with pytest.raises(ConfigurationError, match="https://"):
        AllowedReceivers.parse("hooks.example.org").check("http://hooks.example.org")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["1.1.1.1", "192.168.0.1"],
        ["10.1.2.3", "192.168.0.1"],
        ["169.254.169.254"],
        ["fd00::1"],
        ["::ffff:10.2.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["224.0.0.1"],
        ["0.0.0.0"],
        [],
    ],
)
def test_a_name_that_leads_to_an_address_that_is_not_public_is_not_sent_to(addresses: list[str]) -> None:
    with pytest.raises(NotDeliveredError):
        ALLOWED.admit(addresses, is_encrypted=True)
    assert ALLOWED.admit(["1.1.1.1", "10.1.2.3"], is_encrypted=True) == ["1.1.1.1", "10.1.2.3"]
    assert ALLOWED.admit(["10.1.2.3"], is_encrypted=False) == ["10.1.2.3"]
    with pytest.raises(NotDeliveredError, match="https:// alone"):
        ALLOWED.admit(["10.1.2.3", "1.1.1.1"], is_encrypted=False)


@pytest.mark.parametrize("host", ["..", "a" * 300, "nothing.invalid"])
def test_a_name_without_an_address_is_not_sent_to(host: str) -> None:
    with pytest.raises(NotDeliveredError, match="no connection"):
        WebhookSender(AllowedReceivers.parse("*"), seconds=5).send(f"https://{host}/", "whsec_AAAA", "msg_1", b"")


def test_the_address_that_is_connected_to_is_the_one_that_was_checked(receiver: Receiver) -> None:
    """The name is allowed, and leads to the loopback address, which is not."""
    port = receiver.address.split(":")[2].split("/")[0]
    with pytest.raises(NotDeliveredError, match="not public"):
        WebhookSender(AllowedReceivers.parse("localhost, 10.0.0.0/8")).send(
            f"http://localhost:{port}", "whsec_AAAA", "msg_1", b""
        )
    WebhookSender(AllowedReceivers.parse("localhost, 127.0.0.0/8, ::1")).send(
        f"http://localhost:{port}", "whsec_AAAA", "msg_1", b"{}"
    )
    assert len(receiver.received) == 1
