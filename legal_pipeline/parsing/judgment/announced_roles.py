"""Assign each unit of a judgment to the part that was announced last, for languages that have no cues for single sentences.

A heading over facts and reasons ("Gründe", "Uzasadnienie") announces the facts first. A paragraph that begins as an argument is one.
The words are data (`[judgments]` of a language). Not here: scoring roles (`roles`).
"""

from __future__ import annotations

from collections.abc import Sequence

from legal_pipeline.parsing.judgment.phrases import Phrases, mark_alone, without_number
from legal_pipeline.parsing.judgment.units import Unit
from legal_pipeline.text.sentences import sentence_spans

#: Below reasons, a paragraph with more sentences than this that begins with an argument also has the answer to it.
_SENTENCES = 3
#: The mark of the second part behind that of the first.
_SECOND = {"I": "II", "A": "B"}


def assign_announced(units: Sequence[Unit], phrases: Phrases) -> None:
    """Set the role of every unit. Text above the first heading is reasoning, or the order if it begins as one."""
    first = next((unit for unit in units if not unit.heading), None)
    announced = "decision" if first is not None and phrases.begins(phrases.disposes, first.text) else "motivation"
    for unit in units:
        opened = None if unit.heading else phrases.opening_role(unit.text)
        announced = unit.announces or opened or announced
        unit.role = announced
    for unit in _facts(units, phrases):
        unit.role = "background"
    for unit in units:
        if not unit.heading and unit.role in ("background", "motivation") and _argues(unit, phrases):
            unit.role = "arguments"


def _facts(units: Sequence[Unit], phrases: Phrases) -> Sequence[Unit]:
    """Return the units between the heading of the reasons and the reasons themselves: the facts, unless a heading has announced them.

    The reasons begin at a further heading that announces them, else at the second of the parts ("B." behind "A."); without both, behind the
    first paragraphs that tell the facts.
    """
    at = next((at for at, unit in enumerate(units) if unit.heading and unit.announces == "motivation"), None)
    if at is None:
        return ()
    below = units[at + 1 :]
    told = next((place for place, unit in enumerate(below) if not phrases.begins(phrases.narrates, unit.text)), 0)
    if any(unit.announces == "background" for unit in units) or phrases.grounds.fullmatch(units[at].title) is None:
        return below[:told]
    reasons = next((place for place, unit in enumerate(below) if unit.announces == "motivation"), None)
    marks = [(place, mark) for place, unit in enumerate(below) if unit.heading and (mark := mark_alone(unit.text))]
    if reasons is None and marks:
        second = _SECOND.get(marks[0][1])
        reasons = next((place for place, mark in marks if mark == second), None)
    return [unit for unit in below[: told if reasons is None else reasons] if unit.role == "motivation"]


def _argues(unit: Unit, phrases: Phrases) -> bool:
    if not phrases.begins(phrases.argues, unit.text):
        return False
    return unit.role == "background" or len(list(sentence_spans(without_number(unit.text), "eng"))) <= _SENTENCES
