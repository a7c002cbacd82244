"""What holds for every document of every parser, as one check that tests share."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, check_tree
from legal_pipeline.parsing.registry import parse

#: Two spaces stand only in an empty cell of a table row.
_RUN_OF_SPACES = re.compile(r"(?<!\|)  |  (?!\|)")


def load(path: Path) -> SourceFile:
    return SourceFile(path.name, path.read_bytes())


def parsed(path: Path, format: str | None = None) -> Document:
    """The document of `path`, after its invariants were asserted: nesting, unique eids, determinism, JSON and back."""
    document = checked(load(path), format)
    assert parse(load(path), format).dumps() == document.dumps()
    return document


def checked(source: SourceFile, format: str | None = None) -> Document:
    """The document of `source`, after its invariants were asserted."""
    document = parse(source, format)
    check_invariants(document)
    return document


def check_invariants(document: Document) -> None:
    check_tree(document)
    assert document.text.strip() == document.text
    assert Document.loads(document.dumps()) == document
    assert unicodedata.is_normalized("NFC", document.text)
    assert not _RUN_OF_SPACES.search(document.text)
    assert "\n\n\n" not in document.text
