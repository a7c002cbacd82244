"""A heading belongs to what follows it: no chunk ends in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.splitting import split
from legal_pipeline.model.document import Document
from legal_pipeline_tests.real_documents import documents


def lamps(first: int, second: int) -> Document:
    """A schedule of two blocks of so many sentences with a heading between them."""
    builder = DocumentBuilder()
    with builder.node("schedule", "1"):
        builder.block("The lamp of the first pier burns all night. " * first, "paragraph")
        builder.heading("Lamps of the second pier")
        builder.block("The lamp of the second pier burns till noon. " * second, "paragraph")
    return builder.document(
        SourceFile("lamps.txt", b"lamps"), document_id="gb-act-1", title="Lamps", jurisdiction="gb", doc_type="act",
        language="eng",
    )  # fmt: skip


@pytest.mark.parametrize(("first", "second"), [(60, 60), (60, 99), (20, 99)])
def test_a_heading_goes_with_the_text_below_it_where_a_schedule_is_split(first: int, second: int) -> None:
    document = lamps(first, second)
    (node,) = document.nodes
    parts = split(document, node, ((node.start, node.end),), 1000)
    ends = [document.text[: spans[-1][1]].rstrip() for spans in parts]
    assert len(parts) > 1
    assert not any(text.endswith("second pier") for text in ends)
    joined = " ".join(document.text[start:end] for spans in parts for start, end in spans)
    assert joined.split() == document.text.split()


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["in/judgments_rr", "in/judgments_text", "world/uk_judgments", "world/ie"])
def test_no_chunk_of_real_texts_ends_in_a_heading(corpus: Path, folder: str) -> None:
    found = []
    for path, document in documents(corpus, folder):
        ends = {node.end for node in document.walk() if node.type == "heading" and node.end > node.start}
        found += [(path, item.path) for item in chunk(document).chunks if item.end_char in ends and not item.generator]
    assert found == []
