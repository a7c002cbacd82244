"""What enrichment is asked for when something changes, and what is not; and how it reaches search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid5

import pytest

from legal_pipeline.enrichment.enricher import Enriched, QuestionRequest, Questions, Unanswered
from legal_pipeline.errors import BudgetExceededError, LanguageModelError
from legal_pipeline.model.identity import point_id
from legal_pipeline.pipeline import ASSETS, Failed
from legal_pipeline.processing.stage import Batch, RunOptions
from legal_pipeline.stages import chunk_embeddings, chunks, context_prefixes, quim_questions, raptor_summaries
from legal_pipeline.stages.qdrant_questions import COLLECTION as QUESTIONS
from legal_pipeline.views.explanation import explain
from legal_pipeline_tests.pipeline.conftest import Bench
from legal_pipeline_tests.pipeline.lighthouse_act import act

LAW = "se-sfs-2099-20"
UP_TO_ENRICHMENT = ASSETS[: ASSETS.index(quim_questions.KEY) + 1]


def enrich(bench: Bench) -> None:
    """Look at the folder and run what it holds, without vectors and stores."""
    bench.enricher.clear()
    found = bench.register()
    bench.events = list(bench.pipeline.run([*found.to_run, *found.listed], UP_TO_ENRICHMENT))
    assert bench.failures == {}


def batch(bench: Bench) -> Batch:
    return Batch([LAW], bench.pipeline.resources)


def test_an_act_of_sixty_sections_is_asked_about_once(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    assert bench.failures == {}
    assert len(chunks.load(batch(bench), LAW)) == 60
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 60
    assert sorted(request.level for request in bench.enricher.summary_requests) == [0, 1, 1, 1, 1, 1, 1]
    (questions,) = bench.enricher.question_requests
    assert len(questions.passages) == 60

    bench.ingest()
    assert bench.enricher.prefix_requests == bench.enricher.summary_requests == bench.enricher.question_requests == []
    assert bench.embedder.texts == []


def test_a_changed_section_is_asked_about_alone_with_its_chapter_and_its_act(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    bench.write("fyr.txt", act({(3, 4): "Bemanningen ska ha ledigt vartannat dygn."}))
    bench.ingest()
    changed = {row["path"]: row["chunk_id"] for row in chunks.load(batch(bench), LAW)}["kap3.§4"]
    (prefixes,) = bench.enricher.prefix_requests
    assert prefixes.ids == (changed,)
    (questions,) = bench.enricher.question_requests
    assert [passage.chunk_id for passage in questions.passages] == [changed]
    chapter, whole = bench.enricher.summary_requests
    assert (chapter.level, chapter.title) == (1, "Lag om fyrplatser (SFS 2099:20) > Kap 3: Bemanning")
    assert "Bemanningen ska ha ledigt vartannat dygn." in " ".join(chapter.texts)
    assert (whole.level, whole.title, len(whole.texts)) == (0, "Lag om fyrplatser (SFS 2099:20)", 6)
    embedded = [text.split("\n")[0].split(" > ")[-1] for text in bench.chunk_texts]
    # a summary may stay as it is although its chapter changed
    assert embedded[0] == "4 §"
    assert len(embedded) <= 3
    facts = bench.done("chunk_embeddings")[LAW].metadata
    assert (facts["embedded_chunks"], facts["embedded"]) == (1, len(embedded))


def test_a_section_inserted_above_moves_others_without_asking_about_them(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    enrich(bench)
    bench.write("fyr.txt", act().replace("2 kap. Tillstånd", "11 § Lagen gäller inte fyrskepp.\n\n2 kap. Tillstånd"))
    enrich(bench)
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 1
    assert [request.level for request in bench.enricher.summary_requests] == [1, 0]


def test_all_prefixes_are_made_anew_when_a_fifth_of_the_act_changed(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    enrich(bench)
    changes = {
        (chapter, number): f"Ny lydelse {chapter} för fyren {number}." for chapter in (1, 2) for number in range(1, 8)
    }
    bench.write("fyr.txt", act(changes))
    enrich(bench)
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 60
    (questions,) = bench.enricher.question_requests
    assert len(questions.passages) == 14


def test_small_changes_add_up_to_the_fifth_at_which_all_prefixes_are_made_anew(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    enrich(bench)
    asked = []
    changes: dict[tuple[int, int], str] = {}
    for step in range(5):
        changes |= {(chapter, step + 1): f"Ny lydelse {step} i kapitel {chapter}." for chapter in (1, 2, 3)}
        bench.write("fyr.txt", act(changes))
        enrich(bench)
        (prefixes,) = bench.enricher.prefix_requests
        asked.append(len(prefixes.ids))
    assert asked == [3, 3, 3, 3, 60], "12 of 60 sections are a fifth, 15 are more"
    bench.write("fyr.txt", act({**changes, (6, 1): "Avgiften är hundra kronor."}))
    enrich(bench)
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 1, "what was made anew is what the next changes are measured by"


def test_a_change_that_is_taken_back_does_not_count(bench: Bench) -> None:
    for_a_time = {(1, number): f"Tillfällig lydelse {number}." for number in range(1, 11)}
    for changes in ({}, for_a_time, {}, {(2, number): f"Ny lydelse {number}." for number in (1, 2, 3)}):
        bench.write("fyr.txt", act(changes))
        enrich(bench)
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 3


def test_repealed_sections_count_too(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    enrich(bench)
    chapter = act().index("2 kap."), act().index("4 kap.")
    bench.write("fyr.txt", act()[: chapter[0]] + act()[chapter[1] :])
    enrich(bench)
    (prefixes,) = bench.enricher.prefix_requests
    assert len(prefixes.ids) == 40


def test_every_row_names_its_generator_and_prompt_version(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    enrich(bench)
    for key in (context_prefixes.KEY, raptor_summaries.KEY, quim_questions.KEY):
        rows = bench.pipeline.warehouse.read_table(key, LAW).to_pylist()
        assert rows
        assert {(row["generator"], row["prompt_version"]) for row in rows} == {("extractive", "1")}, key
        assert all(len(row["input_hash"]) == 32 for row in rows)


def test_what_is_embedded_is_header_prefix_and_text(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    prefixes = context_prefixes.load(batch(bench), LAW)
    for row in chunks.load(batch(bench), LAW):
        header, prefix, blank, text = bench_text(bench, row["chunk_id"]).split("\n", 3)
        assert (header, prefix, blank, text) == (
            row["contextual_header"],
            prefixes[row["chunk_id"]],
            "",
            row["chunk_text"],
        )


def bench_text(bench: Bench, chunk_id: str) -> str:
    (text,) = (
        chunk_embeddings.text_of(row)[1]
        for row in chunk_embeddings.rows(batch(bench), LAW)
        if row["chunk_id"] == chunk_id
    )
    return text


def test_summaries_are_points_of_a_level_above_with_their_children(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    root, *chapters = raptor_summaries.load(batch(bench), LAW)
    assert (root["level"], root["parent_chunk_id"]) == (0, None)
    assert root["child_ids"] == [row["chunk_id"] for row in chapters]
    ids = [row["chunk_id"] for row in chunks.load(batch(bench), LAW)]
    assert [child for row in chapters for child in row["child_ids"]] == ids
    assert {row["metadata"]["raptor_level"] for row in chapters} == {1}
    (done,) = bench.done("qdrant_chunks").values()
    assert done.metadata["points"] == 60 + 7
    hits = bench.pipeline.search("tillsyn på plats", filters={"chunk_type": "raptor_summary"})
    assert hits[0].payload["chapter_heading"] == "Tillsyn"
    assert len(hits) == 7
    explained = explain(bench.pipeline.resources, chapters[4]["chunk_id"])
    assert (explained.source_text_matches, explained.route_reason) == (True, "summary of 10 parts by extractive")


def test_a_question_leads_to_the_chunk_that_answers_it(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    rows = quim_questions.load(batch(bench), LAW)
    row = next(row for row in rows if row["question"].startswith("Vilket straff döms"))
    hits = bench.pipeline.search(row["question"], limit=5)
    found = {hit.chunk_id: hit for hit in hits}
    assert row["source_chunk_id"] in found
    assert found[row["source_chunk_id"]].score_parts["question"] == pytest.approx(1, abs=1e-3)
    hashes = bench.pipeline.resources.store.point_hashes(QUESTIONS, LAW)
    assert len(hashes) == len(rows)
    # the store keeps each version of a point under an id of its own
    ids = [UUID(point_id(f"question {row['question_id']}")) for row in rows]
    for stored_id, row_hash in hashes.items():
        assert stored_id in {str(uuid5(one, f"{LAW} {row_hash}")) for one in ids}


def test_a_removed_section_takes_its_questions_with_it(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    before = bench.pipeline.resources.store.count(QUESTIONS, LAW)
    assert before > 180
    bench.write("fyr.txt", act().rsplit("\n\n", 2)[0] + "\n")
    bench.ingest()
    rows = quim_questions.load(batch(bench), LAW)
    assert bench.pipeline.resources.store.count(QUESTIONS, LAW) == len(rows) < before


def test_enrichment_that_the_settings_leave_out_is_not_asked_for(bench: Bench) -> None:
    bench.write("fyr.txt", act())
    bench.ingest()
    settings = bench.pipeline.resources.settings.model_copy(update={"enrich": "none"})
    object.__setattr__(bench.pipeline.resources, "settings", settings)
    bench.ingest(RunOptions(force=True))
    assert bench.failures == {}
    assert bench.enricher.prefix_requests == bench.enricher.summary_requests == bench.enricher.question_requests == []
    assert all(text.count("\n\n") == 1 and "\n" not in text.split("\n\n")[0] for text in bench.embedder.texts)
    (done,) = bench.done("qdrant_chunks").values()
    assert done.metadata["points"] == 60
    (asked,) = bench.done("qdrant_questions").values()
    assert asked.metadata["points"] == 0
    assert asked.metadata["points_deleted"] > 180, "those that a former run made are found no more"
    assert bench.pipeline.resources.store.count(QUESTIONS, LAW) == 0
    assert bench.pipeline.registry.manifests.published(LAW, QUESTIONS) == {}
    assert bench.pipeline.search("tillsyn", limit=3)


def leave_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str, stopped: LanguageModelError | None = None
) -> None:
    """From now on the engine has no questions for the chunk at `path`."""
    answer = bench.enricher.questions

    def questions(requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        done = answer(requests)
        skipped = {one.chunk_id for request in requests for one in request.passages if one.path == path}
        return Enriched(
            tuple(one for one in done.answers if one.chunk_id not in skipped),
            tuple(Unanswered(LAW, chunk_id, "two questions, expected 3 to 5") for chunk_id in sorted(skipped)),
            stopped=stopped,
        )

    monkeypatch.setattr(bench.enricher, "questions", questions)


def test_a_chunk_without_an_answer_goes_on_without_it_is_reported_and_asked_about_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("fyr.txt", act())
    with monkeypatch.context() as patched:
        leave_out(bench, patched, "kap2.§5")
        enrich(bench)
        (done,) = bench.done("quim_questions").values()
        assert done.metadata["unanswered"] == 1
        assert done.metadata["unanswered_reasons"] == ["two questions, expected 3 to 5 (1)"]
        assert len({row["source_chunk_id"] for row in quim_questions.load(batch(bench), LAW)}) == 59
    enrich(bench)
    (request,) = bench.enricher.question_requests
    assert [passage.path for passage in request.passages] == ["kap2.§5"]
    assert len({row["source_chunk_id"] for row in quim_questions.load(batch(bench), LAW)}) == 60
    assert bench.done("quim_questions")[LAW].metadata["unanswered"] == 0


def test_a_budget_that_ends_fails_the_document_and_keeps_what_was_answered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("fyr.txt", act())
    with monkeypatch.context() as patched:
        leave_out(bench, patched, "kap2.§5", BudgetExceededError("the budget of this run is $1"))
        bench.ingest()
        assert isinstance(bench.failures[LAW], BudgetExceededError)
        assert bench.done("qdrant_chunks") == {}
    bench.ingest()
    assert bench.failures == {}
    assert bench.enricher.prefix_requests == []
    (request,) = bench.enricher.question_requests
    assert [passage.path for passage in request.passages] == ["kap2.§5"]


def test_an_engine_that_breaks_down_fails_the_documents_and_not_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("fyr.txt", act())

    def broken(_: object) -> None:
        raise LanguageModelError("no answer")

    monkeypatch.setattr(bench.enricher, "summarise", broken)
    bench.ingest()
    assert [event.asset_key for event in bench.events if isinstance(event, Failed)] == [raptor_summaries.KEY]


@pytest.mark.corpus
@pytest.mark.slow
def test_an_amendment_of_a_large_code_summarises_the_changed_chapters_and_the_code(bench: Bench, corpus: Path) -> None:
    folder = corpus / "histories" / "se_2010-110_sfb_selex"
    code = "se-sfs-2010-110"
    upstream = [("raw_documents",), ("canonical_documents",), chunks.KEY, raptor_summaries.KEY]

    def run(version: str) -> tuple[dict[str, str], dict[str, list[str]]]:
        """(node hash by path, texts of the chunks of each chapter by the path of its summary)."""
        bench.enricher.clear()
        bench.write("sfb.md", (folder / version).read_text("utf-8"))
        bench.register()
        bench.events = list(bench.pipeline.run([code], upstream))
        assert bench.failures == {}
        one = Batch([code], bench.pipeline.resources)
        texts = {row["chunk_id"]: f"{row['contextual_header']}\n{row['chunk_text']}" for row in chunks.load(one, code)}
        rows = raptor_summaries.load(one, code)
        below = {row["path"]: [texts[child] for child in row["child_ids"]] for row in rows if row["level"] == 1}
        return {row["path"]: row["input_hash"] for row in rows}, below

    before, chapters_before = run("v001.md")
    assert len(bench.enricher.summary_requests) == len(before) > 100
    after, chapters_after = run("v002.md")
    changed = {path for path, texts in chapters_after.items() if chapters_before.get(path) != texts}
    assert changed
    assert len(changed) < len(chapters_after) / 2
    assert {path for path, node in after.items() if before.get(path) != node} == {*changed, "Summary"}
    asked = [request.level for request in bench.enricher.summary_requests]
    assert (asked.count(1), asked.count(0)) == (len(changed), 1)


DEFINING = """Lag (2099:20) om fyrplatser

1 kap. Definitioner

1 § Med fyrplats avses i denna lag en fyr med den mark som hör till den.

2 § Med fyrmästare avses i denna lag den som ansvarar för en fyrplats och dess lampa.

2 kap. Ansvar

1 § Fyrmästaren ansvarar för fyrplatsen.
"""


def test_a_definition_that_names_its_act_itself_is_not_asked_about(bench: Bench) -> None:
    bench.write("fyr.txt", DEFINING)
    enrich(bench)
    rows = chunks.load(batch(bench), LAW)
    own = {row["chunk_id"] for row in rows if row["parent_chunk_id"] is None}
    assert len(own) < len(rows)
    (prefixes,) = bench.enricher.prefix_requests
    (questions,) = bench.enricher.question_requests
    assert set(prefixes.ids) == {passage.chunk_id for passage in questions.passages} == own


def test_a_question_that_is_given_twice_is_kept_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    once = bench.enricher.questions

    def twice(requests: Sequence[QuestionRequest]) -> Enriched[Questions]:
        found = once(requests)
        return replace(
            found, answers=tuple(replace(answer, questions=answer.questions * 2) for answer in found.answers)
        )

    monkeypatch.setattr(bench.enricher, "questions", twice)
    bench.write("fyr.txt", DEFINING)
    enrich(bench)
    rows = quim_questions.load(batch(bench), LAW)
    assert len({row["question_id"] for row in rows}) == len(rows) > 0
    by_chunk = Counter(row["source_chunk_id"] for row in rows)
    assert [row["seq"] for row in rows] == [seq for number in by_chunk.values() for seq in range(number)]
