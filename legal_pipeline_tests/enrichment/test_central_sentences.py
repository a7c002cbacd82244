"""Which sentences of a text are its summary. Not here: summaries of an index (`test_raptor`)."""

from __future__ import annotations

import re

import pytest

from legal_pipeline.enrichment.centroid import central_sentences, first_words
from legal_pipeline.text.tokens import count_tokens

NEVER = re.compile("(?!)")
LAMP = "The keeper shall light the lamp of the harbour."
AGAIN = "The keeper shall light the lamp of the harbours."
FOG = "In fog the keeper shall sound a horn near the harbour."
OTHER = "Ministers publish yearly budgets about parliament."


def summary(*texts: str, tokens: int = 500, enumerator: re.Pattern[str] = NEVER) -> str:
    return central_sentences(texts, "eng", tokens, enumerator)


def test_sentences_that_fit_are_in_the_order_of_the_text() -> None:
    assert summary(f"{OTHER} {LAMP}", FOG) == f"{OTHER} {LAMP} {FOG}"


def test_of_sentences_that_do_not_fit_together_the_most_central_one_is_taken() -> None:
    room = count_tokens(LAMP) + 1
    assert summary(f"{OTHER} {LAMP} {FOG} {AGAIN}", tokens=room) in (LAMP, AGAIN)
    assert summary(f"{OTHER} {FOG} {LAMP} {LAMP}", tokens=room) == LAMP


def test_a_sentence_that_repeats_a_chosen_one_comes_after_one_that_says_something_else() -> None:
    room = count_tokens(LAMP) + count_tokens(FOG) + 2
    assert summary(f"{LAMP} {LAMP} {FOG}", tokens=room) == f"{LAMP} {FOG}"


@pytest.mark.parametrize(
    "fragment",
    ["Lamp | Height | Colour of its light.", "The lamp is lit.", "and by the light of the lamp.", "The lamps of the harbour are:"],
    ids=["row of a table", "four words", "end of a sentence", "announcement"],
)  # fmt: skip
def test_rows_of_tables_and_fragments_are_not_in_a_summary(fragment: str) -> None:
    assert summary(f"{LAMP}", fragment, FOG) == f"{LAMP} {FOG}"


def test_a_sentence_of_five_words_or_with_a_quotation_mark_at_its_end_is_one() -> None:
    assert summary("The lamp burns at night.", LAMP) == f"The lamp burns at night. {LAMP}"
    quoted = "He shall call the ship by the words “light the lamp.”"
    assert summary(quoted, LAMP) == f"{quoted} {LAMP}"


def test_fragments_are_taken_where_a_text_has_nothing_else() -> None:
    assert summary("and by the light of the lamp") == "and by the light of the lamp"
    assert summary("Lamps.\nLit at  dusk.") == "Lamps. Lit at dusk."


def test_numbers_of_provisions_are_removed() -> None:
    assert summary(f"1 § {LAMP}", enumerator=re.compile(r"\d+ § ")) == LAMP


def test_a_sentence_that_is_longer_than_the_room_is_cut_at_its_beginning() -> None:
    assert summary(f"{LAMP} {LAMP} {OTHER}", tokens=4) == "The keeper shall light"


@pytest.mark.parametrize(
    ("budget", "ending", "least", "expected"),
    [(3, "", 0, "lamp lamp lamp"), (3, " …", 0, "lamp lamp"), (0, "", 0, ""), (0, "", 1, "lamp"), (9, "", 0, "lamp lamp lamp lamp")],
)  # fmt: skip
def test_the_first_words_are_as_many_as_fit_with_what_ends_them(
    budget: int, ending: str, least: int, expected: str
) -> None:
    assert first_words("lamp lamp lamp lamp", budget, ending, least=least) == expected
