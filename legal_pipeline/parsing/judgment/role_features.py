"""Features of each sentence for the model of roles: matching lists of phrases in it and around it, and its position.

Not here: the phrases (`phrases`), their weights (`role_weights.json`) and the sequence of roles (`roles`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from legal_pipeline.parsing.judgment.phrases import ROLES, Phrases

Floats: TypeAlias = NDArray[np.float64]

#: Number of sentences before and after a sentence that count for it: counsel is named once, and the argument then continues.
_BEFORE, _LATELY, _AFTER = 4, 12, 2
#: Lists with less weight in the middle of a judgment, where "the appeal is dismissed" refers to another court.
_ENDING = ("disposes", "costs", "ordered", "result")
#: An argument lasts until the court speaks: after the last sentence of counsel, the feature decays by this factor per sentence.
_ARGUMENT_DECAY = 0.9
#: Some reports print no space after a comma: "It was,however,urged".
_CLOSE_COMMA = re.compile(r"(?<=[^\W\d]),(?=[^\W\d])")
_PLACE = ("always", "position", "position_squared", "opening", "near_end", "last_three", "last_ten", "argument_runs")


def feature_names(phrases: Phrases) -> tuple[str, ...]:
    """Return the names of the columns of `role_features`."""
    around = [f"{role}_{side}" for side in ("before", "lately", "after") for role in ROLES]
    return (*(cue.name for cue in phrases.cues), *around, *(f"{name}_late" for name in _ENDING), *_PLACE)


def role_features(sentences: Sequence[str], phrases: Phrases) -> Floats:
    """Return one row per sentence of an opinion, in reading order, and one column per name of `feature_names`; values from 0 to 2."""
    spaced = [_CLOSE_COMMA.sub(", ", text).lower() for text in sentences]
    hits = np.array([[bool(cue.pattern.search(text)) for cue in phrases.cues] for text in spaced], dtype=np.float64)
    strengths = np.array([[cue.strength * (cue.role == role) for role in ROLES] for cue in phrases.cues])
    lengths = np.array([len(text) for text in sentences], dtype=np.float64)
    total = max(float(lengths.sum()), 1.0)
    seen = np.cumsum(lengths)
    position = (seen - lengths / 2) / total
    index = {cue.name: number for number, cue in enumerate(phrases.cues)}
    left = len(sentences) - np.arange(len(sentences))
    late = np.clip((position - 0.75) * 4, 0.0, 1.0)[:, None]
    ending = hits[:, [index[name] for name in _ENDING]] * late
    place = np.stack(
        [
            np.ones(len(sentences)),
            position,
            position**2,
            position < 0.08,
            (total - seen < 1500) | (position > 0.97),
            left <= 3,
            left <= 10,
            _argument_runs(hits, index),
        ],
        axis=1,
    )
    around = [_mean(hits, -_BEFORE, 0), _mean(hits, -_LATELY, 0), _mean(hits, 1, 1 + _AFTER)]
    return np.concatenate([hits, *(np.clip(mean @ strengths / 3, 0, 2) for mean in around), ending, place], axis=1)


def _argument_runs(hits: Floats, index: dict[str, int]) -> Floats:
    begins = np.asarray(hits[:, [index["argued"], index["counsel_argued"]]].any(axis=1))
    ends = np.asarray(hits[:, [index["court_speaks"], index["answers"], index["asks"]]].any(axis=1))
    out = np.zeros(len(hits))
    strength = 0.0
    for row in range(len(hits)):
        strength = 1.0 if begins[row] else 0.0 if ends[row] else strength * _ARGUMENT_DECAY
        out[row] = strength
    return out


def _mean(hits: Floats, first: int, last: int) -> Floats:
    """Return the share of matches in the rows from `first` up to `last` behind each row; negative numbers are rows before it."""
    summed = np.concatenate([np.zeros((1, hits.shape[1])), np.cumsum(hits, axis=0)])
    low, high = (np.clip(np.arange(len(hits)) + offset, 0, len(hits)) for offset in (first, last))
    return np.asarray((summed[high] - summed[low]) / (last - first))
