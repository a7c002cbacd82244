"""The documentation says what the code does, and the README stays short."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline.cli.coverage_presentation import coverage_summary
from legal_pipeline.evaluation.report import HEAD
from legal_pipeline.settings import configuration_table
from legal_pipeline_tests import rooms
from legal_pipeline_tests.documentation import DOCS, FOLDERS, generated

LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_readme_is_read_in_five_minutes(repository: Path) -> None:
    text = (repository / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1200


def test_every_link_between_the_pages_leads_to_a_page(repository: Path) -> None:
    pages = [repository / "README.md", *sorted(DOCS.glob("*.md")), *sorted((repository / "deploy").rglob("README.md"))]
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 15
    for page, link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in {slug(heading) for heading in HEADING.findall(target.read_text("utf-8"))}, (
                f"{page.name}: {link}"
            )


def test_every_page_is_linked_from_the_readme(repository: Path) -> None:
    linked = set(LINK.findall((repository / "README.md").read_text("utf-8")))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= {link.partition("#")[0] for link in linked}


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_configuration_table_is_that_of_the_settings() -> None:
    assert generated("configuration") == configuration_table(), "run `make tables`"


def test_the_rooms_and_their_picture_are_those_of_the_imports() -> None:
    assert generated("rooms") == rooms.markdown(), "run `python -m legal_pipeline_tests.documentation rooms`"


def test_every_package_and_top_module_is_a_room_with_a_place_among_the_layers() -> None:
    assert sorted(rooms.imports_between_rooms()) == sorted(rooms.rooms())


def test_the_coverage_table_has_the_columns_of_the_report_and_no_defect() -> None:
    table = generated("coverage")
    assert table is not None
    head = coverage_summary([]).splitlines()
    assert table.splitlines()[:2] == head, "run `make tables`"
    for row in rows(table)[2:]:
        assert len(row) == len(rows(head[0])[0])
        assert all(error.endswith("Error") for error in row[-1].split(", ") if row[-1])


def test_the_evaluation_tables_have_the_columns_of_the_report(repository: Path) -> None:
    tables = generated("evaluation")
    assert tables is not None
    assert f"| {' | '.join(HEAD)} |" in tables, "run `python -m legal_pipeline_tests.documentation evaluation`"
    for language in ("English", "Swedish"):
        assert f"citations, {language}, " in tables
    assert (repository / "docs" / "evaluation.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.corpus
def test_the_coverage_table_counts_the_files_of_the_corpus(corpus: Path) -> None:
    table = generated("coverage")
    assert table is not None
    files: Counter[str] = Counter()
    for folder in FOLDERS:
        for path in (corpus / folder).rglob("*"):
            if path.is_file():
                files["/".join(path.relative_to(corpus).parts[:-1][:2])] += 1
    assert {row[0]: int(row[1]) for row in rows(table)[2:]} == files, "run `make tables`"
