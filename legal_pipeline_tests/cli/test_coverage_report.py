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
from legal_pipeline.evaluation.documents import read_corpus
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
    summary, files, *_ = coverage_tables(found).split("\n\n")
    assert summary == coverage_summary(found)
    assert [line.split(" | ")[0].removeprefix("| ") for line in summary.splitlines()[2:]] == [".", "laws"]
    assert len(files.splitlines()) == 2 + len(found)
    assert "other\\|kind.json" in files
    assert "5 / 5" in summary.splitlines()[-1]


def _line(number: int, content: object) -> str:
    stated = {"doc_id": f"lamp-{number}", "doc_type": "act", "title": f"Lamp Act {number}", "jurisdiction": "zw"}
    return json.dumps({**stated, "language": "en", "content": content})


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A docs.jsonl of two Acts and a line that is no document."""
    section = {"type": "section", "num": "1", "heading": "Lamps", "text": "The keeper shall light the lamp."}
    path = tmp_path / "docs.jsonl"
    path.write_text("\n".join((_line(1, [section]), _line(2, []), _line(3, [section]))) + "\n", "utf-8")
    return path


def test_a_file_of_several_documents_is_reported_by_document(lines: Path) -> None:
    found = list(coverage_report(lines, lambda _: Directions()))
    assert [(report.file, report.location, report.title, report.error) for report in found] == [
        ("docs.jsonl", "lamp-1", "Lamp Act 1", None),
        ("docs.jsonl", "lamp-2", None, "EmptyDocumentError"),
        ("docs.jsonl", "lamp-3", "Lamp Act 3", None),
    ]
    result = CliRunner().invoke(app, ["coverage", str(lines)])
    assert "docs.jsonl#lamp-2  EmptyDocumentError: " in result.stdout
    assert result.stdout.splitlines()[-1] == "1 file, 2 documents, EmptyDocumentError 1"
    assert result.exit_code == 1


def test_a_file_of_several_documents_that_cannot_be_split_is_one_error(lines: Path) -> None:
    lines.write_text(lines.read_text("utf-8") + '{"doc_id": "lamp-4"', "utf-8")
    (report,) = coverage_report(lines, lambda _: Directions())
    assert (report.error, report.location) == ("ParseError", "")


def test_commands_read_all_documents_of_a_file(lines: Path) -> None:
    kept = [line for line in lines.read_text("utf-8").splitlines() if "lamp-2" not in line]
    lines.write_text("\n".join(kept) + "\n", "utf-8")
    for options in ([], ["--format", "docs_jsonl"]):
        parsed = CliRunner().invoke(app, ["parse", str(lines), "--json", *options])
        assert [json.loads(line)["title"] for line in parsed.stdout.splitlines()] == ["Lamp Act 1", "Lamp Act 3"]
    cut = CliRunner().invoke(app, ["chunk", str(lines), "--json"])
    assert len({json.loads(line)["document_id"] for line in cut.stdout.splitlines()}) == 2
    compared = CliRunner().invoke(app, ["diff", str(lines), str(lines)])
    assert str(compared.exception) == f"{lines} holds 2 documents; expected a file with one"


def test_the_evaluation_reads_all_documents_of_a_file(lines: Path) -> None:
    corpus = read_corpus([lines])
    assert [document.title for document in corpus.documents] == ["Lamp Act 1", "Lamp Act 3"]
    assert corpus.left_out == {"EmptyDocumentError": 1}


def test_the_markdown_tables_have_the_words_of_each_warning(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(SAMPLES["akn_page"])
    (report,) = coverage_report(tmp_path, lambda _: Directions())
    *_, warnings = coverage_tables([report]).split("\n\n")
    assert warnings.splitlines()[2:] == ["| page | the source does not say which work it is |"]


def test_words_of_a_text_in_a_json_file_are_compared_with_that_text(tmp_path: Path) -> None:
    sentences = "".join(
        f"<p>{number}. The keeper lit lamp {number} at dusk, as the court found.</p>" for number in range(1, 21)
    )
    row = {"title": "Lamp v Light", "date": "2031-03-04", "html": f"<h1>Lamp v Light</h1>{sentences}"}
    (tmp_path / "case.json").write_text(json.dumps(row), "utf-8")
    (report,) = reports(tmp_path).values()
    assert (report.words_lost, report.error) == (0, None)
    assert report.words_shown is not None
    assert report.words_shown > 200
