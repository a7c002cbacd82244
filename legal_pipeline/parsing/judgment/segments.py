"""Build segments from units with roles: the units under each heading or issue, and the beginning of each part.

Used for blocks (`structure`) and for nodes that a publisher marked (`decision_parts`). Not here: scoring roles (`roles`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from legal_pipeline.parsing.judgment.announced_roles import assign_announced
from legal_pipeline.parsing.judgment.phrases import Phrases
from legal_pipeline.parsing.judgment.units import Evidence, Unit

U = TypeVar("U", bound=Unit)


@dataclass
class Segment(Generic[U]):
    """A part of a judgment with its units in text order; an issue may contain segments too."""

    type: str
    num: str | None = None
    heading: str | None = None
    members: list[U | Segment[U]] = field(default_factory=list)


def evidence_of(units: Sequence[U]) -> list[tuple[U, Evidence]]:
    """Return the units whose role is scored, each with its evidence: all except headings that announce no part."""
    announced: str | None = None
    distance = 0
    out: list[tuple[U, Evidence]] = []
    for unit in units:
        if unit.heading:
            if unit.announces is None:
                continue
            # Under "Issue No. 1" is the discussion of the issue; under "ISSUES" are the issues themselves.
            announced = "motivation" if unit.issue_number else unit.announces
            distance = 0
        out.append((unit, Evidence(unit.text, announced, distance, unit.announces if unit.heading else None)))
        distance += len(unit.text)
    return out


def assign(units: Sequence[Unit], phrases: Phrases) -> None:
    """Set the role of every unit. The part that a heading announces counts for the units under it; the heading has the next unit's role.

    Without cues (`Phrases.has_cues`), each unit is of the part that was announced last (`announced_roles`).
    """
    if not phrases.has_cues:
        assign_announced(units, phrases)
        return
    from legal_pipeline.parsing.judgment.roles import assign_roles  # needs numpy; every parser loads this module

    weighed = evidence_of(units)
    for (unit, _), role in zip(weighed, assign_roles([evidence for _, evidence in weighed], phrases), strict=True):
        unit.role = role
    following = weighed[-1][0].role if weighed else "motivation"
    for unit in reversed(units):
        if unit.heading:
            unit.role = following
        following = unit.role


def segments_of(units: Sequence[U]) -> list[Segment[U]]:
    """Return the segments of one opinion. A heading that announces a part begins a segment; only the last segment may end in a heading."""
    out: list[Segment[U]] = []
    issue: Segment[U] | None = None
    current: Segment[U] | None = None
    role: str | None = None
    for headings, body in _with_headings(units):
        announcing = [unit for unit in headings if unit.announces is not None]
        numbered = next((unit for unit in headings if unit.issue_number), None)
        if numbered is not None:
            issue = current = Segment("issue", numbered.issue_number, numbered.title, list(headings))
            out.append(issue)
            role, headings, announcing = None, [], []
        elif issue is not None and _leaves_issue(announcing, body):
            issue = role = None
        if body is None:
            _last(out, headings)
            continue
        if body.role != role or announcing:
            current = Segment(body.role, None, announcing[-1].title if announcing else None)
            if issue is not None and body.role == "issue":
                current = issue  # text about the issue itself needs no second node
            else:
                (issue.members if issue is not None else out).append(current)
            role = body.role
        assert current is not None
        current.members += [*headings, body]
    return out


def _with_headings(units: Sequence[U]) -> Iterator[tuple[list[U], U | None]]:
    """Yield each paragraph with the headings directly above it; at the end, headings without a paragraph."""
    headings: list[U] = []
    for unit in units:
        if unit.heading:
            headings.append(unit)
        else:
            yield headings, unit
            headings = []
    if headings:
        yield headings, None


def _leaves_issue(announcing: Sequence[Unit], body: Unit | None) -> bool:
    return (body is not None and body.role == "decision") or any(
        unit.announces not in ("motivation", "arguments") for unit in announcing
    )


def _last(out: list[Segment[U]], headings: list[U]) -> None:
    if headings and not out:
        out.append(Segment(headings[-1].role))
    if headings:
        out[-1].members += headings
