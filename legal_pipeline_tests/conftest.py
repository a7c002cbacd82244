"""Fixtures that every test may use. Not here: fixtures of a single area (in that area's own conftest)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real texts; tests that need it skip where it is not there."""
    path = Path(os.environ.get("LEGAL_PIPELINE_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
    if not path.is_dir():
        pytest.skip(f"the corpus of real texts is not at {path}; set LEGAL_PIPELINE_CORPUS")
    return path
