"""The law of a day: superseded wordings stay searchable for the days on which they were law, in every store.

Not here: how intervals are derived from expressions (`legal_pipeline_tests/model/test_versions.py`).
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legal_pipeline.cli.app import app
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.settings import Settings
from legal_pipeline.stages import (
    canonical_documents,
    chunk_embeddings,
    chunks,
    provision_versions,
    qdrant_chunks,
    superseded_chunks,
)
from legal_pipeline.views.explanation import explain
from legal_pipeline.views.hit_details import with_context
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.counting import CountingEmbedder, CountingEnricher
from legal_pipeline_tests.pipeline.conftest import Bench, Law
from legal_pipeline_tests.replay import AML, history

VAKEN, TAND, LJUD = "En fyrvakt ska vara vaken.", "Fyren ska tändas i skymningen.", "Vid dimma ska mistluren ljuda."
TRE = "Vid dimma ska mistluren ljuda tre gånger."
FYRA = "Vid dimma ska mistluren ljuda fyra gånger."
LAW = "se-sfs-2099-10"

Open = Callable[..., Bench]


@pytest.fixture
def opened(settings: Settings, tmp_path: Path) -> Iterator[Open]:
    """`opened(history=True, …)`: a pipeline with a model that is quick and vectors that nobody looks at."""
    with ExitStack() as stack:

        def open(**changes: object) -> Bench:
            chosen = settings.model_copy(update={"history": True, **changes})
            folder = tmp_path / "laws"
            folder.mkdir(exist_ok=True)
            embedder, enricher = CountingEmbedder(ByWords()), CountingEnricher()
            plain = stack.enter_context(Pipeline.open(chosen)).resources
            resources = replace(plain, make_embedder=lambda _: embedder, make_enricher=lambda *_: enricher)
            pipeline = stack.enter_context(Pipeline(resources, Database.open(chosen)))
            return Bench(pipeline, folder, embedder, enricher)

        yield open


def put(bench: Bench, law: Law, day: str, *texts: str) -> None:
    """The law as it reads from `day` on, run."""
    bench.write("fyr.txt", law("2099:10", *texts))
    bench.ingest(as_of_date=day)
    assert bench.failures == {}


def on(bench: Bench, day: str, query: str) -> list[Hit]:
    return bench.pipeline.search(query, filters=SearchFilters(as_of=datetime.date.fromisoformat(day)))


def wordings(hits: list[Hit], section: str) -> set[str]:
    """The texts of the hits that are of this §, without its number."""
    found = [hit.payload for hit in hits if hit.payload.get("eid") == f"sec_{section}"]
    return {str(payload["chunk_text"]).partition("§ ")[2] for payload in found}


def interval(hit: Hit) -> tuple[str | None, str | None, str | None]:
    payload = hit.payload
    return payload.get("valid_from"), payload.get("valid_to"), payload.get("valid_from_basis")


STORES = ("qdrant", "pgvector")


@pytest.mark.parametrize("stores", STORES)
def test_a_day_has_the_wording_that_held_on_it(opened: Open, law: Law, stores: str) -> None:
    bench = opened(stores=stores)
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, TRE)
    put(bench, law, "2020-06-01", VAKEN, TAND, FYRA)
    query = "3 § mistluren"
    assert [wordings(on(bench, day, query), "3") for day in ("2001-01-01", "2010-05-31", "2010-06-01", "2025-01-01")] == [
        {LJUD}, {LJUD}, {TRE}, {FYRA},
    ]  # fmt: skip
    (first, *_) = on(bench, "2015-01-01", query)
    assert interval(first) == ("2010-06-01", "2020-06-01", None)
    assert wordings(bench.pipeline.search(query), "3") == {FYRA}


def test_the_law_of_a_day_is_searched_in_a_default_installation(
    bench: Bench, law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is set but where the files are; `bench` has the model of the command."""
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, TRE)
    chosen = bench.pipeline.resources.settings
    monkeypatch.setenv("LEGAL_PIPELINE_HOME", str(chosen.home))
    monkeypatch.setenv("LEGAL_PIPELINE_DATABASE_URL", chosen.database_url_text)
    found = CliRunner().invoke(app, ["search", "3 § mistluren", "--as-of", "2005-01-01", "--json"])
    assert found.exit_code == 0, found.output
    first, *_ = json.loads(found.stdout)["hits"]
    assert first["payload"]["chunk_text"].endswith(LJUD)


@pytest.mark.parametrize("stores", STORES)
def test_before_the_oldest_text_nothing_is_known(opened: Open, law: Law, stores: str) -> None:
    bench = opened(stores=stores)
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, TRE)
    assert on(bench, "2000-12-31", "mistluren") == []
    (kept, *_) = on(bench, "2005-01-01", "1 § vaken")
    assert interval(kept) == ("2001-01-01", None, superseded_chunks.ATTESTED)


def test_a_wording_that_returns_has_two_intervals(opened: Open, law: Law) -> None:
    bench = opened()
    for day, text in (("2001-01-01", LJUD), ("2010-01-01", TRE), ("2020-01-01", LJUD)):
        put(bench, law, day, VAKEN, TAND, text)
    found = {day: [hit for hit in on(bench, day, "3 § mistluren") if hit.payload["eid"] == "sec_3"] for day in (
        "2005-01-01", "2015-01-01", "2025-01-01",
    )}  # fmt: skip
    assert {day: [interval(hit)[:2] for hit in hits] for day, hits in found.items()} == {
        "2005-01-01": [("2001-01-01", "2010-01-01")],
        "2015-01-01": [("2010-01-01", "2020-01-01")],
        "2025-01-01": [("2020-01-01", None)],
    }
    assert len(expressions.index(Batch([LAW], bench.pipeline.resources), LAW)) == 3


def test_a_wording_replaced_on_its_first_day_was_law_on_no_day(opened: Open, law: Law) -> None:
    bench = opened()
    for day, text in (("2001-01-01", LJUD), ("2010-01-01", TRE), ("2010-01-01", FYRA)):
        put(bench, law, day, VAKEN, TAND, text)
    rows = superseded_chunks.load(Batch([LAW], bench.pipeline.resources), LAW)
    assert [(row["chunk_text"].partition("§ ")[2], row["valid_from"], row["valid_to"]) for row in rows] == [
        (LJUD, "2001-01-01", "2010-01-01")
    ]


def test_a_wording_that_was_law_twice_has_a_row_for_each_time(opened: Open, law: Law) -> None:
    bench = opened()
    texts = {"2001-01-01": LJUD, "2010-01-01": TRE, "2015-01-01": LJUD, "2020-01-01": FYRA}
    for day, text in texts.items():
        put(bench, law, day, VAKEN, TAND, text)
    rows = superseded_chunks.load(Batch([LAW], bench.pipeline.resources), LAW)
    assert len({row["chunk_id"] for row in rows}) == 3
    for day, text in texts.items():
        assert wordings(on(bench, day, "mistluren"), "3") == {text}


def test_a_chunk_of_several_sections_is_law_between_the_changes_of_any_of_them(opened: Open, law: Law) -> None:
    bench = opened(forced_strategy="sliding_window")
    texts = {
        "2001-01-01": (VAKEN, LJUD), "2010-06-01": (TAND, LJUD), "2020-06-01": (TAND, TRE), "2024-06-01": (VAKEN, TRE),
    }  # fmt: skip
    for day, sections in texts.items():
        put(bench, law, day, *sections)
    days = [*texts, None]
    for number, (day, sections) in enumerate(texts.items()):
        (hit,) = on(bench, day, "mistluren")
        assert hit.payload["chunk_text"] == "1 § {}\n\n2 § {}".format(*sections)
        assert interval(hit)[:2] == (day, days[number + 1])


def test_what_is_superseded_is_embedded_once_in_its_life(opened: Open, law: Law) -> None:
    bench = opened(enrich="none")
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    assert [text.rsplit("§ ")[-1] for text in bench.embedder.texts] == [TRE]


def test_history_turned_on_late_is_that_of_one_kept_from_the_start(opened: Open, law: Law) -> None:
    bench = opened(history=False)
    for day, text in (("2001-01-01", LJUD), ("2010-01-01", TRE), ("2020-01-01", FYRA)):
        put(bench, law, day, VAKEN, TAND, text)
    assert wordings(on(bench, "2005-01-01", "mistluren"), "3") == {FYRA}, "nothing else is kept in the store"
    late = opened()
    late.ingest()
    assert late.failures == {}
    assert wordings(on(late, "2005-01-01", "mistluren"), "3") == {LJUD}
    rows = superseded_chunks.load(Batch([LAW], late.pipeline.resources), LAW)
    assert [(row["valid_from"], row["valid_to"]) for row in rows] == [
        ("2001-01-01", "2010-01-01"),
        ("2010-01-01", "2020-01-01"),
    ]
    again = opened()
    again.ingest()
    assert again.embedder.texts == []
    assert all(event.reused for event in again.events)  # type: ignore[union-attr]


def test_history_turned_off_leaves_the_stores(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    store = bench.pipeline.resources.store
    kept = store.count(qdrant_chunks.COLLECTION, LAW)
    off = opened(history=False)
    off.ingest()
    assert off.pipeline.resources.store.count(qdrant_chunks.COLLECTION, LAW) == kept - 1
    batch = Batch([LAW], off.pipeline.resources)
    assert len(expressions.index(batch, LAW)) == 2, "the expressions themselves stay"
    assert qdrant_chunks.expected_points(batch, LAW) == kept - 1


def test_the_counts_of_table_and_store_agree(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    batch = Batch([LAW], bench.pipeline.resources)
    for store in (bench.pipeline.resources.store, bench.pipeline.resources.pgvector):
        assert store.count(qdrant_chunks.COLLECTION, LAW) == qdrant_chunks.expected_points(batch, LAW)
    assert len(chunk_embeddings.rows(batch, LAW)) == qdrant_chunks.expected_points(batch, LAW)


def test_a_source_that_moves_its_date_alone_makes_no_expression(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2011-01-01", VAKEN, TAND, LJUD)
    assert bench.embedder.texts == []
    assert bench.done("canonical_documents")[LAW].metadata["changes"] == "ingen ändring"
    assert [one.as_of_date for one in expressions.index(Batch([LAW], bench.pipeline.resources), LAW)] == ["2001-01-01"]


def test_every_expression_can_be_read_under_its_content_hash(opened: Open, law: Law) -> None:
    bench = opened(history=False)
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    batch = Batch([LAW], bench.pipeline.resources)
    known = expressions.index(batch, LAW)
    texts = [expressions.load(batch, LAW, one.expression).text for one in known]
    assert [text.split("§ ")[-1] for text in texts] == [LJUD, TRE]
    assert known[1].changes == "3 § ändrad"
    assert [name for name, _ in known[1].source_items] == ["fyr.txt"]


def test_a_text_that_a_later_parser_reads_otherwise_keeps_the_day_and_the_changes_of_its_law(
    opened: Open, law: Law
) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    batch = Batch([LAW], bench.pipeline.resources)
    (first, last), document = expressions.index(batch, LAW), canonical_documents.load(batch, LAW)
    last = replace(last, first_seen="2011-02-03")  # as if a run of that day had made it
    batch.warehouse.write(LAW, expressions.index_content(LAW, [first, last]))
    text = batch.warehouse.read(canonical_documents.KEY, LAW, "json")
    expressions.record(batch, document, "read anew", text, last.source_items, "every § ändrad")
    assert expressions.index(batch, LAW) == [first, replace(last, expression="read anew")]


def test_an_archived_expression_keeps_its_tables_although_history_is_turned_off(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", VAKEN, TAND, TRE)
    resources = bench.pipeline.resources
    batch = Batch([LAW], replace(resources, settings=resources.settings.model_copy(update={"history": False})))
    first, last = expressions.index(batch, LAW)
    kept = {
        name: [content.asset for content in expressions.archive(batch, LAW, version, name=name)]
        for name, version in (("first", first.expression), ("last", last.expression))
    }
    assert kept["last"] == [expressions.archived("last")]
    assert expressions.archived("first", *chunks.KEY) in kept["first"]


def test_versions_derived_step_by_step_are_those_derived_at_once(opened: Open, law: Law) -> None:
    bench = opened()
    for day, text in (("2001-01-01", LJUD), ("2010-01-01", TRE), ("2020-01-01", LJUD)):
        put(bench, law, day, VAKEN, TAND, text)
    warehouse = bench.pipeline.warehouse
    steps = warehouse.read_table(provision_versions.KEY, LAW).to_pylist()
    warehouse.delete(provision_versions.KEY, LAW)
    warehouse.delete(provision_versions.KEY, LAW, "json")
    bench.ingest()
    assert warehouse.read_table(provision_versions.KEY, LAW).to_pylist() == steps
    assert len(steps) == 5


def test_a_document_without_an_index_of_its_expressions_gets_one_with_its_present_text(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    batch = Batch([LAW], bench.pipeline.resources)
    (known,) = expressions.index(batch, LAW)
    bench.pipeline.warehouse.delete(expressions.KEY, LAW)
    assert expressions.index(batch, LAW) == []
    bench.ingest()
    assert bench.failures == {}
    (made,) = expressions.index(batch, LAW)
    assert (made.expression, made.as_of_date) == (known.expression, known.as_of_date)


def test_an_amending_act_that_arrives_later_dates_the_wording(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, f"{TRE} Lag (2010:4).")
    act = AmendingAct("SFS 2010:4", "Lag om ändring", "SFS 2099:10", TRE, datetime.date(2010, 2, 1))
    bench.pipeline.registry.record_amendment(act)
    bench.ingest()
    rows = bench.pipeline.warehouse.read_table(provision_versions.KEY, LAW).to_pylist()
    assert [(row["valid_from"], row["valid_to"]) for row in rows if row["eid"] == "sec_3"] == [
        (None, "2010-02-01"),
        ("2010-02-01", None),
    ]
    assert wordings(on(bench, "2010-03-01", "3 § mistluren"), "3") == {TRE}


def test_the_date_of_a_repeal_that_arrives_later_ends_the_wording(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, "Har upphävts genom lag (2010:4).")
    act = AmendingAct("SFS 2010:4", "Lag om ändring", "SFS 2099:10", LJUD, datetime.date(2010, 2, 1))
    bench.pipeline.registry.record_amendment(act)
    bench.ingest()
    rows = bench.pipeline.warehouse.read_table(provision_versions.KEY, LAW).to_pylist()
    assert [(row["valid_from"], row["valid_to"]) for row in rows if row["eid"] == "sec_3"] == [(None, "2010-02-01")]


def test_a_date_that_arrives_later_is_published_by_a_run_that_makes_no_vectors(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-06-01", VAKEN, TAND, f"{TRE} Lag (2010:4).")
    act = AmendingAct("SFS 2010:4", "Lag om ändring", "SFS 2099:10", TRE, datetime.date(2010, 2, 1))
    bench.pipeline.registry.record_amendment(act)
    bench.events = list(
        bench.pipeline.run([LAW], [provision_versions.KEY, superseded_chunks.KEY, qdrant_chunks.STAGE.key])
    )
    assert bench.failures == {}
    assert wordings(on(bench, "2010-03-01", "3 § mistluren"), "3") == {TRE}


def test_a_superseded_hit_is_explained_and_shown_in_the_text_that_it_was_law_in(opened: Open, law: Law) -> None:
    bench = opened()
    put(bench, law, "2001-01-01", VAKEN, TAND, LJUD)
    put(bench, law, "2010-01-01", TAND, VAKEN, TRE)
    (hit, *_) = on(bench, "2005-01-01", "3 § mistluren")
    assert hit.payload["superseded"]
    assert explain(bench.pipeline.resources, hit.chunk_id).source_text_matches
    (shown,) = with_context(bench.pipeline.resources, [hit], "act")
    assert shown.context is not None
    assert LJUD in shown.context.text
    assert TRE not in shown.context.text


# -- real histories ------------------------------------------------------------------------------------------------------


@pytest.mark.corpus
@pytest.mark.parametrize("stores", STORES)
def test_the_french_president_was_elected_for_seven_years_and_then_for_five(
    corpus: Path, opened: Open, stores: str
) -> None:
    bench = opened(stores=stores)
    for file in history(corpus, "fr_constitution_1958").files:
        # article 6 as it was in 1958, and as it was changed in 1962, 2000 and 2008
        if file.stem in {"v002", "v004", "v016", "v023"}:
            bench.write("constitution.md", file.read_text("utf-8"))
            bench.ingest()
            assert bench.failures == {}
    expected = {
        "1960-01-01": ("collège électoral", ("1958-10-05", "1962-11-09")),
        "1990-01-01": ("sept ans au suffrage universel", ("1962-11-09", "2000-10-03")),
        "2005-01-01": ("cinq ans au suffrage universel", ("2000-10-03", "2008-07-25")),
        "2019-01-01": ("plus de deux mandats consécutifs", ("2008-07-25", None)),
    }
    for day, (words, held) in expected.items():
        (hit, *others) = on(bench, day, "article 6 élection du Président de la République")
        assert words in hit.payload["chunk_text"], day
        assert interval(hit)[:2] == held
        assert all(other.payload.get("chunk_type") != "raptor_summary" for other in others)
        assert sum(other.payload.get("section") == hit.payload["section"] for other in others) == 0, day


@pytest.mark.corpus
@pytest.mark.parametrize("stores", STORES)
def test_the_work_environment_act_as_it_read_in_2019(corpus: Path, opened: Open, stores: str) -> None:
    """Three states of AML and the acts that amend it, which say when their changes took effect."""
    bench = opened(stores=stores)
    for name in ("SFS2022-1109", "SFS2023-349"):
        (bench.folder / f"{name}.pdf").write_bytes((corpus / "se" / "amendment_pdfs" / f"{name}.pdf").read_bytes())
    for file in AML:
        (bench.folder / "aml.txt").write_bytes((corpus / "se" / file).read_bytes())
        bench.ingest()
        assert bench.failures == {}

    def first(day: str, query: str) -> Hit | None:
        return next((hit for hit in on(bench, day, f"{query} arbetsmiljölagen") if hit.score_parts["citation"]), None)

    sanction = first("2019-01-01", "8 kap. 5 §")
    assert sanction is not None
    assert sanction.payload["superseded"]
    assert sanction.payload["valid_from"] == "2014-07-01"
    assert "Sanktionsavgift" in sanction.payload["chunk_text"]
    # as 2022:1109 words it, in force since 25 July 2022: the wording before it was never seen, and no other is given for it
    assert first("2019-01-01", "1 kap. 2 §") is None
    scope = first("2024-01-01", "1 kap. 2 §")
    assert scope is not None
    assert interval(scope) == ("2022-07-25", None, None)
    # the day of 2020:476 is not known; the year is, and that it is not more is said
    programme = first("2022-01-01", "1 kap. 4 §")
    assert programme is not None
    assert interval(programme)[::2] == ("2020-01-01", superseded_chunks.YEAR_OF_ACT)
    assert first("2019-12-31", "1 kap. 4 §") is None
