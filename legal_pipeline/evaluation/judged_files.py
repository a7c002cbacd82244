"""Rankings and relevance judgments as files that other tools read: the BEIR layout and TREC runs, one folder per system.

The folder of a system holds `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` (BEIR), `qrels.txt` and `runs/MODE.txt` (TREC).
The items are the system's chunks with the text that was embedded, or documents if those are judged. Not here: the judgment of a hit
(`relevance`) and reading such files (`published_sets`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from legal_pipeline.evaluation.dataset import Dataset, Query
from legal_pipeline.evaluation.metrics import Ranked
from legal_pipeline.evaluation.relevance import answers, overlap
from legal_pipeline.evaluation.systems import Entry
from legal_pipeline.model.slug import slug

Judgment = tuple[str, str, int]


def write_judged_files(
    folder: Path,
    dataset: Dataset,
    system: str,
    entries: Sequence[Entry],
    rankings: Mapping[str, Sequence[Sequence[Ranked]]],
) -> None:
    """Write the files of a system into a folder of it below `folder`. `rankings`: mode -> the hits of each query of `dataset`, in its
    order."""
    folder /= slug(system)
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    (folder / "runs").mkdir(exist_ok=True)
    _write_rows(folder / "corpus.jsonl", _corpus(dataset, entries))
    _write_rows(folder / "queries.jsonl", ({"_id": _id(query), "text": query.text} for query in dataset.queries))
    judged = list(judgments(dataset, entries))
    _write(
        folder / "qrels" / "test.tsv",
        ["query-id\tcorpus-id\tscore", *(f"{query}\t{item}\t{grade}" for query, item, grade in judged)],
    )
    _write(folder / "qrels.txt", (f"{query} 0 {item} {grade}" for query, item, grade in judged))
    for mode, found in rankings.items():
        lines = [
            f"{_id(query)} Q0 {item} {place} {1 / place:.6f} {slug(system)}"
            for query, hits in zip(dataset.queries, found, strict=True)
            for place, item in enumerate(_items(dataset, hits), start=1)
        ]
        _write(folder / "runs" / f"{slug(mode)}.txt", lines)


def judgments(dataset: Dataset, entries: Iterable[Entry]) -> Iterator[Judgment]:
    """Yield (query id, item, grade) of every chunk that answers a query, or of every document with an answer if documents are judged."""
    by_document: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.verbatim:
            by_document[entry.document.document_id].append(entry)
    for query in dataset.queries:
        grades: dict[str, int] = {}
        for answer in query.answers:
            if dataset.by_document:
                grades[answer.document_id] = max(answer.grade, grades.get(answer.document_id, 0))
                continue
            for entry in by_document[answer.document_id]:
                if answers(answer.document_id, entry.spans, answer) and not _is_origin(query, entry):
                    grades[entry.chunk_id] = max(answer.grade, grades.get(entry.chunk_id, 0))
        yield from ((_id(query), item, grade) for item, grade in grades.items())


def _is_origin(query: Query, entry: Entry) -> bool:
    origin = query.origin
    return origin is not None and origin.document_id == entry.document.document_id and overlap(entry.spans, origin) > 0


def _items(dataset: Dataset, hits: Sequence[Ranked]) -> list[str]:
    """Return the items of a ranking, each once: documents, or chunks, with the other chunks of a passage after the chunk that was found."""
    if dataset.by_document:
        return list(dict.fromkeys(hit.document_id for hit in hits))
    return list(dict.fromkeys(chunk_id for hit in hits for chunk_id in hit.chunk_ids))


def _corpus(dataset: Dataset, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    if dataset.by_document:
        for document in dataset.documents:
            yield {"_id": document.document_id, "title": document.title, "text": document.text}
        return
    for entry in entries:
        yield {"_id": entry.chunk_id, "title": entry.document.title, "text": entry.embedded}


def _id(query: Query) -> str:
    """Return the query's id without white space, which separates the columns of TREC files."""
    return "_".join(query.query_id.split())


def _write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    _write(path, (json.dumps(row, ensure_ascii=False) for row in rows))


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
