"""When amending acts took effect: which statement counts, and from when wordings without a mark were law.

Not here: the intervals that follow from it (`legal_pipeline_tests/model/test_versions.py`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.acts_in_force import acts_in_force, original_since, reprinted_by
from legal_pipeline.registry.registry import AmendingAct

MARKED = "1 § Bojen ska vara röd. Lag (2031:7).\n\n2 § Bojen ska vara tänd."
TRANSITIONAL = "\n\nÖvergångsbestämmelser\n\n2031:7\n\nDenna lag träder i kraft den 1 juli 2031.\n"


def law(text: str = MARKED, **metadata: Any) -> Document:
    document = parse(SourceFile("bojar.txt", f"Lag (2030:1) om bojar\n\n{text}\n".encode()), "sfst_text")
    return replace(document, metadata={**document.metadata, **metadata})


def registered(day: str) -> dict[str, Any]:
    return {"amending_acts": [{"number": "SFS 2031:7", "in_force": day}]}


def test_the_register_comes_before_the_act_itself_and_that_before_the_transitional_provisions() -> None:
    own = AmendingAct("SFS 2031:7", "Lag om ändring", "SFS 2030:1", "", date(2031, 8, 1))
    undated = replace(own, document_number="SFS 2031:8", in_force_date=None)
    text = MARKED + TRANSITIONAL
    assert acts_in_force([law(text)]) == {"SFS 2031:7": "2031-07-01"}
    assert acts_in_force([law(text)], [own, undated]) == {"SFS 2031:7": "2031-08-01"}
    assert acts_in_force([law(text, **registered("2031-09-01"))], [own]) == {"SFS 2031:7": "2031-09-01"}


def test_a_register_that_names_a_condition_and_no_day_dates_nothing() -> None:
    assert acts_in_force([law(**registered("den dag som regeringen bestämmer"))]) == {}


def test_wordings_without_a_mark_are_law_since_the_act_where_marks_are_made_and_the_act_was_not_reprinted() -> None:
    since = {"in_force": "2030-07-01"}
    assert original_since(law(**since)) == "2030-07-01"
    assert original_since(law("1 § Bojen ska vara röd.", **since)) is None, "its publisher marks nothing"
    assert original_since(law(**since, reprint="SFS 2040:3")) is None
    assert original_since(law(in_force="den dag som regeringen bestämmer")) is None


def test_a_reprint_dates_the_wordings_without_a_mark_by_its_act_or_by_the_end_of_its_year() -> None:
    reprinted = law(reprint="SFS 2040:3")
    assert reprinted_by(reprinted, {"SFS 2040:3": "2040-05-01"}) == "2040-05-01"
    assert reprinted_by(reprinted, {}) == "2041-01-01"
    assert reprinted_by(law(), {}) is None
    assert reprinted_by(law("1 § Bojen ska vara röd.", reprint="SFS 2040:3"), {}) is None
