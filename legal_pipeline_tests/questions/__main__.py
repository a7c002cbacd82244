"""How many plain questions find their provision among the first five passages of the default search.

`python -m legal_pipeline_tests.questions ../shared/corpus [--kind everyday] [--half tuning] [--models NAME …] [--weights FILE]
[--cache FOLDER] [--lists]`: one index of all documents that the questions of the kind are about, for each setting of the models in turn.
The intervals hold 95 of 100 samples of the questions drawn with replacement. With `--lists`: how deep the right provision is in the lists
that search merges. Figures depend on the model, hardly on the machine. `legal-pipeline evaluate questions` measures the same questions
beside other chunkers, by the rule of relevance that is the same for all. Not a test.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from legal_pipeline.chunking.chunk import embedded_text
from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.evaluation.question_queries import read_documents
from legal_pipeline.evaluation.vector_cache import CachedEmbedder
from legal_pipeline.model.document import Document
from legal_pipeline.processing.vectors import StoredVector
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.search import View, search
from legal_pipeline.retrieval.vector_weights import vector_weights
from legal_pipeline.settings import load_settings
from legal_pipeline.stages.chunks import cut_batch
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import AnyOf, Condition, Model
from legal_pipeline_tests.questions import ASKED_BESIDE, KINDS, Question, questions, sets

Judged = TypeVar("Judged")

_COLLECTION = "chunks"
_HITS, _PASSAGE_TOKENS = 5, 512
_SAMPLES = 2000
_DEPTHS = (5, 20, 100)
_FURTHER = 200


def read(corpus: Path, kind: str) -> dict[str, Document]:
    """The document of each file that questions of the kind, or of the kind it is asked beside, are about."""
    kinds = filter(None, (kind, ASKED_BESIDE.get(kind)))
    return read_documents(
        corpus, (asked.file for each in kinds for name in sets(each) for asked in questions(each, name))
    )


def answers(hit: Hit, question: Question, document: Document) -> bool:
    """Whether the passage holds text of a provision that answers the question."""
    if hit.document_id != document.document_id:
        return False
    meant = [(node.start, node.end) for node in document.walk() if node.eid in question.provisions]
    held = [(hit.start_char, hit.end_char), *((one.start_char, one.end_char) for one in hit.neighbours)]
    return any(low < end and start < high for low, high in held for start, end in meant)


@dataclass(frozen=True)
class Measured:
    """What is asked: a half of a kind of questions about `documents` (by file). `weights`: file of vector weights."""

    documents: dict[str, Document]
    kind: str
    half: str
    cache: Path | None
    weights: Path | None


Asked = Callable[[Question, int, int, Sequence[Condition]], list[Hit]]


def is_answered(question: Question, asked: Asked, document: Document) -> bool:
    return any(answers(hit, question, document) for hit in asked(question, _HITS, _PASSAGE_TOKENS, ()))


def places(question: Question, asked: Asked, document: Document) -> dict[str, float]:
    """The place of the first chunk that answers the question, in each list."""
    right = [
        (place, hit)
        for place, hit in enumerate(asked(question, _FURTHER, 0, ()), 1)
        if answers(hit, question, document)
    ]
    of_act = asked(question, _FURTHER, 0, (AnyOf("document_id", (document.document_id,)),))
    found = {
        "by vectors": [hit.score_parts.get("dense_rank", math.inf) for _, hit in right],
        "by words": [hit.score_parts.get("bm25_rank", math.inf) for _, hit in right],
        "default search, chunks": [place for place, _ in right],
        "default search in the right Act": [n for n, hit in enumerate(of_act, 1) if answers(hit, question, document)],
    }
    return {name: min(values, default=math.inf) for name, values in found.items()}


def found_by(
    models: str, measured: Measured, judge: Callable[[Question, Asked, Document], Judged]
) -> dict[str, list[Judged]]:
    """Set of questions -> what `judge` returns for each of its half."""
    documents = measured.documents

    def cached(name: str) -> Embedder:
        return CachedEmbedder(open_embedder(name), measured.cache)

    embedders = ModelTable.parse(models).open(cached)
    rows = []
    cuts = cut_batch(list(documents.values()), None, encoders(lambda: embedders))
    for cut in cuts:
        if isinstance(cut, Exception):
            raise cut
        rows += [{**chunk.to_row(), "context_prefix": None} for chunk in cut.chunks]
    texts = [embedded_text(row["contextual_header"], None, row["chunk_text"]) for row in rows]
    points = []
    for using, embedder in embedders.by_vector.items():
        at = [number for number, row in enumerate(rows) if embedders.vector_of(row["language"]) == using]
        vectors = embedder.embed_passages([texts[number] for number in at]).vectors
        pairs = zip(at, vectors, strict=True)
        points += [point(rows[number], texts[number], StoredVector(vector, using, "")) for number, vector in pairs]
    with tempfile.TemporaryDirectory() as folder:
        store = QdrantEdgeStore(Path(folder))
        store.ensure_collection(_COLLECTION, embedders.dimension, Model(embedders.name, "", embedders.further))
        store.upsert(_COLLECTION, points)
        weights = vector_weights(embedders.name, measured.weights)

        def asked(question: Question, limit: int, passage_tokens: int, filters: Sequence[Condition]) -> list[Hit]:
            return search(
                question.text,
                View(store, lambda: embedders, _COLLECTION, vector_weights=weights),
                limit=limit,
                filters=filters,
                fold_duplicates=True,
                passage_tokens=passage_tokens,
            )

        with store.kept_open([_COLLECTION], "measuring"):
            outcome = {
                name: [
                    judge(question, asked, documents[question.file])
                    for question in questions(measured.kind, name)
                    if question.half == measured.half
                ]
                for name in sets(measured.kind)
            }
        store.close()
    return outcome


def interval(outcome: Sequence[bool]) -> tuple[float, float]:
    """Of the mean, by bootstrap over the questions."""
    drawn = np.random.default_rng(0).choice(np.asarray(outcome, float), (_SAMPLES, len(outcome))).mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def print_lists(outcome: dict[str, list[dict[str, float]]]) -> None:
    """Print the share of the questions whose provision is among the first 5, 20 and 100 chunks of each list."""
    print(f"| list | {' | '.join(outcome)} |\n|---|{'---|' * len(outcome)}")
    for name in next(iter(outcome.values()))[0]:
        cells = (
            ", ".join(f"{np.mean([place[name] <= depth for place in found]):.2f}" for depth in _DEPTHS)
            for found in outcome.values()
        )
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--kind", choices=KINDS, default="reworded")
    options.add_argument("--half", choices=("tuning", "held"), default="held")
    options.add_argument("--models", nargs="+", default=[load_settings().embedding_model])
    options.add_argument("--weights", type=Path, help="file of vector weights, as `evaluate --fit` writes it")
    options.add_argument("--cache", type=Path, help="where vectors are kept between calls")
    options.add_argument("--lists", action="store_true", help="where the right provision is in each list of chunks")
    chosen = options.parse_args()
    documents = read(chosen.corpus, chosen.kind)
    measured = Measured(documents, chosen.kind, chosen.half, chosen.cache, chosen.weights)
    names = sets(chosen.kind)
    if chosen.lists:
        for models in chosen.models:
            print_lists(found_by(models, measured, places))
        return
    print(f"| models | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for models in chosen.models:
        outcome = found_by(models, measured, is_answered)
        cells = []
        for name in names:
            low, high = interval(outcome[name])
            cells.append(f"{np.mean(outcome[name]):.2f} ({low:.2f} to {high:.2f})")
        print(f"| {models} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
