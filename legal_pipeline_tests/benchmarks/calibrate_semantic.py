"""The thresholds of an embedding model: `python -m legal_pipeline_tests.benchmarks.calibrate_semantic DIR [MODEL]`.

Sections of Acts are topics that lawyers have parted already: their sentences are run together and the boundaries that `max_min` finds are
compared with those of the sections (F1, a boundary counts when it is exactly there). The best value on a grid is Max-Min's `hard`. Other
thresholds were published for one model: another one's is the cosine that as many pairs of neighbouring sentences reach as reach the
published one in the default model. All go into `legal_pipeline/chunking/calibration.toml` and `legal_pipeline/retrieval/similarity.toml`.
DIR holds Acts in any known format. Not a test.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np

from legal_pipeline.chunking.pieces import sentences_of
from legal_pipeline.chunking.semantic import max_min
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.model.document import PROVISIONS, Document
from legal_pipeline_tests.real_documents import documents

#: Documents, sections of each, and sentences of each section that are read; sections of one sentence say nothing about clusters.
DOCUMENTS, SECTIONS, SENTENCES = 16, 12, 8
GRID = [round(value, 2) for value in (*np.arange(0.10, 0.75, 0.05), *np.arange(0.75, 0.97, 0.01))]
#: Neighbours above the first merge, matches below the second are of low quality.
PUBLISHED = (0.75, 0.7)


def topics(document: Document) -> list[list[str]]:
    """Sentences of the document's sections that have several."""
    found = []
    for node in document.walk():
        if node.type in PROVISIONS:
            spans = sentences_of(document, (node.start, node.end))[:SENTENCES]
            if len(spans) > 2:
                found.append([document.text[start:end] for start, end in spans])
    return found[:SECTIONS]


def f1(expected: set[int], found: set[int]) -> float:
    right = len(expected & found)
    return 2 * right / (len(expected) + len(found)) if right else 0.0


def main(folder: Path, model: str | None = None) -> None:
    kept = [found for _, document in documents(folder, ".") if len(found := topics(document)) > 3]
    step = max(1, len(kept) // DOCUMENTS)
    chosen = kept[::step][:DOCUMENTS]
    embedder = open_embedder(model)
    texts = [sentence for found in chosen for topic in found for sentence in topic]
    vectors = embedder.embed_passages(texts).vectors
    scores = dict.fromkeys(GRID, 0.0)
    position = 0
    for found in chosen:
        starts = list(itertools.accumulate((len(topic) for topic in found), initial=0))
        part = vectors[position : position + starts[-1]]
        position += starts[-1]
        for hard in GRID:
            scores[hard] += f1(set(starts[1:-1]), set(max_min(part, hard)[1:])) / len(chosen)
    for hard, score in scores.items():
        print(f"hard {hard:.2f}: F1 {score:.3f}")
    best = max(GRID, key=lambda hard: scores[hard])
    print(f"{len(chosen)} documents, {len(texts)} sentences; {embedder.name.split('@')[0]} = {best}")
    default = open_embedder().embed_passages(texts).vectors
    inside = [len(topic) > number + 1 for found in chosen for topic in found for number in range(len(topic))]
    reached, found_here = (np.einsum("ij,ij->i", one[:-1], one[1:])[inside[:-1]] for one in (default, vectors))
    for published in PUBLISHED:
        share = float((reached > published).mean())
        print(
            f"{published}: {share:.3f} of {len(reached)} pairs reach it; here as many reach {np.quantile(found_here, 1 - share):.3f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
