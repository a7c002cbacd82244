"""Load while documents are replaced, and the end of a server: nothing fails, nothing is mixed or stale. More of it: `load`."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.settings import Settings
from legal_pipeline_tests.service.load import drain, load, prepared


@pytest.mark.heavy
def test_servers_that_read_what_another_process_publishes(settings: Settings, tmp_path: Path) -> None:
    """Two of them over one embedded store. Every answer is of one published version; a server that is told to end answers first."""
    chosen = settings.model_copy(update={"stores": "qdrant", "enrich": "none"})
    with prepared(chosen, tmp_path, servers=2, words=False) as (editions, served):
        found = load(editions, served, seconds=3, clients=4, words=False)
        assert found.faults == []
        assert found.published >= 2
        assert found.statuses[200] >= 4
        statuses, ended = drain(served[0], 4)
        assert (statuses, ended) == ([200] * 4, 0)
