"""`legal-pipeline …`: every command, its output and its exit code.

Exit codes: 0 ok, 1 some documents failed, 2 usage or configuration, 130 interrupted.
Not here: the work of the commands (the library and `defs`).
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from legal_pipeline.cli.backup_commands import backup, restore
from legal_pipeline.cli.erase_command import erase
from legal_pipeline.cli.evaluate_command import evaluate
from legal_pipeline.cli.file_commands import chunk, diff, parse
from legal_pipeline.cli.options import DocType, Exclude, Json, Jurisdiction, Strategy, hints_of
from legal_pipeline.cli.partitioning_command import partitioning
from legal_pipeline.cli.search_command import search
from legal_pipeline.cli.service_commands import keys, mcp, serve
from legal_pipeline.cli.usage import Commands, usage_message
from legal_pipeline.errors import ConfigurationError, DocumentError, LegalPipelineError
from legal_pipeline.system.interrupts import interrupt_on_every_signal
from legal_pipeline.system.terminal import VisibleLog, say, say_traceback

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    suggest_commands=False,  # `usage` does it for commands and options alike
)


OK, SOME_FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def _print_version(asked: bool) -> None:
    if asked:
        say(f"legal-pipeline {importlib.metadata.version('legal_pipeline')}")
        raise typer.Exit(OK)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Turn Acts, regulations and judgments into a search index that stays up to date as the law changes."""


def main() -> NoReturn:
    """Run the command line; print this package's errors as a sentence and end with an exit code."""
    code = OK
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot print § must not end a command
    logging.basicConfig(handlers=[VisibleLog()], format="%(message)s")
    interrupt_on_every_signal()
    try:
        code = app(standalone_mode=False) or OK
    except DocumentError as error:
        _fail(str(error), SOME_FAILED)
    except LegalPipelineError as error:
        _fail(str(error), USAGE)
    except (typer.Abort, KeyboardInterrupt):
        _interrupted()
    except SystemExit as end:
        # if the reader of a pipe ends (`| head`), typer exits with 1, which would mean failed documents
        sys.exit(OK if isinstance(end.__context__, BrokenPipeError) else end.code)
    except Exception as error:
        message = usage_message(error)
        if message is None:
            say_traceback(error)  # a defect is printed with its traceback
            sys.exit(SOME_FAILED)
        say(message, error=True)
        sys.exit(USAGE)
    if code == INTERRUPTED:
        _interrupted()  # interrupted while the arguments were parsed: Typer exits with this code
    sys.exit(code)


def _interrupted() -> NoReturn:
    _fail("interrupted; what was finished is kept, and the same command goes on from there", INTERRUPTED)


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {message}", error=True)
    sys.exit(code)


app.command()(parse)
app.command()(chunk)
app.command()(diff)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders, in any known format.")],
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
    strategy: Strategy = None,
    force: Annotated[bool, typer.Option(help="Recompute assets that are up to date too.")] = False,
    accept: Annotated[
        bool,
        typer.Option(
            help="Confirm these files if their title, number, jurisdiction or format is not that of the document that they claim to be, or "
            "if another file has a different text of the same date."
        ),
    ] = False,
    dry: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Only estimate what Claude would be asked and cost. Touches no store, sends nothing."
        ),
    ] = False,
    exclude: Exclude = None,
    as_json: Json = False,
) -> None:
    """Register files or folders and run their documents through every asset. Dagster records the runs."""
    from legal_pipeline.chunking.router import RouterOptions
    from legal_pipeline.cli.dry_run import dry_run
    from legal_pipeline.cli.presentation import Report, print_dry_run, print_left_out
    from legal_pipeline.defs.launch import ingest_source
    from legal_pipeline.settings import load_settings
    from legal_pipeline.sources.directory import DirectorySource
    from legal_pipeline.stages.raw_documents import limits
    from legal_pipeline.system.file_patterns import excluded

    RouterOptions(strategy)  # refuses an unknown name before the run starts
    settings = load_settings()
    source = DirectorySource(paths, limits=limits(settings), exclude=excluded(settings.source_exclude, exclude))
    source.verify_outside(settings.home)
    if dry:
        print_left_out(source.list().left_out)
        estimated = dry_run(settings, source, hints=hints_of(jurisdiction, doc_type), strategy=strategy)
        print_dry_run(estimated, as_json)
        if estimated.unreadable:
            raise typer.Exit(SOME_FAILED)
        return
    with contextlib.closing(Report(as_json)) as report:
        ingest_source(
            settings,
            source,
            hints=hints_of(jurisdiction, doc_type),
            strategy=strategy,
            force=force,
            accept=accept,
            report=report,
        )
        report.finish()
    if report.failed:
        raise typer.Exit(SOME_FAILED)


app.command()(search)
app.command()(serve)
app.command()(mcp)
app.add_typer(keys, name="keys")


@app.command()
def explain(
    chunk_id: Annotated[str, typer.Argument(help="The id of a chunk, as `search --json` shows it (`chunk_id`).")],
    as_json: Json = False,
) -> None:
    """Show the document and span of a chunk, and the strategy and rule that cut it."""
    from legal_pipeline.cli.presentation import print_explanation
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.settings import load_settings
    from legal_pipeline.views.explanation import explain as explain_chunk

    with Pipeline.open(load_settings()) as pipeline:
        explanation = explain_chunk(pipeline.resources, chunk_id)
    print_explanation(explanation, as_json)


class ExportFormat(StrEnum):
    """The output of `export`."""

    CHUNKS = "chunks"
    AKN = "akn"


@app.command()
def export(
    target: Annotated[Path, typer.Argument(help="chunks: the file to write (chunks.jsonl); akn: a folder.")],
    format: Annotated[
        ExportFormat,
        typer.Option(help="chunks: the chunk table as JSON lines; akn: a file of Akoma Ntoso 3 XML for each document."),
    ] = ExportFormat.CHUNKS,
    document: Annotated[list[str] | None, typer.Option(help="akn: only these document ids (repeatable).")] = None,
    as_json: Json = False,
) -> None:
    """Write the chunks of all documents as JSON lines, or documents as Akoma Ntoso. An existing file is replaced."""
    from legal_pipeline.cli.state_presentation import print_exported, print_files
    from legal_pipeline.corpus_assets.chunks_jsonl import write_chunks_jsonl
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.settings import load_settings
    from legal_pipeline.views.akn_files import write_akn_files

    if format is ExportFormat.CHUNKS and document:
        raise ConfigurationError("--document goes with --format akn")
    if format is ExportFormat.CHUNKS and target.is_dir():
        raise ConfigurationError(f"{target} is a folder; name the file to write")
    with Pipeline.open(load_settings()) as pipeline:
        if format is ExportFormat.AKN:
            print_files(write_akn_files(pipeline.registry, pipeline.warehouse, target, document or ()), as_json)
        else:
            print_exported(target, write_chunks_jsonl(pipeline.registry, pipeline.warehouse, target), as_json)


@app.command()
def coverage(
    path: Annotated[Path, typer.Argument(help="A folder or a file.")],
    exclude: Exclude = None,
    as_json: Json = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Tables in markdown: per folder and per document, and the warnings.")
    ] = False,
) -> None:
    """Parse and chunk all documents of a file or folder: sections found and expected, text covered by chunks, warnings, errors.
    Touches no store.

    Exit code 1 if a file could not be read, except a file that accompanies a document and is not one. Each such file is listed with the
    reason.
    """
    from legal_pipeline.cli.coverage_presentation import coverage_tables, print_coverage
    from legal_pipeline.cli.coverage_report import coverage_report
    from legal_pipeline.cli.presentation import print_left_out
    from legal_pipeline.embedding.encoder import encoders
    from legal_pipeline.embedding.registry import configured_embedders
    from legal_pipeline.jurisdictions.jurisdiction import add_configured
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.raw_documents import limits
    from legal_pipeline.system.file_patterns import excluded

    settings = load_settings()
    add_configured(settings)
    encoder = encoders(lambda: configured_embedders(settings))
    patterns = excluded(settings.source_exclude, exclude)
    reports = coverage_report(path, encoder, limits(settings), exclude=patterns, tell_left_out=print_left_out)
    if markdown:
        shown = list(reports)
        say(coverage_tables(shown))
    else:
        shown = print_coverage(reports, as_json)
    if any(report.is_failure for report in shown):
        raise typer.Exit(SOME_FAILED)


app.command()(evaluate)


@app.command()
def purge(as_json: Json = False) -> None:
    """Delete the documents that their source has removed (tombstoned) from the stores, and drop collections of former embedding models.

    The documents' tables stay in the warehouse.
    """
    from legal_pipeline.cli.state_presentation import print_purged
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.settings import load_settings

    with Pipeline.open(load_settings()) as pipeline:
        deleted, dropped = pipeline.purge(), pipeline.sweep()
    print_purged(deleted, dropped, as_json)


app.command()(erase)
app.command()(partitioning)
app.command()(backup)
app.command()(restore)


@app.command()
def reconcile(
    repair: Annotated[
        bool, typer.Option("--repair", help="Run what repairs the differences, and failed documents again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare registry, warehouse and stores by count and hash, over all documents.

    Exit code 1 if anything is left to repair (with --repair: after the repair): a difference, a document that failed or that waited for its
    run for more than a day, a tree of a practice area, a judgment without a practice area, points of no document, or a damaged collection.
    With --json, `clean` is true if nothing is left, also if documents failed: these are in `failed`.
    """
    from legal_pipeline.cli.presentation import Report
    from legal_pipeline.cli.state_presentation import print_reconciliation
    from legal_pipeline.defs.repair import reconcile_documents
    from legal_pipeline.settings import load_settings

    with contextlib.closing(Report(as_json)) as report:
        found, after = reconcile_documents(load_settings(), repair=repair, report=report)
    print_reconciliation(found, after, as_json)
    left = found if after is None else after
    if left.failed or not left.is_clean:
        raise typer.Exit(SOME_FAILED)


@app.command()
def status(as_json: Json = False) -> None:
    """Show documents by state, why documents failed or wait, which are missing at their source, the collections, and which completed
    documents are in none of them, how many files patterns left out of folders, and courts whose country is not known."""
    from legal_pipeline.cli.state_presentation import print_status
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.registry.coming_expressions import later_texts
    from legal_pipeline.registry.freshness import left_out
    from legal_pipeline.registry.listing import missing_at_source, unknown_courts, without_chunks
    from legal_pipeline.settings import load_settings

    with Pipeline.open(load_settings()) as pipeline:
        registry = pipeline.registry
        unfinished = [*registry.documents(status="failed"), *registry.documents(status="waiting")]
        missing, empty = missing_at_source(registry.database), without_chunks(registry.database)
        print_status(
            registry.counts(),
            unfinished,
            pipeline.collections(),
            empty,
            missing,
            as_json,
            later_texts(registry.database),
            left_out(registry.database),
            unknown_courts(registry.database),
        )


@app.command()
def doctor(
    measure: Annotated[
        bool, typer.Option("--measure", help="Load the embedding model and say how many texts it embeds in a second.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what is configured, reachable, and missing; which backend computes vectors, and why."""
    from legal_pipeline.cli.diagnosis import diagnose
    from legal_pipeline.cli.presentation import print_diagnosis
    from legal_pipeline.settings import load_settings

    findings = diagnose(load_settings(), measure)
    print_diagnosis(findings, as_json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(USAGE)


@app.command()
def demo() -> None:
    """Run the sample corpus through every asset into the embedded stores, then run three searches."""
    from legal_pipeline.settings import shipped_path

    sample = shipped_path("data/sample")
    ingest(sorted(path for path in sample.iterdir() if path.is_dir()))
    for query in DEMO_QUERIES:
        search(query, limit=3)
    say(NEXT_STEPS)


@app.command()
def dev(
    port: Annotated[int, typer.Option(help="Port of the Dagster UI.")] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Run the embedded services, the Dagster UI and its daemon, until interrupted."""
    from legal_pipeline.defs.launch import serve as serve_dagster
    from legal_pipeline.settings import load_settings

    raise typer.Exit(serve_dagster(load_settings(), host=host, port=port))


#: A Swedish citation, a citation in English, and a question in plain words.
DEMO_QUERIES = ("2 kap. 3 § fyrvårdslagen", "s. 4 Lighthouse Keepers Act", "when must the keeper light the lamp?")

NEXT_STEPS = """
next:
  legal-pipeline coverage FOLDER   what can be read in a folder of your own; stores nothing
  legal-pipeline ingest FOLDER     index it
  legal-pipeline search "words, or a citation"
  legal-pipeline serve             a web page, an HTTP API and an MCP server on port 8000
  legal-pipeline dev               the Dagster UI on port 3000"""


if __name__ == "__main__":
    main()
