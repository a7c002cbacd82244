"""Definitions and the published sets on the real files."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.datasets import read_dataset
from legal_pipeline.evaluation.names import DatasetName
from legal_pipeline_tests.real_documents import existing


@pytest.mark.corpus
def test_definitions_are_asked_for_by_their_terms(corpus: Path) -> None:
    made = read_dataset(
        DatasetName.DEFINITIONS, [corpus / "in" / "indiacode_md" / "the-sale-of-goods-act-1930.en.part-001.md"]
    )
    texts = {one.document_id: one.text for one in made.documents}
    answers = {query.text: query.answers for query in made.queries}
    (answer,) = answers["what does “buyer” mean"]
    assert "a person who buys or agrees to buy goods" in texts[answer.document_id][answer.start : answer.end]
    assert len(answers) >= 10


@pytest.mark.corpus
def test_aila_statutes_are_judged_as_whole_documents(corpus: Path) -> None:
    made = read_dataset(DatasetName.AILA_STATUTES, [corpus / "eval" / "aila2019"])
    assert (len(made.documents), len(made.queries), made.by_document) == (197, 25, True)
    # 110 are judged relevant; the file lacks one of them
    assert sum(len(query.answers) for query in made.queries) == 109
    assert made.notes == ("judged relevant, but not among the documents: S58",)
    assert all(document.title for document in made.documents)


@pytest.mark.corpus
def test_aila_cases_hold_every_judged_case(corpus: Path, tmp_path: Path) -> None:
    """With ten of the others; the test below reads all of them."""
    whole, folder = corpus / "eval" / "aila2019", tmp_path / "aila"
    folder.mkdir()
    for name in ("Query_doc.txt", "qrels_priorcases_positive.txt"):
        shutil.copy(whole / name, folder)
    judged = {line.split()[2] for line in (folder / "qrels_priorcases_positive.txt").read_text("utf-8").splitlines()}
    (cases,) = existing(whole, "casedocs_*.jsonl.gz")
    with (
        gzip.open(cases, "rt", encoding="utf-8") as rows,
        gzip.open(folder / cases.name, "wt", encoding="utf-8") as few,
    ):
        others = 0
        for row in rows:
            is_judged = json.loads(row)["id"] in judged
            others += not is_judged
            if is_judged or others <= 10:
                few.write(row)
    made = read_dataset(DatasetName.AILA_CASES, [folder])
    assert len(made.documents) == len(judged) + 10
    assert sum(len(query.answers) for query in made.queries) == 59


@pytest.mark.corpus
@pytest.mark.heavy
def test_aila_has_436_cases(corpus: Path) -> None:
    made = read_dataset(DatasetName.AILA_CASES, [corpus / "eval" / "aila2019"])
    assert len(made.documents) == 436
    assert sum(len(query.answers) for query in made.queries) == 59


@pytest.mark.corpus
def test_graded_sentences_are_found_in_the_parsed_judgments(corpus: Path) -> None:
    made = read_dataset(DatasetName.STATUTORY_INTERPRETATION, [corpus / "eval" / "statutory_interpretation"])
    assert {query.text for query in made.queries} == {
        "dependent on hours worked", "leadership role in an organization", "semiconductor chip product",
    }  # fmt: skip
    assert {answer.grade for query in made.queries for answer in query.answers} == {1, 2, 3}
    assert made.notes == ("57 of 57 graded sentences found in the parsed cases",)


@pytest.mark.parametrize("name", [name for name in DatasetName if name not in ("citations", "definitions")])
def test_a_folder_that_holds_something_else_is_refused(name: DatasetName, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=str(tmp_path)):
        read_dataset(name, [tmp_path])
