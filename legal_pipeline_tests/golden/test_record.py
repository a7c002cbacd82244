"""Real texts give what the record says. Not here: the hits of the models' vectors, which the command compares."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.settings import Settings
from legal_pipeline_tests.golden.documents import SHORT, files, read_file
from legal_pipeline_tests.golden.index import read_index
from legal_pipeline_tests.golden.record import differences, recorded

pytestmark = pytest.mark.corpus

_INTENDED = (
    "if this is intended, record it anew: python -m legal_pipeline_tests.golden ../shared/corpus --write --keep-queries"
)

#: The files are read in as many tests, so that processes share them.
_PARTS = 6


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.heavy)], ids=["short", "long"])
@pytest.mark.parametrize("part", range(_PARTS))
def test_the_texts_are_read_and_cut_as_recorded(corpus: Path, part: int, long: bool) -> None:
    chosen = [(key, path) for key, path in files(corpus).items() if (path.stat().st_size > SHORT) == long][part::_PARTS]
    assert len(chosen) > 20
    new = {key: read_file(path) for key, path in chosen}
    old = {key: entry for key, entry in recorded().items() if key in new}
    assert list(differences(old, new)) == [], _INTENDED


def test_the_index_holds_and_finds_what_is_recorded(corpus: Path, settings: Settings) -> None:
    new = dict(read_index(corpus, settings))
    old = {key: entry for key, entry in recorded().items() if key.startswith("index")}
    assert list(differences(old, new)) == [], _INTENDED
