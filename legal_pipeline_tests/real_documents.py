"""The real texts of the corpus as documents, for tests and benchmarks that walk over all of them.

What cannot be read as one document (archives, extracts, registers) is passed over here and is the subject of the parsers' own tests.
Not here: what is expected of a document.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.header import StatuteHeader, clean_title
from legal_pipeline.parsing.sweden.plain_text import parse_statute_text

#: Notes about the texts, and what is read by loaders of its own.
_NOT_TEXTS = frozenset({"FORMAT.md", "PROVENANCE.md"})
_NOT_SUFFIXES = frozenset({".gz", ".zip", ".pdf", ".jsonl", ".csv"})


def existing(folder: Path, pattern: str) -> list[Path]:
    """The paths under `folder` that match `pattern`, sorted; at least one, since a test that loops over none asserts nothing."""
    found = sorted(folder.glob(pattern))
    assert found, f"{folder} has no {pattern}"
    return found


def documents(corpus: Path, folder: str, each: int = 1) -> Iterator[tuple[str, Document]]:
    """(path within the corpus, document) of every `each`-th file under `folder` that a format reads as an act, judgment or note.

    PDF files are left out (reading one takes seconds), and so are amending acts, which are never chunked.
    """
    for path in existing(corpus / folder, "**/*")[::each]:
        if path.is_dir() or path.name in _NOT_TEXTS or path.suffix in _NOT_SUFFIXES:
            continue
        try:
            document = parse(SourceFile(path.name, path.read_bytes()))
        except LegalPipelineError:
            continue
        if document.doc_type != "amendment":
            yield str(path.relative_to(corpus)), document


def swedish_bulk(corpus: Path) -> Iterator[tuple[str, Document]]:
    """The 500 acts of the bulk sample, of which only number, title and body are kept."""
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            header = StatuteHeader(number=row["sfs"].removeprefix("SFS "), title=clean_title(row["title"]))
            source = SourceFile(row["source_file"], row["body"].encode())
            document = parse_statute_text(row["body"], header, source)
            yield f"se/bulk/{row['source_file']}", dataclasses.replace(document, format="bulk", parser_version="1")
