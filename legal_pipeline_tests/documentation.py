"""Writes the generated parts of the documentation (`make tables`), or those named as arguments (the keys of `PAGES`).

`evaluation` only when named: it embeds the corpus once per system, which takes an hour of one core.

Not here: the check that they are right (`test_documentation`).
"""

from __future__ import annotations

import dataclasses
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from legal_pipeline.cli.coverage_presentation import coverage_summary
from legal_pipeline.cli.coverage_report import FileReport, coverage_report
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.embedding.registry import configured_embedders
from legal_pipeline.evaluation.report import markdown, plot_png
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline_tests import mcp_conversation, packages, reference_lists, reference_pages
from legal_pipeline_tests.benchmarks import cost_model
from legal_pipeline_tests.benchmarks.retrieval import evaluation
from legal_pipeline_tests.benchmarks.strategies import measure, table

REPOSITORY = Path(__file__).resolve().parent.parent
DOCS = REPOSITORY / "docs"
PLOT = DOCS / "images/evaluation.png"
#: The page that holds each generated part.
PAGES = {
    name: DOCS / page
    for name, page in {
        "configuration": "reference/settings.md",
        "commands": "reference/command-line.md",
        "assets": "reference/assets.md",
        "warehouse": "reference/tables.md",
        "payload": "reference/tables.md",
        "postgres": "reference/tables.md",
        "schemas": "reference/schemas.md",
        "packages": "concepts/assets.md",
        "coverage": "reference/formats.md",
        "formats": "reference/formats.md",
        "countries": "reference/countries.md",
        "named": "reference/countries.md",
        "strategies": "reference/strategies.md",
        "router": "reference/strategies.md",
        "types": "reference/strategies.md",
        "conversation": "guides/mcp.md",
        "scale": "operations/scale.md",
        "evaluation": "evaluation/results.md",
    }.items()
}
#: Parts that are made from the code alone.
FROM_CODE: dict[str, Callable[[], str]] = {
    "configuration": reference_pages.configuration,
    "commands": reference_pages.commands,
    "assets": reference_pages.assets,
    "warehouse": reference_pages.warehouse,
    "payload": reference_pages.payload,
    "schemas": reference_pages.schemas,
    "packages": packages.markdown,
    "formats": reference_lists.formats,
    "countries": reference_lists.known_countries,
    "named": reference_lists.named_countries,
    "router": reference_lists.strategies,
    "types": reference_lists.chunk_types,
    "scale": cost_model.page_part,
}
CORPUS = Path(os.environ.get("LEGAL_PIPELINE_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
#: Folders of the corpus that hold sources; the others hold references for evaluation.
FOLDERS = ("se", "in", "zw", "us", "tagged", "histories")


def main(*names: str) -> None:
    """The parts of the corpus only where the corpus is, and in some minutes: texts without structure are embedded."""
    for name, made in FROM_CODE.items():
        if not names or name in names:
            write(name, made())
    if not names or "postgres" in names:
        write("postgres", postgres_tables())
    if not names or "conversation" in names:
        write("conversation", mcp_conversation.made())
    if (not names or "coverage" in names) and CORPUS.is_dir():
        write("coverage", coverage_summary(corpus_reports(CORPUS)))
    if (not names or "strategies" in names) and CORPUS.is_dir():
        write("strategies", table(*measure(CORPUS)))
    if "evaluation" in names and CORPUS.is_dir():
        found = evaluation(CORPUS)
        write("evaluation", markdown(found))
        PLOT.write_bytes(plot_png(found))


def postgres_tables() -> str:
    """The tables of an empty database, in a server of its own."""
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name:
        home = Path(name)
        with EmbeddedPostgres(home / "postgres").start() as server:
            return reference_pages.postgres(load_settings(home=home, database_url=server.url))


def write(name: str, table: str) -> None:
    """Replace a generated table on its page."""
    page = PAGES[name]
    page.write_text(replaced(page.read_text("utf-8"), name, table), "utf-8")


def generated(name: str) -> str | None:
    """The generated table as it stands on its page."""
    return section(PAGES[name].read_text("utf-8"), name)


def section(text: str, name: str) -> str | None:
    """What stands between the marks of a generated table."""
    found = _section(name).search(text)
    return found[2].strip("\n") if found is not None else None


def replaced(text: str, name: str, table: str) -> str:
    return _section(name).sub(lambda found: f"{found[1]}{table}\n{found[3]}", text)


def corpus_reports(corpus: Path) -> Iterator[FileReport]:
    """Reports of all source files; file names are those in the corpus."""
    encoder = encoders(lambda: configured_embedders(load_settings()))
    for folder in FOLDERS:
        for report in coverage_report(corpus / folder, encoder):
            yield dataclasses.replace(report, file=f"{folder}/{report.file}")


def _section(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}(?: table)?: [^\n]*-->\n)(.*?)(<!-- end of {name}(?: table)? -->)", re.DOTALL)


if __name__ == "__main__":
    main(*sys.argv[1:])
