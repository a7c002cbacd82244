"""A large index of real Acts for benchmarks of searches: the Swedish bulk sample under ever new numbers, and Acts of other countries.

Passages get vectors by their words, which cost nothing; queries get those of the models of the settings, so the time of a search is what it
is. Not here: what is measured.
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from legal_pipeline.embedding.embedder import Embedder, Embeddings
from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.by_words import ByWords

#: Files of the corpus that are indexed beside the bulk sample, each once.
_BESIDE = ("world/uk/sample-[hnsw]*.xml", "in/acts_json/[in]*.json", "in/indiacode_md/*.lino", "us/uslm/COMPS-*.xml")

#: The numbers of the copies: so many to a year, from this year on.
_PER_YEAR, _FIRST_YEAR = 1500, 2031

_BATCH = 125


class StandIn:
    """`model`, but that its passages get vectors by their words; without a model its queries get such vectors too.

    `seconds` is the processor time that the vectors took so far.
    """

    def __init__(self, model: Embedder | None = None) -> None:
        self._model = model
        self._words = ByWords()
        self.name, self.dimension, self.max_tokens = self._words.name, 384, self._words.max_tokens
        if model is not None:
            self.name, self.dimension, self.max_tokens = model.name, model.dimension, model.max_tokens
        self._directions = np.random.default_rng(0).normal(size=(self._words.dimension, self.dimension))
        self.seconds = 0.0

    def embed_queries(self, texts: Sequence[str]) -> Embeddings:
        return self.embed_passages(texts) if self._model is None else self._model.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        began = time.thread_time()
        found = self._words.embed_passages(texts)
        vectors = found.vectors @ self._directions
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self.seconds += time.thread_time() - began
        return Embeddings(vectors.astype(np.float32), found.embedded_tokens, found.total_tokens)


@contextlib.contextmanager
def large_index(corpus: Path, folder: Path, points: int, *, enrich: str | None = None) -> Iterator[Pipeline]:
    """A pipeline over an index of at least so many chunks in `folder`; what stands there already is used."""
    with (
        EmbeddedPostgres(folder / "postgres") as server,
        stand_in_pipeline(
            load_settings(home=folder / "home", database_url=server.url, enrich=enrich, stores="qdrant")
        ) as pipeline,
    ):
        _fill(pipeline, corpus, folder / "laws", points)
        yield pipeline


@contextlib.contextmanager
def stand_in_pipeline(settings: Settings, embedder: Embedder | None = None) -> Iterator[Pipeline]:
    """A pipeline whose passages get vectors by their words, and its queries those of the settings' models; or `embedder` for both."""
    with Pipeline.open(settings) as opened:
        make = opened.resources.make_embedder
        resources = replace(opened.resources, make_embedder=lambda settings: embedder or StandIn(make(settings)))
        with Pipeline(resources, Database.open(settings)) as pipeline:
            yield pipeline


def chunks_of(pipeline: Pipeline) -> int:
    live = pipeline.resources.store.live("legal_chunks")
    return 0 if live is None else pipeline.resources.store.count(live.name)


def _fill(pipeline: Pipeline, corpus: Path, laws: Path, points: int) -> None:
    if chunks_of(pipeline) >= points:
        return
    laws.mkdir(parents=True, exist_ok=True)
    files = _files(corpus)
    while chunks_of(pipeline) < points and (some := list(itertools.islice(files, _BATCH))):
        for name, data in some:
            (laws / name).write_bytes(data)
        found = register(DirectorySource(laws), pipeline.registry, grace=timedelta(0))
        for event in pipeline.run([*found.to_run]):
            if isinstance(event, Failed):
                print(f"left out: {event.error}", flush=True)
        print(f"{chunks_of(pipeline):,} chunks", flush=True)
    pipeline.optimise()


def _files(corpus: Path) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) without end: other countries' Acts, then the bulk sample in ever new numbers."""
    for pattern in _BESIDE:
        for path in sorted(corpus.glob(pattern)):
            yield path.name, path.read_bytes()
    yield from acts_under_new_numbers(corpus)


def acts_under_new_numbers(corpus: Path, longest: int | None = None) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) without end: the Acts of the bulk sample, then the same Acts under ever new numbers.

    `longest`: only Acts with at most so many characters.
    """
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as rows:
        acts = [act for act in map(json.loads, rows) if longest is None or len(act["body"]) <= longest]
    for place, act in enumerate(itertools.cycle(acts)):
        number = act["sfs"].removeprefix("SFS ")
        title = " ".join(act["title"].split())
        if place >= len(acts):
            copy = f"{_FIRST_YEAR + place // _PER_YEAR}:{place % _PER_YEAR + 1}"
            title, number = re.sub(r"\(\d{4}:\d+[^)]*\)", f"({copy})", title, count=1), copy
        yield f"sfs-{number.replace(':', '-').replace(' ', '_')}.txt", f"{title}\n\n{act['body'].strip()}\n".encode()
