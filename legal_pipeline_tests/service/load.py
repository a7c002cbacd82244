"""Servers under load while documents are replaced: `python -m legal_pipeline_tests.service.load [--seconds 60] [--servers 1]`.

Servers of its own on a loopback address, over small laws in Qdrant Edge that this process publishes again and again; clients search and
read provisions meanwhile. Every § of a law names the edition of its text, so that an answer of two editions, or of one that a later one
had replaced before the question was asked, shows. Not here: searches per second of a large index (`benchmarks.searcher`).
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import psutil

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.indexed_laws import run
from legal_pipeline_tests.service.conftest import Served, serving

LAWS = 6
_SECTIONS = 12
_EDITION = re.compile(r"utgåva (\d+)")


@dataclass
class Load:
    """What clients saw. `faults`: wrong statuses, answers of two editions, stale ones. `memory`: of each server, MB, over time."""

    seconds: list[float] = field(default_factory=list)
    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    faults: list[str] = field(default_factory=list)
    memory: list[list[float]] = field(default_factory=list)
    published: int = 0

    def table(self) -> str:
        quantiles = statistics.quantiles(self.seconds, n=100)
        points = self.memory[0], self.memory[len(self.memory) // 4], self.memory[-1]
        memory = "; ".join(" ".join(f"{one:.0f}" for one in over_time) for over_time in zip(*points, strict=True))
        return (
            "| requests | by status | p50 ms | p95 ms | p99 ms | editions published | faults | "
            "MB of each server: at first, after a quarter, at the end |\n"
            "|---|---|---|---|---|---|---|---|\n"
            f"| {len(self.seconds):,} | {dict(self.statuses)} | {quantiles[49] * 1000:.0f} | {quantiles[94] * 1000:.0f} | "
            f"{quantiles[98] * 1000:.0f} | {self.published} | {len(self.faults)} | {memory} |"
        )


class Editions:
    """Laws in a folder and in the index; `published` has the edition of each that readers see at least."""

    def __init__(self, pipeline: Pipeline, folder: Path) -> None:
        self._pipeline = pipeline
        self._folder = folder
        self.published = dict.fromkeys(map(document_id, range(LAWS)), 0)

    def publish(self, laws: Iterable[int]) -> None:
        """The next edition of each of these laws."""
        editions = {law: self.published[document_id(law)] + 1 for law in laws}
        for law, edition in editions.items():
            sections = (
                f"{number} § Fyren i område {law} och dess lykta {number} ska skötas enligt utgåva {edition} av handboken."
                for number in range(1, _SECTIONS + 1)
            )
            text = "\n\n".join((f"Lag (2099:{law + 1}) om fyrar i område {law}", *sections))
            (self._folder / f"fyr{law}.txt").write_text(f"{text}\n", "utf-8")
        run(self._pipeline, self._folder)
        self.published.update((document_id(law), edition) for law, edition in editions.items())


def document_id(law: int) -> str:
    return f"se-sfs-2099-{law + 1}"


@contextlib.contextmanager
def prepared(
    settings: Settings, folder: Path, *, servers: int = 1, words: bool = True
) -> Iterator[tuple[Editions, list[Served]]]:
    """The laws in their first edition, and servers over them: processes of their own that read what this one writes. Without `words`, only
    citations are asked for, and no process loads a model."""
    laws = folder / "laws"
    laws.mkdir()
    with Pipeline.open(settings) as opened:
        resources = opened.resources if words else replace(opened.resources, make_embedder=lambda _: ByWords())
        editions = Editions(Pipeline(resources, opened.registry.database), laws)
        editions.publish(range(LAWS))
        with contextlib.ExitStack() as stack:
            served = []
            for number in range(servers):
                own = folder / f"server-{number}"
                own.mkdir()
                served.append(stack.enter_context(serving(settings, own)))
                # the first question in words loads the model: seconds
                if words:
                    httpx.get(f"{served[-1].address}/v1/search", params={"q": "hur sköts en lykta"}, timeout=60)
            yield editions, served


def load(editions: Editions, served: Sequence[Served], *, seconds: float, clients: int, words: bool = True) -> Load:
    """So many clients for that time, each at one of the servers, while one law after the other is published anew."""
    found, stop, mutex = Load(), threading.Event(), threading.Lock()
    servers = [psutil.Process(one.process.pid) for one in served]

    def ask(client: int) -> None:
        with httpx.Client(base_url=served[client % len(served)].address, timeout=60) as http:
            number = client
            while not stop.is_set():
                number += 1
                path, parameters = _question(number, words)
                floor, begun = dict(editions.published), time.perf_counter()
                answer = http.get(path, params=parameters)
                took = time.perf_counter() - begun
                with mutex:
                    found.seconds.append(took)
                    found.statuses[answer.status_code] += 1
                    found.faults += _faults(answer, floor)

    with ThreadPoolExecutor(clients) as pool:
        asking = [pool.submit(ask, client) for client in range(clients)]
        until, law = time.monotonic() + seconds, 0
        try:
            while time.monotonic() < until:
                editions.publish([law % LAWS])
                law += 1
                found.memory.append([one.memory_info().rss / 1e6 for one in servers])
        finally:
            stop.set()
        for one in asking:
            one.result()
    found.published = law
    return found


def _question(number: int, words: bool) -> tuple[str, dict[str, Any]]:
    law, section = number % LAWS, number % _SECTIONS + 1
    if number % 3 == 0:
        return f"/v1/provisions/{document_id(law)}~sec_{section}", {}
    if number % 3 == 1 or not words:
        return "/v1/search", {"q": f"{section} § lagen (2099:{law + 1})"}
    return "/v1/search", {"q": f"hur ska lyktan {section} i område {law} skötas", "limit": 20}


def _faults(answer: httpx.Response, floor: dict[str, int]) -> Iterator[str]:
    if answer.status_code != 200:
        yield f"{answer.status_code} {answer.request.url}: {answer.text[:300]}"
        return
    seen: dict[str, set[int]] = collections.defaultdict(set)
    for origin, text in _texts(answer.json()):
        seen[origin].update(map(int, _EDITION.findall(text)))
    for name, editions in seen.items():
        if len(editions) > 1:
            yield f"{answer.request.url}: {name} in the editions {sorted(editions)}"
        if min(editions, default=floor[name]) < floor[name]:
            yield f"{answer.request.url}: {name} in edition {min(editions)}, when {floor[name]} was published before the question"


def _texts(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for one in answer.get("hits", [answer]):
        yield one["origin"]["document_id"], one["text"]
        for beside in one.get("neighbours", ()):
            yield beside["document_id"], beside["text"]


def drain(served: Served, clients: int) -> tuple[list[int], int]:
    """The statuses of requests that were under way when the server was told to end, and its exit status.

    Each request has sent a part of its body, so that it cannot have ended before; the rest follows afterwards.
    """
    told = threading.Event()
    begun = threading.Barrier(clients + 1)

    def body(number: int) -> Iterator[bytes]:
        whole = json.dumps({"text": f"{number} § lagen (2099:1). " * 200}).encode()
        yield whole[:100]
        begun.wait()
        told.wait()
        yield whole[100:]

    def ask(number: int) -> int:
        headers = {"content-type": "application/json"}
        with httpx.Client(base_url=served.address, timeout=60) as http:
            return http.post("/v1/citations/resolve", content=body(number), headers=headers).status_code

    with ThreadPoolExecutor(clients) as pool:
        asked = [pool.submit(ask, number) for number in range(clients)]
        begun.wait()
        time.sleep(1)  # the server reads what they have sent
        served.process.terminate()
        time.sleep(0.5)
        told.set()
        return [one.result() for one in asked], served.process.wait(60)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--clients", type=int, default=8)
    arguments.add_argument("--servers", type=int, default=1, help="Processes that read the index.")
    given = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="legal-pipeline-") as name,
        EmbeddedPostgres(Path(name) / "postgres") as server,
    ):
        folder = Path(name)
        settings = load_settings(home=folder / "home", database_url=server.url, stores="qdrant", enrich="none")
        with prepared(settings, folder, servers=given.servers) as (editions, served):
            found = load(editions, served, seconds=given.seconds, clients=given.clients)
            print(found.table(), *found.faults[:20], sep="\n", flush=True)
            statuses, ended = drain(served[0], given.clients)
            print(
                f"told to end with {len(statuses)} requests under way: {json.dumps(statuses)}, exit status {ended}",
                flush=True,
            )
    raise SystemExit(bool(found.faults) or statuses != [200] * given.clients or ended != 0)


if __name__ == "__main__":
    main()
