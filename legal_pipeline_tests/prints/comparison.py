"""Compares what is read from a print with what a lawyer finds in it. Not here: the rules for laws (`laws`) and judgments (`judgments`)."""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.text.normalise import ascii_figures

HERE = Path(__file__).parent
FILES = HERE / "files"

#: What an author says of a file.
Answer = Mapping[str, Any]


@dataclass
class Comparison:
    """`right` and `asked` count what was found and what should be, by name of the measure; `differences` say what is wrong."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def count(self, measure: str, is_right: bool, difference: str) -> None:
        self.asked[measure] += 1
        self.right[measure] += is_right
        if not is_right:
            self.differences.append(difference)

    def add(self, other: Comparison) -> None:
        self.right.update(other.right)
        self.asked.update(other.asked)


@functools.cache
def answers(kind: str) -> Mapping[str, Answer]:
    """Return the answers of `laws` or `judgments` by name of file."""
    found: dict[str, Answer] = json.loads((HERE / f"{kind}.json").read_text("utf-8"))
    return found


def names() -> Iterator[tuple[str, str]]:
    """Yield (kind of text, name of file)."""
    for kind in ("laws", "judgments"):
        yield from ((kind, name) for name in answers(kind))


def folded(text: str | None) -> str:
    """Return the letters and digits of `text`, as they are compared: small, with digits 0 to 9 for those of any script."""
    plain = ascii_figures(unicodedata.normalize("NFKC", text or "").casefold())
    return "".join(filter(str.isalnum, plain))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
