"""The files that other tools read: a run measured by ir-measures has the figures of the report, and BEIR's layout can be read again."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest
from ir_measures import R, nDCG

from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.enrichment.extractive import ExtractiveEnricher
from legal_pipeline.evaluation.datasets import read_dataset
from legal_pipeline.evaluation.metrics import METRICS
from legal_pipeline.evaluation.names import DatasetName
from legal_pipeline.evaluation.run import Evaluation, evaluate
from legal_pipeline.evaluation.systems import layers
from legal_pipeline_tests.evaluation.laws import harbours, lighthouses


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Evaluation]:
    """(the folder of the one system, its figures) of citation queries over two laws."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "laws").mkdir()
    (folder / "laws" / "fyrar.txt").write_text(lighthouses(), "utf-8")
    (folder / "laws" / "hamnar.txt").write_text(harbours(), "utf-8")
    evaluation = evaluate(
        read_dataset(DatasetName.CITATIONS, [folder / "laws"]),
        layers()[:1],
        embedders=ModelTable.parse("all-MiniLM-L6-v2").open(open_embedder),
        enricher=ExtractiveEnricher(),
        seed=7,
        judged_files=folder / "out",
    )
    return folder / "out" / "structural-text-alone", evaluation


@pytest.mark.parametrize("mode", ["dense", "dense + BM25"])
def test_a_run_measured_by_ir_measures_has_the_figures_of_the_report(
    written: tuple[Path, Evaluation], mode: str
) -> None:
    folder, evaluation = written
    judged = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(folder / "runs" / f"{mode.replace(' + ', '-').lower()}.txt")))
    theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 5, R @ 10], judged, run)
    score = next(one for one in evaluation.scores if one.mode == mode)
    # each section of these laws is one chunk, so that chunks and provisions are counted alike
    assert score.figures["ndcg@10"].mean == pytest.approx(theirs[nDCG @ 10], abs=1e-4)
    assert score.figures["recall@5"].mean == pytest.approx(theirs[R @ 5], abs=1e-4)
    assert score.figures["recall@10"].mean == pytest.approx(theirs[R @ 10], abs=1e-4)


def test_passages_are_listed_as_their_chunks_the_found_one_first(written: tuple[Path, Evaluation]) -> None:
    folder, _ = written
    corpus = {json.loads(line)["_id"] for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()}
    by_query: dict[str, list[str]] = {}
    for line in (folder / "runs" / "passages.txt").read_text("utf-8").splitlines():
        query, _, item, place, _, _ = line.split()
        assert int(place) == len(by_query.setdefault(query, [])) + 1
        by_query[query].append(item)
    assert all(len(items) == len(set(items)) and set(items) <= corpus for items in by_query.values())
    dense = (folder / "runs" / "dense-bm25.txt").read_text("utf-8").splitlines()
    assert len(by_query) == len({line.split()[0] for line in dense}) == 3


def test_the_beir_layout_can_be_read_again(written: tuple[Path, Evaluation]) -> None:
    folder, evaluation = written
    again = read_dataset(DatasetName.BEIR, [folder])
    assert [one.text for one in again.queries] == [one.text for one in evaluation.queries]
    texts = {one.document_id: one.text for one in again.documents}
    (first, *_) = again.queries
    assert any("linsens renhet" in texts[answer.document_id] for answer in first.answers)


def test_every_figure_has_a_name(written: tuple[Path, Evaluation]) -> None:
    _, evaluation = written
    assert all(found.shape == (3, len(METRICS)) for found in evaluation.values.values())
