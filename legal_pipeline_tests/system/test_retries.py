"""How often a call is made again, and after which waits."""

from __future__ import annotations

from legal_pipeline.system.retries import RetryPolicy

POLICY = RetryPolicy(4, 1.0, longest_wait=3.0, jitter=(1.0, 1.0))


def call(*answers: int | Exception, asked_for: float = 0.0) -> tuple[int | Exception, list[float]]:
    """What comes of a call with these answers, and the waits between them."""
    left = list(answers)
    waits: list[float] = []

    def work() -> int:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    try:
        found: int | Exception = POLICY.call(
            work,
            is_transient=lambda error: isinstance(error, TimeoutError),
            wait=lambda error, backoff: max(backoff, asked_for),
            sleep=waits.append,
        )
    except Exception as error:
        found = error
    return found, waits


def test_waits_double_up_to_the_longest() -> None:
    assert call(*[TimeoutError()] * 3, 7) == (7, [1.0, 2.0, 3.0])


def test_a_server_may_ask_for_a_longer_wait() -> None:
    assert call(TimeoutError(), 7, asked_for=60.0) == (7, [60.0])


def test_after_the_last_attempt_its_error_is_raised_and_nothing_is_waited_for() -> None:
    last = TimeoutError("last")
    assert call(*[TimeoutError()] * 3, last) == (last, [1.0, 2.0, 3.0])


def test_what_cannot_pass_is_not_tried_again() -> None:
    error = ValueError()
    assert call(error, 7) == (error, [])


def test_jitter_stays_between_its_bounds() -> None:
    policy = RetryPolicy(9, 2.0, jitter=(0.5, 1.0))
    assert all(2.0 <= policy.backoff(2) <= 4.0 for _ in range(99))
