"""Indian judgments as plain text, typed or extracted from a PDF.

Not here: joining lines to paragraphs (`judgment.text_blocks`), the role of paragraphs (`judgment.structure`).
"""

from __future__ import annotations

import re

from legal_pipeline.building.format import LIKELY, NEAR, NO, POSSIBLE, Format
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.front_matter import has_front_matter
from legal_pipeline.parsing.india.identity import is_indian
from legal_pipeline.parsing.india.judgment_document import judgment_document
from legal_pipeline.parsing.judgment.phrases import load_phrases
from legal_pipeline.parsing.judgment.text_blocks import text_blocks

NAME = "india_judgment_text"
VERSION = "7"

#: Signs of a judgment; two of them together are sufficient.
_SIGNS = (
    re.compile(r"^[^\w\n]*(?:versus|vs?\.)[^\w\n]*$", re.I | re.M),
    re.compile(r"\b(?:appellants?|petitioners?|applicants?)\b.{0,400}?\brespondents?\b", re.I | re.S),
    re.compile(r"^[^\w\n]*(?:J ?U ?D ?G ?M ?E ?N ?T|O ?R ?D ?E ?R)[^\w\n]*$", re.M),
    re.compile(r"^[^\w\n]*(?:IN|BEFORE) THE\b.{0,60}\b(?:COURT|TRIBUNAL|COMMISSION)\b", re.I | re.M),
    re.compile(r"^[ \t]*CORAM\b", re.I | re.M),
    re.compile(r"^[ \t]*\[?1[.)\]][ \t]+\S.*(?:\n.*){0,200}?^[ \t]*\[?2[.)\]][ \t]+\S", re.M),
)
_OTHER = re.compile(r"■|\[Paras? \d|^#{1,3} |^[ \t]*[<{]", re.M)


def sniff(source: SourceFile) -> float:
    head = source.head
    if not head or has_front_matter(head) or _OTHER.search(head):
        return NO
    signs = sum(pattern.search(head[:12_000]) is not None for pattern in _SIGNS)
    if signs < 2:
        return NEAR if signs else NO
    if source.hints.get("jurisdiction") == "in" or is_indian(head):
        return LIKELY if signs >= 3 else POSSIBLE + 0.1
    return NEAR


def parse(source: SourceFile) -> Document:
    return judgment_document(source, text_blocks(source.text, load_phrases("in")))


FORMAT = Format(NAME, "Indian judgments as plain text", sniff, parse, VERSION)
