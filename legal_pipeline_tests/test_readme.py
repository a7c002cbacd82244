"""The README says what the code does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.presentation import coverage_summary
from legal_pipeline.retrieval.evaluation.report import HEAD
from legal_pipeline.settings import configuration_table
from legal_pipeline_tests.readme import FOLDERS, section


@pytest.fixture
def readme(repository: Path) -> str:
    return (repository / "README.md").read_text("utf-8")


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_configuration_table_is_that_of_the_settings(readme: str) -> None:
    assert section(readme, "configuration") == configuration_table(), "run `make readme`"


def test_the_coverage_table_has_the_columns_of_the_report_and_no_defect(readme: str) -> None:
    table = section(readme, "coverage")
    assert table is not None
    head = coverage_summary([]).splitlines()
    assert table.splitlines()[:2] == head, "run `make readme`"
    for row in rows(table)[2:]:
        assert len(row) == len(rows(head[0])[0])
        assert all(error.endswith("Error") for error in row[-1].split(", ") if row[-1])


def test_the_evaluation_tables_have_the_columns_of_the_report(readme: str, repository: Path) -> None:
    tables = section(readme, "evaluation")
    assert tables is not None
    assert f"| {' | '.join(HEAD)} |" in tables, "run `python -m legal_pipeline_tests.readme evaluation`"
    for language in ("English", "Swedish"):
        assert f"citations, {language}, " in tables
    assert (repository / "docs" / "evaluation.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.corpus
def test_the_coverage_table_counts_the_files_of_the_corpus(readme: str, corpus: Path) -> None:
    table = section(readme, "coverage")
    assert table is not None
    files: Counter[str] = Counter()
    for folder in FOLDERS:
        for path in (corpus / folder).rglob("*"):
            if path.is_file():
                files["/".join(path.relative_to(corpus).parts[:-1][:2])] += 1
    assert {row[0]: int(row[1]) for row in rows(table)[2:]} == files, "run `make readme`"
