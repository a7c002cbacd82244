"""Whether an answer may be used: ids known and complete, lengths in range, and nothing that the source does not bear out where it shows.

Each check takes the parsed answer (its JSON shape is right already) and gives what is accepted and, per id, why the rest is refused. The
reason goes back to the model once. Not here: schemas (`enrichment.answer_schema`) and asking again (`enrichment.claude`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from legal_pipeline.corpus.identity import collapse
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    ExcludedLines,
    Generator,
    Plan,
    PlannedChunk,
    PlanRequest,
    PlanVerdict,
    Proposition,
    PropositionRequest,
    Questions,
    Summary,
)
from legal_pipeline.text.tokens import count_tokens

#: Raised with every change of a check: it is part of what answers were made by.
CHECKS_VERSION = "1"

PREFIX_TOKENS = (50, 100)
QUESTIONS_PER_CHUNK = (3, 5)
MAX_QUESTION_TOKENS = 120
#: Share of the kept text that a plan may leave out (STRATEGIES, `llm_plan`).
MAX_UNCOVERED = 0.02

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
#: A number as it is quoted: 1 500, 1,500.50, 2022:1109, 12A.
_NUMBER = re.compile(r"\d+(?:[.,:\u00a0 ]\d+)*")
_SEPARATORS = re.compile(r"[.,:\u00a0 ]")

A = TypeVar("A")


@dataclass
class Checked(Generic[A]):
    """`accepted` and `rejected` (with the reason) are disjoint and name every id that was asked for."""

    accepted: dict[str, A] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)


def clean(text: str) -> str:
    """One line without control characters and halves of surrogate pairs, which no table can hold."""
    return collapse(_CONTROL.sub(" ", text))


def check_prefixes(
    answer: Any, ids: Sequence[str], *, document_id: str, generator: Generator
) -> Checked[ContextPrefix]:
    checked: Checked[ContextPrefix] = Checked()
    for chunk_id, given in _by_id(answer["prefixes"], "chunk_id", "prefix", ids).items():
        if isinstance(given, _Missing):
            checked.rejected[chunk_id] = given.reason
            continue
        text = clean(given)
        tokens = count_tokens(text)
        low, high = PREFIX_TOKENS
        if not low <= tokens <= high:
            checked.rejected[chunk_id] = (
                f"the prefix has {tokens} tokens ({len(text.split())} words), not {low} to {high}"
            )
        else:
            checked.accepted[chunk_id] = ContextPrefix(document_id, chunk_id, text, generator)
    return checked


def check_summary(
    answer: Any, ids: Sequence[str], *, document_id: str, budget_tokens: int, generator: Generator
) -> Checked[Summary]:
    text = clean(answer["summary"])
    tokens = count_tokens(text)
    if not text:
        return Checked(rejected=dict.fromkeys(ids, "the summary is empty"))
    if tokens > budget_tokens:
        return Checked(
            rejected=dict.fromkeys(
                ids, f"the summary has {tokens} tokens ({len(text.split())} words), at most {budget_tokens} are allowed"
            )
        )
    return Checked({node: Summary(document_id, node, text, generator) for node in ids})


def check_questions(answer: Any, ids: Sequence[str], *, document_id: str, generator: Generator) -> Checked[Questions]:
    checked: Checked[Questions] = Checked()
    low, high = QUESTIONS_PER_CHUNK
    for chunk_id, given in _by_id(answer["chunks"], "chunk_id", "questions", ids).items():
        if isinstance(given, _Missing):
            checked.rejected[chunk_id] = given.reason
            continue
        questions = tuple(dict.fromkeys(clean(question) for question in given))
        problem = None
        if not low <= len(questions) <= high:
            problem = f"{len(questions)} different questions, not {low} to {high}"
        elif any(not question.endswith("?") or len(question) < 10 for question in questions):
            problem = "an entry is not a question that ends with a question mark"
        elif any(count_tokens(question) > MAX_QUESTION_TOKENS for question in questions):
            problem = f"a question has more than {MAX_QUESTION_TOKENS} tokens"
        if problem:
            checked.rejected[chunk_id] = problem
        else:
            checked.accepted[chunk_id] = Questions(document_id, chunk_id, questions, generator)
    return checked


def check_propositions(
    answer: Any, ids: Sequence[str], *, request: PropositionRequest, generator: Generator
) -> Checked[tuple[Proposition, ...]]:
    """One wrong definition refuses the answer: a section with a definition missing is worse than one without propositions."""
    lines = request.text.split("\n")
    starts = _line_starts(lines)
    propositions: list[Proposition] = []
    problems: list[str] = []
    for index, given in enumerate(answer["definitions"], 1):
        first, last = given["first_line"], given["last_line"]
        term, text = clean(given["term"]), clean(given["text"])
        number = clean(given["number"]) if given["number"] else None
        if not 1 <= first <= last <= len(lines):
            problems.append(f"definition {index}: lines {first} to {last} are not lines of the section")
            continue
        start, end = starts[first - 1], starts[last - 1] + len(lines[last - 1])
        source = request.text[start:end]
        if problem := _unsupported(term, number, text, source, request):
            problems.append(f"definition {index}: {problem}")
            continue
        propositions.append(
            Proposition(request.document_id, request.request_id, term, text, start, end, number, generator)
        )
    if problems:
        return Checked(rejected=dict.fromkeys(ids, "; ".join(problems[:10])))
    return Checked({name: tuple(propositions) for name in ids})


def check_plan(answer: Any, ids: Sequence[str], *, request: PlanRequest, generator: Generator) -> Checked[Plan]:
    lines = request.text.split("\n")
    chunks = tuple(PlannedChunk(**given) for given in answer["chunk_plan"])
    excluded = tuple(ExcludedLines(**given) for given in answer["excluded"])
    problem = plan_problem(lines, chunks, excluded, request)
    if problem:
        return Checked(rejected=dict.fromkeys(ids, problem))
    ordered = tuple(sorted(chunks, key=lambda chunk: chunk.start_line))
    plan = Plan(request.document_id, clean(answer["strategy"]), ordered, excluded, generator)
    return Checked(dict.fromkeys(ids, plan))


def plan_problem(
    lines: Sequence[str], chunks: Sequence[PlannedChunk], excluded: Sequence[ExcludedLines], request: PlanRequest
) -> str | None:
    """Why a plan cannot be carried out on `lines`; None where it can."""
    if not chunks:
        return "the plan has no chunks"
    owner: dict[int, str] = {}
    for name, entries in (("chunk", chunks), ("exclusion", excluded)):
        for entry in entries:
            if not 1 <= entry.start_line <= entry.end_line <= len(lines):
                return f"{name} {entry.start_line} to {entry.end_line}: the document has lines 1 to {len(lines)}"
            for line in range(entry.start_line, entry.end_line + 1):
                if line in owner:
                    return f"line {line} is in two entries ({owner[line]}, {name})"
                owner[line] = name
    for chunk in chunks:
        where = f"chunk {chunk.start_line} to {chunk.end_line}"
        if not any(line.strip() for line in lines[chunk.start_line - 1 : chunk.end_line]):
            return f"{where} holds blank lines only"
        if chunk.criterion_tag is not None and chunk.criterion_tag not in request.criteria:
            return f"{where}: the criterion_tag is not in the list"
        if request.doc_type == "precedent_case" and chunk.criterion_tag is not None:
            return f"{where}: the criterion_tag of a precedent is null"
        if request.doc_type == "appeal_decision" and not chunk.is_winning_argument:
            return f"{where} is no winning argument: exclude it"
    kept = {number: len(line.strip()) for number, line in enumerate(lines, 1) if owner.get(number) != "exclusion"}
    missing = [number for number, size in kept.items() if size and number not in owner]
    uncovered = sum(kept[number] for number in missing)
    if uncovered > MAX_UNCOVERED * max(sum(kept.values()), 1):
        shown = ", ".join(map(str, missing[:20]))
        return f"{uncovered} characters are in no chunk and no exclusion, among them lines {shown}"
    return None


def check_verdict(
    answer: Any, ids: Sequence[str], *, document_id: str, chunks: int, generator: Generator
) -> Checked[PlanVerdict]:
    given = {entry["chunk"]: entry for entry in answer["chunks"]}
    if len(given) != len(answer["chunks"]) or set(given) != set(range(1, chunks + 1)):
        return Checked(rejected=dict.fromkeys(ids, f"a verdict is needed for each of the chunks 1 to {chunks}, once"))
    denied = {
        number - 1: clean(entry["reason"]) or "denied argument" for number, entry in given.items() if entry["denied"]
    }
    return Checked(dict.fromkeys(ids, PlanVerdict(document_id, denied, generator)))


def check_label(
    answer: Any, ids: Sequence[str], *, document_id: str, labels: Mapping[str, str], generator: Generator
) -> Checked[Classification]:
    label = answer["label"].strip()
    if label not in labels:
        return Checked(rejected=dict.fromkeys(ids, "the answer is not in the list"))
    return Checked(dict.fromkeys(ids, Classification(document_id, label, generator)))


# -- parts of the checks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Missing:
    reason: str


def _by_id(entries: list[dict[str, Any]], name: str, value: str, ids: Sequence[str]) -> dict[str, Any]:
    """The value per id that was asked for; entries for others are dropped, an id that stands twice has no answer."""
    found: dict[str, Any] = {}
    for entry in entries:
        key = entry[name]
        found[key] = _Missing("it was answered twice") if key in found else entry[value]
    return {key: found.get(key, _Missing("it is missing from the answer")) for key in ids}


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts, position = [], 0
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    return starts


def _unsupported(term: str, number: str | None, text: str, source: str, request: PropositionRequest) -> str | None:
    folded = collapse(source).casefold()
    if not term or term.casefold() not in folded:
        return "the term does not stand in its lines"
    if term.casefold() not in text.casefold():
        return "the proposition does not contain its term"
    if number is not None and number.casefold() not in folded:
        return "the number of the definition does not stand in its lines"
    known = _numbers(source) | _numbers(request.section) | _numbers(request.title) | _numbers(number or "")
    if unknown := sorted(_numbers(text) - known):
        return f"numbers that its lines, section and title do not have: {', '.join(unknown[:5])}"
    if not any(word in text.casefold() for word in _words(request.title)) and not _numbers(request.title) & _numbers(
        text
    ):
        return "the Act is not named"
    if not _numbers(request.section) <= _numbers(text):
        return "the section is not named"
    return None


def _numbers(text: str) -> set[str]:
    """The numbers of `text`, each as its digits alone and in its groups, so that "1 500" and "1,500" agree."""
    found: set[str] = set()
    for match in _NUMBER.finditer(text):
        groups = _SEPARATORS.split(match.group())
        found.update(groups)
        found.add("".join(groups))
    return found


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3] or [text.casefold()]
