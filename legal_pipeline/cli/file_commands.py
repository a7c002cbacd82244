"""`legal-pipeline parse`, `chunk` and `diff`: commands on files, which touch no store.

Not here: their output (`presentation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from legal_pipeline.cli.options import DocType, File, Format, Json, Jurisdiction, Strategy, hints_of
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.terminal import print_json_text

if TYPE_CHECKING:
    from legal_pipeline.model.document import Document


def parse(
    file: File,
    as_json: Json = False,
    format: Format = None,
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
) -> None:
    """Print the canonical documents of a file: text and node tree, one JSON line each with --json. Touches no store."""
    from legal_pipeline.cli.presentation import print_document

    for document in _parsed(file, format, jurisdiction, doc_type):
        if as_json:
            print_json_text(document.dumps())
        else:
            print_document(document)


def chunk(
    file: File,
    strategy: Strategy = None,
    as_json: Json = False,
    format: Format = None,
    jurisdiction: Jurisdiction = None,
    doc_type: DocType = None,
) -> None:
    """Print the chunks of a file, one JSON line each with --json. Touches no store."""
    from legal_pipeline.chunking.annotate import annotate, read_annotations
    from legal_pipeline.cli.presentation import print_chunks
    from legal_pipeline.embedding.encoder import encoders
    from legal_pipeline.embedding.registry import configured_embedders
    from legal_pipeline.settings import load_settings
    from legal_pipeline.stages.chunks import cut_batch

    settings = load_settings()
    encoder = encoders(lambda: configured_embedders(settings))
    for document in _parsed(file, format, jurisdiction, doc_type):
        (chunked,) = cut_batch([document], strategy, encoder)
        if isinstance(chunked, Exception):
            raise chunked
        annotate(chunked.chunks, read_annotations(document))
        if as_json:
            for row in chunked.chunks:
                print_json_text(row.dumps())
        else:
            print_chunks(document, chunked)


def diff(
    before: Annotated[Path, typer.Argument(help="The earlier expression.")],
    after: Annotated[Path, typer.Argument(help="The later expression of the same work.")],
    as_json: Json = False,
    format: Format = None,
    number: Annotated[
        str | None, typer.Option(help="Number of the work, for files that do not state it: 1967:837.")
    ] = None,
    same_work: Annotated[
        bool, typer.Option("--same-work", help="Both files are of one work, although they state different ones.")
    ] = False,
) -> None:
    """Show two expressions of a work (its texts of two dates) side by side: provisions added, removed, changed, renumbered, moved.

    Touches no store.
    """
    from legal_pipeline.cli.presentation import print_diff
    from legal_pipeline.model.diff import diff as compare

    hints = {"number": number} if number else {}
    old, new = (_only(file, _parsed(file, format, None, None, hints)) for file in (before, after))
    print_diff(old, new, compare(old, new, same_work=same_work), as_json)


def _parsed(
    file: Path,
    format: str | None,
    jurisdiction: str | None,
    doc_type: str | None,
    hints: Mapping[str, Any] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file, as an ingest would read them."""
    from legal_pipeline.jurisdictions.jurisdiction import add_configured
    from legal_pipeline.parsing.registry import formats
    from legal_pipeline.parsing.registry import parse as parse_source
    from legal_pipeline.parsing.split import split
    from legal_pipeline.settings import load_settings
    from legal_pipeline.sources.directory import DirectorySource
    from legal_pipeline.stages.raw_documents import limits

    if format is not None and format not in formats():
        raise ConfigurationError(f"format {format!r} is not known; known are {', '.join(sorted(formats()))}")
    if file.is_dir():
        raise ConfigurationError(f"{file} is a folder; `legal-pipeline ingest` takes folders")
    settings = load_settings()
    add_configured(settings)
    source = DirectorySource(file, limits=limits(settings))
    item = source.list().items[0]
    described = {**hints_of(jurisdiction, doc_type), **(hints or {}), **({"format": format} if format else {})}
    for part in split(source.fetch(item).with_hints(**described)).values():
        yield parse_source(part, part.hints.get("format"))


def _only(file: Path, documents: Iterator[Document]) -> Document:
    first, *others = documents
    if others:
        raise ConfigurationError(f"{file} holds {len(others) + 1} documents; expected a file with one")
    return first
