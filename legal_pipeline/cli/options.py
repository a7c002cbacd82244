"""Options and arguments of several commands.

Not here: the commands (`cli`, `search_command`).
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer


def _for_machines(value: bool) -> bool:
    if value and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, independent of the terminal
    return value


Json = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.", callback=_for_machines)]


def _jurisdiction(value: str | None) -> str | None:
    from legal_pipeline.jurisdictions.countries import usual_code

    if value is None:
        return None
    if not re.fullmatch(r"[a-z]{2,3}", value.lower()):
        raise typer.BadParameter(f"{value!r} is not a country code")
    return usual_code(value.lower())


def _doc_type(value: str | None) -> str | None:
    from legal_pipeline.model.identity import known_doc_type

    try:
        return None if value is None else known_doc_type(value)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Jurisdiction = Annotated[
    str | None, typer.Option(help="Country code, such as se, in, us or eu.", callback=_jurisdiction)
]
DocType = Annotated[
    str | None,
    typer.Option("--type", help="act, regulation, agency_regulation, amendment, judgment, …", callback=_doc_type),
]
Strategy = Annotated[
    str | None,
    typer.Option(
        help="Chunking strategy in place of the router's choice. `proposition` changes nothing: it only adds chunks."
    ),
]
Format = Annotated[str | None, typer.Option(help="Format of the file, instead of the detected one.")]
File = Annotated[Path, typer.Argument(help="A file.", exists=False)]


def _patterns(value: list[str] | None) -> list[str]:
    from legal_pipeline.system.file_patterns import FilePatterns

    try:
        FilePatterns(value or ())
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return list(value or ())


Exclude = Annotated[
    list[str] | None,
    typer.Option(
        help="Leave out files that match this pattern of `.gitignore` (repeatable), in addition to LEGAL_PIPELINE_SOURCE_EXCLUDE.",
        metavar="PATTERN",
        callback=_patterns,
    ),
]


def hints_of(jurisdiction: str | None, doc_type: str | None) -> dict[str, Any]:
    """Return the facts that the options state about a document."""
    found = {"jurisdiction": jurisdiction, "doc_type": doc_type}
    return {key: value for key, value in found.items() if value is not None}
