"""Queries from files of plain questions: each names the file of a document and the provisions that answer the question.

A file is TOML with a table `[[question]]` per question: `text`, `language` (of the question, ISO 639-3), `file` (below the corpus),
`provisions` (eids; each is an answer) and `half` (`tuning` or `held`).

Not here: the questions themselves, and the measures of rankings.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Answer, Dataset, Query
from legal_pipeline.evaluation.names import Half
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

#: The names of a dataset's halves in a file: `tuning` questions choose settings, `held` questions are for figures.
HALVES = {"tuning": Half.DEV, "held": Half.TEST}

#: Separates, in the name of a group, the language of a question and that of the text that answers it.
OVER = " over "


@dataclass(frozen=True)
class Question:
    """`language` is that of the question (ISO 639-3); `file` is below the corpus; each of `provisions` (eids) is an answer."""

    text: str
    language: str
    file: str
    provisions: tuple[str, ...]
    half: str


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file, in order. Raises `ConfigurationError` for a file of another form."""
    try:
        rows = tomllib.loads(path.read_text("utf-8")).get("question")
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read as a TOML file of questions: {error}") from error
    if not isinstance(rows, list) or not rows:
        raise ConfigurationError(f"{path} has no questions: expected tables [[question]]")
    return [_question(row, f"{path}, question {number}") for number, row in enumerate(rows, start=1)]


def _question(row: object, place: str) -> Question:
    if not isinstance(row, dict):
        raise ConfigurationError(f"{place}: expected a table")
    for name in ("text", "language", "file", "half"):
        if not isinstance(row.get(name), str):
            raise ConfigurationError(f"{place}: expected a string `{name}`, found {row.get(name)!r}")
    provisions = row.get("provisions")
    if (
        not isinstance(provisions, list)
        or not provisions
        or not all(isinstance(provision, str) for provision in provisions)
    ):
        raise ConfigurationError(f"{place}: expected a list of eids `provisions`, found {provisions!r}")
    if row["half"] not in HALVES:
        raise ConfigurationError(f"{place}: expected `half` to be one of {', '.join(HALVES)}, found {row['half']!r}")
    return Question(row["text"], row["language"], row["file"], tuple(provisions), row["half"])


def read_documents(corpus: Path, files: Iterable[str], limits: Limits | None = None) -> dict[str, Document]:
    """Return the document of each file below `corpus`. Files that are parts of one Act are separate documents here, with separate ids."""
    found: dict[str, Document] = {}
    ids: Counter[str] = Counter()
    for file in sorted(set(files)):
        try:
            content = (corpus / file).read_bytes()
        except OSError as error:
            raise ConfigurationError(f"a question asks about {file}, which cannot be read below {corpus}") from error
        document = parse(SourceFile(Path(file).name, content, limits=limits or Limits()))
        ids[document.document_id] += 1
        part = ids[document.document_id]
        if part > 1:
            document = dataclasses.replace(document, document_id=f"{document.document_id}-part-{part}")
        found[file] = document
    return found


def question_dataset(paths: Sequence[Path], limits: Limits | None = None) -> Dataset:
    """Return the questions of the files (`.toml`) among `paths`, about files in the one folder among them.

    The documents of all questions are indexed together. Raises `ConfigurationError` for files of another form and
    for a provision that its document does not have.
    """
    files = [path for path in paths if path.suffix == ".toml"]
    folders = [path for path in paths if path not in files]
    if not files or len(folders) != 1:
        raise ConfigurationError(
            f"questions are read from files of questions (.toml) and the folder of the corpus, found {len(files)} files and "
            f"{len(folders)} folders: {', '.join(map(str, paths))}"
        )
    asked = [
        (f"{path.stem}-{number:03}", question)
        for path in files
        for number, question in enumerate(read_questions(path), 1)
    ]
    documents = read_documents(folders[0], (question.file for _, question in asked), limits)
    queries = tuple(_query(name, question, documents[question.file]) for name, question in asked)
    return Dataset("questions", tuple(documents.values()), queries)


def _query(name: str, question: Question, document: Document) -> Query:
    answers = tuple(
        Answer(document.document_id, node.start, node.end)
        for node in document.walk()
        if node.eid in question.provisions and node.end > node.start
    )
    known = {node.eid for node in document.walk()}
    if missing := [eid for eid in question.provisions if eid not in known]:
        raise ConfigurationError(
            f"question {name}: {question.file} has no provision {', '.join(missing)}; expected eids of its nodes"
        )
    group = question.language
    if document.language != question.language:
        group += f"{OVER}{document.language}"
    half = HALVES[question.half]
    return Query(name, question.text, group, document.document_id, tuple(dict.fromkeys(answers)), half=half)
