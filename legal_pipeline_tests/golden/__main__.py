"""See the package. One line of the record is one text, document or query."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from legal_pipeline.settings import load_settings
from legal_pipeline_tests.golden.documents import read_corpus
from legal_pipeline_tests.golden.hits import first_hits
from legal_pipeline_tests.golden.index import read_index
from legal_pipeline_tests.golden.record import Record, differences, recorded, write

_OF_MODELS = "query: "


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--write", action="store_true", help="record anew instead of comparing")
    options.add_argument(
        "--keep-queries",
        action="store_true",
        help="leave the hits of the models' vectors, which depend on the processor",
    )
    chosen = options.parse_args()
    old = recorded()
    new: Record = dict(read_corpus(chosen.corpus))
    with tempfile.TemporaryDirectory() as home:
        new |= dict(read_index(chosen.corpus, load_settings(home=Path(home) / "home")))
    if chosen.keep_queries:
        new |= {key: entry for key, entry in old.items() if key.startswith(_OF_MODELS)}
    else:
        new |= dict(first_hits(chosen.corpus))
    if chosen.write:
        write(new)
        print(f"{len(new)} entries recorded")
        return
    found = list(differences(old, new))
    print("\n".join([*found, f"{len(found)} of {len(new)} entries differ"]))
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
