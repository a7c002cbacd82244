"""How many examples hypothesis draws for a test, and from which seed: one rule for all tests.

`make test` draws the same examples every time, so that it fails only by a change of the code, of the test or of the corpus. `make test-all`
takes the profile `thorough`: new examples every time, ten times as many. What fails there is printed with the line that repeats it, and
becomes a test of its own. Not here: what is drawn.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

_EXAMPLES, _EXAMPLES_THOROUGH = 100, 1000
#: Findings about the speed of a machine or the luck of a draw, not about the code under test.
_BY_CHANCE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


def register_profiles() -> None:
    """Make both profiles known and load the one of `make test`. Called before any test module is imported."""
    common = settings(deadline=None, suppress_health_check=_BY_CHANCE, print_blob=True)
    settings.register_profile("repeatable", common, derandomize=True, max_examples=_EXAMPLES)
    settings.register_profile("thorough", common, derandomize=False, max_examples=_EXAMPLES_THOROUGH)
    settings.load_profile("repeatable")


def examples(number: int, *, thorough: int | None = None) -> settings:
    """Settings for `number` examples; in the profile `thorough` for that many, or ten times `number`."""
    if settings.default.max_examples < _EXAMPLES_THOROUGH:
        return settings(max_examples=number)
    return settings(max_examples=thorough or number * _EXAMPLES_THOROUGH // _EXAMPLES)
