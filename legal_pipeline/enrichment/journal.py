"""The journal of requests: who sent them, in which batch, the answers and their cost. PostgreSQL, table `llm_requests`.

An answer is written here before it is used, so that the same request is paid for only once: not twice after a crash, nor by two workers.
Not here: sending, and the rules of the budget (`enrichment.budget`).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.request import Reply, Request, storable
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.workers import LIVE, Worker

#: Key of an advisory lock; any constant works if every process uses the same.
_BUDGET_LOCK = 0x6C6C6D62  # "llmb"

_USAGE = """count(*) filter (where state = 'answered') as requests, coalesce(sum(input_tokens), 0) as input_tokens,
    coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(cache_read_tokens), 0) as cache_read_tokens,
    coalesce(sum(cache_write_tokens), 0) as cache_write_tokens, coalesce(sum(cost_usd), 0) as cost_usd"""
_TODAY = "requested_at >= date_trunc('day', now(), 'UTC')"

#: The name of today's row in `llm_spending`, a table that a trigger on the journal updates.
_TODAY_PERIOD = "'day ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD')"

Mode = Literal["interactive", "batch"]


@dataclass(frozen=True)
class Claim:
    """What a worker may do with a request.

    `mine`: send it. `answered`: use `reply`. `batched`: fetch it from its batch, whose worker has ended or is this worker. `taken`:
    another live worker has claimed it, ask again later; `batch` is the Message Batch that holds it ("" before its id is known).
    """

    state: Literal["mine", "answered", "batched", "taken"]
    reply: Reply | None = None
    batch: str | None = None


@dataclass(frozen=True)
class Submission:
    """One attempt to create a batch. `batch_id` is None until it is known that the service has the batch."""

    id: uuid.UUID
    batch_id: str | None
    keys: frozenset[str]
    since: datetime


class Journal:
    """One worker's access to the journal. What a killed process has claimed is free at once (`registry.workers`)."""

    def __init__(self, database: Database, *, run_id: str, budget: Budget) -> None:
        self.run_id = run_id
        self.budget = budget
        self._database = database
        self._worker = Worker(database)

    # -- one request --------------------------------------------------------------------------------------------------

    def claim(self, request: Request, reserve_usd: float, mode: Mode) -> Claim:
        """Claim `request` unless it is answered or claimed by a live worker. Raises `BudgetExceededError` if `reserve_usd` does not fit."""
        worker = self._worker.present()
        with self._database.connection() as connection:
            if self.budget.limited:
                # sums and insertion in one transaction: otherwise two workers could both use the rest of the budget
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
        """Store a paid answer; return it with its cost. An answer that is already stored is kept and returned (`usage.requests` 0)."""
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
        """Return the stored answer to a request, or None if there is none."""
        row = self._database.row(
            "select answer from llm_requests where request_hash = %s and state = 'answered'", (key,)
        )
        return None if row is None else _stored_reply(row)

    def release(self, keys: Sequence[str], error: str) -> None:
        """Release these requests of this worker, for which nothing was paid: any worker may claim them."""
        self._database.execute(
            """update llm_requests set state = 'failed', error = %s, reserved_usd = 0, submission = null, batch_id = null
               where request_hash = any(%s) and owner = %s and state <> 'answered'""",
            (storable(error), list(keys), self._worker.number),
        )

    # -- batches ------------------------------------------------------------------------------------------------------

    def begin_submission(self, keys: Sequence[str]) -> Submission:
        """Record the intention to create a batch, before it is created: a batch whose id was lost in a crash is found by this."""
        submission = uuid.uuid4()
        row = self._database.row(
            """update llm_requests set state = 'submitting', submission = %s, requested_at = now()
               where request_hash = any(%s) and owner = %s and state = 'claimed' returning requested_at""",
            (submission, list(keys), self._worker.number),
        )
        assert row is not None
        return Submission(submission, None, frozenset(keys), row["requested_at"])

    def submitted(self, submission: Submission, batch_id: str) -> None:
        self._database.execute(
            """update llm_requests set state = 'submitted', batch_id = %s
               where submission = %s and state in ('submitting', 'submitted')""",
            (batch_id, submission.id),
        )

    def resubmit(self, submission: Submission) -> None:
        """Release the requests of a submission for which the service has no batch: they may be claimed again."""
        self._database.execute(
            """update llm_requests set state = 'failed', reserved_usd = 0, submission = null, error = 'the batch was never created'
               where submission = %s and state = 'submitting'""",
            (submission.id,),
        )

    def submissions(self, keys: Sequence[str]) -> list[Submission]:
        """Return the submissions that contain any of `keys`, each with all its unanswered requests."""
        rows = self._database.rows(
            """select submission, max(batch_id) as batch_id, array_agg(request_hash) as keys, min(requested_at) as since
               from llm_requests where state in ('submitting', 'submitted') and submission in
                   (select submission from llm_requests where request_hash = any(%s))
               group by submission order by since""",
            (list(keys),),
        )
        return [Submission(row["submission"], row["batch_id"], frozenset(row["keys"]), row["since"]) for row in rows]

    def known_batches(self, batch_ids: Sequence[str]) -> set[str]:
        rows = self._database.rows(
            "select distinct batch_id from llm_requests where batch_id = any(%s)", (list(batch_ids),)
        )
        return {row["batch_id"] for row in rows}

    # -- amounts spent ------------------------------------------------------------------------------------------------

    def spent(self) -> tuple[float, float]:
        """Return the dollars spent or reserved in this run, and today (UTC) by all runs."""
        with self._database.connection() as connection:
            return self._spent(connection)

    def day_total(self) -> Usage:
        """Return the usage of all requests made since midnight UTC."""
        return _usage(self._database.row(f"select {_USAGE} from llm_requests where {_TODAY}"))  # noqa: S608

    def latest_runs(self, limit: int) -> list[tuple[str, datetime, Usage]]:
        """Return (run id, time of the last answer, usage) of the runs with the latest answers."""
        rows = self._database.rows(
            f"""select run_id, max(answered_at) as last, {_USAGE} from llm_requests where state = 'answered'
                group by run_id order by last desc limit %s""",  # noqa: S608
            (limit,),
        )
        return [(row["run_id"], row["last"], _usage(row)) for row in rows]

    def close(self) -> None:
        """End this worker: the requests that it claimed and did not send may be claimed by others."""
        self._worker.close()

    # -- helper methods -----------------------------------------------------------------------------------------------

    def _is_alive(self, connection: Any, worker: int) -> bool:
        row = connection.execute(f"select %s in {LIVE} as alive", (worker,)).fetchone()
        return bool(row["alive"])

    def _spent(self, connection: Any) -> tuple[float, float]:
        """Return the spending of this run and of today, from sums that the database updates with every change; the journal is not read."""
        row = connection.execute(
            f"""select coalesce(sum(usd) filter (where period = %(run)s), 0) as run,
                       coalesce(sum(usd) filter (where period = {_TODAY_PERIOD}), 0) as day
                from llm_spending where period in (%(run)s, {_TODAY_PERIOD})""",  # noqa: S608
            {"run": f"run {self.run_id}"},
        ).fetchone()
        return float(row["run"]), float(row["day"])

    def _part_of(self, connection: Any, key: str) -> tuple[float, float]:
        """Return what one request, claimed by a worker that has ended, adds to the sums of this run and of today."""
        row = connection.execute(
            f"""select coalesce(sum(cost_usd + reserved_usd) filter (where run_id = %s), 0) as run,
                       coalesce(sum(cost_usd + reserved_usd) filter (where {_TODAY}), 0) as day
                from llm_requests where request_hash = %s""",  # noqa: S608
            (self.run_id, key),
        ).fetchone()
        return float(row["run"]), float(row["day"])


def _stored_reply(row: dict[str, Any]) -> Reply:
    return Reply(row["answer"]["text"], row["answer"]["stop_reason"], Usage())


def _usage(row: dict[str, Any]) -> Usage:
    return Usage(
        requests=row["requests"],
        input_tokens=int(row["input_tokens"]),
        output_tokens=int(row["output_tokens"]),
        cache_read_tokens=int(row["cache_read_tokens"]),
        cache_write_tokens=int(row["cache_write_tokens"]),
        cost_usd=float(row["cost_usd"]),
    )
