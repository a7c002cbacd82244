"""Check whether an answer may be used: ids known and complete, lengths in range, and no content that the source does not support.

Each check takes the parsed answer (its JSON shape is already valid) and returns the accepted answers and, per id, the reason why the others
are refused. The reason is sent to the model once. Not here: schemas (`enrichment.answer_schema`) and the second request
(`enrichment.claude`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from legal_pipeline.chunking.plan import ChunkPlan, ExcludedLines, PlannedChunk, validate_plan
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    Generator,
    Plan,
    PlanRequest,
    PlanVerdict,
    Proposition,
    PropositionRequest,
    Questions,
    Summary,
)
from legal_pipeline.errors import ChunkingError
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import collapse
from legal_pipeline.text.tokens import count_tokens

#: Incremented with every change of a check: it is part of `prompt_version`.
CHECKS_VERSION = "2"

#: Minimum and maximum tokens of a prefix; one made by rules is shorter only if the provision has too few words.
PREFIX_TOKENS = (50, 100)
#: Minimum and maximum questions per chunk: fewer leave parts of a chunk without a question, more repeat each other.
QUESTIONS_PER_CHUNK = (3, 5)
MAX_QUESTION_TOKENS = 120
#: Limits of the names that a plan gives its chunks (characters; they appear in headers), and of the nesting of a regulation.
MAX_NAME_CHARS = 200
MAX_LEVEL = 9
#: Longer than any definition that fits into a chunk with its header.
MAX_PROPOSITION_TOKENS = 1000

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
#: A number as printed: 1 500, 1,500.50, 2022:1109, 12A.
_NUMBER = re.compile(r"\d+(?:[.,:\u00a0 ]\d+)*")
_SEPARATORS = re.compile(r"[.,:\u00a0 ]")

A = TypeVar("A")


@dataclass
class Checked(Generic[A]):
    """`accepted` and `rejected` (with the reason) are disjoint and contain every requested id. `usable` holds the parts of rejected answers
    that may be used if the second answer is no better."""

    accepted: dict[str, A] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    usable: dict[str, A] = field(default_factory=dict)


def clean(text: str) -> str:
    """Return one line without control characters and halves of surrogate pairs, which no table can store."""
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
    """Refuse the answer if one definition is wrong, so that it is requested again; keep the correct definitions as `usable`, in case the
    second answer fails too."""
    lines = request.text.split("\n")
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
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
        return Checked(
            rejected=dict.fromkeys(ids, "; ".join(problems[:10])), usable=dict.fromkeys(ids, tuple(propositions))
        )
    return Checked({name: tuple(propositions) for name in ids})


def check_plan(answer: Any, ids: Sequence[str], *, request: PlanRequest, generator: Generator) -> Checked[Plan]:
    """Refuse an invalid plan (`chunking.plan.validate_plan`), a plan without chunks, and for an appeal decision a plan with a chunk that is
    not a winning argument."""
    plan = ChunkPlan(
        clean(answer["strategy"]),
        tuple(sorted((_planned(given) for given in answer["chunk_plan"]), key=lambda chunk: chunk.start_line)),
        tuple(ExcludedLines(**given) for given in answer["excluded"]),
        str(generator),
    )
    if problem := _plan_problem(plan, request.document):
        return Checked(rejected=dict.fromkeys(ids, problem))
    return Checked(dict.fromkeys(ids, Plan(request.document_id, plan, generator)))


def _planned(given: Mapping[str, Any]) -> PlannedChunk:
    """Return the planned chunk with each name as one line: names become paths and headers."""
    named = {name: clean(given[name]) or None for name in ("section", "legal_standard") if given[name] is not None}
    return PlannedChunk(**{**given, **named})


def _plan_problem(plan: ChunkPlan, document: Document) -> str | None:
    if not plan.chunks:
        return "the plan has no chunks"
    try:
        validate_plan(document, plan)
    except ChunkingError as error:
        return error.message
    for chunk in plan.chunks:
        where = f"chunk {chunk.start_line} to {chunk.end_line}"
        if document.doc_type == "appeal_decision" and not chunk.is_winning_argument:
            return f"{where} is not a winning argument: exclude it"
        if max(len(chunk.section or ""), len(chunk.legal_standard or "")) > MAX_NAME_CHARS:
            return f"{where}: section and legal_standard have at most {MAX_NAME_CHARS} characters"
        if chunk.level is not None and not 1 <= chunk.level <= MAX_LEVEL:
            return f"{where}: level is 1 to {MAX_LEVEL} or null"
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
    """Return the value per requested id; entries for other ids are dropped, an id that occurs twice has no answer."""
    found: dict[str, Any] = {}
    for entry in entries:
        key = entry[name]
        found[key] = _Missing("it was answered twice") if key in found else entry[value]
    return {key: found.get(key, _Missing("it is missing from the answer")) for key in ids}


def _unsupported(term: str, number: str | None, text: str, source: str, request: PropositionRequest) -> str | None:
    folded = collapse(source).casefold()
    if not term or term.casefold() not in folded:
        return "its lines do not contain the term"
    if term.casefold() not in text.casefold():
        return "the proposition does not contain its term"
    if count_tokens(text) > MAX_PROPOSITION_TOKENS:
        return f"the proposition has more than {MAX_PROPOSITION_TOKENS} tokens"
    if number is not None and number.casefold() not in folded:
        return "its lines do not contain the number of the definition"
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
    """Return the numbers of `text`, each as its digits alone and as its groups, so that "1 500" and "1,500" are equal."""
    found: set[str] = set()
    for match in _NUMBER.finditer(text):
        groups = _SEPARATORS.split(match.group())
        found.update(groups)
        found.add("".join(groups))
    return found


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3] or [text.casefold()]
