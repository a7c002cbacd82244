"""`legal-pipeline coverage`: every file of a folder is a document with its figures, or an error with its type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from legal_pipeline.chunking.strategy import Vectors
from legal_pipeline.cli.app import app
from legal_pipeline.cli.coverage_presentation import coverage_summary, coverage_tables
from legal_pipeline.cli.coverage_report import FileReport, coverage_report
from legal_pipeline_tests.parsing.samples import SAMPLES
from legal_pipeline_tests.small_laws import write_law


class Directions:
    """An encoder without a model: each text its own direction."""

    name = "directions"

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.eye(len(texts), max(len(texts), 2), dtype=np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("swedish_page", "zimbabwean_json", "indian_markdown", "akn_xml", "judgment_text", "plain_text"):
        (tmp_path / "laws").mkdir(exist_ok=True)
        (tmp_path / "laws" / name).write_bytes(SAMPLES[name])
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "other|kind.json").write_text('{"a": 1}', "utf-8")
    return tmp_path


def reports(folder: Path) -> dict[str, FileReport]:
    return {report.file: report for report in coverage_report(folder, lambda _: Directions())}


def test_sections_are_held_against_what_the_source_marks(folder: Path) -> None:
    found = reports(folder)
    assert {
        name: (found[f"laws/{name}"].sections_found, found[f"laws/{name}"].sections_expected)
        for name in ("swedish_page", "zimbabwean_json", "indian_markdown", "akn_xml")
    } == {"swedish_page": (2, None), "zimbabwean_json": (2, 2), "indian_markdown": (2, 2), "akn_xml": (1, 1)}
    assert found["laws/zimbabwean_json"].document_id == "zw-act-2099-1"
    assert all(report.coverage == 1.0 for report in found.values() if report.error is None)
    assert found["laws/plain_text"].quality_score == 1.0


def test_a_file_that_is_no_document_is_a_line_with_its_typed_error(folder: Path) -> None:
    found = reports(folder)
    errors = {name: (report.error, report.defect) for name, report in found.items() if report.error is not None}
    assert errors == {"empty.txt": ("EmptyDocumentError", False), "other|kind.json": ("UnknownFormatError", False)}


def test_an_error_of_another_kind_is_a_defect(tmp_path: Path) -> None:
    class Broken(Directions):
        def encode(self, texts: Sequence[str]) -> Vectors:
            raise KeyError("num")

    (tmp_path / "letter.txt").write_text(
        "The keeper wrote to the board. It did not answer. He wrote again in May.", "utf-8"
    )
    (report,) = coverage_report(tmp_path, lambda _: Broken())
    assert (report.error, report.defect, report.format) == ("KeyError", True, "plain_text")


def test_files_that_cannot_be_read_end_the_report_with_1_and_each_file_is_a_line_of_json(folder: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", str(folder), "--json"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in lines] == sorted(reports(folder))
    assert {line["error"] for line in lines} == {None, "EmptyDocumentError", "UnknownFormatError"}
    assert all(line["title"] and line["jurisdiction"] for line in lines if line["error"] is None)
    assert result.exit_code == 1


def test_a_folder_without_failures_ends_the_report_with_0_and_a_line_has_title_and_country(tmp_path: Path) -> None:
    write_law(tmp_path, 1)
    result = CliRunner().invoke(app, ["coverage", str(tmp_path)])
    assert "SFS nr: 2024:1" in result.stdout
    assert "(se)" in result.stdout
    assert "1 file, 1 document" in result.stdout
    assert result.exit_code == 0


def test_a_file_whose_sections_are_missing_ends_the_report_with_1(tmp_path: Path) -> None:
    page = SAMPLES["canonical_page"].decode("utf-8")
    second = """<article class="legal-document" id="SFS2099-11">
        <h3 class="paragraph"><a class="paragraf" id="SFS2099-11_K1_P1">1 §</a></h3><p class="text">Fyren ska lysa.</p>
        <h3 class="paragraph"><a class="paragraf" id="SFS2099-11_K1_P2">2 §</a></h3><p class="text">Fyren ska tuta.</p></article>"""
    (tmp_path / "two_acts.html").write_text(page + second, "utf-8")
    result = CliRunner().invoke(app, ["coverage", str(tmp_path), "--json"])
    assert json.loads(result.stdout)["error"] == "IncompleteDocumentError"
    assert result.exit_code == 1


def test_the_markdown_tables_have_a_line_per_folder_and_per_file(folder: Path) -> None:
    found = list(coverage_report(folder, lambda _: Directions()))
    summary, files = coverage_tables(found).split("\n\n")
    assert summary == coverage_summary(found)
    assert [line.split(" | ")[0].removeprefix("| ") for line in summary.splitlines()[2:]] == [".", "laws"]
    assert len(files.splitlines()) == 2 + len(found)
    assert "other\\|kind.json" in files
    assert "5 / 5" in summary.splitlines()[-1]
