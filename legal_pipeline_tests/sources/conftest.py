"""A folder of files, and the policy of requests to a server on the same machine. Not here: the server (`api_server`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.sources.http import RequestPolicy


@pytest.fixture
def quick() -> RequestPolicy:
    return RequestPolicy(requests_per_second=2_000, timeout_seconds=0.4, attempts=2, backoff_seconds=0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "lagar"
    root.mkdir()
    return root
