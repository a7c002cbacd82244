"""The prints are read as recorded; what is known to be wrong is in the record."""

from __future__ import annotations

import pytest

from legal_pipeline_tests.prints.comparison import names
from legal_pipeline_tests.prints.record import compared, recorded

_INTENDED = "if this is intended, record it anew: python -m legal_pipeline_tests.prints --write"


@pytest.mark.parametrize(("kind", "name"), names(), ids=lambda each: each)
def test_a_print_is_read_as_recorded(kind: str, name: str) -> None:
    assert compared(kind, name).differences == recorded().get(name, []), _INTENDED
