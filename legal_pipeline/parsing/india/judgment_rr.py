"""Indian judgments with one sentence per line and a label after a tab; only the sentences are read.

The labels are the reference for evaluating the structure found here, so they must not reach the document. Not here: the structure.
"""

from __future__ import annotations

from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.judgment_document import judgment_document
from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.text.normalise import unwrap

NAME = "india_judgment_sentences"
VERSION = "4"

_LABELS = frozenset(
    {
        "Facts", "Ruling by Lower Court", "Argument", "Statute", "Precedent", "Ratio of the decision", "Ruling by Present Court",
        "Issue", "Dissent", "None",
    }
)  # fmt: skip
_MAX_LABELS = 15


def sniff(source: SourceFile) -> float:
    rows = [line.rsplit("\t", 1) for line in source.head.split("\n")[:200] if line.strip()]
    if len(rows) < 3:
        return NO
    labels = [row[1].strip() for row in rows[:-1] if len(row) == 2]
    if len(labels) < 0.9 * (len(rows) - 1):
        return NO
    if sum(label in _LABELS for label in labels) >= 0.9 * len(labels):
        return CERTAIN
    if any(len(row) > 2 or "\t" in row[0] for row in rows):
        return NO
    return LIKELY - 0.2 if len(set(labels)) <= _MAX_LABELS and len(labels) >= 20 else NEAR


def parse(source: SourceFile) -> Document:
    blocks = sentence_blocks(source.text)
    if not blocks:
        raise EmptyDocumentError("no sentence", expected="sentence, tab, label")
    return judgment_document(source, blocks)


def sentence_blocks(text: str) -> list[Block]:
    """Return one block per line of `text`, without its label."""
    blocks: list[Block] = []
    position = 0
    for line in text.split("\n"):
        sentence = line.rsplit("\t", 1)[0] if "\t" in line else line
        found, offsets = unwrap([sentence], [position])
        if found:
            blocks.append(Block(found, joined=bool(blocks), offsets=tuple(offsets)))
        position += len(line) + 1
    return blocks


FORMAT = Format(NAME, "Indian judgments, one labelled sentence per line", sniff, parse, VERSION)
