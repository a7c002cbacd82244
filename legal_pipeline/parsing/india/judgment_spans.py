"""Indian judgments as JSON with labelled character spans (`data.preamble_text`, `data.judgement_text`, `annotations`).

Only the text is read: the annotations are the output of a model. Not here: the structure (`judgment.structure`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from legal_pipeline.building.format import CERTAIN, NO, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.judgment_document import judgment_document
from legal_pipeline.parsing.json_source import parse_json
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.judgment.text_blocks import text_blocks

NAME = "india_judgment_spans_json"
VERSION = "5"

_EXPECTED = '{"data": {"preamble_text": …, "judgement_text": …}}'


def sniff(source: SourceFile) -> float:
    head = source.head
    has_data = re.match(r"\s*\{", head) and re.search(r'"data"\s*:\s*\{', head)
    return CERTAIN if has_data and re.search(r'"(?:preamble_text|judge?ment_text)"\s*:', head) else NO


def parse(source: SourceFile) -> Document:
    data = parse_json(source)
    holder = data.get("data") if isinstance(data, dict) else None
    if not isinstance(holder, dict):
        raise ParseError("no `data` object", position="top level", expected=_EXPECTED)
    preamble = holder.get("preamble_text") or ""
    body = holder.get("judgement_text") or holder.get("judgment_text") or ""
    if not isinstance(preamble, str) or not isinstance(body, str):
        raise ParseError("text that is not a string", position="data", expected=_EXPECTED)
    if not body.strip():
        raise EmptyDocumentError("no text of the judgment", position="data", expected=_EXPECTED)
    # Both texts were cut from one text: the number of the first paragraph may be at the end of the preamble.
    text = f"{preamble}{body}" if re.search(r"\d[.)\]]\s*$", preamble) else f"{preamble}\n\n{body}"
    # No offsets: in the file the text is escaped.
    blocks = [replace(block, offsets=()) for block in text_blocks(text, load_phrases("in"))]
    identifier = data.get("id")
    return judgment_document(
        source, blocks, metadata={"source_id": identifier} if isinstance(identifier, str) else None
    )


FORMAT = Format(NAME, "Indian judgments as JSON with labelled spans", sniff, parse, VERSION)
