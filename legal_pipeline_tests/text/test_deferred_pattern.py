"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.text.deferred_pattern import DeferredPattern


def test_it_matches_as_the_compiled_pattern_does() -> None:
    text, pattern = "lamp 12, lamp 3", r"lamp (\d+)"
    compiled, deferred = re.compile(pattern), DeferredPattern(pattern)
    for start, end in ((0, len(text)), (1, len(text)), (9, len(text)), (9, 12)):
        for name in ("match", "search", "fullmatch"):
            expected, found = (getattr(each, name)(text, start, end) for each in (compiled, deferred))
            assert (found and (found.span(), found[1])) == (expected and (expected.span(), expected[1]))
    assert deferred.match(text)


def test_a_wrong_pattern_is_an_error_of_the_data_that_shows_it() -> None:
    wrong = DeferredPattern("lamps? (\\d+")
    with pytest.raises(ConfigurationError, match=r"'lamps\? \(.* is not a regular expression: missing \)"):
        wrong.search("lamp 3")
