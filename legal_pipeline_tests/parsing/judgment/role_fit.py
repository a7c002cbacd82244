"""Fits the weights of the roles of judgments to labelled sentences, and measures them on judgments that they were not fitted to.

Run it: `python -m legal_pipeline_tests.parsing.judgment.role_fit FOLDER` prints recall, precision and F1 with each judgment left out in
turn; `--write` stores the weights fitted to all of them. Not here: the features (`parsing.judgment.role_features`).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from legal_pipeline.parsing.india.judgment_rr import sentence_blocks
from legal_pipeline.parsing.judgment import roles as roles_module
from legal_pipeline.parsing.judgment.phrases import Phrases, load_phrases
from legal_pipeline.parsing.judgment.role_features import Floats, feature_names
from legal_pipeline.parsing.judgment.roles import WEIGHED, RoleModel, most_likely, weigh
from legal_pipeline.parsing.judgment.structure import read_evidence
from legal_pipeline_tests.parsing.judgment.agreement import ROLE_OF_LABEL, ROLE_OF_NODE, ROLES, Agreement

#: How much the weights are held to where fitting starts: there are fifteen judgments and seventy features.
HELD_BACK = 60.0
#: Where fitting starts: each list of phrases counts so much, times its strength, for the role that it was written for.
OWN_ROLE = 0.8
#: What it costs to miss a role while fitting: arguments and decisions are rare, and a model that is only right on average has none.
COST_OF_MISSING = {"facts": 0.0, "arguments": 0.8, "ratio": 0.0, "decision": 0.5}

WEIGHTS = Path(roles_module.__file__).with_name("role_weights.json")
_PART = 120
_ROLE_OF_INDEX = tuple(ROLE_OF_NODE[role] for role in WEIGHED)


@dataclass(frozen=True)
class Opinion:
    """One opinion of a labelled judgment: features and constant scores of its sentences, sentences per unit, and the label of each unit
    (index into `WEIGHED`)."""

    features: Floats
    constant: Floats
    sizes: tuple[int, ...]
    gold: tuple[int, ...]


@dataclass(frozen=True)
class Labelled:
    """A judgment's opinions; `outside` are labels of lines that stand in no opinion (header, signature)."""

    name: str
    opinions: tuple[Opinion, ...]
    outside: tuple[str, ...]


def read_labelled(path: Path, phrases: Phrases) -> Labelled:
    text = path.read_text("utf-8")
    labels: dict[int, str] = {}
    position = 0
    for line in text.split("\n"):
        sentence, tab, label = line.rpartition("\t")
        if tab and sentence.strip():
            labels[position + len(sentence) - len(sentence.lstrip())] = ROLE_OF_LABEL[label.strip()]
        position += len(line) + 1
    opinions = []
    for part in read_evidence(sentence_blocks(text), "in"):
        kept = [(labels.pop(block.offsets[0][1]), evidence) for block, evidence in part]
        features, sizes, constant = weigh([evidence for _, evidence in kept], phrases)
        gold = tuple(_ROLE_OF_INDEX.index(role) for role, _ in kept)
        opinions.append(Opinion(features, constant, tuple(sizes), gold))
    return Labelled(path.name, tuple(opinions), tuple(labels.values()))


def fit(judgments: Sequence[Labelled], phrases: Phrases) -> RoleModel:
    """The weights under which the labels are most likely (a conditional random field, with a margin for the rare roles)."""
    start = _start(phrases)
    batch = _Batch([part for judgment in judgments for opinion in judgment.opinions for part in _parts(opinion)], start)
    options = {"maxiter": 100, "ftol": 1e-6}
    return batch.model(minimize(batch.loss, start.ravel(), jac=True, method="L-BFGS-B", options=options).x)


def _start(phrases: Phrases) -> Floats:
    """Rows of weights: each list of phrases for the role that it was written for, and what `role_start.toml` says."""
    data = tomllib.loads(Path(__file__).with_name("role_start.toml").read_text("utf-8"))
    names = feature_names(phrases)
    rows = {name: dict.fromkeys(WEIGHED, 0.0) for name in names}
    for cue in phrases.cues:
        rows[cue.name]["motivation" if cue.role == "issue" else cue.role] = OWN_ROLE * cue.strength
    for name, weights in data["features"].items():
        rows[name] |= weights
    tables = [*rows.values(), *(data["change"][role] for role in WEIGHED), data["start"]]
    return np.array([[table.get(role, 0.0) for role in WEIGHED] for table in tables])


def _parts(opinion: Opinion) -> Iterator[Opinion]:
    """`opinion` in parts of one length: beside one of 700 units short ones would cost as much as it does."""
    starts = np.concatenate([[0], np.cumsum(opinion.sizes)])
    for first in range(0, len(opinion.sizes), _PART):
        last = min(first + _PART, len(opinion.sizes))
        rows = slice(starts[first], starts[last])
        yield Opinion(
            opinion.features[rows], opinion.constant[rows], opinion.sizes[first:last], opinion.gold[first:last]
        )


class _Batch:
    """Opinions of different lengths side by side, as the optimiser wants them."""

    def __init__(self, opinions: Sequence[Opinion], start: Floats) -> None:
        self._start = start.ravel()
        longest = max(len(opinion.sizes) for opinion in opinions)
        count = len(WEIGHED)
        self._columns = opinions[0].features.shape[1]
        self._features = np.zeros((len(opinions), longest, self._columns))
        self._constant = np.zeros((len(opinions), longest, count))
        self._gold = np.zeros((len(opinions), longest, count))
        self._more = np.zeros((len(opinions), longest))
        self._mask = np.zeros((len(opinions), longest), dtype=bool)
        costs = np.array(
            [[COST_OF_MISSING[role] * (role != other) for other in _ROLE_OF_INDEX] for role in _ROLE_OF_INDEX]
        )
        for number, opinion in enumerate(opinions):
            length = len(opinion.sizes)
            starts = np.concatenate([[0], np.cumsum(opinion.sizes)[:-1]])
            gold = np.array(opinion.gold)
            self._features[number, :length] = np.add.reduceat(opinion.features, starts, axis=0)
            self._constant[number, :length] = np.add.reduceat(opinion.constant, starts, axis=0) + costs[gold]
            self._gold[number, np.arange(length), gold] = 1.0
            self._more[number, :length] = np.array(opinion.sizes) - 1
            self._mask[number, :length] = True

    def model(self, weights: Floats) -> RoleModel:
        rows = weights.reshape(-1, len(WEIGHED))
        return RoleModel(rows[: self._columns], rows[self._columns : -1], rows[-1])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """(negative log-likelihood of the labels with the penalty, its gradient)."""
        model = self.model(weights)
        scores = self._features @ model.emissions + self._constant
        scores += self._more[..., None] * np.diag(model.change)
        forward, backward, total = self._pass(scores, model)
        each = np.exp(forward + backward - total[:, None, None]) * self._mask[..., None]
        pairs = self._pairs(scores, forward, backward, total, model)
        wanted = self._gold[:, :-1, :, None] * self._gold[:, 1:, None, :]
        surplus = each - self._gold
        change = pairs - wanted.sum(axis=(0, 1)) + np.diag(np.einsum("dt,dtr->r", self._more, surplus))
        gradient = np.concatenate(
            [np.einsum("dtf,dtr->fr", self._features, surplus), change, surplus[:, :1].sum(axis=0)]
        ).ravel()
        likelihood = (
            (scores * self._gold).sum() + (wanted * model.change).sum() + (self._gold[:, 0] * model.start).sum()
        )
        moved = weights - self._start
        loss = total.sum() - likelihood + 0.5 * HELD_BACK * (moved @ moved)
        return float(loss), gradient + HELD_BACK * moved

    def _pass(self, scores: Floats, model: RoleModel) -> tuple[Floats, Floats, Floats]:
        forward, backward = np.zeros_like(scores), np.zeros_like(scores)
        forward[:, 0] = scores[:, 0] + model.start
        length = scores.shape[1]
        for step in range(1, length):
            new = _log_sum(forward[:, step - 1, :, None] + model.change, axis=1) + scores[:, step]
            forward[:, step] = np.where(self._mask[:, step, None], new, forward[:, step - 1])
        for step in range(length - 2, -1, -1):
            new = _log_sum(model.change + (scores[:, step + 1] + backward[:, step + 1])[:, None, :], axis=2)
            backward[:, step] = np.where(self._mask[:, step + 1, None], new, 0.0)
        return forward, backward, _log_sum(forward[:, -1], axis=1)

    def _pairs(self, scores: Floats, forward: Floats, backward: Floats, total: Floats, model: RoleModel) -> Floats:
        both = forward[:, :-1, :, None] + model.change + (scores[:, 1:] + backward[:, 1:])[:, :, None, :]
        likely = np.exp(both - total[:, None, None, None]) * self._mask[:, 1:, None, None]
        return np.asarray(likely.sum(axis=(0, 1)))


def _log_sum(values: Floats, axis: int) -> Floats:
    most = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - most).sum(axis=axis)) + most.squeeze(axis))


def to_json(model: RoleModel, names: Sequence[str]) -> dict[str, object]:
    """Return the weights of the features `names`, as `RoleModel.from_json` reads them."""

    def named(row: Floats) -> dict[str, float]:
        return {role: round(float(value), 3) for role, value in zip(WEIGHED, row, strict=True)}

    return {
        "start": named(model.start),
        "change": {role: named(row) for role, row in zip(WEIGHED, model.change, strict=True)},
        "features": {name: named(row) for name, row in zip(names, model.emissions, strict=True)},
    }


def measure(model: RoleModel, judgments: Sequence[Labelled]) -> Counter[tuple[str, str]]:
    """Counts of (label's role, role found) over all labelled lines of `judgments`."""
    counts: Counter[tuple[str, str]] = Counter()
    for judgment in judgments:
        counts.update((label, "none") for label in judgment.outside)
        for opinion in judgment.opinions:
            found = most_likely(opinion.features @ model.emissions + opinion.constant, opinion.sizes, model)
            counts.update(
                (_ROLE_OF_INDEX[gold], ROLE_OF_NODE[role]) for gold, role in zip(opinion.gold, found, strict=True)
            )
    return counts


def leave_one_out(judgments: Sequence[Labelled], phrases: Phrases) -> Agreement:
    """Each judgment measured with the weights that the others give."""
    counts: Counter[tuple[str, str]] = Counter()
    for judgment in judgments:
        counts.update(measure(fit([other for other in judgments if other is not judgment], phrases), [judgment]))
    return Agreement(counts)


def table(columns: dict[str, Agreement]) -> str:
    """A Markdown table: recall, precision and F1 per role."""
    rows = ["| role | " + " | ".join(f"{name}: recall / precision / F1" for name in columns) + " |"]
    rows.append("|---|" + "---|" * len(columns))
    for role in ROLES:
        cells = [f"{a.recall(role):.2f} / {a.precision(role):.2f} / {a.f1(role):.2f}" for a in columns.values()]
        rows.append(f"| {role} | " + " | ".join(cells) + " |")
    rows.append("| all | " + " | ".join(f"{a.overall:.2f}" for a in columns.values()) + " |")
    return "\n".join(rows)


def main(arguments: Sequence[str]) -> int:
    paths = [argument for argument in arguments if argument != "--write"]
    if len(paths) != 1:
        sys.stdout.write(f"{__doc__}\n")
        return 2
    phrases = load_phrases("in")
    judgments = [read_labelled(path, phrases) for path in sorted(Path(paths[0]).glob("*.txt"))]
    model = fit(judgments, phrases)
    columns = {
        "fitted to all": Agreement(measure(model, judgments)),
        "left out in turn": leave_one_out(judgments, phrases),
    }
    sys.stdout.write(f"{table(columns)}\n")
    if "--write" in arguments:
        WEIGHTS.write_text(json.dumps(to_json(model, feature_names(phrases)), indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
