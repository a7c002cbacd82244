"""The journal: which requests were sent, by whom, in which batch, what came back and what it cost. PostgreSQL, table `llm_requests`.

An answer is written here before anybody uses it, so that the same request is paid once: not twice after a crash, nor by two workers.
Not here: sending, and the rules of the budget (`enrichment.budget`).
"""

from __future__ import annotations

import atexit
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.request import Reply, Request, storable
from legal_pipeline.registry.database import Database

if TYPE_CHECKING:
    from psycopg import Connection

#: First key of the advisory locks; any constants will do, as long as every process takes the same ones.
_WORKERS = 0x6C6C6D  # "llm"
_BUDGET_LOCK = 0x6C6C6D62  # "llmb"

_USAGE = """count(*) filter (where state = 'answered') as requests, coalesce(sum(input_tokens), 0) as input_tokens,
    coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(cache_read_tokens), 0) as cache_read_tokens,
    coalesce(sum(cache_write_tokens), 0) as cache_write_tokens, coalesce(sum(cost_usd), 0) as cost_usd"""
_TODAY = "requested_at >= date_trunc('day', now(), 'UTC')"

#: Today in `llm_spending`, which is kept by a trigger on the journal.
_TODAY_PERIOD = "'day ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD')"

Mode = Literal["interactive", "batch"]


@dataclass(frozen=True)
class Claim:
    """What a worker may do about a request. `mine`: send it. `answered`: use `reply`. `batched`: it is in a batch whose worker is gone
    or is this one: fetch it from there. `taken`: a living worker is at it: ask again later; `batch` is the Message Batch that it has put
    it into ("" before its id is known)."""

    state: Literal["mine", "answered", "batched", "taken"]
    reply: Reply | None = None
    batch: str | None = None


@dataclass(frozen=True)
class Submission:
    """One attempt to create a batch. `batch_id` is None as long as it is not known whether the service has it."""

    id: uuid.UUID
    batch_id: str | None
    keys: frozenset[str]
    since: datetime


class Journal:
    """One worker's view of the journal. A worker is alive as long as its connection holds the advisory lock of its number: a process
    that was killed gives its requests free at once, without a timeout that could be too short."""

    def __init__(self, database: Database, *, run_id: str, budget: Budget) -> None:
        self.run_id = run_id
        self.budget = budget
        self._database = database
        self._presence: Connection[Any] | None = None
        self._worker = 0
        self._lock = threading.Lock()

    # -- one request --------------------------------------------------------------------------------------------------

    def claim(self, request: Request, reserve_usd: float, mode: Mode) -> Claim:
        """Take `request` if nobody has answered it or is at it. Raises `BudgetExceededError` if `reserve_usd` does not fit."""
        worker = self._present()
        with self._database.connection() as connection:
            if self.budget.limited:
                # sums and insertion in one piece, or two workers would both take the last dollar
                connection.execute("select pg_advisory_xact_lock(%s)", (_BUDGET_LOCK,))
            connection.execute(
                """insert into llm_requests (request_hash, task, document_id, model, prompt_version, state, owner, run_id)
                   values (%s, %s, %s, %s, %s, 'failed', %s, %s) on conflict do nothing""",
                (
                    request.key,
                    request.task,
                    request.document_id,
                    request.model,
                    request.prompt_version,
                    worker,
                    self.run_id,
                ),
            )
            row = connection.execute(
                "select * from llm_requests where request_hash = %s for update", (request.key,)
            ).fetchone()
            assert row is not None
            if row["state"] == "answered":
                return Claim("answered", _stored_reply(row))
            if row["state"] != "failed" and row["owner"] != worker and self._is_alive(connection, row["owner"]):
                in_batch = row["state"] in ("submitting", "submitted")
                return Claim("taken", batch=(row["batch_id"] or "") if in_batch else None)
            if row["state"] in ("submitting", "submitted"):
                connection.execute(
                    "update llm_requests set owner = %s, run_id = %s where request_hash = %s",
                    (worker, self.run_id, request.key),
                )
                return Claim("batched")
            if self.budget.limited:
                run_usd, day_usd = self._spent(connection)
                own_run, own_day = self._part_of(connection, request.key)
                self.budget.check(run_usd=run_usd - own_run, day_usd=day_usd - own_day, reserve_usd=reserve_usd)
            connection.execute(
                """update llm_requests set state = 'claimed', owner = %s, run_id = %s, mode = %s, reserved_usd = %s, error = null,
                       submission = null, batch_id = null, requested_at = now() where request_hash = %s""",
                (worker, self.run_id, mode, reserve_usd, request.key),
            )
            return Claim("mine")

    def record(self, key: str, reply: Reply, mode: Mode) -> Reply:
        """Keep a paid answer; returns it with its cost. An answer that is there already stays (`usage.requests` 0)."""
        from psycopg.types.json import Jsonb

        with self._database.connection() as connection:
            row = connection.execute("select * from llm_requests where request_hash = %s for update", (key,)).fetchone()
            assert row is not None, f"answer to a request that was never claimed: {key}"
            if row["state"] == "answered":
                return _stored_reply(row)
            usage = reply.usage
            cost = model_price(row["model"]).cost(usage, batch=mode == "batch")
            connection.execute(
                """update llm_requests set state = 'answered', mode = %s, answer = %s, input_tokens = %s, output_tokens = %s,
                       cache_read_tokens = %s, cache_write_tokens = %s, cost_usd = %s, reserved_usd = 0, error = null,
                       answered_at = now() where request_hash = %s""",
                (
                    mode, Jsonb({"text": reply.text, "stop_reason": reply.stop_reason}), usage.input_tokens,
                    usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens, cost, key,
                ),
            )  # fmt: skip
        return Reply(
            reply.text,
            reply.stop_reason,
            Usage(1, usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens, cost),
        )

    def stored(self, key: str) -> Reply | None:
        """The answer to a request, if it was paid for before."""
        with self._database.connection() as connection:
            row = connection.execute(
                "select answer from llm_requests where request_hash = %s and state = 'answered'", (key,)
            ).fetchone()
        return None if row is None else _stored_reply(row)

    def release(self, keys: Sequence[str], error: str) -> None:
        """Nothing was paid for these requests of this worker: whoever needs them may claim them."""
        with self._database.connection() as connection:
            connection.execute(
                """update llm_requests set state = 'failed', error = %s, reserved_usd = 0, submission = null, batch_id = null
                   where request_hash = any(%s) and owner = %s and state <> 'answered'""",
                (storable(error), list(keys), self._worker),
            )

    # -- batches ------------------------------------------------------------------------------------------------------

    def begin_submission(self, keys: Sequence[str]) -> Submission:
        """Written before a batch is created: a batch whose id was lost in a crash is looked for by this."""
        submission = uuid.uuid4()
        with self._database.connection() as connection:
            row = connection.execute(
                """update llm_requests set state = 'submitting', submission = %s, requested_at = now()
                   where request_hash = any(%s) and owner = %s and state = 'claimed' returning requested_at""",
                (submission, list(keys), self._worker),
            ).fetchone()
        assert row is not None
        return Submission(submission, None, frozenset(keys), row["requested_at"])

    def submitted(self, submission: Submission, batch_id: str) -> None:
        with self._database.connection() as connection:
            connection.execute(
                """update llm_requests set state = 'submitted', batch_id = %s
                   where submission = %s and state in ('submitting', 'submitted')""",
                (batch_id, submission.id),
            )

    def resubmit(self, submission: Submission) -> None:
        """The service has no batch of this submission: its requests may be claimed again."""
        with self._database.connection() as connection:
            connection.execute(
                """update llm_requests set state = 'failed', reserved_usd = 0, submission = null, error = 'the batch was never created'
                   where submission = %s and state = 'submitting'""",
                (submission.id,),
            )

    def submissions(self, keys: Sequence[str]) -> list[Submission]:
        """The submissions that any of `keys` is in, each with all its requests that are not answered yet."""
        with self._database.connection() as connection:
            rows = connection.execute(
                """select submission, max(batch_id) as batch_id, array_agg(request_hash) as keys, min(requested_at) as since
                   from llm_requests where state in ('submitting', 'submitted') and submission in
                       (select submission from llm_requests where request_hash = any(%s))
                   group by submission order by since""",
                (list(keys),),
            ).fetchall()
        return [Submission(row["submission"], row["batch_id"], frozenset(row["keys"]), row["since"]) for row in rows]

    def known_batches(self, batch_ids: Sequence[str]) -> set[str]:
        with self._database.connection() as connection:
            rows = connection.execute(
                "select distinct batch_id from llm_requests where batch_id = any(%s)", (list(batch_ids),)
            ).fetchall()
        return {row["batch_id"] for row in rows}

    # -- what was spent -----------------------------------------------------------------------------------------------

    def spent(self) -> tuple[float, float]:
        """Dollars spent or reserved in this run, and today (UTC) by all runs."""
        with self._database.connection() as connection:
            return self._spent(connection)

    def run_total(self, run_id: str | None = None) -> Usage:
        """Of one run, by default this one."""
        with self._database.connection() as connection:
            return _usage(
                connection.execute(
                    f"select {_USAGE} from llm_requests where run_id = %s",  # noqa: S608
                    (run_id or self.run_id,),
                ).fetchone()
            )

    def day_total(self) -> Usage:
        """Of all requests made since midnight UTC."""
        with self._database.connection() as connection:
            return _usage(connection.execute(f"select {_USAGE} from llm_requests where {_TODAY}").fetchone())  # noqa: S608

    def latest_runs(self, limit: int) -> list[tuple[str, datetime, Usage]]:
        """(run id, time of the last answer, what it cost) of the runs that were answered last."""
        with self._database.connection() as connection:
            rows = connection.execute(
                f"""select run_id, max(answered_at) as last, {_USAGE} from llm_requests where state = 'answered'
                    group by run_id order by last desc limit %s""",  # noqa: S608
                (limit,),
            ).fetchall()
        return [(row["run_id"], row["last"], _usage(row)) for row in rows]

    def close(self) -> None:
        """This worker is gone: what it had claimed and not sent is free."""
        with self._lock:
            atexit.unregister(self.close)
            if self._presence is not None:
                self._presence.close()
                self._presence = None

    # -- parts of the verbs -------------------------------------------------------------------------------------------

    def _present(self) -> int:
        """This worker's number, its advisory lock held; taken again on a new connection if the old one broke."""
        import psycopg

        with self._lock:
            if self._presence is not None:
                try:
                    self._presence.execute("select 1")
                except psycopg.Error:
                    self._presence.close()
                    self._presence = None
            if self._presence is None:
                connection = psycopg.connect(
                    self._database.url, autocommit=True, application_name="legal-pipeline llm worker"
                )
                if not self._worker:
                    row = connection.execute("select nextval('llm_workers')").fetchone()
                    assert row is not None
                    self._worker = row[0]
                connection.execute("select pg_advisory_lock(%s, %s)", (_WORKERS, self._worker))
                self._presence = connection
                # an open connection would keep the embedded server up after this process
                atexit.register(self.close)
            return self._worker

    def _is_alive(self, connection: Any, worker: int) -> bool:
        # shared: two workers that look at once must not take each other for the dead one
        row = connection.execute(
            "select pg_try_advisory_xact_lock_shared(%s, %s) as free", (_WORKERS, worker)
        ).fetchone()
        return not row["free"]

    def _spent(self, connection: Any) -> tuple[float, float]:
        """Of this run and of today: the sums that the database keeps of every change, whatever there is in the journal."""
        row = connection.execute(
            f"""select coalesce(sum(usd) filter (where period = %(run)s), 0) as run,
                       coalesce(sum(usd) filter (where period = {_TODAY_PERIOD}), 0) as day
                from llm_spending where period in (%(run)s, {_TODAY_PERIOD})""",  # noqa: S608
            {"run": f"run {self.run_id}"},
        ).fetchone()
        return float(row["run"]), float(row["day"])

    def _part_of(self, connection: Any, key: str) -> tuple[float, float]:
        """What one request, claimed by a worker that is gone, has in the sums of this run and of today."""
        row = connection.execute(
            f"""select coalesce(sum(cost_usd + reserved_usd) filter (where run_id = %s), 0) as run,
                       coalesce(sum(cost_usd + reserved_usd) filter (where {_TODAY}), 0) as day
                from llm_requests where request_hash = %s""",  # noqa: S608
            (self.run_id, key),
        ).fetchone()
        return float(row["run"]), float(row["day"])


def _stored_reply(row: dict[str, Any]) -> Reply:
    return Reply(row["answer"]["text"], row["answer"]["stop_reason"], Usage())


def _usage(row: dict[str, Any] | None) -> Usage:
    assert row is not None
    return Usage(
        requests=row["requests"],
        input_tokens=int(row["input_tokens"]),
        output_tokens=int(row["output_tokens"]),
        cache_read_tokens=int(row["cache_read_tokens"]),
        cache_write_tokens=int(row["cache_write_tokens"]),
        cost_usd=float(row["cost_usd"]),
    )
