"""Chunk plans: a planner's answer about the numbered lines of a document, and the rules that refuse an answer.

A line is a sentence of the canonical text (or a row or heading without sentences), so that an argument can be separated from its denial
in the same paragraph. Not here: planners (`chunking.plan_rules`; a language model in `enrichment`), and chunks (`llm_plan`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Span
from legal_pipeline.chunking.outline import excluded_spans, loose_text
from legal_pipeline.chunking.pieces import sentences_of
from legal_pipeline.errors import ChunkingError
from legal_pipeline.jurisdictions.jurisdiction import countries
from legal_pipeline.model.document import Document

#: Share of the kept text (characters) that a plan may leave out without a reason.
MAX_UNCOVERED = 0.02

#: Reasons to leave lines out of all chunks: key in a plan -> text in the exclusion. All but the last are only for appeal decisions.
REASONS = {
    "denied_argument": "a denied Director's argument",
    "adverse_finding": "a finding against the petitioner",
    "background": "background of an appeal",
    "procedural": "background of an appeal",
    "heading": "heading carried in the breadcrumb",
}

#: The generator of plans that rules made.
RULES = "rules"

UNPLANNED = f"left out by the plan (at most {MAX_UNCOVERED:.0%} of the text)"


@dataclass(frozen=True)
class Lines:
    """Lines `start_line` to `end_line` (from 1, both included)."""

    start_line: int
    end_line: int

    @property
    def numbers(self) -> range:
        return range(self.start_line, self.end_line + 1)

    @property
    def place(self) -> str:
        return f"lines {self.start_line} to {self.end_line}"


@dataclass(frozen=True)
class PlannedChunk(Lines):
    """Lines of a chunk. Its text is taken from them, never from an answer.

    `section` is the source's own name of the place, `level` its depth (1 section, 2 sub-section, 3 paragraph).
    """

    section: str | None = None
    level: int | None = None
    criterion_tag: str | None = None
    legal_standard: str | None = None
    is_winning_argument: bool = False


@dataclass(frozen=True)
class ExcludedLines(Lines):
    """Lines that belong in no chunk; `reason` is a key of `REASONS`."""

    reason: str


@dataclass(frozen=True)
class ChunkPlan:
    """`strategy` names the way the document was cut, `generator` the planner: `rules`, or a model with the version of its prompt.
    `fallback` is the reason why rules planned although a model was asked."""

    strategy: str
    chunks: tuple[PlannedChunk, ...]
    excluded: tuple[ExcludedLines, ...] = ()
    generator: str = RULES
    fallback: str | None = None

    @property
    def items(self) -> tuple[PlannedChunk | ExcludedLines, ...]:
        return (*self.chunks, *self.excluded)


@functools.cache
def criteria() -> dict[str, dict[str, object]]:
    """Return the criteria by which arguments are classified, of all countries: tag -> {name, citation, heading, rule}."""
    return {row["tag"]: row for country in countries() for row in country.data.get("criteria", ())}


def source_lines(document: Document) -> tuple[Span, ...]:
    """Return the spans of the numbered lines: line n is `document.text[slice(*source_lines(document)[n - 1])]`."""
    return tuple(
        line for span in loose_text(document, excluded_spans(document)) for line in sentences_of(document, span)
    )


def plan_text(document: Document) -> str:
    """Return the text that a planner reads: one line per number, from 1."""
    return "\n".join(document.text[start:end] for start, end in source_lines(document))


def validate_plan(document: Document, plan: ChunkPlan, lines: Sequence[Span] | None = None) -> None:
    """Raise `ChunkingError` for a plan that names lines twice or lines that do not exist, leaves out more than 2 % of the kept text,
    excludes what a document of its type must keep, or uses an unknown criterion."""
    lines = source_lines(document) if lines is None else lines
    taken: dict[int, str] = {}
    kept_characters = {number: end - start for number, (start, end) in enumerate(lines, start=1)}
    for item in plan.items:
        where = item.place
        if not 1 <= item.start_line <= item.end_line <= len(lines):
            raise _refused(document, f"{where} of {len(lines)}", where)
        if twice := next((number for number in item.numbers if number in taken), None):
            raise _refused(document, f"line {twice} is planned twice: in {taken[twice]} and in {where}", where)
        taken.update(dict.fromkeys(item.numbers, where))
    for excluded in plan.excluded:
        where = excluded.place
        if excluded.reason not in REASONS:
            raise _refused(document, f"{excluded.reason!r} is not a reason; known are {', '.join(REASONS)}", where)
        if document.doc_type != "appeal_decision" and excluded.reason != "heading":
            raise _refused(document, f"a {document.doc_type} has no {excluded.reason}: its text is kept", where)
        for number in excluded.numbers:
            del kept_characters[number]
    _verify_criteria(document, plan)
    missing = [number for number in kept_characters if number not in taken]
    uncovered = sum(kept_characters[number] for number in missing)
    if uncovered > MAX_UNCOVERED * sum(kept_characters.values()):
        share = uncovered / sum(kept_characters.values())
        raise _refused(
            document, f"{share:.1%} of the text is in no chunk, from line {missing[0]} on", f"line {missing[0]}"
        )


def _verify_criteria(document: Document, plan: ChunkPlan) -> None:
    for planned in plan.chunks:
        where = planned.place
        if planned.criterion_tag is not None and planned.criterion_tag not in criteria():
            raise _refused(document, f"criterion {planned.criterion_tag!r} is not known", where)
        if document.doc_type == "precedent_case" and planned.criterion_tag is not None:
            raise _refused(document, "a precedent applies to every criterion; its criterion_tag is null", where)
        if document.doc_type != "appeal_decision" and planned.is_winning_argument:
            raise _refused(document, f"a {document.doc_type} holds no winning argument", where)


def _refused(document: Document, message: str, position: str) -> ChunkingError:
    return ChunkingError(f"chunk plan refused: {message}", document=document.document_id, position=position)
