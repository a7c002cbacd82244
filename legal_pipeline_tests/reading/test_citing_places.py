"""Documents of one index that cite each other by the title of an Act, or by the number that only its sidecar states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline_tests.indexed_laws import run

_ACT, _LONGER, _GERMAN, _SWEDISH = "gb-2039-c-41", "gb-2039-c-42", "doc-lampg", "se-2099-41"


@pytest.fixture
def reader(pipeline: Pipeline, folder: Path) -> LawReader:
    def write(name: str, text: str, **sidecar: object) -> None:
        (folder / name).write_text(text, "utf-8")
        (folder / f"{name}.meta.json").write_text(json.dumps(sidecar), "utf-8")

    english = "".join(f"\n\n{number} A keeper must light lamp {number}." for number in range(1, 5))
    write("act.txt", f"Lights Act 2039{english}\n", number="2039 c. 41", jurisdiction="gb", doc_type="act")
    write("longer.txt", f"Harbour Lights Act 2039{english}\n", number="2039 c. 42", jurisdiction="gb", doc_type="act")
    german = "".join(f"\n\n§ {number} Der Wärter muss Lampe {number} anzünden." for number in range(1, 5))
    write("lampg.txt", f"Gesetz über Lampen (Lampengesetz - LampG){german}\n", jurisdiction="de", doc_type="act")
    swedish = "".join(f"\n\n## {number} §\n\nVaktaren ska tända lampa {number}." for number in range(1, 4))
    write("lag.md", f"# Lag (2099:41) om lyktor{swedish}\n", number="2099:41", jurisdiction="se", doc_type="act")
    write("advice.md", "# Advice\n\nBy section 3 of the Lights Act 2039 it must burn.\n", jurisdiction="gb")
    write("brief.md", "# Brief\n\nNach § 2 LampG muss sie brennen.\n", jurisdiction="de")
    write("yttrande.md", "# Yttrande\n\nEnligt 2 § lagen (2099:41) om lyktor ska den brinna.\n", jurisdiction="se")
    write(
        "secret.md",
        "# Secret\n\nSee section 3 of the Lights Act 2039.\n",
        jurisdiction="gb",
        metadata={"audience": "a"},
    )
    run(pipeline, folder)
    return LawReader(pipeline)


def test_a_title_or_a_stated_number_leads_to_the_act_and_back(reader: LawReader) -> None:
    others = Viewer(frozenset(), may_read_withheld=False)
    for citing, cited in (
        ("doc-advice", f"{_ACT}~sec_3"),
        ("doc-brief", f"{_GERMAN}~sec_2"),
        ("doc-yttrande", f"{_SWEDISH}~sec_2"),
    ):
        (found,) = reader.cites(citing, viewer=others).citations
        assert found.provision is not None, found.reason
        assert found.provision.id == cited
        for id in (cited, cited.partition("~")[0]):
            places = [each for each in reader.cited_by(id, viewer=others).places if each.document_id != _SWEDISH]
            assert [(place.document_id, place.raw, place.target) for place in places] == [(citing, found.raw, cited)]
    assert reader.cited_by(f"{_ACT}~sec_4").places == []
    assert {place.document_id for place in reader.cited_by(_ACT).places} == {"doc-advice", "doc-secret"}


def test_a_title_within_a_longer_title_is_another_act(reader: LawReader) -> None:
    assert reader.cited_by(_LONGER).places == []
