"""Fit the question adapter of a packaged model (`embedding.question_adapter`) to questions about law that no other question is about.

`python -m legal_pipeline_tests.questions.fitting ../shared/corpus REPOSITORIES MODEL OUT.safetensors [--held-back 0.1] [--cache FOLDER]`.
`training/*.tsv` has a line for each question: its source, the eid of the provision that answers it, and the question. A source is below the
corpus, or below REPOSITORIES as `owner/name/path` (public collections of German, French, Canadian and Indian law; commits in `COMMITS`).

The vectors of the provisions stay as they are; only the reading of the question is fitted. For each question the provisions that answer it
should be nearer than all other provisions of the training questions in the language of the law (softmax over all of them). With
`--held-back`, the questions about a share of the documents are left out and measured before and after. Takes about half an hour on two
processor cores without AVX-512. Not a test.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

from legal_pipeline.building.source import SourceFile
from legal_pipeline.chunking.chunk import embedded_text
from legal_pipeline.embedding.encoder import EmbedderAsEncoder
from legal_pipeline.embedding.question_adapter import DOWN, UP, Switch, adapt
from legal_pipeline.embedding.registry import model_files, open_embedder
from legal_pipeline.evaluation.vector_cache import CachedEmbedder
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.stages.chunks import cut_batch
from legal_pipeline_tests.questions import KINDS, questions, sets
from legal_pipeline_tests.real_documents import swedish_bulk

#: Commit of each repository under REPOSITORIES.
COMMITS = {
    "bundestag/gesetze": "77abca2ceea3b7b89ea70afb13b5dd55415eb124",
    "legalize-dev/legalize-fr": "bde5444da9141948b2130a3c4f94d750189eb88e",
    "justicecanada/laws-lois-xml": "d6853c4af2ae0b7ab8c205a0e95ee734b9945c31",
    "civictech-India/Indian-Law-Penal-Code-Json": "6602cf81d5534d193d467b0b132420cfb3bfb239",
}

FOLDER = Path(__file__).parent / "training"

#: Layers of the model that get an addition, its rank, and the settings of the fit: chosen by the questions held back.
_LAYERS = ("query", "value")
_RANK, _BATCH, _RATE = 8, 32, 5e-4
#: Epochs and temperature of the packaged models.
_SETTINGS = {"all-MiniLM-L6-v2": (3, 0.05), "multilingual-e5-small": (4, 0.03)}

#: Characters of a provision that are embedded: what a question asks about is seldom behind them.
_LONGEST = 1400


@dataclass(frozen=True)
class TrainingQuestion:
    """`source`: a file below `corpus` or `repositories`; `eid`: the provision in it that answers the question."""

    source: str
    eid: str
    text: str


@dataclass(frozen=True)
class Law:
    """Passages of provisions with their vectors (n, dimension); `answers`: (source, eid) -> rows."""

    vectors: NDArray[np.float32]
    languages: NDArray[np.str_]
    answers: dict[tuple[str, str], list[int]]


def training_questions() -> list[TrainingQuestion]:
    lines = [line for path in sorted(FOLDER.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()[1:]]
    return [TrainingQuestion(*line.split("\t")) for line in lines]


def read_documents(corpus: Path, repositories: Path, sources: set[str]) -> Iterator[tuple[str, Document]]:
    """Yield (source, document) of each source. Raises ValueError for an Act that a measured question is about."""
    measured = {question.document for kind in KINDS for name in sets(kind) for question in questions(kind, name)}
    for source, document in _documents(corpus, repositories, sources):
        if document.document_id in measured:
            raise ValueError(f"{source} is {document.document_id}, which measured questions are about: leave it out")
        yield source, document


def _documents(corpus: Path, repositories: Path, sources: set[str]) -> Iterator[tuple[str, Document]]:
    for name, document in swedish_bulk(corpus):
        if f"corpus/{name}" in sources:
            yield f"corpus/{name}", document
    for source in sorted(source for source in sources if not source.startswith("corpus/se/bulk/")):
        folder, _, path = source.partition("/")
        file = (corpus if folder == "corpus" else repositories) / path
        yield source, parse(SourceFile(file.name, file.read_bytes()))


def read_law(
    corpus: Path, repositories: Path, asked: Sequence[TrainingQuestion], model: str, cache: Path | None
) -> Law:
    """The chunks that hold the provisions of the questions."""
    embedder = CachedEmbedder(open_embedder(model), cache)
    wanted = {(question.source, question.eid) for question in asked}
    texts: list[str] = []
    languages: list[str] = []
    answers: dict[tuple[str, str], list[int]] = {}
    for source, document in read_documents(corpus, repositories, {source for source, _ in wanted}):
        (cut,) = cut_batch([document], None, lambda _: EmbedderAsEncoder(embedder))
        if isinstance(cut, Exception):
            raise cut
        meant = {node.eid: node for node in document.walk() if (source, node.eid) in wanted}
        for row in (chunk.to_row() for chunk in cut.chunks):
            within = [e for e, n in meant.items() if row["start_char"] < n.end and n.start < row["end_char"]]
            for eid in within:
                answers.setdefault((source, eid), []).append(len(texts))
            if within:
                texts.append(embedded_text(row["contextual_header"], None, row["chunk_text"])[:_LONGEST])
                languages.append(document.language)
    return Law(embedder.embed_passages(texts).vectors, np.array(languages), answers)


class Reader:
    """The model with an adapter that can be fitted."""

    def __init__(self, model: str) -> None:
        files = model_files(model)
        self._prompt = files.prompts.query
        self.epochs, self.temperature = _SETTINGS[model]
        self._tokenizer = AutoTokenizer.from_pretrained(files.directory)
        self.model = AutoModel.from_pretrained(files.directory).float()
        self.model.requires_grad_(False)
        switch = Switch()
        adapt(self.model, _untrained(self.model), switch)
        switch.factor = 1.0
        self.adapter = {
            name: matrix.requires_grad_() for name, matrix in self.model.named_parameters() if name.endswith((DOWN, UP))
        }

    def read(self, questions: Sequence[TrainingQuestion]) -> torch.Tensor:
        """Vectors (n, dimension) of unit length."""
        texts = [self._prompt + question.text for question in questions]
        given = self._tokenizer(texts, padding=True, truncation=True, max_length=128, return_tensors="pt")
        mask = given["attention_mask"].unsqueeze(-1)
        hidden = self.model(input_ids=given["input_ids"], attention_mask=given["attention_mask"]).last_hidden_state
        return torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=-1)

    def save(self, path: Path) -> None:
        save_file({name: matrix.detach().half().contiguous() for name, matrix in self.adapter.items()}, path)


def _untrained(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return the matrices of an adapter that changes nothing yet."""
    matrices = {}
    for name, layer in model.named_modules():
        if isinstance(layer, torch.nn.Linear) and name.startswith("encoder.") and name.endswith(_LAYERS):
            matrices[name + DOWN] = torch.randn(_RANK, layer.in_features) / math.sqrt(layer.in_features)
            matrices[name + UP] = torch.zeros(layer.out_features, _RANK)
    return matrices


def fit(reader: Reader, asked: Sequence[TrainingQuestion], law: Law) -> None:
    """Fit the adapter; prints the mean loss of each epoch."""
    optimizer = torch.optim.AdamW(list(reader.adapter.values()), lr=_RATE, weight_decay=0.0)
    steps, done = reader.epochs * math.ceil(len(asked) / _BATCH), 0
    for epoch in range(1, reader.epochs + 1):
        # questions of about the same length together: less padding
        order = sorted(asked, key=lambda question: len(question.text) + random.random() * 60)
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        random.shuffle(batches)
        reader.model.train()
        losses = []
        for batch in batches:
            for group in optimizer.param_groups:
                group["lr"] = _RATE * min(1, (done + 1) / 20) * max(0.02, 1 - done / steps)
            loss = _loss(reader.read(batch) / reader.temperature, batch, law)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.adapter.values(), 1.0)
            optimizer.step()
            done += 1
            losses.append(loss.item())
        print(f"epoch {epoch}: mean loss {np.mean(losses):.3f}", flush=True)


def _loss(vectors: torch.Tensor, asked: Sequence[TrainingQuestion], law: Law) -> torch.Tensor:
    """Mean over the questions of minus the logarithm of the share of their answers; `vectors` are divided by the temperature."""
    nearness = vectors @ torch.from_numpy(law.vectors).T
    losses = []
    for row, question in zip(nearness, asked, strict=True):
        right = law.answers[question.source, question.eid]
        others = torch.from_numpy(law.languages == law.languages[right[0]])
        losses.append(torch.logsumexp(row[others], 0) - torch.logsumexp(row[right], 0))
    return torch.stack(losses).mean()


def found(reader: Reader, asked: Sequence[TrainingQuestion], law: Law) -> float:
    """Share of the questions whose provision is among the five nearest in the language of the law."""
    reader.model.eval()
    hits = []
    with torch.no_grad():
        for start in range(0, len(asked), _BATCH):
            batch = asked[start : start + _BATCH]
            for vector, question in zip(reader.read(batch).numpy(), batch, strict=True):
                right = law.answers[question.source, question.eid]
                near = law.vectors @ vector
                same = law.languages == law.languages[right[0]]
                hits.append((near[same] > near[right].max()).sum() < 5)
    return float(np.mean(hits)) if hits else math.nan


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("repositories", type=Path)
    options.add_argument("model", choices=_SETTINGS)
    options.add_argument("out", type=Path)
    options.add_argument("--languages", nargs="*", help="of the law, ISO 639-3; default: all")
    options.add_argument("--held-back", type=float, default=0.0, help="share of the documents")
    options.add_argument("--cache", type=Path, help="where vectors are kept between calls")
    chosen = options.parse_args()
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    asked = training_questions()
    law = read_law(chosen.corpus, chosen.repositories, asked, chosen.model, chosen.cache)
    asked = [
        question
        for question in asked
        if (rows := law.answers.get((question.source, question.eid)))
        and (not chosen.languages or law.languages[rows[0]] in chosen.languages)
    ]
    sources = sorted({question.source for question in asked})
    held = set(random.sample(sources, round(len(sources) * chosen.held_back)))
    fitted = [question for question in asked if question.source not in held]
    others = [question for question in asked if question.source in held]
    reader = Reader(chosen.model)
    print(f"{len(fitted)} questions, {len(others)} held back: {found(reader, others, law):.3f} among five", flush=True)
    fit(reader, fitted, law)
    print(f"held back, after: {found(reader, others, law):.3f} among five")
    reader.save(chosen.out)


if __name__ == "__main__":
    main()
