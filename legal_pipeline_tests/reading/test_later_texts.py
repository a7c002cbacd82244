"""Readers of a document whose source already has the text of a later day. Not here: which text is current (`test_expression_conflicts`)."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from legal_pipeline.adapters.passages import passage_of
from legal_pipeline.cli.hit_presentation import print_hits
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.sources.directory import DirectorySource

_ACT = "se-sfs-2099-40"
_TEXT = "Lag (2099:40) om bojar\n\n1 § Bojen ska {verb}.\n"


def test_every_answer_says_that_a_later_text_is_known(
    pipeline: Pipeline, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for day, verb in (("2020-01-01", "målas"), ("2999-01-01", "skrapas")):
        (folder / f"{day}.txt").write_text(_TEXT.format(verb=verb), "utf-8")
        (folder / f"{day}.txt.meta.json").write_text(json.dumps({"document_id": _ACT, "as_of_date": day}), "utf-8")
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    list(pipeline.run(found.to_run))
    reader, id = LawReader(pipeline), f"{_ACT}~sec_1"
    days = (date(2999, 1, 1), date(2999, 1, 2))
    after = reader.provision(id, as_of=days[1])
    (hit,) = reader.search("bojen målas").hits
    answers = (
        reader.document(_ACT),
        reader.versions(id),
        reader.outline(_ACT),
        reader.text(_ACT, as_of=days[1]),
        reader.document_diff(_ACT, *days),
        after,
        hit,
    )
    assert [answer.origin.later_text_from for answer in answers] == ["2999-01-01"] * len(answers)
    assert after.text == "1 § Bojen ska målas."
    assert passage_of(hit).metadata["later_text_from"] == "2999-01-01"
    print_hits("bojen", pipeline.search("bojen målas"), as_json=False)
    assert "a text of 2999-01-01 is known and not law yet" in capsys.readouterr().out
    (folder / "2999-01-01.txt").unlink()
    (folder / "2999-01-01.txt.meta.json").unlink()
    register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    assert reader.document(_ACT).origin.later_text_from is None
