"""Compares a judgment with its answer: title, citation, date, numbered paragraphs, headings, and the role of marked passages."""

from __future__ import annotations

import json
import re

from legal_pipeline.model.document import Document
from legal_pipeline_tests.prints.comparison import Answer, Comparison, folded

#: Role of a passage in an answer -> roles and types of nodes that say the same.
_ROLES = {
    "facts": {"background"},
    "arguments": {"arguments"},
    "reasoning": {"motivation", "issue"},
    "decision": {"decision"},
}
_PARTS = {"background", "arguments", "motivation", "decision", "dissent", "header", "headnote"}
#: Characters that a heading may have beside its words: a number, a full stop.
_BESIDE_HEADING = 12


def compare(document: Document, answer: Answer) -> Comparison:
    result = Comparison()
    said = json.dumps(
        [document.number, document.title, document.metadata, document.work_uri, document.as_of_date],
        default=str,
        ensure_ascii=False,
    )
    result.count("type", document.doc_type in ("judgment", "precedent_case"), f"type: {document.doc_type}")
    result.count("title", folded(document.title) == folded(answer["title"]), f"title: {document.title}")
    result.count("citation", folded(answer["citation"]) in folded(said), f"citation: {document.number}")
    result.count("date", answer["date"] in said, f"date: {document.as_of_date}")
    result.count("language", document.language == answer["language"], f"language: {document.language}")
    numbers = [node.num for node in document.walk() if node.type == "numbered_paragraph" and node.num]
    for number in answer["paragraphs"]:
        same = next((each for each in numbers if folded(each) == folded(number)), None)
        result.count("paragraphs", same is not None, f"paragraph {number} is missing")
        if same is not None:
            numbers.remove(same)
    for number in numbers:
        result.asked["paragraphs that are none"] += 1
        result.differences.append(f"{number} is not a numbered paragraph")
    headings = [folded(document.text[node.start : node.end]) for node in document.walk() if node.type == "heading"]
    headings += [folded(node.heading) for node in document.walk() if node.heading]
    for heading in answer["headings"]:
        is_found = any(
            folded(heading) in each and len(each) < len(folded(heading)) + _BESIDE_HEADING for each in headings
        )
        result.count("headings", is_found, f"heading {heading!r} is missing")
    for role, starts in answer["roles"].items():
        found = _roles_of(document, starts)
        result.count("roles", not found.isdisjoint(_ROLES[role]), f"{starts!r} is {sorted(found)}, not {role}")
    return result


def _roles_of(document: Document, starts: str) -> set[str]:
    """Return the roles of the innermost part around each place where the text has the words `starts`."""
    pattern = r"\W+".join(map(re.escape, re.findall(r"\w+", starts)))
    found = set()
    for match in re.finditer(pattern, document.text):
        around = [node for node in document.walk() if node.start <= match.start() < node.end]
        parts = [node for node in around if node.role or node.type in _PARTS]
        if parts:
            found |= {parts[-1].type, *filter(None, [parts[-1].role])}
    return found
