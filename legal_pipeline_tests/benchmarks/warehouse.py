"""Files and bytes of the warehouse, and its move from the layout with a file per asset and document, killed five times.

    python -m legal_pipeline_tests.benchmarks.warehouse ../shared/corpus --documents 1000

Real Swedish Acts through the library, with vectors by words. The move is compared with the warehouse before, file by file.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from legal_pipeline.pipeline import Failed, Pipeline
from legal_pipeline.registration import register
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.registry.warehouse_migration import migrate
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline_tests.benchmarks.large_index import acts_under_new_numbers
from legal_pipeline_tests.by_words import ByWords
from legal_pipeline_tests.pipeline.earlier_layout import write_earlier_layout
from legal_pipeline_tests.pipeline.killed_migration import kill_migration


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("--documents", type=int, default=100)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="legal-pipeline-") as temporary:
        folder = Path(temporary)
        (folder / "laws").mkdir()
        for name, text in itertools.islice(acts_under_new_numbers(given.corpus), given.documents):
            (folder / "laws" / name).write_bytes(text)
        root = make(folder)
        documents = len(Warehouse(root).documents(("chunks",)))
        print(f"{documents} documents: {size(root)}", flush=True)
        earlier = folder / "earlier"
        write_earlier_layout(Warehouse(root), earlier)
        print(f"with a file per asset: {size(earlier)}", flush=True)
        for killed in range(5):
            kill_migration(earlier, ("os.rename", "os.remove")[killed % 2], documents * (killed % 2 * 3 + 1) // 2)
        begin = time.perf_counter()
        migrate(Warehouse(earlier))
        print(f"moved; the last of six calls took {time.perf_counter() - begin:.1f} s: {size(earlier)}")
        assert Warehouse(earlier).files() == Warehouse(root).files()


def make(folder: Path) -> Path:
    """Run all documents; return the root of the warehouse."""
    with EmbeddedPostgres(folder / "postgres") as server:
        settings = load_settings(home=folder / "home", database_url=server.url, stores="qdrant")
        with Pipeline.open(settings) as opened:
            resources = replace(opened.resources, make_embedder=lambda _: ByWords())
            with Pipeline(resources, Database.open(settings)) as pipeline:
                found = register(DirectorySource(folder / "laws"), pipeline.registry, grace=timedelta(0))
                busy = time.process_time()
                failed = [event for event in pipeline.run(found.to_run) if isinstance(event, Failed)]
                print(f"{time.process_time() - busy:.1f} s of processor time, {len(failed)} failed", flush=True)
    return Path(settings.warehouse_root)


def size(root: Path) -> str:
    """Files, bytes, and the largest folder."""
    files = [path for path in root.rglob("*") if path.is_file() and not path.relative_to(root).parts[0].startswith(".")]
    largest = max(sum(1 for _ in folder.iterdir()) for folder in {path.parent for path in files})
    return (
        f"{len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.2f} MB, at most {largest} in a folder"
    )


if __name__ == "__main__":
    main()
