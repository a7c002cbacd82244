"""The prints are read as recorded; what is known to be wrong is in the record."""

from __future__ import annotations

import pytest

from legal_pipeline_tests.prints.comparison import names
from legal_pipeline_tests.prints.record import HELD, compared, held_counts, recorded

_INTENDED = "if this is intended, record it anew: python -m legal_pipeline_tests.prints --write"


@pytest.mark.parametrize(("kind", "name"), names("open"), ids=lambda each: each)
def test_a_print_is_read_as_recorded(kind: str, name: str) -> None:
    assert compared(kind, name).differences == recorded().get(name, []), _INTENDED


def test_the_held_laws_are_read_as_well_as_recorded() -> None:
    assert held_counts() == recorded()[HELD], _INTENDED
