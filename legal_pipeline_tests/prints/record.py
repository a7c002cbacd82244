"""The record of what differs from the answers: what is known to be wrong."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Mapping

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LegalPipelineError
from legal_pipeline.parsing.registry import parse
from legal_pipeline_tests.prints import judgments, laws
from legal_pipeline_tests.prints.comparison import FILES, HERE, Comparison, answers, names

_RECORD = HERE / "record.json"
_COMPARE = {"laws": laws.compare, "judgments": judgments.compare}


def compared(kind: str, name: str) -> Comparison:
    answer = answers(kind)[name]
    try:
        document = parse(SourceFile(name, (FILES / name).read_bytes()))
    except LegalPipelineError as error:
        units = "provisions" if kind == "laws" else "paragraphs"
        return Comparison(asked=Counter({units: len(answer[units])}), differences=[f"{type(error).__name__}: {error}"])
    return _COMPARE[kind](document, answer)


@functools.cache
def recorded() -> Mapping[str, list[str]]:
    found: Mapping[str, list[str]] = json.loads(_RECORD.read_text("utf-8"))
    return found


def write() -> None:
    differences = {name: compared(kind, name).differences for kind, name in names()}
    record = {name: found for name, found in sorted(differences.items()) if found}
    _RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    recorded.cache_clear()
