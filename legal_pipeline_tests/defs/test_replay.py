"""Real histories through the sensor and Dagster: what changed is found, only that is made anew, and the end is a fresh build's.

Not here: the comparison of two expressions by itself (`legal_pipeline_tests/model/test_diff.py`) and wall times (`benchmarks/replay.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dagster import DagsterEventType, DagsterInstance

from legal_pipeline.defs.assets import CHANGES_TAG
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.model.describe import describe
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import AssetKey as Key
from legal_pipeline.settings import Settings
from legal_pipeline.stages import provision_versions, qdrant_chunks
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.model.expressions import numbers_changed, numbers_touched
from legal_pipeline_tests.model.test_diff import CODE, CONSTITUTION, HEADINGS_OF_ABSENT, SFB
from legal_pipeline_tests.replay import History, Replay, Step, elsewhere, history, plain, replay

CONSTITUTION_1958 = "fr_constitution_1958"
MINORS = "fr_code_justice_penale_mineurs"
DC_CODE = "us_dc_code_51-101"
INSURANCE = "se_2010-110_sfb_selex"
PATENTS = "se_pairs/1967-837_patentlag"

#: Tables whose current rows must be those of a fresh build.
_TABLES: tuple[Key, ...] = (
    ("cross_references",),
    ("chunks",),
    ("context_prefixes",),
    ("raptor_summaries",),
    ("quim_questions",),
    ("chunk_embeddings",),
    ("question_embeddings",),
)

Open = Callable[..., AbstractContextManager[Replay]]
FreshLike = Callable[[Replay, Any], Replay]


@pytest.fixture
def opened(instance: DagsterInstance, make_settings: Callable[..., Settings]) -> Open:
    """`with opened(model, **settings) as replay`; without history, for a build of the last version alone has none to be compared with."""

    def open(model: Any, **changes: object) -> AbstractContextManager[Replay]:
        return replay(instance, make_settings(**{"history": False, **changes}), model)

    return open


@pytest.fixture
def fresh_like(instance: DagsterInstance, tmp_path: Path) -> Iterator[FreshLike]:
    """A replay beside another, with the same settings and nothing in it."""
    with ExitStack() as stack:

        def make(other: Replay, model: Any) -> Replay:
            settings = stack.enter_context(elsewhere(other.pipeline.resources.settings, tmp_path / "fresh"))
            return stack.enter_context(replay(instance, settings, model))

        yield make


def steps(replay: Replay, work: History, *names: str) -> Iterator[tuple[Path, Step]]:
    """The versions of `work` (those that are named, or all), one after the other."""
    for file in work.files:
        if not names or file.stem in names:
            yield file, replay.step(file, work.words)


# -- where it ends -------------------------------------------------------------------------------------------------------


def check_like_a_fresh_build(replay: Replay, fresh: Replay, work: History, version: str) -> None:
    """Tables, vectors and stores of a replayed history are those of a build of its last version alone."""
    (last,) = (file for file in work.files if file.stem == version)
    fresh.step(last, work.words)
    document_id = replay.document_id
    assert fresh.document_id == document_id
    mine, other = replay.pipeline, fresh.pipeline
    assert _canonical(mine, document_id) == _canonical(other, document_id)
    for key in _TABLES:
        here, there = (one.warehouse.read_table(key, document_id) for one in (mine, other))
        assert here.schema.equals(there.schema, check_metadata=False), key
        assert plain(here.to_pylist()) == plain(there.to_pylist()), key
        if "vector" in here.column_names and len(here):
            vectors = [np.array(table["vector"].to_pylist(), dtype=np.float64) for table in (here, there)]
            assert (vectors[0] * vectors[1]).sum(axis=1).min() >= 0.9999
    for stores in ([one.resources.store for one in (mine, other)], [one.resources.pgvector for one in (mine, other)]):
        hashes = [store.point_hashes(qdrant_chunks.COLLECTION, document_id) for store in stores]
        assert hashes[0] == hashes[1]
        assert hashes[0]
    manifests = [one.registry.manifests.published(document_id, qdrant_chunks.COLLECTION) for one in (mine, other)]
    assert manifests[0] == manifests[1]


def _canonical(pipeline: Pipeline, document_id: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(pipeline.warehouse.read_json(("canonical_documents",), document_id))
    del data["fetched_at"]
    return data


# -- what is found -------------------------------------------------------------------------------------------------------


def check_found(
    replay: Replay, work: History, label: re.Pattern[str], *names: str, chapters: bool = False
) -> list[Step]:
    """Every step finds the provisions that a plain line diff of the two files touches (moved ones aside), says so, and embeds no others."""
    before: Path | None = None
    done = []
    for file, step in steps(replay, work, *names):
        done.append(step)
        if before is not None:
            touched = numbers_touched(before.read_text("utf-8"), file.read_text("utf-8"), label)
            if step.found is None:
                assert touched == set(), file.name
            else:
                stayed = tuple(change for change in step.found.changes if change.kind != "moved")
                changed = numbers_changed(replace(step.found, changes=stayed), chapters=chapters)
                moved = numbers_changed(step.found, chapters=chapters) - changed
                known = HEADINGS_OF_ABSENT.get((file.parent.name, file.stem), set())
                assert changed - known == touched - moved, file.name
                told = step.made("canonical_documents").metadata
                assert told["changes"] == describe(step.found, limit=50)
        before = file
    return done


def check_proportional(step: Step) -> bool:
    """Whether the step is a change of up to three provisions in a document of 200 or more: such a one embeds a twentieth of it at most."""
    provisions = int(step.made("canonical_documents").metadata["provisions"])
    if provisions < 200 or step.found is None or len({change.subject.key for change in step.found.provisions}) > 3:
        return False
    assert step.embedded_chunks <= 0.05 * step.chunks, (step.version, step.embedded_chunks, step.chunks)
    return True


@pytest.mark.corpus
@pytest.mark.parametrize(
    "names", [("v018", "v019", "v020", "v021", "v022"), pytest.param((), marks=pytest.mark.heavy, id="all")]
)
def test_the_constitution_step_by_step(
    corpus: Path, opened: Open, fresh_like: FreshLike, names: tuple[str, ...]
) -> None:
    work = history(corpus, CONSTITUTION_1958)
    with opened(ByWords()) as replay:
        done = check_found(replay, work, CONSTITUTION, *names)
        assert len(expressions.index(replay.batch, replay.document_id)) == len(done) - 1
        check_like_a_fresh_build(replay, fresh_like(replay, ByWords()), work, done[-1].version)
    nothing = next(step for step in done if step.version == "v021")
    assert nothing.found is None
    # the bytes are kept and read; nothing else is made
    assert nothing.rebuilt == {("raw_documents",), ("canonical_documents",)}
    assert nothing.texts == ()


@pytest.mark.corpus
@pytest.mark.heavy
def test_the_patent_act_as_its_register_says(
    corpus: Path, opened: Open, fresh_like: FreshLike, instance: DagsterInstance
) -> None:
    work = history(corpus, PATENTS)
    with opened(ByWords()) as replay:
        (_, first), (_, second) = steps(replay, work)
        register = json.loads((work.files[0].parent / "amendment_register.json").read_text("utf-8"))
        note = next(entry["anteckningar"] for entry in register if entry["beteckning"] == "2024:796")
        assert second.found is not None
        assert [change.subject.num for change in second.found.provisions] == re.findall(r"\d+(?: [a-z])?(?=,| §)", note)
        # 59, 60 and 61 §, and a first line that says that the Act was repealed: 57 a § is gone
        assert (second.embedded_chunks, first.chunks > 80) == (4, True)
        rows = replay.pipeline.warehouse.read_table(provision_versions.KEY, replay.document_id).to_pylist()
        check_like_a_fresh_build(replay, fresh_like(replay, ByWords()), work, second.version)
    ended = {row["eid"].rsplit("sec_")[-1]: row["superseded_by"] for row in rows if row["superseded_by"]}
    assert ended == dict.fromkeys(("57a", "59", "60", "61"), "SFS 2024:796")
    run = next(run for run in instance.get_runs() if run.run_id in second.run_ids)
    materialized = instance.get_records_for_run(run.run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION).records
    told = {
        "/".join(event.asset_key.path): event.metadata
        for record in materialized
        if (event := record.event_log_entry.asset_materialization) is not None
    }
    words = "57 a § upphävd, 59 § ändrad, 60 § ändrad, 61 § ändrad"
    assert words in told["canonical_documents"]["changes"].value
    (act,) = told["canonical_documents"]["amending_acts"].records
    assert act.data == {"act": "SFS 2024:796", "work_uri": "/akn/se/act/sfs/2024/796"}
    assert words in run.tags[CHANGES_TAG]
    summary = told["qdrant_chunks"]["changed_law"].value
    assert summary.endswith(f"{words}; 4 chunks re-embedded, 3 summaries, 0 requests")


@pytest.mark.corpus
@pytest.mark.parametrize("names", [("v011", "v012", "v013"), pytest.param((), marks=pytest.mark.heavy, id="all")])
def test_a_section_of_the_dc_code_is_rebuilt_when_its_words_change(
    corpus: Path, opened: Open, fresh_like: FreshLike, names: tuple[str, ...]
) -> None:
    work = history(corpus, DC_CODE)
    with opened(ByWords()) as replay:
        done = [step for _, step in steps(replay, work, *names)]
        check_like_a_fresh_build(replay, fresh_like(replay, ByWords()), work, done[-1].version)
    for step in done[1:]:
        changed = step.found is not None and bool(step.found.changes)
        assert bool(step.embedded_chunks) <= changed, step.version


@pytest.mark.corpus
def test_three_formats_of_one_act_are_one_history(corpus: Path, opened: Open, fresh_like: FreshLike) -> None:
    """AML: the states come from three publishers, and most of what they print is the same text for the pipeline too."""
    work = history(corpus, "aml")
    with opened(ByWords()) as replay:
        done = [step for _, step in steps(replay, work)]
        assert len(expressions.index(replay.batch, replay.document_id)) == 3
        check_like_a_fresh_build(replay, fresh_like(replay, ByWords()), work, done[-1].version)
    for step, at_least in zip(done[1:], (106, 101), strict=True):
        assert step.found is not None
        pairs = [pair for pair in step.found.pairs if pair.before and pair.after and pair.after.is_provision]
        same = sum(pair.before.folded == pair.after.folded for pair in pairs if pair.before and pair.after)
        assert same >= at_least, (step.version, same, len(pairs))


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "label", "names"),
    [
        pytest.param(MINORS, CODE, ("v004", "v005", "v006"), marks=pytest.mark.heavy),
        pytest.param(MINORS, CODE, (), marks=pytest.mark.heavy),
        pytest.param(INSURANCE, SFB, (), marks=pytest.mark.heavy),
    ],
)
def test_large_codes_step_by_step(
    corpus: Path, opened: Open, fresh_like: FreshLike, name: str, label: re.Pattern[str], names: tuple[str, ...]
) -> None:
    work = history(corpus, name)
    with opened(ByWords()) as replay:
        done = check_found(replay, work, label, *names, chapters=name == INSURANCE)
        check_like_a_fresh_build(replay, fresh_like(replay, ByWords()), work, done[-1].version)
    small = [step for step in done[1:] if check_proportional(step)]
    assert small, "no step is small enough to show anything"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.heavy) for name in (DC_CODE, PATENTS, MINORS, CONSTITUTION_1958)]
)
def test_vectors_of_a_replayed_history_are_those_of_a_fresh_build(
    corpus: Path, opened: Open, fresh_like: FreshLike, name: str
) -> None:
    """With the real model: what was kept from another batch differs in the last bits at most."""
    work, model = history(corpus, name), open_embedder()
    with opened(model) as replay:
        done = [step for _, step in steps(replay, work, *(file.stem for file in work.files[-3:]))]
        check_like_a_fresh_build(replay, fresh_like(replay, model), work, done[-1].version)
