"""`llm_plan`: chunks that follow a plan over the document's numbered lines, made by a language model or by rules.

The text is taken from the source lines, never from an answer; a plan is refused when lines overlap, are outside the document, or leave
more than 2 % of the kept text uncovered. Sizes in words: regulation 200-800, precedent 300-1,000, appeal 500-1,000; an argument of an
appeal above that size continues in another chunk, which repeats its last 50-100 words. Every chunk also keeps the limit of 1,500 tokens
with its header, which is a line of tags (`[REGULATION: …]`, `[CRITERION: …]`). Denied arguments and the background of an appeal are
exclusions. `generator` names the planner, `plan_fallback` the reason why rules planned although a model was asked. Not here: plans
(`chunking.plan`, `chunking.plan_rules`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from legal_pipeline.chunking.chunk import Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.packing import budget, split_to_fit
from legal_pipeline.chunking.plan import (
    REASONS,
    UNPLANNED,
    ChunkPlan,
    PlannedChunk,
    criteria,
    source_lines,
    validate_plan,
)
from legal_pipeline.chunking.plan_rules import load_cues, plan_by_rules
from legal_pipeline.chunking.provisions import UniquePaths
from legal_pipeline.chunking.strategy import Cut, Strategy, Tools
from legal_pipeline.model.document import PROVISIONS, STRUCTURE, Document
from legal_pipeline.text.spans import join_adjacent, trim
from legal_pipeline.text.tokens import count_tokens

_TAGS = {"precedent_case": "PRECEDENT", "appeal_decision": "APPEAL"}
#: Planned chunks with equal values of these are of one argument.
_ARGUMENT = attrgetter("section", "criterion_tag", "is_winning_argument")


@dataclass(frozen=True)
class _Part:
    """The line numbers (from 1) of one planned chunk, or of one argument of an appeal."""

    planned: PlannedChunk
    lines: tuple[int, ...]


def chunk(document: Document, segment: Segment, tools: Tools = Tools()) -> Cut:
    """Return the drafts of the plan in `tools`, else of the plan by rules. Raises `ChunkingError` for a plan that is refused."""
    plan: ChunkPlan = tools.plan if tools.plan is not None else plan_by_rules(document)
    lines = source_lines(document)
    validate_plan(document, plan, lines)
    writer = _Writer(document, plan, lines)
    drafts = [draft for part in _parts(document, plan) for draft in writer.drafts(part)]
    return drafts, _exclusions(plan, lines)


def _parts(document: Document, plan: ChunkPlan) -> list[_Part]:
    """Return the planned chunks in text order; parts of one argument of an appeal, separated only by exclusions, are joined."""
    excluded = {number for item in plan.excluded for number in item.numbers}
    parts: list[_Part] = []
    for planned in sorted(plan.chunks, key=lambda item: item.start_line):
        lines = tuple(planned.numbers)
        before = parts[-1] if parts and document.doc_type == "appeal_decision" else None
        if (
            before is not None
            and _ARGUMENT(before.planned) == _ARGUMENT(planned)
            and excluded.issuperset(range(before.lines[-1] + 1, planned.start_line))
        ):
            parts[-1] = _Part(before.planned, before.lines + lines)
        else:
            parts.append(_Part(planned, lines))
    return parts


class _Writer:
    """Writes the drafts of one document's plan."""

    def __init__(self, document: Document, plan: ChunkPlan, lines: Sequence[Span]) -> None:
        self._document = document
        self._plan = plan
        self._lines = lines
        self._paths = UniquePaths()
        self._anchors = sorted(
            {0, *(n.start for n in document.walk() if n.type in (*STRUCTURE, *PROVISIONS, "heading"))}
        )
        self._sizes = load_cues().sizes

    def drafts(self, part: _Part) -> Iterator[Draft]:
        planned = part.planned
        header = self._header(planned)
        path = self._paths.name(planned.section or f"Lines {planned.start_line}-{planned.end_line}")
        for number, spans in enumerate(self._cut(part, budget(header)), start=1):
            start = spans[0][0]
            yield Draft(
                spans=spans,
                chunk_type="reasoning" if self._document.doc_type in _TAGS else "statutory_text",
                path=path if number == 1 else f"{path}#{number}",
                header=header,
                anchor=self._anchors[bisect.bisect_right(self._anchors, start) - 1],
                generator=self._plan.generator,
                metadata={
                    "section": planned.section,
                    "section_level": planned.level,
                    "criterion_tag": planned.criterion_tag,
                    "legal_standard": planned.legal_standard,
                    "is_winning_argument": planned.is_winning_argument,
                    "plan_fallback": self._plan.fallback,
                },
            )

    def _header(self, planned: PlannedChunk) -> str:
        tag = _TAGS.get(self._document.doc_type, "REGULATION")
        rows = [f"[{tag}: {planned.section or self._document.title}]"]
        if planned.criterion_tag is not None:
            rows.append(f"[CRITERION: {criteria()[planned.criterion_tag]['name']}]")
        if planned.legal_standard is not None:
            rows.append(f"[STANDARD: {planned.legal_standard}]")
        return "\n".join(rows)

    def _cut(self, part: _Part, limit: int) -> Iterator[tuple[Span, ...]]:
        """Yield the part's lines as one piece if it keeps both limits, else in pieces; pieces of an appeal's argument overlap."""
        doc_type = self._document.doc_type
        most = self._sizes.get(doc_type, self._sizes["regulation"])[1]
        overlaps = doc_type == "appeal_decision"
        text = self._document.text
        spans = [piece for number in part.lines for piece in split_to_fit(text, self._lines[number - 1], limit, ())]
        if self._keeps(spans, most, limit):
            yield join_adjacent(text, spans)
            return
        index = 0
        repeat: list[Span] = []
        while index < len(spans):
            taken = list(repeat)
            first = index
            while index < len(spans) and (index == first or self._keeps([*taken, spans[index]], most, limit)):
                if index == first and not self._keeps([*taken, spans[index]], most, limit):
                    taken = []  # the next span leaves no room for the overlap
                taken.append(spans[index])
                index += 1
            if index < len(spans):
                index = self._at_paragraph_end(spans, first, index)
                taken = [span for span in taken if span[0] < spans[index][0]]
            yield join_adjacent(text, taken)
            repeat = self._tail(spans[first:index]) if overlaps else []

    def _keeps(self, spans: Sequence[Span], most: int, limit: int) -> bool:
        """Whether the spans have at most `most` words and `limit` tokens."""
        texts = [self._document.text[start:end] for start, end in spans]
        return sum(len(text.split()) for text in texts) <= most and sum(map(count_tokens, texts)) + len(texts) <= limit

    def _at_paragraph_end(self, spans: Sequence[Span], first: int, index: int) -> int:
        """Move the cut before `index` back to the end of a paragraph, if a paragraph ends in the second half of the chunk."""
        for cut in range(index, first + max(1, (index - first) // 2), -1):
            if "\n" in self._document.text[spans[cut - 1][1] : spans[cut][0]]:
                return cut
        return index

    def _tail(self, spans: Sequence[Span]) -> list[Span]:
        """Return the last whole sentences of 50 to 100 words; if no sentence begins in that range, the last words."""
        least, most = self._sizes["overlap"]
        words = 0
        for index in range(len(spans) - 1, 0, -1):
            words += len(self._document.text[slice(*spans[index])].split())
            if words > most:
                break
            if words >= least:
                return list(spans[index:])
        start, end = spans[0][0], spans[-1][1]
        starts = [
            at
            for low, high in spans
            for at in range(low, high)
            if (at == low or self._document.text[at - 1].isspace()) and not self._document.text[at].isspace()
        ]
        if len(starts) <= most:
            return []
        start = starts[-most]
        return list(
            trim(self._document.text, [(max(low, start), min(high, end)) for low, high in spans if high > start])
        )


def _exclusions(plan: ChunkPlan, lines: Sequence[Span]) -> list[Exclusion]:
    out = [Exclusion(*lines[number - 1], REASONS[item.reason]) for item in plan.excluded for number in item.numbers]
    planned = {number for item in plan.items for number in item.numbers}
    out.extend(Exclusion(*span, UNPLANNED) for number, span in enumerate(lines, start=1) if number not in planned)
    return out


STRATEGY = Strategy("llm_plan", "1", chunk, planned=True)
