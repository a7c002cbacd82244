"""Forty Acts of known structure, chosen by the hash of their paths: half for development, half to be looked at once.

Not here: rendering and counting.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_FOLDERS = ("histories", "in", "se", "us", "world", "zw")
#: Formats that read structure from words, not from mark-up, cannot say what is right.
_GUESSING = ("generic_html", "markdown", "plain_text", "pdf", "docx")
_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xml", ".json", ".md"})
_LAWS = frozenset({"act", "regulation", "agency_regulation", "constitution"})
_MINIMUM, _MOST_CHARS = 5, 800_000
_COUNT = 40


@dataclass(frozen=True)
class Act:
    """A law as its own format reads it; `held_back`: it is in the half that nothing was developed with."""

    path: str
    document: Document
    held_back: bool


def acts(corpus: Path) -> list[Act]:
    """Forty Acts, as evenly over the jurisdictions as they allow; of several files of one work the first by hash."""
    by_country: dict[str, list[tuple[str, str, Document]]] = defaultdict(list)
    works: set[str] = set()
    for order, path, document in sorted(_candidates(corpus), key=lambda row: row[0]):
        if document.document_id not in works:
            works.add(document.document_id)
            by_country[document.jurisdiction].append((order, path, document))
    chosen: list[tuple[str, str, Document]] = []
    while len(chosen) < _COUNT and any(by_country.values()):
        for country in sorted(by_country):
            if by_country[country] and len(chosen) < _COUNT:
                chosen.append(by_country[country].pop(0))
    # Each country's Acts go to both halves by turns.
    turns: dict[str, int] = defaultdict(int)
    found = []
    for _, path, document in chosen:
        turns[document.jurisdiction] += 1
        found.append(Act(path, document, turns[document.jurisdiction] % 2 == 0))
    return found


def _candidates(corpus: Path) -> Iterator[tuple[str, str, Document]]:
    for folder in _FOLDERS:
        for path in sorted((corpus / folder).rglob("*")):
            if path.suffix not in _SUFFIXES or path.name == "FORMAT.md":
                continue
            try:
                document = parse(SourceFile(path.name, path.read_bytes()))
            except LegalPipelineError:
                continue
            name = str(path.relative_to(corpus))
            numbered = [node for node in document.provisions() if node.type in ("section", "article")]
            if (
                document.doc_type in _LAWS
                and document.format not in _GUESSING
                and len(numbered) >= _MINIMUM
                and len(document.text) <= _MOST_CHARS
            ):
                yield hashlib.sha256(name.encode()).hexdigest(), name, document
