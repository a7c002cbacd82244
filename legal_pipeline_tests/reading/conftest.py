"""A reader of the small index. Not here: its texts (`indexed_laws`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.settings import Settings


@pytest.fixture(scope="module")
def reader(law_index: Settings) -> Iterator[LawReader]:
    with LawReader.open(law_index) as opened:
        yield opened
