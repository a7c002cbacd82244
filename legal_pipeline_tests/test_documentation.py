"""The documentation says what the code does, and the README stays short."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from legal_pipeline import errors
from legal_pipeline.cli.coverage_presentation import coverage_summary
from legal_pipeline.evaluation.report import HEAD
from legal_pipeline.settings import Settings
from legal_pipeline.sources.exchange import HttpError
from legal_pipeline.sources.remote import FetchError
from legal_pipeline.sources.source import DoubtfulListingError, ListingError, UnknownCursorError
from legal_pipeline_tests import packages, reference_pages
from legal_pipeline_tests.documentation import DOCS, FOLDERS, FROM_CODE, generated
from legal_pipeline_tests.real_documents import existing

LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_readme_is_read_in_five_minutes(repository: Path) -> None:
    text = (repository / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1200


def test_every_link_between_the_pages_leads_to_a_page(repository: Path) -> None:
    pages = [repository / "README.md", *existing(DOCS, "**/*.md"), *existing(repository / "deploy", "**/README.md")]
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text("utf-8"))]
    assert len(links) > 80
    for page, link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in {slug(heading) for heading in HEADING.findall(target.read_text("utf-8"))}, (
                f"{page.name}: {link}"
            )


def test_every_page_is_in_the_navigation_of_the_site(repository: Path) -> None:
    named = re.findall(r": ([\w/-]+\.md)$", (repository / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_every_page_begins_with_the_question_that_it_answers() -> None:
    for page in existing(DOCS, "**/*.md"):
        title, empty, question = page.read_text("utf-8").splitlines()[:3]
        assert title.startswith("# "), page
        assert not empty, page
        assert re.match(r"[A-Z`]", question), page


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", FROM_CODE)
def test_the_generated_parts_are_those_of_the_code(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [*os.environ]:
        if variable.startswith("LEGAL_PIPELINE_"):
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)  # no `.env` of the checkout
    made = FROM_CODE[name]()
    assert len(made) > 1000
    assert generated(name) == made, f"run `python -m legal_pipeline_tests.documentation {name}`"


def test_the_tables_in_postgresql_are_those_of_the_migrations(settings: Settings) -> None:
    made = reference_pages.postgres(settings)
    assert "### `legal_chunks`" in made
    assert generated("postgres") == made, "run `python -m legal_pipeline_tests.documentation postgres`"


def test_every_meaning_of_a_column_is_shown() -> None:
    tables = {
        name: set(re.findall(r"^\| `(\w+)` \|", part, re.M))
        for name, part in re.findall(
            r"^### (?:Fields of )?`(\w+)`\n(.+?)(?=^###|\Z)",
            f"{generated('warehouse')}\n{generated('postgres')}",
            re.M | re.S,
        )
    }
    shown = {"any": set().union(*tables.values()), **tables}
    unknown = {
        f"{table}.{column}"
        for table, columns in reference_pages.MEANINGS.items()
        for column in columns.keys() - shown.get(table, set())
    }
    assert not unknown


def test_every_error_that_users_see_is_explained() -> None:
    page = (DOCS / "operations/failures.md").read_text("utf-8")
    classes = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    of_sources = {
        error.__name__ for error in (ListingError, DoubtfulListingError, UnknownCursorError, FetchError, HttpError)
    }
    explained = set(re.findall(r"^\| `(\w+Error)` \|", page, re.MULTILINE))
    assert explained == classes - {"LegalPipelineError"} | of_sources


def test_every_check_has_a_remedy() -> None:
    page = (DOCS / "operations/index.md").read_text("utf-8")
    table = page.partition("## Checks")[2].partition("\n## ")[0]
    checks = re.findall(
        r"^\| `(\w+)` \|", (generated("assets") or "").partition("## Checks")[2].partition("## Jobs")[0], re.M
    )
    assert len(checks) > 5
    assert not [check for check in checks if f"`{check}`" not in table]


def test_every_package_and_top_module_has_a_place_among_the_layers() -> None:
    assert sorted(packages.imports_between_packages()) == sorted(packages.packages())


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
    assert (repository / "docs/images/evaluation.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.corpus
def test_the_coverage_table_counts_the_files_of_the_corpus(corpus: Path) -> None:
    table = generated("coverage")
    assert table is not None
    files: Counter[str] = Counter()
    for folder in FOLDERS:
        for path in existing(corpus / folder, "**/*"):
            if path.is_file():
                files["/".join(path.relative_to(corpus).parts[:-1][:2])] += 1
    assert {row[0]: int(row[1]) for row in rows(table)[2:]} == files, "run `make tables`"


def test_pictures_are_small_and_shown() -> None:
    pictures = sorted((DOCS / "images").iterdir())
    assert len(pictures) >= 4
    shown = "".join(page.read_text("utf-8") for page in existing(DOCS, "**/*.md"))
    for picture in pictures:
        assert picture.stat().st_size <= 150_000, picture
        assert f"images/{picture.name}" in shown, f"no page shows {picture.name}"
