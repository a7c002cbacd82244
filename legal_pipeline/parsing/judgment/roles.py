"""Which part of a judgment each block belongs to: cues weighed, then the most likely sequence of parts.

Judgments run facts, arguments, issues, reasoning, decision, with returns; a part rarely lasts one sentence. Both are in the costs of the
transitions. Not here: the phrases (`phrases`) and the nodes (`structure`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.parsing.judgment.phrases import ROLES, Phrases

#: What it costs to go from one part to another, in the units of the cues' weights. Going on is free.
_CHANGE: dict[str, dict[str, float]] = {
    "background": {"arguments": 2.0, "issue": 2.0, "motivation": 2.5, "decision": 6.0},
    "arguments": {"background": 2.5, "issue": 2.0, "motivation": 1.5, "decision": 5.0},
    "issue": {"background": 2.0, "arguments": 2.0, "motivation": 0.5, "decision": 5.0},
    "motivation": {"background": 3.5, "arguments": 1.5, "issue": 1.0, "decision": 2.5},
    "decision": {"background": 6.0, "arguments": 6.0, "issue": 6.0, "motivation": 4.0},
}
_START = {"background": 0.0, "arguments": 2.0, "issue": 1.5, "motivation": 2.0, "decision": 6.0}
#: No block says more than this about its part: a long paragraph that quotes much would decide alone.
_MAX_EVIDENCE = 6.0
#: What a heading says of the text right under it, and after how many characters that is halved.
_HEADING_EVIDENCE, _HEADING_REACH = 6.0, 4000
#: A heading decides about itself.
_HEADING = 50.0


@dataclass(frozen=True)
class Evidence:
    """One block as this module sees it: its text, the part that the heading `distance` characters above it announces, and the part that
    is certain."""

    text: str
    announced: str | None = None
    distance: int = 0
    fixed: str | None = None


def assign_roles(blocks: Sequence[Evidence], phrases: Phrases) -> list[str]:
    """A role for every block, in order (Viterbi over the five roles)."""
    if not blocks:
        return []
    lengths = [len(block.text) for block in blocks]
    total = sum(lengths) or 1
    seen = 0
    costs: dict[str, float] = {}
    back: list[dict[str, str]] = []
    for index, block in enumerate(blocks):
        position = (seen + lengths[index] / 2) / total
        remaining = total - seen - lengths[index]
        seen += lengths[index]
        here = _emission(block, phrases, position, remaining)
        if index == 0:
            costs = {role: _START[role] - here[role] for role in ROLES}
            back.append({})
            continue
        step: dict[str, str] = {}
        following: dict[str, float] = {}
        for role in ROLES:
            best, cost = min(
                ((before, costs[before] + (0.0 if before == role else _CHANGE[before][role])) for before in ROLES),
                key=lambda pair: pair[1],
            )
            step[role] = best
            following[role] = cost - here[role]
        costs = following
        back.append(step)
    role = min(ROLES, key=lambda name: costs[name])
    out = [role]
    for step in reversed(back[1:]):
        role = step[role]
        out.append(role)
    return out[::-1]


def _emission(block: Evidence, phrases: Phrases, position: float, remaining: int) -> dict[str, float]:
    scores = dict.fromkeys(ROLES, 0.0)
    if block.fixed is not None:
        scores[block.fixed] = _HEADING
        return scores
    for cue in phrases.cues:
        if cue.pattern.search(block.text):
            scores[cue.role] += cue.weight
    for role in ROLES:
        scores[role] = max(-_MAX_EVIDENCE, min(_MAX_EVIDENCE, scores[role]))
    if block.announced is not None:
        _add_heading(scores, block.announced, block.distance)
    _add_position(scores, position, remaining)
    return scores


def _add_heading(scores: dict[str, float], announced: str, distance: int) -> None:
    """A heading's word weakens with the distance: under the only heading "FACTS" of a judgment the whole rest stands as well.

    Under "ANALYSIS AND CONCLUSION" the order stands too, so that reasoning and order are left to their own words.
    """
    weight = _HEADING_EVIDENCE / (1 + distance / _HEADING_REACH)
    if announced == "motivation":
        for role in ("background", "arguments", "issue"):
            scores[role] -= weight / 2
    else:
        scores[announced] += weight


def _add_position(scores: dict[str, float], position: float, remaining: int) -> None:
    """Facts stand in the first third. An order stands at the end: there "the appeal is dismissed" is this court's, elsewhere it is the
    court's below."""
    scores["background"] += 1.4 - 2.6 * position
    scores["motivation"] += 0.2
    scores["issue"] -= 0.5
    near_end = remaining < 1500 or position > 0.97
    if near_end:
        scores["decision"] += 1.0
    elif position < 0.75:
        scores["decision"] -= 3.0
    else:
        scores["decision"] -= 1.0
