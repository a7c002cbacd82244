"""The datasets by name, each made from files and folders at given paths.

Not here: how each dataset is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.building.source import Limits
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation import aila, statutory_interpretation
from legal_pipeline.evaluation.citation_queries import citation_dataset
from legal_pipeline.evaluation.dataset import Dataset
from legal_pipeline.evaluation.definition_queries import definition_dataset
from legal_pipeline.evaluation.documents import read_corpus
from legal_pipeline.evaluation.names import DatasetName
from legal_pipeline.evaluation.published_sets import published_dataset
from legal_pipeline.evaluation.question_queries import question_dataset
from legal_pipeline.model.document import Document


@dataclass(frozen=True)
class Choice:
    """How many queries are made of a corpus: documents with more than `longest` characters are left out (None: none)."""

    seed: int = 7
    per_document: int = 40
    per_group: int = 400
    longest: int | None = None


def read_dataset(
    name: DatasetName, paths: Sequence[Path], choice: Choice = Choice(), limits: Limits | None = None
) -> Dataset:
    """Return the dataset `name` from the files and folders at `paths`.

    Folders of AILA among the paths of a citation dataset give judgments that give queries and are not indexed. Raises `ConfigurationError`
    if the paths hold no such dataset, `ListingError` if they do not exist.
    """
    if name in (DatasetName.CITATIONS, DatasetName.DEFINITIONS):
        asking = [path for path in paths if aila.is_aila(path)]
        corpus = read_corpus([path for path in paths if path not in asking], limits, longest=choice.longest)
        citing = [document for path in asking for document in aila.case_documents(path)]
        made = made_of(name, corpus.documents, choice, citing)
        left_out = ", ".join(f"{reason} {number}" for reason, number in sorted(corpus.left_out.items()))
        return made.with_note(f"left out: {left_out}") if left_out else made
    if name is DatasetName.QUESTIONS:
        return question_dataset(paths, limits)
    if len(paths) != 1:
        raise ConfigurationError(f"{name} is read from one folder, {len(paths)} were given")
    if name is DatasetName.AILA_STATUTES:
        return aila.statutes_dataset(paths[0])
    if name is DatasetName.AILA_CASES:
        return aila.cases_dataset(paths[0])
    if name is DatasetName.STATUTORY_INTERPRETATION:
        return statutory_interpretation.interpretation_dataset(paths[0])
    return published_dataset(name, paths[0], limits)


def made_of(
    name: DatasetName, documents: Sequence[Document], choice: Choice = Choice(), citing: Sequence[Document] = ()
) -> Dataset:
    """Return the citation or definition dataset of `documents`."""
    if name is DatasetName.CITATIONS:
        return citation_dataset(
            documents, citing, per_document=choice.per_document, per_group=choice.per_group, seed=choice.seed
        )
    if name is DatasetName.DEFINITIONS:
        return definition_dataset(
            documents, per_document=choice.per_document, per_group=choice.per_group, seed=choice.seed
        )
    raise ConfigurationError(f"{name} is not made of documents")
