"""Answers of an enricher to the requests of a batch: which documents are finished with them, and what is reported of them."""

from __future__ import annotations

import pytest

from legal_pipeline.enrichment.enricher import Enriched, Generator, Summary, Unanswered, Usage
from legal_pipeline.errors import BudgetExceededError, WaitingForBatchError
from legal_pipeline.processing.enrichment import NAMED, Answered, paid, reported, spent, stamp_of

KEY = ("raptor_summaries",)
MADE_BY = Generator("small-model", "3")
BUDGET = BudgetExceededError("the budget of the run is spent")


def left_out(document_id: str, reason: str = "not asked", batch: str | None = None) -> Unanswered:
    return Unanswered(document_id, "node", reason, batch)


def test_only_documents_without_all_of_their_answers_fail_when_the_budget_ends() -> None:
    asked = Answered(unanswered={"act-2": [left_out("act-2")]}, stopped=BUDGET)
    asked.raise_if_stopped("act-1")
    with pytest.raises(BudgetExceededError):
        asked.raise_if_stopped("act-2")


def test_a_document_waits_for_its_own_batches_and_not_for_those_of_others() -> None:
    waiting = {"act-1": [left_out("act-1", batch="b-1"), left_out("act-1")], "act-2": [left_out("act-2", "no title")]}
    asked = Answered(unanswered=waiting, stopped=WaitingForBatchError(["b-1", "b-2"]))
    with pytest.raises(WaitingForBatchError) as raised:
        asked.raise_if_stopped("act-1")
    assert raised.value.batches == ("b-1",)
    asked.raise_if_stopped("act-2")  # its answer was refused: no batch will bring it


def test_answers_of_several_calls_are_added_up_and_the_first_error_stays() -> None:
    def call(text: str, cost: float, stopped: BudgetExceededError | None) -> Answered:
        summary = Summary("act-1", text, text, MADE_BY)
        usage = {"act-1": Usage(requests=1, cost_usd=cost)}
        return Answered.of(lambda _: Enriched((summary,), (left_out("act-1", text),), usage, stopped), ["request"])

    asked = call("chapter", 0.25, BUDGET)
    asked.merge(call("act", 0.5, BudgetExceededError("the budget of the day is spent")))
    asked.merge(Answered())
    assert [summary.text for summary in asked.answers["act-1"]] == ["chapter", "act"]
    assert [item.reason for item in asked.unanswered["act-1"]] == ["chapter", "act"]
    assert asked.usage["act-1"] == Usage(requests=2, cost_usd=0.75)
    assert asked.stopped is BUDGET


def test_without_a_request_the_enricher_is_not_opened() -> None:
    def opened(_: object) -> Enriched[Summary]:
        raise AssertionError("opened")

    assert Answered.of(opened, [None, None]) == Answered()


def test_a_stamp_names_the_most_frequent_reasons_and_the_maker_of_the_answers() -> None:
    reasons = [f"reason {number}" for number in range(NAMED + 2)]
    unanswered = [left_out("act-1", reason) for reason in [*reasons, reasons[-1], reasons[-1]]]
    facts = stamp_of("hash", [{"text": "a"}], MADE_BY, unanswered).facts
    assert (facts["rows"], facts["unanswered"]) == (1, NAMED + 4)
    assert facts["unanswered_reasons"][0] == f"{reasons[-1]} (3)"
    assert len(facts["unanswered_reasons"]) == NAMED
    assert (facts["generator"], facts["prompt_version"]) == ("small-model", "3")
    assert stamp_of("hash", [], None).facts == {"rows": 0, "unanswered": 0, "off": True}


def test_a_report_has_the_cost_of_paid_requests_and_says_whether_anything_was_asked() -> None:
    stamp = stamp_of("hash", [{"text": "a"}], MADE_BY)
    usage = Usage(requests=2, input_tokens=30, cost_usd=0.1234567891)
    event = reported(KEY, "act-1", {}, stamp, 2, usage)
    assert (event.metadata["asked"], event.metadata["requests"], event.reused) == (2, 2, False)
    assert event.metadata["cost_usd"] == 0.12345679
    assert paid(event).input_tokens == 30
    assert not reported(KEY, "act-1", {}, stamp, 2).reused, "the journal had its answers: the table is new"
    again = reported(KEY, "act-1", {}, stamp)
    assert (again.reused, "requests" in again.metadata) == (True, False)
    assert spent(Usage(requests=0, cost_usd=0.0)) == spent(None) == {}
