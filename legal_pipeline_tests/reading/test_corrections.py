"""Readers and subscribers of a document whose text was corrected. Not here: which text is a correction (`test_expression_conflicts`)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from lxml import etree
from starlette.testclient import TestClient

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch, RunOptions
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.subscriptions import Subscriptions, Wanted
from legal_pipeline.registry.warehouse import table_content
from legal_pipeline.service.app import make_app
from legal_pipeline.service.deliveries import Deliveries
from legal_pipeline.service.feed import atom
from legal_pipeline.service.gate import Gate
from legal_pipeline.service.webhooks import AllowedReceivers, WebhookSender
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.service.receiver import Receiver

ACT = "se-sfs-2099-40"
_TEXT = "Lag (2099:40) om bojar\n\n1 § Bojen ska {verb}.\n\n2 § Bojen ska ha ett nummer.\n\n3 § Bojen ska {end}.\n"
TODAY = datetime.now(UTC).date()
DAY = TODAY - timedelta(1)


def write(pipeline: Pipeline, folder: Path, verb: str, end: str = "tas in om hösten", day: str = "2020-01-01") -> None:
    (folder / "boj.txt").write_text(_TEXT.format(verb=verb, end=end), "utf-8")
    (folder / "boj.txt.meta.json").write_text(json.dumps({"as_of_date": day}), "utf-8")
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    assert not [event for event in pipeline.run(found.to_run) if isinstance(event, Failed)]


def index(pipeline: Pipeline) -> list[expressions.Expression]:
    return expressions.index(Batch([ACT], pipeline.resources), ACT)


@pytest.fixture
def corrected(pipeline: Pipeline, folder: Path) -> Pipeline:
    """An act that was amended and whose later text was corrected twice, in different sections."""
    write(pipeline, folder, "målas")
    write(pipeline, folder, "målas röd", day="2021-01-01")
    write(pipeline, folder, "målas grön", day="2021-01-01")
    write(pipeline, folder, "målas grön", "tas in före jul", day="2021-01-01")
    return pipeline


def test_corrections_are_changes_of_their_own_kind_with_the_sections_that_differ(corrected: Pipeline) -> None:
    found = LawReader(corrected).changes(DAY).changes
    assert [(one.kind, one.correction, one.summary, one.provisions, one.seen_on, one.holds_from) for one in found] == [
        ("corrected", 2, "3 § ändrad", [f"{ACT}~sec_3"], TODAY.isoformat(), "2021-01-01"),
        ("corrected", 1, "1 § ändrad", [f"{ACT}~sec_1"], TODAY.isoformat(), "2021-01-01"),
        ("changed", None, "1 § ändrad", [f"{ACT}~sec_1", f"{ACT}~sec_3"], TODAY.isoformat(), "2021-01-01"),
        ("added", None, "", [], TODAY.isoformat(), "2020-01-01"),
    ]
    of_section = LawReader(corrected).changes(DAY, id=f"{ACT}~sec_2").changes
    assert of_section == []


def test_changes_since_a_day_include_those_of_that_day(corrected: Pipeline) -> None:
    kinds = [change.kind for change in LawReader(corrected).changes(TODAY).changes]
    assert kinds == ["corrected", "corrected", "changed", "added"]
    assert LawReader(corrected).changes(TODAY + timedelta(1)).changes == []


def test_the_feed_has_an_entry_for_each_correction(corrected: Pipeline) -> None:
    feed = etree.fromstring(atom(LawReader(corrected).changes(DAY), address="http://law.example/v1/changes.atom"))
    entries = feed.findall("{*}entry")
    assert len({entry.findtext("{*}id") for entry in entries}) == 4
    assert [entry.findtext("{*}title") for entry in entries][:3] == [
        "Lag (2099:40) om bojar: text corrected: 3 § ändrad",
        "Lag (2099:40) om bojar: text corrected: 1 § ändrad",
        "Lag (2099:40) om bojar: 1 § ändrad",
    ]


def test_the_page_of_changes_names_corrections(corrected: Pipeline) -> None:
    app = make_app(LawReader(corrected), Gate(ApiKeys(corrected.registry.database), needs_key=False))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/changes").text.count("text corrected") == 2


def test_a_correction_of_an_old_text_is_a_change_of_its_own_day(corrected: Pipeline) -> None:
    old = [replace(expression, first_seen="2020-01-01") for expression in index(corrected)]
    first, second = old[1].corrections
    old[1] = replace(old[1], corrections=(replace(first, seen_on="2020-01-02"), second))
    Batch([ACT], corrected.resources).warehouse.write(ACT, expressions.index_content(ACT, old))
    assert [(one.kind, one.correction) for one in LawReader(corrected).changes(DAY).changes] == [("corrected", 2)]


def test_subscribers_hear_of_each_correction_and_a_watcher_of_a_section_of_its_own(
    pipeline: Pipeline, folder: Path
) -> None:
    subscriptions = Subscriptions(pipeline.registry.database)
    since = datetime.now(UTC) - timedelta(1)
    sender = WebhookSender(AllowedReceivers.parse("127.0.0.1"))
    deliveries = Deliveries(LawReader(pipeline), sender, give_up=timedelta(1))
    with Receiver().running() as everything, Receiver().running() as watcher:
        subscriptions.create(None, everything.address, Wanted(since=since))
        subscriptions.create(None, watcher.address, Wanted(document_id=ACT, eid="sec_3", since=since))
        # the third text is the first one again: a correction too
        for verb, end in (("målas", "tas in"), ("målas röd", "tas in"), ("målas", "tas in"), ("målas", "skrapas")):
            write(pipeline, folder, verb, end)
            deliveries.poll()
            deliveries.poll()
        told = [(json.loads(message.body)["type"], message.data["summary"]) for message in everything.received]
        assert told == [
            ("law.added", ""),
            ("law.corrected", "1 § ändrad"),
            ("law.corrected", "1 § ändrad"),
            ("law.corrected", "3 § ändrad"),
        ]
        assert [message.data["correction"] for message in watcher.received] == [3]


def test_a_correction_stays_when_the_text_is_parsed_again_amended_or_read_on_a_later_day(
    corrected: Pipeline, folder: Path
) -> None:
    (known,) = index(corrected)[1:]
    assert [(made.changes, made.eids) for made in known.corrections] == [
        ("1 § ändrad", ("sec_1",)),
        ("3 § ändrad", ("sec_3",)),
    ]
    list(corrected.run([ACT], options=RunOptions(force=True)))
    assert index(corrected)[1:] == [known]
    write(corrected, folder, "målas blå", day="2022-01-01")
    assert index(corrected)[1] == known
    assert index(corrected)[2].corrections == ()
    assert LawReader(corrected).changes(TODAY + timedelta(1)).changes == []


def test_an_index_of_before_without_the_column_is_read(corrected: Pipeline) -> None:
    batch = Batch([ACT], corrected.resources)
    rows = [expression.to_row(ACT, position) for position, expression in enumerate(index(corrected))]
    schema = expressions.SCHEMA.remove(expressions.SCHEMA.get_field_index("corrections"))
    plain = [{name: row[name] for name in schema.names} for row in rows]
    batch.warehouse.write(ACT, table_content(expressions.KEY, pa.Table.from_pylist(plain, schema=schema)))
    assert index(corrected)[0].corrections == ()
    assert [one.kind for one in LawReader(corrected).changes(DAY).changes] == ["changed", "added"]
    assert replace(index(corrected)[1], corrections=()) == index(corrected)[1]
