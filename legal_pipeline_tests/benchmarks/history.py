"""What keeping history costs: points, bytes and processor time of the real histories, with `history` off and on.

    python -m legal_pipeline_tests.benchmarks.history se_pairs/1967-837_patentlag aml

Every version of a law is run in its turn, without Dagster and with vectors by words, which cost nothing: the time is that of everything
else. Not here: what each step costs (`benchmarks/replay.py`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.replay import HISTORIES, history


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("histories", nargs="*", default=list(HISTORIES))
    arguments.add_argument("--corpus", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "corpus")
    given = arguments.parse_args()
    print(
        "| history | versions | kept | points | store, MB | warehouse, MB | processor seconds |\n|---|---|---|---|---|---|---|"
    )
    for name in given.histories:
        for kept in (False, True):
            with (
                tempfile.TemporaryDirectory(prefix="legal-pipeline-") as folder,
                EmbeddedPostgres(Path(folder) / "postgres") as server,
            ):
                row = _replayed(given.corpus, name, kept, Path(folder), server.url)
            print(f"| {' | '.join([name, *row])} |", flush=True)


def _replayed(corpus: Path, name: str, kept: bool, folder: Path, url: str) -> list[str]:
    laws = folder / "laws"
    laws.mkdir()
    work = history(corpus, name)
    settings = load_settings(home=folder / "home", database_url=url, history=kept, stores="qdrant")
    with Pipeline.open(settings) as opened:
        resources = replace(opened.resources, make_embedder=lambda _: ByWords())
        with Pipeline(resources, Database.open(settings)) as pipeline:
            busy = time.process_time()
            for file in work.files:
                (laws / "law.txt").write_bytes(file.read_bytes())
                if work.words:
                    (laws / "law.txt.meta.json").write_text(json.dumps(work.words), "utf-8")
                found = register(DirectorySource(laws), pipeline.registry, grace=timedelta(0))
                for event in pipeline.run([*found.to_run]):
                    if isinstance(event, Failed):
                        raise event.error
            busy = time.process_time() - busy
            live = [one.generation.name for one in pipeline.collections()]
            points = sum(pipeline.resources.store.count(one) for one in live)
    sizes = [_megabytes(settings.home / part) for part in ("qdrant", "warehouse")]
    return [str(len(work.files)), "yes" if kept else "no", f"{points:,}", *sizes, f"{busy:.1f}"]


def _megabytes(folder: Path) -> str:
    """On the disk: files of the store are longer than what they hold."""
    return f"{sum(path.stat().st_blocks * 512 for path in folder.rglob('*') if path.is_file()) / 1e6:.1f}"


if __name__ == "__main__":
    main()
