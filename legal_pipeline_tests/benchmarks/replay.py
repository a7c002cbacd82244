"""Replays real histories through the sensor and Dagster and prints what each step cost beside the first, full build in the same process.

    python -m legal_pipeline_tests.benchmarks.replay se_pairs/1967-837_patentlag fr_constitution_1958 --skip v001

Not here: what is expected of the steps (`legal_pipeline_tests/defs/test_replay.py`).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from legal_pipeline.defs.launch import dagster_instance, embedded_services
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.replay import HISTORIES, Step, history, replay

_COLUMNS = (
    "version", "provisions changed", "of", "chunks re-embedded", "of", "share", "seconds", "of which embedding", "a full build takes",
    "processor seconds", "of which embedding", "a full build takes",
)  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("histories", nargs="*", default=list(HISTORIES))
    arguments.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "corpus")
    arguments.add_argument("--skip", action="append", default=[], help="A version to leave out (v001).")
    given = arguments.parse_args()
    os.environ.pop("DAGSTER_HOME", None)
    model = open_embedder()
    model.embed_passages(["The first text loads the model."])
    for name in given.histories:
        steps = _replay(given.corpus, name, model, frozenset(given.skip))
        print(f"\n### {name}\n\n| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}")
        for step in steps:
            print(f"| {' | '.join(_row(step, steps[0]))} |", flush=True)


def _replay(corpus: Path, name: str, model: object, skip: frozenset[str]) -> list[Step]:
    work = history(corpus, name)
    with (
        tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder,
        EmbeddedPostgres(Path(folder) / "postgres") as server,
    ):
        home = Path(folder) / "home"
        settings = load_settings(home=home, database_url=server.url, source_directory=home / "sources")
        with (
            embedded_services(settings),
            dagster_instance(settings) as instance,
            replay(instance, settings, model) as replayed,  # type: ignore[arg-type]
        ):
            return [replayed.step(file, work.words) for file in work.files if file.stem not in skip]


def _row(step: Step, first: Step) -> list[str]:
    changed = len({change.subject.key for change in step.found.provisions}) if step.found else 0
    return [
        step.version,
        "all" if step is first else str(changed),
        str(step.made("canonical_documents").metadata["provisions"]),
        str(step.embedded_chunks),
        str(step.chunks),
        f"{step.embedded_chunks / step.chunks:.1%}",
        *_times(step.seconds, step.embedding, first.seconds),
        *_times(step.processor, step.embedding_processor, first.processor),
    ]


def _times(seconds: float, embedding: float, full: float) -> tuple[str, str, str]:
    return f"{seconds:.1f}", f"{embedding / seconds:.0%}", f"{full / seconds:.0f} times that"


if __name__ == "__main__":
    main()
