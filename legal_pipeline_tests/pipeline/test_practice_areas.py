"""Trees of judgments per practice area: what a new judgment changes, what it leaves alone, and how a tree reaches search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.corpus_assets.practice_area_trees import make_trees, stale, tree_id
from legal_pipeline.corpus_assets.practice_areas import Filing, file_judgments
from legal_pipeline.enrichment.enricher import Enriched, Summary, SummaryRequest, Unanswered
from legal_pipeline.enrichment.practice_areas import leaf_of
from legal_pipeline.erasure import erase
from legal_pipeline.errors import BudgetExceededError
from legal_pipeline.pipeline import ASSETS, Failed
from legal_pipeline.processing.stage import Batch, Materialized
from legal_pipeline.registry.practice_area_leaves import LEAVES_PER_NODE, AreaState, Filed, PracticeAreaLeaves
from legal_pipeline.stages import chunks
from legal_pipeline.views.explanation import explain
from legal_pipeline_tests.pipeline.conftest import Bench
from legal_pipeline_tests.real_documents import existing

UP_TO_CHUNKS = ASSETS[: ASSETS.index(chunks.KEY) + 1]

CRIMES = ("theft of lamp oil", "arson in the oil store", "forgery of the log", "assault upon a keeper")


def judgment(number: int, crime: str | None = None, *, held: str = "the conviction cannot stand") -> str:
    """A criminal appeal of our own; its id ends in its number."""
    crime = crime or CRIMES[number % len(CRIMES)]
    return f"""REPORTABLE

IN THE SUPREME COURT OF INDIA
CRIMINAL APPELLATE JURISDICTION

CRIMINAL APPEAL NO. {number} OF 2099

KEEPER NO. {number}                          ...APPELLANT
VERSUS
STATE OF DEVI                                ...RESPONDENT

J U D G M E N T

A. SEN, J.

1. The appellant, accused no. {number}, was convicted by the Sessions Court of {crime} and sentenced to imprisonment for {number} months.

2. The brief facts are these. The prosecution examined {number + 2} witnesses, none of whom had seen the accused at the tower.

3. The question that arises for consideration is whether the accused can be convicted of {crime} on the word of an accomplice alone.

4. We are unable to accept the submission of the prosecution. The evidence of an accomplice needs corroboration in material particulars.

5. For the foregoing reasons, we hold that {held}. The appeal is allowed and the sentence is set aside.

NEW DELHI;
MARCH 12, 2099.
"""


CONTRACT = """REPORTABLE

IN THE SUPREME COURT OF INDIA
CIVIL APPELLATE JURISDICTION

CRIMINAL APPEAL NO. 900 OF 2099

KEEPER NO. 900                               ...APPELLANT
VERSUS
DEVI OIL COMPANY                             ...RESPONDENT

J U D G M E N T

A. SEN, J.

1. The company sold lamp oil to the appellant under a contract of sale, and the purchaser refused the second delivery.

2. The question that arises for consideration is whether the seller was in breach of the agreement.

3. A contract binds the company as it binds the purchaser. The shareholders of the company gave no consent to the agreement.

4. For the foregoing reasons, we hold that the seller was in breach of the contract. The appeal is allowed.

NEW DELHI;
MARCH 12, 2099.
"""


def ingest(bench: Bench, *numbers: int, assets: Sequence[tuple[str, ...]] = UP_TO_CHUNKS) -> None:
    """Run what the folder holds, with these judgments, as far as their trees need it."""
    for number in numbers:
        bench.write(f"{number}.txt", judgment(number))
    found = bench.register()
    bench.events = list(bench.pipeline.run([*found.to_run, *found.listed], assets))
    assert bench.failures == {}
    for document_id in (*found.to_run, *found.listed):
        bench.pipeline.registry.set_status(document_id, "completed")
    bench.enricher.clear()
    bench.embedder.texts.clear()


def file(bench: Bench) -> Filing:
    return file_judgments(bench.pipeline.resources)


def grow(bench: Bench, *, refresh_roots: bool = False) -> list[Materialized]:
    """File what is due and make what is stale, as the sensor has it done."""
    file(bench)
    areas = list(stale(bench.pipeline.resources, roots=refresh_roots))
    events = list(make_trees(bench.pipeline.resources, areas, refresh_roots=refresh_roots))
    assert [event for event in events if isinstance(event, Failed)] == []
    return [event for event in events if isinstance(event, Materialized)]


def leaves(bench: Bench) -> list[Filed]:
    return PracticeAreaLeaves(bench.pipeline.registry.database).filed()


def rows(bench: Bench, area: str = "criminal") -> dict[str, dict[str, object]]:
    """Path -> row of a tree."""
    return {row["path"]: row for row in practice_area_trees.load(Batch([], bench.pipeline.resources), tree_id(area))}


def hashes(bench: Bench) -> dict[str, object]:
    return {path: row["input_hash"] for path, row in rows(bench).items()}


def verify_states(bench: Bench) -> dict[str, int]:
    """Area -> number of its leaves, by the states that the database keeps; they are those of the leaves as they are now."""
    with bench.pipeline.registry.database.reading() as connection:
        computed = connection.execute(
            """select area, count(*) as leaves, sum(practice_area_leaf_hash(leaf))::text as state
               from practice_area_leaves as leaf group by area"""
        ).fetchall()
    found = PracticeAreaLeaves(bench.pipeline.registry.database).states()
    assert found == {row["area"]: AreaState(row["leaves"], row["state"]) for row in computed}
    return {area: state.leaves for area, state in found.items()}


NODE_1, NODE_2, ROOT = "Summary > in eng > Judgments 1", "Summary > in eng > Judgments 2", "Summary > in eng"


def test_a_judgment_is_asked_about_once(bench: Bench) -> None:
    ingest(bench, 1, 2)
    assert (file(bench).asked, len(bench.enricher.area_requests)) == (2, 2)
    assert {leaf.area for leaf in leaves(bench)} == {"criminal"}
    assert file(bench).looked_at == 0
    assert file_judgments(bench.pipeline.resources, everything=True).asked == 0
    ingest(bench)
    assert (file(bench).looked_at, len(bench.enricher.area_requests)) == (2, 0)


def test_a_new_judgment_is_one_leaf_and_one_node_of_level_1(bench: Bench) -> None:
    ingest(bench, *range(1, LEAVES_PER_NODE + 3))
    grow(bench, refresh_roots=True)
    before, leaves_before = hashes(bench), {leaf.leaf_hash for leaf in leaves(bench)}
    assert before.keys() == {ROOT, NODE_1, NODE_2}
    ingest(bench, 77)
    grow(bench)
    after = hashes(bench)
    assert {path for path in after if after[path] != before.get(path)} == {NODE_2}
    assert len({leaf.leaf_hash for leaf in leaves(bench)} ^ leaves_before) == 1
    assert [(request.level, len(request.texts)) for request in bench.enricher.summary_requests] == [(1, 3)]
    assert [request.document_id for request in bench.enricher.area_requests] == ["in-judgment-77"]
    assert len(bench.embedder.texts) == 1
    assert rows(bench)[ROOT]["child_ids"] == [rows(bench)[path]["chunk_id"] for path in (NODE_1, NODE_2)]


def test_the_state_of_an_area_follows_its_leaves_when_they_come_change_move_and_go(bench: Bench) -> None:
    ingest(bench, 1, 2, 3, 4)
    file(bench)
    before = PracticeAreaLeaves(bench.pipeline.registry.database).states()
    assert verify_states(bench) == {"criminal": 4}
    bench.write("2.txt", judgment(2, held="the conviction stands"))
    ingest(bench)
    file(bench)
    assert verify_states(bench) == {"criminal": 4}
    assert PracticeAreaLeaves(bench.pipeline.registry.database).states() != before
    bench.write("3.txt", CONTRACT.replace("900", "3"))
    ingest(bench)
    file(bench)
    moved = verify_states(bench)
    assert sum(moved.values()) == 4
    assert moved["criminal"] == 3
    erase(bench.pipeline, "in-judgment-4", "withdrawn by the court")
    assert verify_states(bench)["criminal"] == 2
    bench.pipeline.registry.tombstone("in-judgment-1")
    file(bench)
    assert verify_states(bench)["criminal"] == 1


def test_the_judgment_that_finds_the_last_node_full_opens_the_next(bench: Bench) -> None:
    ingest(bench, *range(1, LEAVES_PER_NODE + 1))
    grow(bench)
    before = hashes(bench)
    assert before.keys() == {NODE_1}
    ingest(bench, 50)
    grow(bench)
    assert hashes(bench).keys() == {NODE_1, NODE_2}
    assert hashes(bench)[NODE_1] == before[NODE_1]
    assert [request.level for request in bench.enricher.summary_requests] == [1]


def test_the_root_is_made_anew_when_the_caller_says_so_and_not_twice(bench: Bench) -> None:
    ingest(bench, *range(1, LEAVES_PER_NODE + 2))
    grow(bench)
    assert ROOT not in hashes(bench)
    assert stale(bench.pipeline.resources) == {}
    assert stale(bench.pipeline.resources, roots=True).keys() == {"criminal"}
    bench.enricher.clear()
    grow(bench, refresh_roots=True)
    assert [(request.level, len(request.texts)) for request in bench.enricher.summary_requests] == [(0, 2)]
    assert stale(bench.pipeline.resources, roots=True) == {}


def test_a_corrected_judgment_changes_its_node_and_withdraws_the_root(bench: Bench) -> None:
    ingest(bench, *range(1, LEAVES_PER_NODE + 2))
    grow(bench, refresh_roots=True)
    before = hashes(bench)
    bench.write("1.txt", judgment(1, held="the conviction stands"))
    ingest(bench)
    grow(bench)
    after = hashes(bench)
    assert after.keys() == {NODE_1, NODE_2}
    assert (after[NODE_1] != before[NODE_1], after[NODE_2] == before[NODE_2]) == (True, True)
    assert len(bench.enricher.summary_requests) == 1


def test_a_text_that_moves_a_judgment_to_another_area_changes_both_trees(bench: Bench) -> None:
    ingest(bench, 1, 900)
    grow(bench)
    bench.write("900.txt", CONTRACT)
    ingest(bench)
    assert file(bench).areas == {"criminal", "commercial"}
    grow(bench)
    assert [leaf.document_id for leaf in leaves(bench) if leaf.area == "commercial"] == ["in-judgment-900"]
    assert len(rows(bench)[NODE_1]["leaf_hashes"]) == len(rows(bench, "commercial")[NODE_1]["leaf_hashes"]) == 1


def test_jurisdictions_are_never_summarised_together(bench: Bench) -> None:
    ingest(bench, 1, 2)
    bench.write("3.txt", judgment(3))
    bench.register(jurisdiction="zw")
    ingest(bench)
    grow(bench)
    made = rows(bench)
    found = {(row["jurisdiction"], len(row["leaf_hashes"])) for row in made.values()}
    assert len({jurisdiction for jurisdiction, _ in found}) == len(made)


def test_a_tree_is_found_by_search_with_its_judgments_and_can_be_explained(bench: Bench) -> None:
    ingest(bench, 1, 2, 3, assets=ASSETS)
    grow(bench)
    resources = bench.pipeline.resources
    published = bench.pipeline.registry.manifests.published(tree_id("criminal"), "legal_chunks")
    assert len(published) == 1
    assert resources.store.count("legal_chunks", tree_id("criminal")) == 1
    assert resources.pgvector.count("legal_chunks", tree_id("criminal")) == 1
    hits = bench.pipeline.search("conviction on the word of an accomplice", filters={"chunk_type": "raptor_summary"})
    (hit,) = (hit for hit in hits if hit.document_id == "practice-area-criminal")
    assert hit.payload["level"] == 1
    assert hit.payload["heading"] == "Supreme Court of India, 2099"
    of_judgments = {
        bench.pipeline.registry.manifests.document_of(child, "legal_chunks") for child in hit.payload["child_ids"]
    }
    assert of_judgments == {leaf.document_id for leaf in leaves(bench)}
    around = bench.pipeline.search("accomplice", filters={"document_id": hit.document_id}, context="act")
    assert [one.context for one in around] == [None]
    explanation = explain(resources, hit.chunk_id)
    assert explanation.source_text_matches
    assert "3 judgments by extractive" in explanation.route_reason


def test_the_second_run_computes_and_writes_nothing(bench: Bench) -> None:
    ingest(bench, 1, 2)
    first = grow(bench)
    bench.enricher.clear()
    bench.embedder.texts.clear()
    events = list(make_trees(bench.pipeline.resources, ["criminal"]))
    assert all(event.reused for event in events if isinstance(event, Materialized))
    assert (bench.enricher.summary_requests, bench.embedder.texts) == ([], [])
    assert {event.asset_key: event.data_version for event in events if isinstance(event, Materialized)} == {
        event.asset_key: event.data_version for event in first
    }
    forced = list(make_trees(bench.pipeline.resources, ["criminal"], force=True))
    assert {event.asset_key: event.data_version for event in forced if isinstance(event, Materialized)} == {
        event.asset_key: event.data_version for event in first
    }


def test_a_purged_judgment_takes_its_summaries_out_of_the_stores_and_the_next_run_fills_the_gap(bench: Bench) -> None:
    ingest(bench, 1, 2)
    grow(bench)
    (bench.folder / "2.txt").unlink()
    bench.register()
    assert bench.register().tombstoned == ("in-judgment-2",)
    bench.enricher.clear()
    bench.pipeline.purge()
    resources = bench.pipeline.resources
    tree = tree_id("criminal")
    assert bench.pipeline.registry.manifests.published(tree, "legal_chunks") == {}
    assert (resources.store.count("legal_chunks", tree), resources.pgvector.count("legal_chunks", tree)) == (0, 0)
    assert bench.enricher.summary_requests == []
    grow(bench)
    assert rows(bench)[NODE_1]["leaf_hashes"] == [leaf.leaf_hash for leaf in leaves(bench)]
    assert resources.store.count("legal_chunks", tree) == 1


def test_the_last_judgment_of_an_area_takes_the_tree_with_it(bench: Bench) -> None:
    ingest(bench, 1)
    grow(bench)
    (bench.folder / "1.txt").unlink()
    bench.write("900.txt", CONTRACT)
    ingest(bench)
    bench.register()
    assert file(bench).removed == ("in-judgment-1",)
    grow(bench)
    assert rows(bench) == {}
    assert bench.pipeline.resources.store.count("legal_chunks", tree_id("criminal")) == 0


def test_a_summary_that_was_not_given_is_reported_and_asked_for_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(requests: Sequence[SummaryRequest]) -> Enriched[Summary]:
        left = tuple(Unanswered(one.document_id, one.node_id, "refused") for one in requests)
        return Enriched((), left, stopped=BudgetExceededError("the budget of this run is $1"))

    ingest(bench, 1, 2)
    file(bench)
    with monkeypatch.context() as patched:
        patched.setattr(bench.enricher, "summarise", silent)
        (event,) = make_trees(bench.pipeline.resources, ["criminal"])
        assert isinstance(event, Failed)
        assert isinstance(event.error, BudgetExceededError)
    assert stale(bench.pipeline.resources).keys() == {"criminal"}
    grow(bench)
    assert hashes(bench).keys() == {NODE_1}
    assert stale(bench.pipeline.resources) == {}


def test_without_summaries_there_are_no_trees(bench: Bench) -> None:
    ingest(bench, 1)
    grow(bench)
    settings = bench.pipeline.resources.settings.model_copy(update={"enrich": "prefixes"})
    object.__setattr__(bench.pipeline.resources, "settings", settings)
    assert file(bench) == Filing()
    assert stale(bench.pipeline.resources).keys() == {"criminal"}
    list(make_trees(bench.pipeline.resources, ["criminal"]))
    assert bench.pipeline.resources.store.count("legal_chunks", tree_id("criminal")) == 0


@pytest.mark.corpus
@pytest.mark.slow
def test_real_judgments_stand_in_trees_of_their_jurisdiction_and_a_new_one_touches_one_node(
    bench: Bench, corpus: Path
) -> None:
    def add(*paths: Path) -> None:
        for path in paths:
            (bench.folder / path.name).write_bytes(path.read_bytes())
        ingest(bench)

    def nodes() -> dict[tuple[str, str], str]:
        areas = {leaf.area for leaf in leaves(bench)}
        return {(area, path): str(row["input_hash"]) for area in areas for path, row in rows(bench, area).items()}

    first, *others = existing(corpus / "in" / "judgments_rr", "**/*.txt")
    add(*others, *existing(corpus / "in" / "judgments_text", "*.txt"))
    grow(bench)
    before, leaves_before = nodes(), {leaf.document_id: leaf for leaf in leaves(bench)}
    assert len(leaves_before) == len(bench.pipeline.registry.documents())
    shown = {
        document_id: leaf_of(chunks.load(Batch([], bench.pipeline.resources), document_id)).text
        for document_id in leaves_before
    }
    told = set(re.findall(r"\w+", "\n".join(shown.values())))
    for area in {leaf.area for leaf in leaves_before.values()}:
        for row in rows(bench, area).values():
            assert told >= set(re.findall(r"\w+", str(row["chunk_text"])))
    add(first, corpus / "zw" / "judgments" / "zagpjhc_judgment.docx")
    grow(bench)
    new = [leaf for leaf in leaves(bench) if leaf.document_id not in leaves_before]
    assert {leaf.jurisdiction for leaf in new} == {"in", "za"}
    touched = {(leaf.area, f"Summary > {leaf.jurisdiction} {leaf.language} > Judgments {leaf.node}") for leaf in new}
    assert {node for node, input_hash in nodes().items() if before.get(node) != input_hash} == touched
    assert [leaf for leaf in leaves(bench) if leaf.document_id in leaves_before] == list(leaves_before.values())
