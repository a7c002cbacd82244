"""The journal: who may send a request, what is kept of its answer, and what a worker that is gone leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.enricher import Task, Usage
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.enrichment.request import Reply, Request, storable
from legal_pipeline.errors import BudgetExceededError
from legal_pipeline.registry.database import Database
from legal_pipeline_tests.enrichment.run_total import run_total

Open = Callable[..., Journal]
REPLY = Reply('{"label": "labour"}', "end_turn", Usage(1, 1000, 100))


def request(text: str = "x") -> Request:
    return Request(Task.QUESTIONS, "act", "1", {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [text]})


@pytest.fixture
def open_journal(journal_database: Database) -> Iterator[Open]:
    opened: list[Journal] = []

    def open_journal(run_id: str = "run", **budget: float) -> Journal:
        opened.append(Journal(journal_database, run_id=run_id, budget=Budget(**budget)))
        return opened[-1]

    yield open_journal
    for journal in opened:
        journal.close()


def test_the_hash_of_a_request_is_that_of_its_body_and_fits_a_batch() -> None:
    one = Request(Task.QUESTIONS, "act", "1", {"model": "m", "max_tokens": 1})
    other = Request(Task.SUMMARISE, "other", "2", {"max_tokens": 1, "model": "m"})
    assert one.key == other.key
    assert len(one.key) == 64
    assert one.key != request().key


def test_a_request_is_one_workers_until_it_is_answered_and_everybodys_after(open_journal: Open) -> None:
    first, second = open_journal(), open_journal()
    assert first.claim(request(), 0.0, "interactive").state == "mine"
    assert second.claim(request(), 0.0, "interactive").state == "taken"
    paid = first.record(request().key, REPLY, "interactive")
    assert paid.usage.cost_usd == pytest.approx((1000 * 0.10 + 100 * 0.50) / 1e6)
    found = second.claim(request(), 0.0, "interactive")
    assert (found.state, found.reply) == ("answered", Reply(REPLY.text, "end_turn", Usage()))
    assert second.stored(request().key) == found.reply


def test_of_many_workers_that_claim_at_once_one_gets_it(open_journal: Open) -> None:
    journals = [open_journal() for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        states = list(pool.map(lambda journal: journal.claim(request(), 0.0, "interactive").state, journals))
    assert sorted(states) == ["mine", *["taken"] * 5]


def test_what_a_dead_worker_had_claimed_is_free(open_journal: Open) -> None:
    first, second = open_journal(), open_journal()
    first.claim(request(), 0.0, "interactive")
    first.close()
    assert second.claim(request(), 0.0, "interactive").state == "mine"


def test_a_request_that_failed_is_free_and_costs_nothing(open_journal: Open) -> None:
    first, second = open_journal(), open_journal()
    first.claim(request(), 1.0, "interactive")
    first.release([request().key], "the service said \0 no")
    assert first.spent() == (0.0, 0.0)
    assert second.claim(request(), 0.0, "interactive").state == "mine"


def test_a_worker_does_not_release_what_another_has_taken_over(open_journal: Open, journal_database: Database) -> None:
    first, second = open_journal(), open_journal()
    first.claim(request(), 0.0, "interactive")
    first.close()
    second.claim(request(), 0.0, "interactive")
    first.release([request().key], "late")
    assert open_journal().claim(request(), 0.0, "interactive").state == "taken"


def test_a_second_answer_to_the_same_request_does_not_count(open_journal: Open) -> None:
    journal = open_journal()
    journal.claim(request(), 0.0, "interactive")
    journal.record(request().key, REPLY, "interactive")
    assert journal.record(request().key, Reply("other", "end_turn", Usage(1, 5, 5)), "interactive").text == REPLY.text
    assert run_total(journal).input_tokens == 1000


def test_reserved_money_counts_until_the_answer_is_there(open_journal: Open) -> None:
    journal = open_journal(per_run=1.0)
    journal.claim(request("a"), 0.9, "interactive")
    with pytest.raises(BudgetExceededError):
        journal.claim(request("b"), 0.2, "interactive")
    journal.record(request("a").key, REPLY, "interactive")
    assert journal.claim(request("b"), 0.2, "interactive").state == "mine"
    assert journal.stored(request("b").key) is None


def test_a_worker_whose_connection_broke_is_back_under_its_number(
    open_journal: Open, journal_database: Database
) -> None:
    first, second = open_journal(), open_journal()
    first.claim(request("a"), 0.0, "interactive")
    with journal_database.connection() as connection:
        connection.execute(
            """select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = 'legal-pipeline llm worker' and datname = current_database()"""
        )
    assert first.claim(request("b"), 0.0, "interactive").state == "mine"
    assert second.claim(request("a"), 0.0, "interactive").state == "taken"


def test_a_submission_is_known_by_all_its_requests(open_journal: Open) -> None:
    first, second = open_journal(), open_journal()
    keys = []
    for text in "abc":
        first.claim(request(text), 0.0, "batch")
        keys.append(request(text).key)
    begun = first.begin_submission(keys)
    first.close()
    assert second.claim(request("b"), 0.0, "batch").state == "batched"
    (found,) = second.submissions([request("b").key])
    assert (found.id, found.batch_id, found.keys) == (begun.id, None, frozenset(keys))
    second.submitted(found, "msgbatch_1")
    assert second.submissions(keys)[0].batch_id == "msgbatch_1"
    assert second.known_batches(["msgbatch_1", "msgbatch_2"]) == {"msgbatch_1"}


def test_what_no_table_holds_is_taken_out() -> None:
    assert storable("a\0b\ud83dc") == "ab?c"


def _rows_read(database: Database) -> int:
    """Rows of the journal that this database's statements have read so far; all of them went through one connection."""
    with database.connection() as connection:
        connection.execute("select pg_stat_force_next_flush()")
    with database.connection() as connection:
        row = connection.execute(
            """select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_all_tables
               where relname = 'llm_requests' and schemaname = current_schema()"""
        ).fetchone()
    assert row is not None
    return int(row["read"])


def _rows_read_by_claims(database: Database, held: int, budget: Budget) -> int:
    """Rows that ten claims read in a journal that holds `held` requests of today and of the same run."""
    with database.connection() as connection:
        connection.execute("delete from llm_requests")
        connection.execute(
            """insert into llm_requests (request_hash, task, document_id, model, prompt_version, state, owner, run_id, cost_usd)
               select 'held ' || n, 'questions', 'act', 'm', '1', 'answered', 0, 'run', 0.01 from generate_series(1, %s) as n""",
            (held,),
        )
        connection.execute("analyze llm_requests")
    with closing(Journal(database, run_id="run", budget=budget)) as journal:
        before = _rows_read(database)
        for number in range(10):
            assert journal.claim(request(str(number)), 0.01, "interactive").state == "mine"
        return _rows_read(database) - before


@pytest.mark.parametrize("budget", [Budget(), Budget(1e6, 1e6)], ids=["no budget", "budgets"])
def test_a_claim_reads_as_much_of_a_long_journal_as_of_a_short_one(journal_database: Database, budget: Budget) -> None:
    with closing(Database(journal_database.url)) as database:
        read = [_rows_read_by_claims(database, held, budget) for held in (500, 1000, 2000)]
    assert max(read) <= min(read) + 50


def test_what_was_spent_is_what_the_journal_adds_up_to(open_journal: Open, journal_database: Database) -> None:
    first, second = open_journal("a", per_day=100.0), open_journal("b", per_day=100.0)
    for number, journal in enumerate([first, second, first, second, first]):
        journal.claim(request(str(number)), 0.5 + number, "interactive")
    first.record(request("0").key, REPLY, "interactive")
    second.release([request("1").key], "no")
    first.begin_submission([request("2").key])
    first.close()
    second.claim(request("4"), 2.25, "batch")  # the worker of run `a` is gone
    with journal_database.connection() as connection:
        row = connection.execute(
            """select sum(cost_usd + reserved_usd) as day, sum(cost_usd + reserved_usd) filter (where run_id = 'b') as run
               from llm_requests"""
        ).fetchone()
    assert row is not None
    assert second.spent() == pytest.approx((float(row["run"]), float(row["day"])))
    with journal_database.connection() as connection:
        connection.execute("delete from llm_requests where run_id = 'b'")
    assert second.spent()[0] == 0.0


def test_a_request_taken_over_is_not_counted_twice(open_journal: Open) -> None:
    first, second = open_journal("a", per_day=1.0), open_journal("a", per_day=1.0)
    first.claim(request(), 0.8, "interactive")
    first.close()
    assert second.claim(request(), 0.8, "interactive").state == "mine"
    with pytest.raises(BudgetExceededError):
        second.claim(request("other"), 0.8, "interactive")
