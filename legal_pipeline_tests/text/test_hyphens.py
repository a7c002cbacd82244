"""Hyphens at line ends: the document's own words decide, then the list of words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.text.hyphens import words_of
from legal_pipeline.text.normalise import unwrap
from legal_pipeline_tests.growth import NEARLY_LINEAR, growth


@pytest.mark.parametrize(
    ("upper", "lower", "line"),
    [
        ("lämna en e-", "postadress till hamnen", "lämna en e-postadress till hamnen"),
        ("sända tv-", "sändningar från fyren", "sända tv-sändningar från fyren"),
        ("the right to self-", "governance, if any", "the right to self-governance, if any"),
        ("a self-", "ish keeper", "a selfish keeper"),
        ("för mål-", "nings arbete", "för målnings arbete"),
        ("the cross-", "ing of ships", "the crossing of ships"),
        ("in-", "och utförsel", "in- och utförsel"),
        ("mäta Co2-", "halten i luften", "mäta Co2-halten i luften"),
        ("handel med Ost-", "Asien är fri", "handel med Ost-Asien är fri"),
        ("enligt EG-", "fördraget ska", "enligt EG-fördraget ska"),
        ("σύμ\u2212", "φωνα με τον νόμο", "σύμφωνα με τον νόμο"),
        ("the cross\u2010", "ing of ships", "the crossing of ships"),
    ],
)
def test_the_list_keeps_hyphens_of_words_and_no_others(upper: str, lower: str, line: str) -> None:
    assert unwrap([upper, lower])[0] == line


def test_a_document_that_writes_the_word_with_a_hyphen_keeps_it() -> None:
    with words_of(lambda: "The harbour-master may board. A lamp-post-keeper may not."):
        assert unwrap(["The harbour-", "master shall"])[0] == "The harbour-master shall"
        assert unwrap(["the lamp-post-", "keeper shall"])[0] == "the lamp-post-keeper shall"
        assert unwrap(["the light-", "house shall"])[0] == "the lighthouse shall"
    assert unwrap(["The harbour-", "master shall"])[0] == "The harbourmaster shall"


def test_a_document_that_writes_the_word_as_one_decides_over_the_list_and_its_own_hyphens() -> None:
    with words_of(lambda: "The Harbourmaster is the harbour-master. Selfhelp is allowed."):
        assert unwrap(["The harbour-", "master shall"])[0] == "The harbourmaster shall"
        assert unwrap(["by self-", "help only"])[0] == "by selfhelp only"


@pytest.mark.parametrize(
    "page",
    [
        "The harbour-master holds the keys.\n\nEvery ship obeys the harbour-\nmaster and the light-\nhouse.\n",
        "<html><body><p>The harbour-master holds the keys.</p>"
        "<p>Every ship obeys the harbour-\nmaster and the light-\nhouse.</p></body></html>",
    ],
)
def test_every_reader_asks_the_words_of_its_document(page: str) -> None:
    document = parse(SourceFile("keys.html" if page.startswith("<") else "keys.txt", page.encode()))
    assert "obeys the harbour-master and the lighthouse." in document.text


def test_words_are_collected_in_linear_time() -> None:
    def make(number: int) -> Callable[[], object]:
        text = "a" * number * 20 + " harbour-master-" * number
        lines = ["harbour-", "master"] * number

        def work() -> str:
            with words_of(lambda: text):
                return unwrap(lines)[0]

        return work

    assert growth(make, 5000) < NEARLY_LINEAR
