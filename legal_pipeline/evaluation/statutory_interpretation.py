"""Statutory interpretation (Savelka & Ashley 2021): queries are statutory terms, answers are sentences of judgments, graded by their value.

One archive per term with cases, paragraphs and sentences. Sentences of no value are not answers. Not here: the measures of rankings.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_GRADES = {"high value": 3, "certain value": 2, "potential value": 1, "no value": 0}


def interpretation_dataset(folder: Path) -> Dataset:
    """Return a query per archive, over the cases of all archives."""
    archives = sorted(folder.glob("*.zip"))
    if not archives:
        raise ConfigurationError(f"{folder} holds no archives (*.zip) of the statutory interpretation data")
    documents: dict[str, Document] = {}
    queries = []
    missing = total = 0
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            cases = _member(opened, "case")
            sentences = _member(opened, "sentence")
        for case_id, case in cases.items():
            documents.setdefault(case_id, _document(case_id, case))
        answers = []
        for sentence in sentences.values():
            grade = _GRADES[sentence["label"]]
            if not grade:
                continue
            total += 1
            place = _find(documents[sentence["case_id"]], sentence["text"])
            if place is None:
                missing += 1
                continue
            answers.append(Answer(documents[sentence["case_id"]].document_id, *place, grade))
        term = archive.stem.replace("_", " ")
        queries.append(Query(archive.stem, term, "eng", archive.stem, tuple(dict.fromkeys(answers))))
    notes = (f"{total - missing} of {total} graded sentences found in the parsed cases",)
    return Dataset("statutory-interpretation", tuple(documents.values()), tuple(queries), notes=notes)


def _member(opened: zipfile.ZipFile, kind: str) -> Mapping[str, Any]:
    name = next((name for name in opened.namelist() if name.endswith(f"-{kind}.json")), None)
    if name is None:
        raise ConfigurationError(f"{opened.filename} has no …-{kind}.json")
    found: Mapping[str, Any] = json.loads(opened.read(name))
    return found


def _document(case_id: str, case: Mapping[str, Any]) -> Document:
    hints = {"jurisdiction": "us", "language": "eng", "doc_type": "judgment", "title": case["short_name"]}
    return parse(SourceFile(f"{case_id}.txt", str(case["text"]).encode(), hints=hints), "us_opinion_text")


def _find(document: Document, sentence: str) -> tuple[int, int] | None:
    """Return the span of the sentence, with any white space between its words; None if it is not in the document."""
    words = sentence.split()
    found = re.search(r"\s*".join(map(re.escape, words)), document.text) if words else None
    return found.span() if found is not None else None
