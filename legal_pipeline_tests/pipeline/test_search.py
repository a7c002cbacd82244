"""What a search over a pipeline's own stores shows: summaries, context, amending acts, and the JSON of it."""

from __future__ import annotations

import functools
import importlib.resources
import json
import shutil
from datetime import date
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from legal_pipeline.cli.app import app
from legal_pipeline.cli.hit_presentation import answer
from legal_pipeline.errors import NotFoundError
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.stages import canonical_documents
from legal_pipeline_tests.pipeline.conftest import Bench
from legal_pipeline_tests.pipeline.lighthouse_act import act

LAW = "se-sfs-2099-20"


@pytest.fixture
def lighthouses(bench: Bench) -> Bench:
    bench.write("fyr.txt", act(chapters=2))
    bench.ingest()
    assert bench.failures == {}
    return bench


def test_summaries_are_searched_beside_the_sections_and_can_be_left_out_or_asked_for(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    search = bench.pipeline.search
    summaries = search("tillsyn på fyrplatserna", filters=SearchFilters(strategies=("raptor",)))
    assert {hit.payload["raptor_level"] for hit in summaries} == {0, 1}
    assert len(summaries) == 7
    words = str(summaries[0].payload["chunk_text"])
    # hits alone: passages put what is summed up before it
    assert summaries[0].chunk_id in {hit.chunk_id for hit in search(words, limit=3, passage_tokens=0)}
    sections = search(words, limit=60, filters=SearchFilters(chunk_types=("statutory_text",)))
    assert {hit.payload["chunk_type"] for hit in sections} == {"statutory_text"}
    first, *_ = search("SFS 2099:20")
    assert (first.payload["chunk_type"], first.payload["raptor_level"]) == ("raptor_summary", 0)


def test_the_context_is_the_text_of_the_section_chapter_or_act_around_the_hit(lighthouses: Bench) -> None:
    document = canonical_documents.load(Batch([LAW], lighthouses.pipeline.resources), LAW)
    texts = {}
    for level in ("section", "chapter", "act"):
        (hit,) = lighthouses.pipeline.search("2 kap. 4 § SFS 2099:20", limit=1, context=level)
        assert hit.path == "kap2.§4"
        found = hit.context
        assert found is not None
        assert (found.level, found.text) == (level, document.text[found.start_char : found.end_char])
        texts[level] = found
    assert texts["section"].text in texts["chapter"].text
    assert texts["chapter"].text in texts["act"].text or texts["act"].truncated
    assert "2 kap." in texts["chapter"].citation
    assert texts["act"].citation.endswith("(2099:20) om fyrar") or "(2099:20)" in texts["act"].citation


def test_a_hit_of_a_text_that_changed_since_has_no_context(lighthouses: Bench) -> None:
    lighthouses.write(
        "fyr.txt",
        act(chapters=2, changes={(1, 1): "Ny lydelse av den första paragrafen, längre än den gamla var någon gång."}),
    )
    found = lighthouses.register()
    list(lighthouses.pipeline.run([*found.to_run], [("raw_documents",), ("canonical_documents",)]))
    (hit,) = lighthouses.pipeline.search("2 kap. 5 § SFS 2099:20", limit=1, context="section")
    assert hit.context is None


def test_an_act_of_the_registry_is_shown_with_the_provision_that_names_it(lighthouses: Bench) -> None:
    lighthouses.pipeline.registry.record_amendment(
        AmendingAct("SFS 2100:1", "Lag om ändring i fyrlagen", "SFS 2099:20", "…", date(2100, 7, 1))
    )
    (hit,) = lighthouses.pipeline.search("2 kap. 4 § SFS 2099:20", limit=1)
    assert hit.amendments is None
    (hit,) = lighthouses.pipeline.search("2 kap. 4 § SFS 2099:20", limit=1, amendments=True)
    assert hit.amendments == ()  # nothing says that it touches this section
    (summary,) = lighthouses.pipeline.search("SFS 2099:20", limit=1, amendments=True)
    assert summary.amendments is not None
    assert [one.number for one in summary.amendments] == ["SFS 2100:1"]


@pytest.mark.corpus
def test_the_acts_that_amended_a_section_of_the_work_environment_act(bench: Bench, corpus: Path) -> None:
    for name in (
        "SFS2023-349.pdftext.txt",
        "SFS2022-1109.pdftext.txt",
        "SFS2003-365.pdftext.txt",
        "SFS2000-764.pdftext.txt",
    ):
        shutil.copy(corpus / "se/amendment_pdfs" / name, bench.folder)
    shutil.copy(corpus / "se/rkrattsbaser_html/sfs-1977-1160.tom-2023-349.html", bench.folder)
    bench.ingest()
    assert bench.failures == {}
    (hit,) = bench.pipeline.search("9 kap. 2 § AML", limit=1, amendments=True)
    assert hit.citation == "9 kap. 2 § arbetsmiljölagen (1977:1160)"
    assert hit.amendments is not None
    assert [(one.number, one.in_force_date) for one in hit.amendments[:2]] == [
        ("SFS 2000:764", "2001-01-01"),
        ("SFS 2022:1109", "2022-07-25"),
    ]
    assert "7 kap. 15 §" in hit.amendments[1].provisions
    (other,) = bench.pipeline.search("6 kap. 17 § arbetsmiljölagen", limit=1, amendments=True)
    assert [one.number for one in other.amendments or ()] == ["SFS 2023:349"]


def test_the_json_of_a_search_fits_its_schema(lighthouses: Bench) -> None:
    schema = json.loads(
        importlib.resources.files("legal_pipeline.retrieval").joinpath("search.schema.json").read_text("utf-8")
    )
    query = "2 kap. 4 § SFS 2099:20 fyrvakt"
    hits = lighthouses.pipeline.search(query, amendments=True, context="chapter", passage_tokens=0)
    assert len(hits) == 10
    passages = lighthouses.pipeline.search(query)
    assert any(hit.neighbours for hit in passages)
    for shown in (answer("fyrvakt", hits), answer("fyrvakt", passages), answer("fyrvakt", [], date(2099, 1, 1))):
        jsonschema.validate(json.loads(json.dumps(shown, default=str)), schema)


def test_a_near_duplicate_of_another_act_stands_under_its_hit(lighthouses: Bench) -> None:
    lighthouses.write(
        "kopia.txt", act(chapters=2).replace("2099:20", "2099:21").replace("fyrplatser", "fyrplatser i norr")
    )
    lighthouses.ingest()
    search = functools.partial(
        lighthouses.pipeline.search,
        "släcka lyktan i frågor om tillsyn",
        limit=5,
        filters={"strategy": "paragraf"},
        passage_tokens=0,
    )
    folded = search()
    assert any(hit.duplicates for hit in folded)
    for hit in folded:
        assert all(one.document_id != hit.document_id for one in hit.duplicates)
    assert len({(hit.document_id, hit.path) for hit in folded}) == 5
    assert all(not hit.duplicates for hit in search(fold_duplicates=False))


def test_a_new_address_of_the_source_is_in_the_hits_and_writes_no_point(lighthouses: Bench) -> None:
    address = "https://laws.example/2099/20"
    lighthouses.write("fyr.txt.meta.json", json.dumps({"source_url": address}))
    lighthouses.ingest()
    assert lighthouses.points_written == 0
    (hit,) = lighthouses.pipeline.search("2 kap. 4 § SFS 2099:20", limit=1)
    assert hit.source_url == address


def test_an_unknown_document_is_an_error_and_no_empty_answer(
    lighthouses: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = lighthouses.pipeline.resources.settings
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(chosen.home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", chosen.database_url_text)
    found = CliRunner().invoke(app, ["search", "fyrplatser", "--document", "se-sfs-2099-21"])
    assert isinstance(found.exception, NotFoundError), found.output
    assert "no document of this id is indexed" in str(found.exception)
    known = CliRunner().invoke(app, ["search", "fyrplatser", "--document", LAW, "--json"])
    assert known.exit_code == 0
    assert json.loads(known.stdout)["hits"]
