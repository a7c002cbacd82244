"""The search for cycles goes on after a document, and stays off where somebody switched it off."""

from __future__ import annotations

import gc

import pytest

from legal_pipeline.system.garbage import without_cycle_search


def test_the_search_is_off_while_the_context_lasts() -> None:
    with without_cycle_search():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_search_goes_on_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), without_cycle_search():
        _ = 1 // 0
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_cycle_search():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
