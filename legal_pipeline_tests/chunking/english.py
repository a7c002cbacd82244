"""Acts and judgments in English, written by hand for the chunkers. Not here: real texts."""

from __future__ import annotations

from collections.abc import Callable

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document

SENTENCE = "The keeper of a lighthouse shall trim the lamp before dusk and enter the hour in the log of the station."


def prose(sentences: int, start: int = 1) -> str:
    """Sentences of about 25 tokens, no two alike."""
    return " ".join(
        f"On watch {number} {SENTENCE[0].lower()}{SENTENCE[1:]}" for number in range(start, start + sentences)
    )


def english(write: Callable[[DocumentBuilder], None], doc_type: str = "act", **fields: object) -> Document:
    """A document as a parser would hand it over; `write` says what stands in it."""
    builder = DocumentBuilder()
    write(builder)
    return builder.document(
        SourceFile("lighthouses.json", b"not read by a chunker"),
        document_id="zw-act-2099-7" if doc_type == "act" else "zw-judgment-zwhhc-2099-7",
        title="Lighthouses Act" if doc_type == "act" else "Keeper v The Harbour Board",
        jurisdiction="zw",
        doc_type=doc_type,
        language="eng",
        **fields,  # type: ignore[arg-type]
    )


def section(builder: DocumentBuilder, num: str, heading: str, *texts: str) -> None:
    with builder.node("section", num, heading):
        builder.heading(f"{num}. {heading}")
        for text in texts:
            builder.block(text, "subsection")
