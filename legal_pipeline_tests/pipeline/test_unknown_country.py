"""An Act of a country that nobody knew is `xx-…`; known, it is under its own id, and the old one is an alias of that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from legal_pipeline.cli.state_presentation import print_status
from legal_pipeline.jurisdictions import jurisdiction as known
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.listing import unknown_courts
from legal_pipeline.renaming import begin_renamings
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.stages import canonical_documents
from legal_pipeline_tests.pipeline.conftest import Bench

ACT = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act"><meta><identification source="#x">
<FRBRWork><FRBRuri value="https://law.example/statute/2001/7"/><FRBRalias name="title" value="Canal Act"/></FRBRWork>
<FRBRExpression><FRBRuri value="https://law.example/statute/2001/7/eng"/>
<FRBRlanguage language="eng"/></FRBRExpression></identification></meta>
<body><section eId="sec_1"><num>1.</num><heading>Tolls</heading><content><p>A barge pays the keeper of the lock.</p></content></section>
<section eId="sec_2"><num>2.</num><heading>Lamps</heading><content><p>The keeper lights the lamp at dusk.</p></content></section></body>
</act></akomaNtoso>"""
COUNTRY = """languages = ["fra", "eng"]

[[identifiers]]
uri = '^https://law\\.example/statute/(?P<year>\\d{4})/(?P<number>\\d+)(?:/(?P<language>[a-z]{3}))?'
work = "act/{year}/{number}"
"""


@pytest.fixture
def countries_as_before() -> Iterator[None]:
    """What a test adds to the countries is gone after it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(known, "_FOLDERS", list(known._FOLDERS))
        yield
    known.forget()


JUDGMENT = """IN THE HIGH COURT OF ATLANTIS

CASE NO. {number} OF 2013

BETWEEN
ANNA KEEPER
Applicant
AND
HARBOUR BOARD
Respondent

JUDGMENT

Delivered 12 May 2013

1. This is an application for review of the decision of the Board about the lamp.

2. The applicant kept the lamp for twenty years and the Board ended her office.

3. The application is allowed with costs.
"""


def test_status_names_the_courts_of_judgments_whose_country_is_not_known(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (7, 8, 9):
        bench.write(f"{number}.txt", JUDGMENT.format(number=number))
    bench.write("9.txt.meta.json", json.dumps({"jurisdiction": "ke"}))
    bench.ingest()
    registry = bench.pipeline.registry
    assert bench.failures == {}
    found = unknown_courts(registry.database)
    assert found == {"HIGH COURT OF ATLANTIS": 2}
    print_status(registry.counts(), [], [], [], [], False, {}, unknown_courts=found)
    told = "2 judgments of courts whose country is not known: HIGH COURT OF ATLANTIS (2). State it in a sidecar file"
    assert told in capsys.readouterr().out
    (bench.folder / "7.txt").unlink()
    bench.ingest()
    bench.ingest()
    assert unknown_courts(registry.database) == {"HIGH COURT OF ATLANTIS": 1}


@pytest.mark.usefixtures("countries_as_before")
def test_the_id_of_before_is_an_alias_once_the_country_is_known(bench: Bench, tmp_path: Path) -> None:
    bench.write("canal.xml", ACT)
    bench.ingest()
    assert bench.failures == {}
    (before,) = bench.pipeline.registry.documents()
    assert before.document_id == "xx-act-canal"

    (tmp_path / "countries" / "qq").mkdir(parents=True)
    (tmp_path / "countries" / "qq" / "jurisdiction.toml").write_text(COUNTRY, "utf-8")
    known.add_folder(tmp_path / "countries")
    made_by_another_release(bench, before.document_id)
    assert begin_renamings(bench.pipeline.resources) == {before.document_id: "qq-act-2001-7-eng"}
    bench.embedder.texts.clear()
    bench.events = list(bench.pipeline.run(list(bench.pipeline.registry.aliases.unfinished())))
    assert bench.failures == {}

    (after,) = bench.pipeline.registry.documents()
    assert (after.document_id, after.work_uri) == ("qq-act-2001-7-eng", "/akn/qq/act/2001/7")
    hits = bench.pipeline.search("keeper lamp", filters={"document_id": before.document_id})
    assert {hit.document_id for hit in hits} == {"qq-act-2001-7-eng"}


def made_by_another_release(bench: Bench, document_id: str) -> None:
    warehouse, batch = bench.pipeline.warehouse, Batch([], bench.pipeline.resources)
    text = warehouse.read_json(canonical_documents.KEY, document_id)
    assert json.loads(text)
    stamp = replace(batch.input_stamp(canonical_documents.KEY, document_id), input_hash="an earlier parser")
    warehouse.write_json(canonical_documents.KEY, document_id, text, stamp.dumps())


def test_the_law_of_a_part_of_a_country_is_found_by_the_country_and_by_the_part(bench: Bench) -> None:
    act = "---\ntitle: Ordenanza de faros\nidentifier: 7-2031\ncountry: pe\njurisdiction: pe-ama\n---\n\n# Ordenanza de faros\n\n"
    articles = "\n\n".join(f"## Artículo {number}\n\nEl guarda enciende el faro {number}." for number in range(1, 5))
    bench.write("faros.md", act + articles)
    bench.ingest()
    assert bench.failures == {}
    for code, is_found in (("pe", True), ("pe-ama", True), ("pe-lim", False)):
        hits = bench.pipeline.search("guarda faro", filters=SearchFilters(jurisdictions=(code,)))
        assert {hit.document_id for hit in hits} == ({"pe-ama-7-2031"} if is_found else set()), code
    (cited,) = (hit for hit in bench.pipeline.search("artículo 3 ordenanza de faros") if hit.score_parts["citation"])
    assert (cited.payload["eid"], cited.citation) == ("art_3", "artículo 3 Ordenanza de faros")
