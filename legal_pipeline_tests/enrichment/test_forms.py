"""Prefixes and questions by the forms of a language, word for word. Not here: their limits on any text (`test_extractive`)."""

from __future__ import annotations

from legal_pipeline.enrichment import forms
from legal_pipeline.enrichment.enricher import Passage

TITLE = "Lamps Act 2031"


def passage(text: str, header: str = "Section 8: Pay", *headings: str, path: str = "Section 8") -> Passage:
    return Passage("c", f"Lamps Act > {header}" if header else "Lamps Act", text, path, "statutory_text", headings)


def questions(made: Passage) -> tuple[str, ...]:
    return forms.questions(made, TITLE, "eng")


def test_a_prefix_names_the_two_headings_above_and_leaves_out_lines_that_repeat_them() -> None:
    made = passage(
        "Keepers of lights\nPay of keepers\nA keeper is paid each month by the Board. Row | of | a table here. Paid late. "
        "He may refuse to light a lamp that is unsafe.",
        "Section 8: Pay of all", "Lights", "Keepers of lights", "Pay of keepers",
    )  # fmt: skip
    assert forms.prefix(made, TITLE, "eng") == (
        "Section 8 of Lamps Act 2031, under Keepers of lights, Pay of keepers, Pay of all. It concerns the following: A keeper is "
        "paid each month by the Board. He may refuse to light a lamp that is unsafe."
    )


def test_a_prefix_without_headings_or_text_has_only_the_place() -> None:
    assert forms.prefix(passage("Two words", "Section 8"), TITLE, "eng") == "Section 8 of Lamps Act 2031."
    made = passage("The lamp burns.", "", path="md.chunk1")
    assert forms.prefix(made, TITLE, "eng") == "md.chunk1 of Lamps Act 2031. It concerns the following: The lamp burns."


def test_questions_take_one_from_each_cue_before_a_second_one_and_then_the_heading() -> None:
    made = passage(
        "(1) Every keeper shall record the hours of light in a log. (2) Any person who destroys the log shall be liable to a "
        "fine. (3) An appeal shall be lodged within thirty days.",
        "Section 7: Keepers", "Keepers of lights",
    )  # fmt: skip
    assert questions(made) == (
        "What is the punishment for any person who destroys the log?",
        "What is the time limit for keepers?",
        "Must every keeper record the hours of light in a log?",
        "Must an appeal be lodged within thirty days?",
        f"What does {TITLE} say about keepers?",
    )


def test_without_a_cue_the_heading_comes_first_and_then_the_first_sentence() -> None:
    text = "Lights\nA keeper is paid each month by the Board; the lamp of brass burns oil."
    assert questions(passage(text, "Section 8: PAY OF KEEPERS.", "Lights")) == (
        f"What does {TITLE} say about pay of keepers?",
        "Where is it stated that a keeper is paid each month by the Board; the lamp of brass burns oil?",
        f"What does Section 8 of {TITLE} provide?",
    )
    assert (
        questions(passage(text, "Section 8", "Lights of Cadiz"))[0] == f"What does {TITLE} say about lights of Cadiz?"
    )
    assert questions(passage(text, "Section 8: LNG lamps"))[0] == f"What does {TITLE} say about LNG lamps?"
    assert questions(passage(text, "Section 8: Cadiz Harbour"))[0] == f"What does {TITLE} say about Cadiz Harbour?"


def test_without_a_heading_the_first_sentence_comes_first() -> None:
    text = "The keeper is paid each month by the Board. The lamp of brass burns oil from Cadiz."
    assert questions(passage(text, "Section 8")) == (
        "Where is it stated that the keeper is paid each month by the Board?",
        f"What does Section 8 of {TITLE} provide?",
        "What is the rule in Section 8?",
    )
