"""How many plain questions find their provision among the first five passages of the default search.

`python -m legal_pipeline_tests.questions ../shared/corpus [--kind everyday] [--half tuning] [--models NAME …] [--weights FILE] [--cache
FOLDER]`: one index of all documents that the questions of the kind are about, for each setting of the models in turn. The intervals hold
95 of 100 samples of the questions drawn with replacement. Figures depend on the model, hardly on the machine. `legal-pipeline evaluate
questions` measures the same questions beside other chunkers, by the rule of relevance that is the same for all. Not a test.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
from legal_pipeline.retrieval.search import search
from legal_pipeline.retrieval.vector_weights import vector_weights
from legal_pipeline.settings import load_settings
from legal_pipeline.stages.chunks import cut_batch, options_for
from legal_pipeline.stages.qdrant_chunks import point
from legal_pipeline.stores.qdrant_edge import QdrantEdgeStore
from legal_pipeline.stores.store import Model
from legal_pipeline_tests.questions import ASKED_BESIDE, KINDS, Question, questions, sets

_COLLECTION = "chunks"
_HITS, _PASSAGE_TOKENS = 5, 512
_SAMPLES = 2000


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


def found_by(models: str, measured: Measured) -> dict[str, list[bool]]:
    """Set of questions -> whether each of its half was answered."""
    documents = measured.documents

    def cached(name: str) -> Embedder:
        return CachedEmbedder(open_embedder(name), measured.cache)

    embedders = ModelTable.parse(models).open(cached)
    rows = []
    cuts = cut_batch(
        list(documents.values()), [options_for(one, None) for one in documents.values()], encoders(embedders.of)
    )
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
        outcome: dict[str, list[bool]] = {}
        with store.kept_open([_COLLECTION], "measuring"):
            for name in sets(measured.kind):
                for question in questions(measured.kind, name):
                    if question.half != measured.half:
                        continue
                    hits = search(
                        question.text,
                        store=store,
                        embedder=lambda: embedders,
                        collection=_COLLECTION,
                        limit=_HITS,
                        fold_duplicates=True,
                        passage_tokens=_PASSAGE_TOKENS,
                        vector_weights=vector_weights(embedders.name, measured.weights),
                    )
                    document = documents[question.file]
                    outcome.setdefault(name, []).append(any(answers(hit, question, document) for hit in hits))
        store.close()
    return outcome


def interval(outcome: Sequence[bool]) -> tuple[float, float]:
    """Of the mean, by bootstrap over the questions."""
    drawn = np.random.default_rng(0).choice(np.asarray(outcome, float), (_SAMPLES, len(outcome))).mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--kind", choices=KINDS, default="reworded")
    options.add_argument("--half", choices=("tuning", "held"), default="held")
    options.add_argument("--models", nargs="+", default=[load_settings().embedding_model])
    options.add_argument("--weights", type=Path, help="file of vector weights, as `evaluate --fit` writes it")
    options.add_argument("--cache", type=Path, help="where vectors are kept between calls")
    chosen = options.parse_args()
    documents = read(chosen.corpus, chosen.kind)
    measured = Measured(documents, chosen.kind, chosen.half, chosen.cache, chosen.weights)
    names = sets(chosen.kind)
    print(f"| models | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for models in chosen.models:
        outcome = found_by(models, measured)
        cells = []
        for name in names:
            low, high = interval(outcome[name])
            cells.append(f"{np.mean(outcome[name]):.2f} ({low:.2f} to {high:.2f})")
        print(f"| {models} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
