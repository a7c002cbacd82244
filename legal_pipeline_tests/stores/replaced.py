"""A process that replaces a document again and again and can be killed on the way, and one that searches beside it.

`python -m … write STORE PLACE DATABASE_URL EVENT` writes the other version and kills itself at EVENT: before the so-many-th call that it
makes in `legal_pipeline.stores` (0: never; it prints how many there were), or at `call NAME`, `return NAME` of a function there.
`python -m … read STORE PLACE DATABASE_URL` searches until its standard input ends, and prints each answer. PLACE is a folder (edge), a
URL (server) or nothing (pgvector). Not here: what must hold (`test_replaced_under_readers`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from legal_pipeline.embedding.embedder import Embeddings
from legal_pipeline.processing.stage import Resources
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import Registry
from legal_pipeline.retrieval.searcher import Searcher
from legal_pipeline.settings import load_settings
from legal_pipeline.stores.store import Model, Point, VectorStore
from legal_pipeline.views.published_index import PublishedIndex
from legal_pipeline_tests.stores.points import DIMENSION, direction, provision

ALIAS, DOCUMENT, MODEL = "legal_chunks", "se-sfs-2099-1", Model("direction@1", "direction")
SECTIONS = 40
#: Seconds between two searches: without them, one process takes a whole processor from the tests beside it.
_BETWEEN_ANSWERS = 0.02
_STORES = str(Path(__file__).resolve().parents[2] / "legal_pipeline" / "stores")


class OneDirection:
    """Every text has the same vector: a search for as many hits as there are points gets them all."""

    name, dimension, max_tokens = MODEL.name, DIMENSION, 1000

    def embed_passages(self, texts: Sequence[str]) -> Embeddings:
        return Embeddings(np.stack([direction(1)] * len(texts)), (1,) * len(texts), (1,) * len(texts))

    embed_queries = embed_passages


def version(number: int) -> list[Point]:
    """A third of the provisions says the same in both versions, a third another thing under the same id, a third stands in one alone."""
    texts = {}
    for section in range(SECTIONS):
        kept = section % 3
        key = f"{section}{'ab'[number] if kept == 2 else ''}"
        texts[key] = f"Bestämmelse {key}." if kept != 1 else f"Bestämmelse {key} i version {number}."
    return [
        provision(DOCUMENT, key, text, seed=index, title="Fyrlag", retrieval_weight=1.0)
        for index, (key, text) in enumerate(texts.items())
    ]


def resources(store: str, place: str, database: Database) -> Resources:
    settings = load_settings(
        home=Path(place) if store == "edge" else Path.cwd(),
        stores="pgvector" if store == "pgvector" else "qdrant",
        embedding_model=MODEL.setting,
        qdrant_url=place if store == "server" else None,
    )
    from legal_pipeline.registry.warehouse import Warehouse
    from legal_pipeline.stores.registry import open_store

    def never(_: Any) -> Any:
        raise AssertionError("nothing is enriched here")

    return Resources(
        settings, Warehouse(settings.warehouse_root), Registry(database), lambda _: OneDirection(), open_store, never
    )


def replace(resources: Resources, points: Sequence[Point]) -> None:
    """As `processing.publication` does."""
    registry = resources.registry
    transactional = "pgvector" in resources.settings.store_names
    store: VectorStore = resources.pgvector if transactional else resources.store
    generation = store.prepare(ALIAS, DIMENSION, MODEL)
    manifest = {str(point.payload["chunk_id"]): point.row_hash for point in points}

    def publish(document_ids: Collection[str]) -> None:
        if not transactional:
            registry.manifests.publish_many(dict.fromkeys(document_ids, manifest), generation.name)

    with store.session(generation.name, "replacing"):
        store.replace_documents(generation.name, {DOCUMENT: points}, publish=publish)


def answer(searcher: Searcher) -> list[str]:
    """The texts of all hits, sorted."""
    hits = searcher.search("bestämmelse", limit=4 * SECTIONS)
    return sorted(str(hit.payload["chunk_text"]) for hit in hits)


def kill_at(event: str) -> list[int]:
    """Counts the calls of functions in `legal_pipeline.stores`, Python's and native ones, and kills the process at one of them."""
    calls = [0]

    def profile(frame: FrameType, kind: str, argument: Any) -> None:
        if not frame.f_code.co_filename.startswith(_STORES):
            return
        if kind in ("call", "c_call", "c_return"):
            calls[0] += 1
        if event in (str(calls[0]), f"{kind} {frame.f_code.co_name}"):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(profile)
    return calls


def write_other(opened: Resources, event: str | None = None) -> int:
    """Replace the version that is there by the other one. Returns how many calls were counted: none without an event to be killed at."""
    with contextlib.closing(Searcher(PublishedIndex(opened))) as searcher:
        before = answer(searcher)
    number = 1 if before == sorted(str(point.payload["chunk_text"]) for point in version(0)) else 0
    points = version(number)
    calls = kill_at(event) if event is not None else [0]
    replace(opened, points)
    sys.setprofile(None)
    return calls[0]


def main(mode: str, store: str, place: str, database_url: str, *rest: str) -> None:
    with Database(database_url) as database:
        opened = resources(store, place, database)
        if mode == "write":
            print(write_other(opened, rest[0]), flush=True)
            return
        stop = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
        with contextlib.closing(
            Searcher(PublishedIndex(opened))
        ) as searcher:  # stays open while documents are replaced under it
            while not stop.wait(_BETWEEN_ANSWERS):
                print(json.dumps(answer(searcher)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
