"""A process that ingests a folder and kills itself on the way: `python -m … DATABASE_URL HOME FOLDER KIND NUMBER`.

KIND `event`: after so many finished (asset, document); `rename`: before the warehouse gives so many files their names; `points`:
before so many batches of points are flushed. Not here: what must hold afterwards (`test_kill`).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection
from datetime import timedelta
from pathlib import Path
from typing import Any

from legal_pipeline.pipeline import Pipeline
from legal_pipeline.registration import register
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(database_url: str, home: str, folder: str, kind: str, number: str) -> None:
    left = int(number)

    def count() -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            kill()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if kind == "rename" and event == "os.rename" and "warehouse" in str(arguments[1]):
            count()

    sys.addaudithook(hook)
    settings = load_settings(home=Path(home), database_url=database_url)
    with Pipeline.open(settings) as pipeline:
        found = register(DirectorySource(Path(folder)), pipeline.registry, grace=timedelta(0))
        if kind == "points":
            store = pipeline.resources.store
            write = store.replace_documents

            def replace_documents(*arguments: Any, publish: Any, **options: Any) -> Any:
                def killed_publish(document_ids: Collection[str]) -> None:
                    for _ in document_ids:
                        count()  # points are written, the manifests are not
                    publish(document_ids)

                return write(*arguments, publish=killed_publish, **options)

            store.replace_documents = replace_documents  # type: ignore[method-assign]
        for _ in pipeline.run(sorted({*found.new, *found.changed, *found.listed})):
            if kind == "event":
                count()


if __name__ == "__main__":
    main(*sys.argv[1:])
