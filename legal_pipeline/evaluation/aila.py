"""AILA 2019 (FIRE track on Indian law): situations as queries, with the statutes and prior cases that apply to them.

The folder holds `Query_doc.txt`, `statutes_*.jsonl`, `casedocs_*.jsonl.gz` and the relevance files in TREC form; relevance judgments are
of whole documents. Not here: the measures of rankings.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_QUERIES, _STATUTES, _CASES = "Query_doc.txt", "statutes_*.jsonl", "casedocs_*.jsonl.gz"
_HINTS = {"jurisdiction": "in", "language": "eng"}


def is_aila(folder: Path) -> bool:
    return (folder / _QUERIES).is_file()


def statutes_dataset(folder: Path) -> Dataset:
    """Return 25 situations and 197 statutory provisions, each a separate document with its title."""
    return _dataset("aila-statutes", folder, "qrels_statutes_positive.txt", dict(_statutes(folder)))


def cases_dataset(folder: Path) -> Dataset:
    """Return the situations for which prior cases were judged, and the cases: all relevant cases and a random sample of others."""
    return _dataset("aila-cases", folder, "qrels_priorcases_positive.txt", dict(_cases(folder)))


def case_documents(folder: Path) -> Iterator[Document]:
    """Yield the prior cases as judgments."""
    return (document for _, document in _cases(folder))


def _dataset(name: str, folder: Path, judged: str, documents: dict[str, Document]) -> Dataset:
    relevant: dict[str, list[Document]] = defaultdict(list)
    missing = []
    for query_id, _, number, grade in (line.split() for line in _lines(folder / judged)):
        if int(grade) > 0 and number in documents:
            relevant[query_id].append(documents[number])
        elif int(grade) > 0:
            missing.append(number)
    queries = tuple(
        Query(query_id, text, "eng", query_id, tuple(map(_whole, relevant[query_id])))
        for query_id, text in (line.split("||", 1) for line in _lines(folder / _QUERIES))
        if relevant[query_id]
    )
    notes = (f"judged relevant, but not among the documents: {', '.join(missing)}",) if missing else ()
    return Dataset(name, tuple(documents.values()), queries, by_document=True, notes=notes)


def _whole(document: Document) -> Answer:
    return Answer(document.document_id, 0, len(document.text))


def _statutes(folder: Path) -> Iterator[tuple[str, Document]]:
    for row in map(json.loads, _lines(_only(folder, _STATUTES))):
        title, _, body = str(row["text"]).partition("\n")
        title = title.removeprefix("Title:").strip(" .")
        source = f"# {title}\n\n{body.removeprefix('Desc:').strip()}\n"
        hints = {**_HINTS, "doc_type": "act", "title": title}
        yield row["id"], parse(SourceFile(f"{row['id']}.md", source.encode(), hints=hints), "markdown")


def _cases(folder: Path) -> Iterator[tuple[str, Document]]:
    with gzip.open(_only(folder, _CASES), "rt", encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            title = str(row["text"]).partition("\n")[0].strip()
            hints = {**_HINTS, "doc_type": "judgment", "title": title}
            file = SourceFile(f"{row['id']}.txt", str(row["text"]).encode(), hints=hints)
            yield row["id"], parse(file, "india_judgment_text")


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise ConfigurationError(f"{folder} is not a folder of AILA 2019: expected one {pattern}, found {len(found)}")
    return found[0]


def _lines(path: Path) -> Sequence[str]:
    if not path.is_file():
        raise ConfigurationError(f"{path.parent} is not a folder of AILA 2019: {path.name} is missing")
    return [line for line in path.read_text("utf-8").splitlines() if line.strip()]
