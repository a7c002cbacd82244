"""Readers while a document passes the stages: they see the text before, with its history, until both of the new one are made."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from legal_pipeline.errors import StoreUnavailableError
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.processing.stage import AssetKey
from legal_pipeline.reading.coverage import Counts
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.subscribed import names_of_changes
from legal_pipeline.reading.viewer import OWNER
from legal_pipeline.registration import register
from legal_pipeline.registry.freshness import not_polled_since
from legal_pipeline.registry.listing import Choice, counted, indexed
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.sources.following import Listed
from legal_pipeline.sources.source import Listing
from legal_pipeline.stages import canonical_documents, cross_references, provision_versions, raw_documents

LAW = "se-sfs-2099-40"
_TEXT = "Lag (2099:40) om bojar\n\n1 § Bojen ska {verb} enligt 3 § lagen (2099:10) om fyrvakter.\n"
_BEFORE, _AFTER = (_TEXT.format(verb=verb) for verb in ("målas", "målas röd vart femte år"))


def processed(pipeline: Pipeline, folder: Path, text: str, *assets: AssetKey) -> None:
    """The text has come, and passed the stages of these assets; without any, all."""
    (folder / "boj.txt").write_text(text, "utf-8")
    found = register(DirectorySource(folder), pipeline.registry, grace=timedelta())
    assert not [event for event in pipeline.run(found.to_run, assets or None) if isinstance(event, Failed)]


def test_until_the_history_of_a_new_text_is_made_readers_see_the_text_before(pipeline: Pipeline, folder: Path) -> None:
    reader, id = LawReader(pipeline), f"{LAW}~sec_1"
    processed(pipeline, folder, _BEFORE)
    before, cited = reader.provision(id), reader.cites(id)
    processed(pipeline, folder, _AFTER, raw_documents.KEY, canonical_documents.KEY)
    for opened in (reader, LawReader(pipeline)):  # also one that has not seen the text before
        assert opened.provision(id) == before
        assert opened.provision(id, as_of=date(2099, 1, 1)).text == before.text
        assert [version.text for version in opened.versions(id).versions] == [before.text]
        assert [expression.expression for expression in opened.document(LAW).expressions] == [before.expression]
        assert opened.cites(id) == cited
        assert opened.search("bojen målas").hits[0].text == before.text
    list(pipeline.run([LAW], [provision_versions.KEY]))
    after = reader.provision(id)
    assert "röd" in (after.text or "")
    assert [version.text for version in reader.versions(id).versions] == [before.text, after.text]


def test_what_a_provision_cites_is_of_one_text(pipeline: Pipeline, folder: Path) -> None:
    """Offsets in the table are of the text that it was made of: they lead to no node of a later text."""
    reader, id = LawReader(pipeline), f"{LAW}~sec_1"
    processed(pipeline, folder, _BEFORE)
    before = reader.cites(id)
    later = _AFTER.replace("1 §", "1 § Bojen har ett nummer.\n\n2 §")
    processed(pipeline, folder, later, raw_documents.KEY, canonical_documents.KEY, provision_versions.KEY)
    assert reader.cites(id) == before
    list(pipeline.run([LAW], [cross_references.KEY]))
    assert reader.cites(id).citations == []
    (after,) = reader.cites(f"{LAW}~sec_2").citations
    assert (reader.text(LAW).text or "")[after.start : after.end] == after.raw


def test_the_first_text_can_be_read_before_it_has_a_history(pipeline: Pipeline, folder: Path) -> None:
    processed(pipeline, folder, _BEFORE, raw_documents.KEY, canonical_documents.KEY)
    reader = LawReader(pipeline)
    assert "målas" in (reader.provision(f"{LAW}~sec_1").text or "")
    with pytest.raises(StoreUnavailableError, match="ask again"):
        reader.provision(f"{LAW}~sec_1", as_of=date(2099, 1, 1))


def test_a_subscriber_hears_of_a_change_when_its_history_is_made(pipeline: Pipeline, folder: Path) -> None:
    processed(pipeline, folder, _BEFORE)
    processed(pipeline, folder, _AFTER, raw_documents.KEY, canonical_documents.KEY)
    access = LawReader(pipeline).access(OWNER)
    (document,) = indexed(pipeline.registry.database, Choice(ids=[LAW]))
    with pytest.raises(StoreUnavailableError, match="ask again"):
        names_of_changes(access, document, date.min, None)
    list(pipeline.run([LAW], [provision_versions.KEY]))
    assert names_of_changes(access, document, date.min, None) == ["change 0", "change 1"]


def test_documents_are_counted_again_when_one_was_processed(pipeline: Pipeline, folder: Path) -> None:
    processed(pipeline, folder, _BEFORE)
    counts = Counts(pipeline.registry.database)
    first = counts.of(frozenset())
    assert [(row.jurisdiction, row.doc_type, row.documents) for row in first] == [("se", "act", 1)]
    assert counts.of(frozenset()) is first
    assert counts.of(frozenset({LAW})) == []
    (folder / "prick.txt").write_text("Lag (2099:41) om prickar\n\n1 § Pricken ska målas.\n", "utf-8")
    processed(pipeline, folder, _BEFORE)
    assert [row.documents for row in counts.of(frozenset())] == [2]


def test_a_poll_that_misses_a_document_is_no_look_at_it(pipeline: Pipeline, folder: Path) -> None:
    database = pipeline.registry.database
    (folder / "terns.md").write_text("# Terns\n\nTerns nest on the breakwater.\n", "utf-8")
    processed(pipeline, folder, _BEFORE)
    before = {row.doc_type: row.looked_at for row in counted(database)}
    (folder / "boj.txt").unlink()
    register(DirectorySource(folder), pipeline.registry, grace=timedelta(days=1))
    looked_at = {row.doc_type: row.looked_at for row in counted(database)}
    other = (looked_at.keys() - {"act"}).pop()
    assert looked_at["act"] == before["act"]
    assert looked_at[other] > before[other]
    assert list(not_polled_since(database, looked_at[other])) == [LAW]


def test_a_poll_for_changes_is_a_look_at_every_document_of_its_source(pipeline: Pipeline, folder: Path) -> None:
    processed(pipeline, folder, _BEFORE, raw_documents.KEY)
    before = pipeline.registry.now()
    changes = Listed(DirectorySource(folder), Listing("files", (), ()))
    register(changes, pipeline.registry, grace=timedelta())
    assert not_polled_since(pipeline.registry.database, before) == {}


def test_a_text_that_no_longer_cites_a_law_leaves_those_that_cite_it(pipeline: Pipeline, folder: Path) -> None:
    (folder / "fyr.txt").write_text("Lag (2099:10) om fyrvakter\n\n3 § Fyrvakten ska vara vaken.\n", "utf-8")
    processed(pipeline, folder, _BEFORE)
    reader = LawReader(pipeline)
    assert [place.document_id for place in reader.cited_by("se-sfs-2099-10").places] == [LAW]
    processed(pipeline, folder, "Lag (2099:40) om bojar\n\n1 § Bojen ska målas.\n")
    assert reader.cited_by("se-sfs-2099-10").places == []


def test_a_repealed_provision_is_named_by_the_change_that_repeals_it(pipeline: Pipeline, folder: Path) -> None:
    kept, gone = "1 § Bojen ska målas.", "2 § Bojen ska vägas."
    for text in (f"{kept}\n\n{gone}", kept):
        processed(pipeline, folder, f"Lag (2099:40) om bojar\n\n{text}\n")
    changes = LawReader(pipeline).changes(date.today() - timedelta(1)).changes
    assert [change.provisions for change in changes] == [[f"{LAW}~sec_2"], []]
