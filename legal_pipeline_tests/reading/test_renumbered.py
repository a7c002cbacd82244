"""A provision on a day before others were inserted above it: the number that it had then is that of another one now."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.sources.directory import DirectorySource

ACT = "se-sfs-2099-41"
_TOWERS = "Tornet ska målas rött och vitt av fyrvaktaren varje vår före öppningen av hamnen."
_OIL = "Oljan ska köpas av hamnbolaget på hösten och förvaras i ett torrt och låst magasin."
_BEES = "Bikupor får inte ställas på bryggan eller närmare än tio meter från fyren och dess trädgård."


@pytest.fixture
def renumbered(pipeline: Pipeline, folder: Path) -> LawReader:
    for day, texts in (("2020-01-01", (_TOWERS, _OIL)), ("2021-01-01", (_BEES, _TOWERS, _OIL))):
        sections = "\n\n".join(f"{number} § {text}" for number, text in enumerate(("Fyren ska lysa.", *texts), 1))
        (folder / "fyr.txt").write_text(f"Lag (2099:41) om fyrar\n\n{sections}\n", "utf-8")
        (folder / "fyr.txt.meta.json").write_text(json.dumps({"as_of_date": day}), "utf-8")
        list(pipeline.run(register(DirectorySource(folder), pipeline.registry, grace=timedelta()).to_run))
    return LawReader(pipeline)


@pytest.mark.parametrize(("section", "before", "now"), [("2", _TOWERS, _BEES), ("3", _OIL, _TOWERS)])
def test_the_number_of_a_day_names_the_provision_that_had_it_then(
    renumbered: LawReader, section: str, before: str, now: str
) -> None:
    assert before in renumbered.provision(f"{ACT}~sec_{section}", as_of=date(2020, 6, 1)).text
    assert now in renumbered.provision(f"{ACT}~sec_{section}").text
