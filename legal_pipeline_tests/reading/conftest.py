"""A reader of the small index, and a pipeline without texts. Not here: the texts (`indexed_laws`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.settings import Settings
from legal_pipeline_tests.by_words import ByWords


@pytest.fixture(scope="module")
def reader(law_index: Settings) -> Iterator[LawReader]:
    with LawReader.open(law_index) as opened:
        yield opened


@pytest.fixture
def pipeline(settings: Settings) -> Iterator[Pipeline]:
    with Pipeline.open(settings.model_copy(update={"stores": "qdrant", "enrich": "none"})) as opened:
        yield Pipeline(replace(opened.resources, make_embedder=lambda _: ByWords()), opened.registry.database)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of sources, beside the pipeline's home."""
    made = tmp_path / "laws"
    made.mkdir()
    return made
