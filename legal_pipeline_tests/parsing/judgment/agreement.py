"""How well the structure of a judgment agrees with sentences that people labelled, beside two baselines.

Run it: `python -m legal_pipeline_tests.parsing.judgment.agreement FOLDER` (files with one `sentence<TAB>label` per line). Not here: the
labels' way into a document; there is none.
"""

from __future__ import annotations

import bisect
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry
from legal_pipeline_tests.real_documents import existing

#: The roles that both sides know. The labels know no issues: annotators put the question into the reasoning.
ROLES = ("facts", "arguments", "ratio", "decision")
ROLE_OF_LABEL = {
    "Facts": "facts",
    "Ruling by Lower Court": "facts",
    "Argument": "arguments",
    "Statute": "ratio",
    "Precedent": "ratio",
    "Ratio of the decision": "ratio",
    "Ruling by Present Court": "decision",
}
ROLE_OF_NODE = {
    "background": "facts",
    "arguments": "arguments",
    "issue": "ratio",
    "motivation": "ratio",
    "decision": "decision",
}


@dataclass(frozen=True)
class Agreement:
    """Counts of (label's role, role found); recall is the share of a role's sentences that were given it."""

    counts: Counter[tuple[str, str]]

    def recall(self, role: str) -> float:
        return self.counts[role, role] / max(sum(n for (gold, _), n in self.counts.items() if gold == role), 1)

    def precision(self, role: str) -> float:
        return self.counts[role, role] / max(sum(n for (_, found), n in self.counts.items() if found == role), 1)

    def f1(self, role: str) -> float:
        recall, precision = self.recall(role), self.precision(role)
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0

    @property
    def overall(self) -> float:
        return sum(n for (gold, found), n in self.counts.items() if gold == found) / max(self.counts.total(), 1)


@dataclass(frozen=True)
class Labelled:
    """One judgment: the roles of its sentences by label, and by the parser.

    `issues` are the lines (from 1) that stand in an `issue` node."""

    name: str
    gold: tuple[str, ...]
    found: tuple[str, ...]
    issues: tuple[int, ...] = ()


def read_labelled(path: Path) -> Labelled:
    """Parse the file and look up, for every labelled sentence, the segment that it came to stand in."""
    source = SourceFile(path.name, path.read_bytes())
    document = registry.parse(source, "india_judgment_sentences")
    gold: list[str] = []
    found: list[str] = []
    segments = _segments(document)
    raw_to_text = {raw: at for at, raw in document.offset_map}
    issue_spans = [(node.start, node.end) for node in document.walk() if node.type == "issue"]
    issues: list[int] = []
    position = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        sentence, tab, label = line.rpartition("\t")
        at = raw_to_text.get(position + len(sentence) - len(sentence.lstrip()))
        if tab and sentence.strip() and at is not None:
            gold.append(ROLE_OF_LABEL[label.strip()])
            index = bisect.bisect_right(segments, (at, "~")) - 1
            found.append(segments[index][1] if index >= 0 else "none")
            if any(start <= at < end for start, end in issue_spans):
                issues.append(number)
        position += len(line) + 1
    return Labelled(path.name, tuple(gold), tuple(found), tuple(issues))


def _segments(document: Document) -> list[tuple[int, str]]:
    """(start, role) of the innermost segments, ascending."""
    starts: dict[int, str] = {}
    for node in document.walk():
        if node.type in ROLE_OF_NODE:
            starts[node.start] = ROLE_OF_NODE[node.type]
        elif node.type in ("header", "headnote", "signature", "block"):
            starts[node.start] = "none"
    return sorted(starts.items())


def agreement(judgments: Sequence[Labelled]) -> Agreement:
    return Agreement(
        Counter(pair for judgment in judgments for pair in zip(judgment.gold, judgment.found, strict=True))
    )


def majority_baseline(judgments: Sequence[Labelled]) -> Agreement:
    """Every sentence gets the role that is most frequent in the other judgments."""
    counts: Counter[tuple[str, str]] = Counter()
    for judgment in judgments:
        others = Counter(role for other in judgments if other is not judgment for role in other.gold)
        role = others.most_common(1)[0][0]
        counts.update((gold, role) for gold in judgment.gold)
    return Agreement(counts)


def position_baseline(judgments: Sequence[Labelled]) -> Agreement:
    """Facts up to their mean share in the other judgments, the decision from its mean share at the end, reasoning between."""
    counts: Counter[tuple[str, str]] = Counter()
    for judgment in judgments:
        others = [other for other in judgments if other is not judgment]
        facts = sum(other.gold.count("facts") / len(other.gold) for other in others) / len(others)
        decision = sum(other.gold.count("decision") / len(other.gold) for other in others) / len(others)
        length = len(judgment.gold)
        for index, gold in enumerate(judgment.gold):
            share = (index + 0.5) / length
            counts[gold, "facts" if share < facts else "decision" if share > 1 - decision else "ratio"] += 1
    return Agreement(counts)


def issue_agreement(judgments: Sequence[Labelled], gold: dict[str, list[int]]) -> tuple[float, float]:
    """(recall, precision) of the sentences that state an issue, over the judgments that `gold` has lines for."""
    right = found = wanted = 0
    for judgment in judgments:
        if judgment.name in gold:
            right += len(set(judgment.issues) & set(gold[judgment.name]))
            found += len(judgment.issues)
            wanted += len(gold[judgment.name])
    return right / max(wanted, 1), right / max(found, 1)


def table(judgments: Sequence[Labelled]) -> str:
    """A Markdown table: recall, precision and F1 per role, found and by baseline."""
    columns = [
        ("structure", agreement(judgments)),
        ("majority role", majority_baseline(judgments)),
        ("position", position_baseline(judgments)),
    ]
    rows = ["| role | sentences | " + " | ".join(f"{name}: recall / precision / F1" for name, _ in columns) + " |"]
    rows.append("|---|---|" + "---|" * len(columns))
    for role in ROLES:
        number = sum(judgment.gold.count(role) for judgment in judgments)
        cells = [f"{a.recall(role):.2f} / {a.precision(role):.2f} / {a.f1(role):.2f}" for _, a in columns]
        rows.append(f"| {role} | {number} | " + " | ".join(cells) + " |")
    total = sum(len(judgment.gold) for judgment in judgments)
    rows.append(f"| all | {total} | " + " | ".join(f"{a.overall:.2f}" for _, a in columns) + " |")
    return "\n".join(rows)


def issue_lines() -> dict[str, list[int]]:
    """File -> lines that state an issue, from the annotation beside this module."""
    data = json.loads(Path(__file__).with_name("issues.json").read_text("utf-8"))
    return {name: lines for name, lines in data.items() if isinstance(lines, list)}


def read_folder(folder: Path) -> list[Labelled]:
    return [read_labelled(path) for path in existing(folder, "*.txt")]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    judgments = read_folder(Path(arguments[0]))
    print(table(judgments))
    recall, precision = issue_agreement(judgments, issue_lines())
    print(
        f"\nSentences that state an issue (three judgments read by hand): recall {recall:.2f}, precision {precision:.2f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
