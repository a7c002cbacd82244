"""`legal-pipeline …`: every command, what it prints, and with which code it ends.

Exit codes: 0 ok, 1 some documents failed, 2 usage or configuration. Not here: anything that is done (the library and `defs` do it).
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from legal_pipeline.errors import ConfigurationError, DocumentError, LegalPipelineError

app = typer.Typer(
    help="Acts, regulations and judgments to a search index that stays right while the law changes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _for_machines(value: bool) -> bool:
    if value and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the terminal is
    return value


def _jurisdiction(value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[a-z]{2,3}", value.lower()):
        raise typer.BadParameter(f"{value!r} is no country code")
    return value.lower() if value is not None else None


def _doc_type(value: str | None) -> str | None:
    from legal_pipeline.parsing.generic.identity import DOC_TYPES

    if value is not None and value not in DOC_TYPES:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(sorted(DOC_TYPES))}")
    return value


Json = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.", callback=_for_machines)]
Jurisdiction = Annotated[str | None, typer.Option(help="Country code: se, in, zw, us, fr, de.", callback=_jurisdiction)]
DocType = Annotated[
    str | None,
    typer.Option("--type", help="act, regulation, agency_regulation, amendment, judgment, …", callback=_doc_type),
]
Strategy = Annotated[str | None, typer.Option(help="Chunking strategy in place of the router's choice.")]
Format = Annotated[str | None, typer.Option(help="Format in place of what the content says.")]
Path_ = Annotated[Path, typer.Argument(help="A file.", exists=False)]

OK, SOME_FAILED, USAGE = 0, 1, 2


def main() -> NoReturn:
    """The entry point: turns this package's errors into a sentence and an exit code."""
    code = OK
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without § must not end a command
    try:
        code = app(standalone_mode=False) or OK
    except ConfigurationError as error:
        _fail(str(error), USAGE)
    except DocumentError as error:
        _fail(str(error), SOME_FAILED)
    except LegalPipelineError as error:
        _fail(str(error), USAGE)
    except typer.Abort:
        _fail("interrupted", SOME_FAILED)
    except SystemExit as end:
        # typer ends a command whose reader went away (`| head`) with 1, which would say that documents failed
        sys.exit(OK if isinstance(end.__context__, BrokenPipeError) else end.code)
    except Exception as error:
        # click's own usage errors carry what to print; anything else is a defect and keeps its trace
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        sys.exit(USAGE)
    sys.exit(code)


def _fail(message: str, code: int) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


@app.command()
def parse(
    file: Path_,
    as_json: Json = False,
    format: Format = None,
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
) -> None:
    """Print the canonical document of a file: text and node tree. Touches no store."""
    document = _parsed(file, format, jurisdiction, doc_type)
    if as_json:
        print(document.dumps())
        return
    from legal_pipeline.presentation import print_document

    print_document(document)


@app.command()
def chunk(
    file: Path_,
    strategy: Strategy = None,
    as_json: Json = False,
    format: Format = None,
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
) -> None:
    """Print the chunks of a file, one JSON line each with --json. Touches no store."""
    from legal_pipeline.chunking.annotate import annotate, read_annotations
    from legal_pipeline.embedding.registry import open_embedder
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.chunks import EmbedderAsEncoder, cut_batch, options_for

    document = _parsed(file, format, jurisdiction, doc_type)
    model = load_settings().embedding_model
    (chunked,) = cut_batch(
        [document], [options_for(document, strategy)], lambda: EmbedderAsEncoder(open_embedder(model))
    )
    if isinstance(chunked, Exception):
        raise chunked
    annotate(chunked.chunks, read_annotations(document))
    if as_json:
        for row in chunked.chunks:
            print(row.dumps())
        return
    from legal_pipeline.presentation import print_chunks

    print_chunks(document, chunked)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders, in any known format.")],
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
    strategy: Strategy = None,
    force: Annotated[bool, typer.Option(help="Recompute what is up to date.")] = False,
    as_json: Json = False,
) -> None:
    """Register files or folders and run their documents through every asset, as Dagster runs."""
    from legal_pipeline.chunking.router import RouterOptions
    from legal_pipeline.defs.launch import ingest_source
    from legal_pipeline.presentation import Report
    from legal_pipeline.settings import load_settings
    from legal_pipeline.sources.directory import DirectorySource
    from legal_pipeline.stages.raw_documents import limits

    RouterOptions(strategy)  # a wrong name is refused before anything starts
    settings = load_settings()
    source = DirectorySource(paths, limits=limits(settings))
    report = Report(as_json)
    ingest_source(settings, source, hints=_hints(jurisdiction, doc_type), strategy=strategy, force=force, report=report)
    report.finish()
    if report.failed:
        raise typer.Exit(SOME_FAILED)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words, or a citation: `2 kap. 3 §`.")],
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
    strategy: Strategy = None,
    document: Annotated[str | None, typer.Option(help="Only this document id.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100)] = 10,
    as_json: Json = False,
) -> None:
    """Find provisions: citation, snippet, offsets and score parts of each hit."""
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.presentation import print_hits
    from legal_pipeline.settings import load_settings

    if not query.strip():
        raise ConfigurationError("the query is empty")
    filters = {"jurisdiction": jurisdiction, "doc_type": doc_type, "strategy": strategy, "document_id": document}
    with Pipeline.open(load_settings()) as pipeline:
        hits = pipeline.search(query, limit=limit, filters={key: value for key, value in filters.items() if value})
    print_hits(query, hits, as_json)


@app.command()
def explain(chunk_id: Annotated[str, typer.Argument(help="The id of a chunk.")], as_json: Json = False) -> None:
    """Where a chunk comes from and why it was cut so."""
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.presentation import print_explanation
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.explanation import explain as explain_chunk

    with Pipeline.open(load_settings()) as pipeline:
        explanation = explain_chunk(pipeline.resources, chunk_id)
    print_explanation(explanation, as_json)


@app.command()
def export(
    target: Annotated[Path, typer.Argument(help="The file to write: chunks.jsonl.", dir_okay=False)],
    as_json: Json = False,
) -> None:
    """Write the chunks of all documents as JSON lines, with near-duplicates flagged. The file is replaced as a whole."""
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.presentation import print_exported
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.chunks_jsonl import write_chunks_jsonl

    with Pipeline.open(load_settings()) as pipeline:
        exported = write_chunks_jsonl(pipeline.registry, pipeline.warehouse, target)
    print_exported(target, exported, as_json)


@app.command()
def status(as_json: Json = False) -> None:
    """Documents by state, with their last errors."""
    from legal_pipeline.pipeline import Pipeline
    from legal_pipeline.presentation import print_status
    from legal_pipeline.settings import load_settings

    with Pipeline.open(load_settings()) as pipeline:
        print_status(pipeline.registry.counts(), pipeline.registry.documents(status="failed"), as_json)


@app.command()
def doctor(as_json: Json = False) -> None:
    """What is configured, reachable, and missing."""
    from legal_pipeline.diagnosis import diagnose
    from legal_pipeline.presentation import print_diagnosis
    from legal_pipeline.settings import load_settings

    findings = diagnose(load_settings())
    print_diagnosis(findings, as_json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(USAGE)


@app.command()
def demo() -> None:
    """The sample corpus through every asset into the embedded stores, then three searches."""
    from legal_pipeline.settings import checkout_path

    sample = checkout_path() / "data" / "sample"
    if not sample.is_dir():
        raise ConfigurationError(f"the sample corpus is not at {sample}; run this in a checkout of the repository")
    ingest(sorted(path for path in sample.iterdir() if path.is_dir()))
    for query in DEMO_QUERIES:
        search(query, limit=3)


@app.command()
def dev(
    port: Annotated[int, typer.Option(help="Port of the Dagster UI.")] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Embedded services, the Dagster UI and its daemon, until interrupted."""
    from legal_pipeline.defs.launch import serve
    from legal_pipeline.settings import load_settings

    raise typer.Exit(serve(load_settings(), host=host, port=port))


#: By citation, in the words of an agency's advice, and in a text without §§.
DEMO_QUERIES = ("2 kap. 3 § fyrvårdslagen", "ledstång i trappan upp till lanterninen", "hur rengörs en fresnellins")


def _hints(jurisdiction: str | None, doc_type: str | None) -> dict[str, Any]:
    found = {"jurisdiction": jurisdiction, "doc_type": doc_type}
    return {key: value for key, value in found.items() if value is not None}


def _parsed(file: Path, format: str | None, jurisdiction: str | None, doc_type: str | None) -> Any:
    from legal_pipeline.parsing.registry import formats
    from legal_pipeline.parsing.registry import parse as parse_source
    from legal_pipeline.settings import load_settings
    from legal_pipeline.sources.directory import DirectorySource
    from legal_pipeline.stages.raw_documents import limits

    if format is not None and format not in formats():
        raise ConfigurationError(f"format {format!r} is not known; known are {', '.join(sorted(formats()))}")
    if file.is_dir():
        raise ConfigurationError(f"{file} is a folder; `legal-pipeline ingest` takes folders")
    source = DirectorySource(file, limits=limits(load_settings()))
    item = source.list().items[0]
    return parse_source(source.fetch(item).with_hints(**_hints(jurisdiction, doc_type)), format)


if __name__ == "__main__":
    main()
