"""The record of what differs from the answers. It lists what is known to be wrong; of the held laws it has only the counts."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.prints import judgments, laws
from legal_pipeline_tests.prints.comparison import FILES, HERE, Comparison, answers, names

_RECORD = HERE / "record.json"
_COMPARE = {"laws": laws.compare, "judgments": judgments.compare}
HELD = "held"


def compared(kind: str, name: str) -> Comparison:
    answer = answers(kind)[name]
    try:
        document = parse(SourceFile(name, (FILES / name).read_bytes()))
    except LegalPipelineError as error:
        units = "provisions" if kind == "laws" else "paragraphs"
        return Comparison(asked=Counter({units: len(answer[units])}), differences=[f"{type(error).__name__}: {error}"])
    return _COMPARE[kind](document, answer)


def held_counts() -> Mapping[str, Any]:
    total = Comparison()
    for kind, name in names(HELD):
        total.add(compared(kind, name))
    return {measure: [total.right[measure], asked] for measure, asked in sorted(total.asked.items())}


@functools.cache
def recorded() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(_RECORD.read_text("utf-8"))
    return found


def write() -> None:
    differences = {name: compared(kind, name).differences for kind, name in names("open")}
    record = {name: found for name, found in sorted(differences.items()) if found} | {HELD: held_counts()}
    _RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    recorded.cache_clear()
