"""Removed documents leave the index by themselves: the schedule, its job, and what a hit says meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from dagster import DagsterInstance, RunRequest, SkipReason, build_schedule_context

from legal_pipeline.cli.hit_presentation import answer, print_hits
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.defs.purging import PURGE_JOB, purging
from legal_pipeline.defs.resources import PipelineResource
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.registration import register
from legal_pipeline.settings import Settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.small_laws import write_law

GONE = "se-sfs-2024-1"

LAMP_ACT = """Lamp Act

Section 1. Scope
This Act applies to every lamp that is lit beside a public road after sunset.

Section 2. Duty to light
The keeper shall light the lamp before sunset and shall put it out after sunrise.

Section 3. Penalty
Whoever leaves a lamp dark shall pay a fine of ten crowns to the board.
"""


@pytest.fixture
def chosen(make_settings: Callable[..., Settings]) -> Settings:
    return make_settings(enrich="none", purge_grace_hours=1)


@pytest.fixture
def removed(chosen: Settings, folder: Path) -> Iterator[Pipeline]:
    """Two laws in the index, of which the source has removed one."""
    path = write_law(folder, 1)
    write_law(folder, 2)
    with Pipeline.open(chosen) as pipeline:
        for _ in range(3):
            found = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0))
            if found.new:
                list(pipeline.run(found.new))
                path.unlink()
        yield pipeline


def asked(settings: Settings, instance: DagsterInstance) -> RunRequest | SkipReason:
    (schedule,) = purging(settings).schedules
    with build_schedule_context(
        instance=instance, resources={"pipeline": PipelineResource(loaded=settings)}
    ) as context:
        answered = schedule.evaluate_tick(context)
    return (answered.run_requests or [SkipReason(answered.skip_message)])[0]


def wait(pipeline: Pipeline, hours: int) -> None:
    """As if the document had been removed so long ago; in the future for a negative number, as after the clock was put back."""
    with pipeline.registry.database.connection() as connection:
        connection.execute(
            "update source_documents set tombstoned_at = tombstoned_at - make_interval(hours => %s)", (hours,)
        )


def found(pipeline: Pipeline) -> set[str]:
    return {hit.document_id for hit in pipeline.search("Vägföreningen ska hålla vägen framkomlig", limit=20)}


def test_a_removed_document_leaves_the_index_after_its_grace_period(
    removed: Pipeline, chosen: Settings, instance: DagsterInstance
) -> None:
    assert isinstance(asked(chosen, instance), SkipReason)
    assert GONE in found(removed)
    wait(removed, 2)
    assert isinstance(asked(chosen, instance), RunRequest)
    run = build_definitions(settings=chosen, resources={"pipeline": PipelineResource(loaded=chosen)})
    assert run.resolve_job_def(PURGE_JOB).execute_in_process(instance=instance).success
    assert found(removed) == {"se-sfs-2024-2"}
    assert isinstance(asked(chosen, instance), SkipReason)


def test_a_setting_leaves_removed_documents_to_a_person(
    removed: Pipeline, chosen: Settings, instance: DagsterInstance
) -> None:
    wait(removed, 2)
    assert isinstance(asked(chosen.model_copy(update={"purge_removed": False}), instance), SkipReason)
    assert GONE in removed.purge()
    assert found(removed) == {"se-sfs-2024-2"}


def test_a_hit_of_a_removed_document_says_so(removed: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    hits = removed.search("Vägföreningen ska hålla vägen framkomlig", limit=20)
    said = {hit.document_id: hit.removed_on for hit in hits}
    (document,) = removed.registry.documents(tombstoned=True)
    assert document.tombstoned_at is not None
    assert said == {GONE: document.tombstoned_at.date().isoformat(), "se-sfs-2024-2": None}
    print_hits("väg", hits, False)
    assert f"removed from its source (seen {said[GONE]})" in capsys.readouterr().out
    assert {hit["removed_on"] for hit in answer("väg", hits)["hits"]} == set(said.values())


def test_a_removed_document_is_found_behind_the_one_that_replaces_it(chosen: Settings, folder: Path) -> None:
    (folder / "a.txt").write_text(LAMP_ACT, encoding="utf-8")
    with Pipeline.open(chosen) as pipeline:
        for _ in range(3):
            found = register(DirectorySource(folder), pipeline.registry, grace=timedelta(0))
            list(pipeline.run(found.new))
            if found.new == ("doc-a",):
                (folder / "a.txt").rename(folder / "later.txt")
        for query in ("section 2 Lamp Act", "light the lamp before sunset", "when must the keeper light the lamp?"):
            for tokens in (0, 512):
                hits = pipeline.search(query, limit=20, fold_duplicates=False, passage_tokens=tokens)
                order = [(hit.score_parts["citation"] == 0, hit.document_id) for hit in hits]
                assert order == sorted(order, key=lambda hit: (hit[0], hit[1] == "doc-a"))
                assert {hit.document_id for hit in hits} == {"doc-later", "doc-a"}
            # the removed document is folded under its near-duplicate
            assert pipeline.search(query, limit=1)[0].document_id == "doc-later"
    with LawReader.open(chosen) as reader:
        assert reader.provision("section 2 Lamp Act").origin.document_id == "doc-later"


def test_a_clock_that_was_put_back_starts_the_grace_period_anew_and_does_not_lengthen_it(removed: Pipeline) -> None:
    wait(removed, -24 * 365)
    assert removed.purge(grace=timedelta(hours=1)) == {}
    wait(removed, 2)
    assert list(removed.purge(grace=timedelta(hours=1))) == [GONE]


def test_a_document_that_returns_is_indexed_again_and_may_be_removed_again(removed: Pipeline, folder: Path) -> None:
    wait(removed, 2)
    removed.purge(grace=timedelta(hours=1))
    path = write_law(folder, 1)
    returned = register(DirectorySource(folder), removed.registry, grace=timedelta(0))
    list(removed.run(returned.to_run))
    assert GONE in found(removed)
    path.unlink()
    for _ in range(2):
        register(DirectorySource(folder), removed.registry, grace=timedelta(0))
    assert list(removed.purge(grace=timedelta(0))) == [GONE]
