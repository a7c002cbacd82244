"""Published sets of judged queries, read from their published files: `published_sets.toml` describes the files.

A text of a set becomes a document and is judged as a whole. Not here: sets with a form of their own (`aila`,
`statutory_interpretation`), and the measures of rankings.
"""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query
from legal_pipeline.languages.language import codes, iso_639_3
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.system.data_files import data_file

#: Format of texts that consist of a title and some paragraphs.
_FORMAT = "markdown"

#: Possible files of the parts of a set in the BEIR layout: as BEIR and MLEB publish them, or as parquet from a hub.
_BEIR_FILES = {
    "corpus": ("corpus.jsonl", "corpus/*.parquet", "corpus/*.jsonl"),
    "queries": ("queries.jsonl", "queries/*.parquet", "queries/*.jsonl"),
    "judgments": ("qrels/test.tsv", "default.jsonl", "qrels/test.jsonl", "qrels/*.parquet", "data/*.parquet", "default/*.parquet"),
}  # fmt: skip

Row = Mapping[str, Any]


@dataclass
class _Found:
    """Texts by id as (title, text), and queries as (id, text, grade by id of a text)."""

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    queries: list[tuple[str, str, dict[str, int]]] = field(default_factory=list)


def published_dataset(name: str, folder: Path, limits: Limits | None = None) -> Dataset:
    """Return the set `name` from its files in `folder`.

    Texts that cannot be parsed, queries without a judged text and judged texts that are missing are counted in the notes. Raises
    `ConfigurationError` if a file is missing or a row has another form; the message names file, row and the expected form.
    """
    known: Mapping[str, Any] = data_file(__package__, "published_sets.toml")[name]
    found = _LAYOUTS[known["layout"]](known, folder)
    hints = {key: known[key] for key in ("language", "doc_type") if key in known}
    if folder.name in codes():
        hints.setdefault("language", iso_639_3(folder.name))
    documents, unreadable = _documents(name, found.texts, hints, limits)
    queries, missing, unanswered = [], 0, 0
    for query_id, text, grades in found.queries:
        answers = [
            (documents[document_id], grade)
            for document_id, grade in grades.items()
            if grade > 0 and document_id in documents
        ]
        missing += sum(grade > 0 and document_id not in documents for document_id, grade in grades.items())
        if not answers:
            unanswered += 1
            continue
        group = answers[0][0].language
        judged = tuple(Answer(document.document_id, 0, len(document.text), grade) for document, grade in answers)
        queries.append(Query(query_id, text, group, query_id, judged))
    notes = [
        f"{number:,} {what}"
        for number, what in (
            (unreadable, "texts could not be parsed"),
            (missing, "relevance judgments of a text that is not among the documents"),
            (unanswered, "queries without a relevant text left out"),
        )
        if number
    ]
    return Dataset(name, tuple(documents.values()), tuple(queries), by_document=True, notes=tuple(notes))


def _documents(
    name: str, texts: Mapping[str, tuple[str, str]], hints: Mapping[str, str], limits: Limits | None
) -> tuple[dict[str, Document], int]:
    """Return (documents by the id of their text, how many could not be parsed)."""
    documents: dict[str, Document] = {}
    unreadable = 0
    for number, (key, (title, text)) in enumerate(texts.items(), start=1):
        source = f"# {title}\n\n{text}\n" if title else f"{text}\n"
        file = SourceFile(
            f"{number}.md", source.encode(), hints={"title": title or key, **hints}, limits=limits or Limits()
        )
        try:
            # texts of one Act would share its id, and a text without a title would get the name of its file as title
            documents[key] = dataclasses.replace(parse(file, _FORMAT), document_id=f"{name}-{number}", title=title)
        except DocumentError:
            unreadable += 1
    return documents, unreadable


def _beir(known: Row, folder: Path) -> _Found:
    """`folder` may be a folder with the three parts, or their common prefix: `FOLDER/sv` for `sv-corpus`, `sv-queries` and `sv-qrels`."""
    texts = {
        _text(row, place, "_id", "id"): (str(row.get("title") or ""), _text(row, place, "text"))
        for row, place in _part(folder, "corpus")
    }
    grades: dict[str, dict[str, int]] = {}
    for row, place in _part(folder, "judgments"):
        grade = _number(row, place, "score")
        grades.setdefault(_text(row, place, "query-id"), {})[_text(row, place, "corpus-id")] = grade
    queries = ((_text(row, place, "_id", "id"), _text(row, place, "text")) for row, place in _part(folder, "queries"))
    # a file of queries holds the queries of all halves; the judgments decide which are used
    return _Found(texts, [(key, text, grades[key]) for key, text in queries if key in grades])


def _part(folder: Path, part: str) -> Iterator[tuple[Row, str]]:
    patterns = _BEIR_FILES[part]
    if folder.is_dir():
        paths = next((found for pattern in patterns if (found := sorted(folder.glob(pattern)))), [])
    else:
        kind = {"judgments": "qrels"}.get(part, part)
        paths = sorted(folder.parent.glob(f"{folder.name}-{kind}/*.parquet"))
        patterns = (f"{folder.name}-{kind}/*.parquet",)
    if not paths:
        raise ConfigurationError(f"{folder} has no {part} in the BEIR layout: expected {' or '.join(patterns)}")
    for path in paths:
        yield from _rows(path)


def _listed(known: Row, folder: Path) -> _Found:
    texts = {
        _text(row, place, known["corpus_id"]): (
            str(row.get(known["corpus_title"]) or ""),
            _text(row, place, known["corpus_text"]),
        )
        for row, place in _rows(_file(known, "corpus", folder))
    }
    queries = []
    for row, place in _rows(_file(known, "queries", folder)):
        listed = row.get(known["query_answers"])
        ids = listed if isinstance(listed, list) else [part.strip() for part in str(listed or "").split(",")]
        if not ids or not all(str(document_id) for document_id in ids):
            raise ConfigurationError(f"{place}: expected ids of texts in `{known['query_answers']}`, found {listed!r}")
        grades = {str(document_id): 1 for document_id in ids}
        queries.append((_text(row, place, known["query_id"]), _text(row, place, known["query_text"]), grades))
    return _Found(texts, queries)


def _candidates(known: Row, folder: Path) -> _Found:
    found = _Found()
    ids: dict[str, str] = {}
    for number, (row, place) in enumerate(_rows(_file(known, "queries", folder)), start=1):
        candidates, label = row.get(known["candidates"]), row.get(known["label"])
        if not isinstance(candidates, list) or not all(isinstance(candidate, str) for candidate in candidates):
            raise ConfigurationError(f"{place}: expected a list of texts in `{known['candidates']}`")
        if not isinstance(label, int) or not 0 <= label < len(candidates):
            raise ConfigurationError(
                f"{place}: expected the number of one of {len(candidates)} candidates in `{known['label']}`, found {label!r}"
            )
        for text in candidates:
            key = ids.setdefault(text, str(len(ids) + 1))
            found.texts[key] = "", text
        found.queries.append((str(number), _text(row, place, known["query_text"]), {ids[candidates[label]]: 1}))
    return found


def _squad(known: Row, folder: Path) -> _Found:
    path = _file(known, "queries", folder)
    found = _Found()
    content = _json(path)
    try:
        paragraphs = [paragraph for article in content["data"] for paragraph in article["paragraphs"]]
        for number, paragraph in enumerate(paragraphs, start=1):
            found.texts[str(number)] = "", str(paragraph["context"])
            for asked in paragraph["qas"]:
                found.queries.append((str(asked["id"]), str(asked["question"]), {str(number): 1}))
    except (KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{path} does not have the form of SQuAD: expected data[].paragraphs[].context and qas[].question ({error})"
        ) from error
    return found


_LAYOUTS: Mapping[str, Callable[[Row, Path], _Found]] = {
    "beir": _beir,
    "listed": _listed,
    "candidates": _candidates,
    "squad": _squad,
}


def _file(known: Row, part: str, folder: Path) -> Path:
    names: Sequence[str] = known[part]
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise ConfigurationError(f"{folder} has no {' or '.join(names)}; the set is published at {known['origin']}")
    return found


def _rows(path: Path) -> Iterator[tuple[Row, str]]:
    """Yield (row, its place) of a file of JSON lines, JSON, CSV, TSV or parquet."""
    rows: Iterable[Any]
    try:
        match path.suffix:
            case ".jsonl":
                rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            case ".json":
                rows = _json(path)
            case ".parquet":
                import pyarrow.parquet as pq

                rows = pq.read_table(path).to_pylist()
            case _:
                with path.open(encoding="utf-8", newline="") as file:
                    rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    except (OSError, ValueError, csv.Error) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    for number, row in enumerate(rows, start=1):
        place = f"{path}, row {number}"
        if not isinstance(row, dict):
            raise ConfigurationError(f"{place}: expected an object, found {type(row).__name__}")
        yield row, place


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read as JSON: {error}") from error


def _text(row: Row, place: str, *names: str) -> str:
    """Return the first of the fields that the row has, as text."""
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if not isinstance(value, str | int):
        raise ConfigurationError(f"{place}: expected a field {' or '.join(f'`{name}`' for name in names)}")
    return str(value)


def _number(row: Row, place: str, name: str) -> int:
    value = row.get(name)
    try:
        return int(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ConfigurationError(f"{place}: expected a number in `{name}`, found {value!r}") from None
