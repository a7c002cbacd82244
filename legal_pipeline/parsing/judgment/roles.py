"""Assign each block of a judgment to a part: a fitted linear model scores the sentences, then the likeliest part is chosen.

The usual order is facts, arguments, issues, reasoning, decision, and parts may return; a part rarely has only one sentence.
The weights of features and of changes of part are in `role_weights.json`, fitted to labelled judgments by
`python -m legal_pipeline_tests.parsing.judgment.role_fit`.
Not here: the features (`role_features`), the phrases (`phrases`) and the nodes (`structure`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from legal_pipeline.parsing.judgment.phrases import Phrases
from legal_pipeline.parsing.judgment.role_features import Floats, feature_names, role_features
from legal_pipeline.parsing.judgment.units import Evidence
from legal_pipeline.system.data_files import data_file

#: Roles of the model. For the model a question (`issue`) is reasoning; only the phrases find it.
WEIGHED = ("background", "arguments", "motivation", "decision")
#: Score that a heading gives each sentence under it, and the number of characters after which the score is halved.
_HEADING_EVIDENCE, _HEADING_REACH = 6.0, 500
#: Score of a heading for its own role, high enough to decide it.
_HEADING = 50.0
#: Text directly under a heading "ISSUES" states the issues, up to this many characters.
_ISSUES_REACH = 1500


@dataclass(frozen=True)
class RoleModel:
    """Weights of features (features, roles), of changes from one role to the next (roles, roles), of the first role (roles)."""

    emissions: Floats
    change: Floats
    start: Floats

    @classmethod
    def from_json(cls, data: Mapping[str, Any], names: Sequence[str]) -> RoleModel:
        """Read the weights. Raises `KeyError` for a feature without weights."""

        def row(values: Mapping[str, float]) -> list[float]:
            return [values[role] for role in WEIGHED]

        return cls(
            np.array([row(data["features"][name]) for name in names]),
            np.array([row(data["change"][role]) for role in WEIGHED]),
            np.array(row(data["start"])),
        )


@functools.cache
def load_model(names: tuple[str, ...]) -> RoleModel:
    """Return the fitted weights of the features `names`."""
    return RoleModel.from_json(data_file(__package__, "role_weights.json"), names)


def assign_roles(blocks: Sequence[Evidence], phrases: Phrases) -> list[str]:
    """Return a role for every block, in order."""
    if not blocks:
        return []
    model = load_model(feature_names(phrases))
    features, sizes, constant = weigh(blocks, phrases)
    roles = most_likely(features @ model.emissions + constant, sizes, model)
    return with_issues(blocks, roles, phrases)


def weigh(blocks: Sequence[Evidence], phrases: Phrases) -> tuple[Floats, list[int], Floats]:
    """Return (features of all sentences, number of sentences of each block, score of headings for each sentence and role)."""
    split = [block.sentences for block in blocks]
    sizes = [len(sentences) for sentences in split]
    features = role_features([text for sentences in split for text in sentences], phrases)
    return features, sizes, np.repeat([_heading_scores(block) for block in blocks], sizes, axis=0)


def most_likely(scores: Floats, sizes: Sequence[int], model: RoleModel) -> list[str]:
    """Return the likeliest role of each block over all sequences of roles (forward-backward).

    `scores` has one row per sentence; all sentences of a block have the same role. The single best sequence is not used, because it
    gives a long uncertain stretch to one role.
    """
    ends = np.cumsum(sizes)
    totals = np.add.reduceat(scores, np.concatenate([[0], ends[:-1]]), axis=0)
    totals += (np.array(sizes) - 1)[:, None] * np.diag(model.change)
    forward, backward = totals.copy(), np.zeros_like(totals)
    forward[0] += model.start
    for row in range(1, len(totals)):
        forward[row] += np.logaddexp.reduce(forward[row - 1][:, None] + model.change, axis=0)
    for row in range(len(totals) - 2, -1, -1):
        backward[row] = np.logaddexp.reduce(model.change + totals[row + 1] + backward[row + 1], axis=1)
    return [WEIGHED[role] for role in (forward + backward).argmax(axis=1)]


def with_issues(blocks: Sequence[Evidence], roles: Sequence[str], phrases: Phrases) -> list[str]:
    """Return `roles` with reasoning that states a question, and the following blocks that begin with "whether", as `issue`."""
    asks, whether = (next(cue.pattern for cue in phrases.cues if cue.name == name) for name in ("asks", "whether"))
    out: list[str] = []
    for block, role in zip(blocks, roles, strict=True):
        if block.fixed is not None:
            role = block.fixed
        elif role == "motivation" and (
            _mostly(asks, block)
            or (out and out[-1] == "issue" and whether.match(block.text.lower()))
            or (block.announced == "issue" and block.distance < _ISSUES_REACH)
        ):
            role = "issue"
        out.append(role)
    return out


def _mostly(asks: re.Pattern[str], block: Evidence) -> bool:
    """Whether at least half of the sentences ask: a long paragraph that only mentions a question is reasoning."""
    sentences = block.sentences
    return 2 * sum(asks.search(text.lower()) is not None for text in sentences) >= len(sentences)


def _heading_scores(block: Evidence) -> list[float]:
    """Return the score of the heading for each role; it falls with the distance, because one heading "FACTS" may cover the whole rest.

    The order is often under "ANALYSIS AND CONCLUSION" too, so such a heading does not decide between reasoning and order.
    """
    role, weight = block.announced, _HEADING_EVIDENCE / (1 + block.distance / _HEADING_REACH)
    if block.fixed is not None:
        role, weight = block.fixed, _HEADING
    role = "motivation" if role == "issue" else role
    if role == "motivation" and block.fixed is None:
        return [-weight / 2 if other in ("background", "arguments") else 0.0 for other in WEIGHED]
    return [weight if other == role else 0.0 for other in WEIGHED]
